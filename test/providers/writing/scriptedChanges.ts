import { Either } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import type { Change, ChangeRecord } from "../../../src/domain/plan/Plan.ts"
import { anyTtl, type ProviderLimits } from "../../../src/domain/provider/Provider.ts"
import { powerDnsCapabilities } from "../../../src/providers/adapters/powerdns/makePowerDnsClient.ts"
import type { ZoneSnapshot } from "../../../src/providers/ProviderClient.ts"

/** The zone of the tests, which is a domain of its own. */
export const location = { zone: DomainName.make("shop.example"), domain: DomainName.make("shop.example") }

/** A provider that stores everything. */
export const limits: ProviderLimits = { capabilities: powerDnsCapabilities, ttl: anyTtl }

/** A planned record, as in `www 300 A 192.0.2.1`. */
export const record = (line: string): ChangeRecord => {
  const [host = "", ttl = "", type = "", ...value] = line.split(" ")
  return { host, ttl: Number(ttl), type, value: value.join(" "), optional: false }
}

export const creation = (line: string): Change => ({ action: "create", after: record(line), destructive: false })

/** Creations at so many hosts, which are numbered. */
export const creations = (count: number, host: string, data: string): ReadonlyArray<Change> =>
  Array.from({ length: count }, (_, index) => creation(`${host}${index} ${data}`))

export const deletion = (line: string): Change => ({ action: "delete", before: record(line), destructive: true })

export const update = (before: string, after: string): Change => ({
  action: "update",
  before: record(before),
  after: record(after),
  destructive: false
})

/** The writes of changes, or a failed test. */
export const writesOf = (snapshot: ZoneSnapshot, changes: ReadonlyArray<Change>) =>
  Either.getOrThrow(snapshot.planWrites(changes))

/** The first write of changes, or a failed test. */
export const firstWriteOf = (snapshot: ZoneSnapshot, changes: ReadonlyArray<Change>) => {
  const [write] = writesOf(snapshot, changes)
  if (write === undefined) throw new Error("nothing to write")
  return write
}
