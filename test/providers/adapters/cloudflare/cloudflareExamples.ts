import { Effect } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import type { Change, ChangeRecord } from "../../../../src/domain/plan/Plan.ts"
import type { ProviderClient, ZoneRequest } from "../../../../src/providers/ProviderClient.ts"
import type { FakeVendor } from "../../../support/vendors/FakeVendor.ts"
import { sendWrites } from "../AdapterUnderTest.ts"
import { clientFor, tokenOf } from "./cloudflareUnderTest.ts"
import {
  assignedNameServers,
  type CloudflareState,
  cloudflareState,
  makeFakeCloudflare,
  validToken
} from "./FakeCloudflare.ts"
import { storedRecord, type StoredCloudflareRecord, toId } from "./storedCloudflareRecords.ts"

/** The zone of the examples. */
export const zone = DomainName.make("example.com")

/** Opens the zone with a valid token. */
export const open = (client: ProviderClient, request: Partial<ZoneRequest> = {}) =>
  client.openZone({
    connectionId: "con_1",
    zone,
    domain: zone,
    nameServers: assignedNameServers,
    credential: tokenOf(validToken),
    ...request
  })

/** A fake with these records in the zone, with identifiers from 100. */
export const fakeWith = (...records: ReadonlyArray<Partial<StoredCloudflareRecord> & { readonly type: string }>) =>
  makeFakeCloudflare(
    cloudflareState({
      "example.com": {
        records: records.map((record, index) => storedRecord({ id: toId(100 + index), name: zone, ...record }))
      }
    })
  )

/** The records that the fake stores. */
export const recordsAt = (fake: FakeVendor<CloudflareState>) => fake.state().zones.flatMap(({ records }) => records)

/** A planned record at the apex, unless it says otherwise. */
export const recordOf = (record: Pick<ChangeRecord, "type" | "value"> & Partial<ChangeRecord>): ChangeRecord => ({
  host: "@",
  ttl: 300,
  optional: false,
  ...record
})

export const creation = (after: ChangeRecord): Change => ({ action: "create", after, destructive: false })
export const update = (before: ChangeRecord, after: ChangeRecord): Change => ({
  action: "update",
  before,
  after,
  destructive: true
})

/** Opens the zone, reads it, and sends the writes of the changes. */
export const write = (fake: FakeVendor<CloudflareState>, ...changes: ReadonlyArray<Change>) =>
  writeBy(clientFor(fake), changes)

/** The same, by a client with other timeouts. */
export const writeBy = (client: ProviderClient, changes: ReadonlyArray<Change>) =>
  Effect.flatMap(open(client), (opened) =>
    Effect.flatMap(opened.read, (snapshot) => sendWrites(snapshot, changes, opened))
  )

/** The records of the zone as the adapter reads them. */
export const readRecords = (fake: FakeVendor<CloudflareState>, request: Partial<ZoneRequest> = {}) =>
  Effect.flatMap(open(clientFor(fake), request), ({ read }) => Effect.map(read, ({ zone }) => zone.records))
