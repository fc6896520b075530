import { Data, Either } from "effect"
import type { FailureCode } from "../domain/Connection.ts"
import type { DnsRecord, RecordType } from "../domain/DnsRecord.ts"
import type { DomainName } from "../domain/DomainName.ts"
import { EffectiveIntent } from "../domain/Intent.ts"
import type { Change, ChangeRecord, PlanDigest, Warning } from "../domain/Plan.ts"
import type { Capabilities } from "../domain/Provider.ts"
import type { Zone } from "../domain/Zone.ts"
import { consequencesIn } from "./consequences.ts"
import { diff, dropsData, type Row } from "./diff.ts"
import { digestOf } from "./digest.ts"
import { type LiveRecord, type LiveZone, liveZone } from "./LiveZone.ts"
import { safeOrder } from "./safeOrder.ts"
import { type Servable, servable } from "./servable.ts"
import { inOrder, warningsAt } from "./warnings.ts"
import { withRole } from "./Wanted.ts"

/** `wanted` are the records of an effective intent: in normal form and free of contradictions. */
export interface PlanInput {
  readonly domain: DomainName
  readonly wanted: ReadonlyArray<DnsRecord>
  readonly zone: Zone
  readonly capabilities: Capabilities
}

/** `optionalFailures` names each optional record that was left out as `<TYPE> <host> <code>`. */
export interface Planned {
  readonly effectiveIntent: EffectiveIntent
  readonly changes: ReadonlyArray<Change>
  readonly warnings: ReadonlyArray<Warning>
  readonly digest: PlanDigest
  readonly optionalFailures: ReadonlyArray<string>
}

/** A required record that cannot be planned. */
export class PlanRefused extends Data.TaggedError("PlanRefused")<{
  readonly code: FailureCode
  readonly host: string
  readonly type: RecordType
}> {}

/** The changes that bring the zone to what is wanted, in an order that is safe to apply. */
export const buildPlan = ({ capabilities, domain, wanted, zone }: PlanInput): Either.Either<Planned, PlanRefused> => {
  const live = liveZone(zone, domain)
  return Either.mapBoth(servable(wanted.map(withRole(live)), live, capabilities), {
    onLeft: ({ code, record: { host, type } }) => new PlanRefused({ code, host, type }),
    onRight: (served) => planFor(served, live)
  })
}

const planFor = ({ skipped, wanted }: Servable, zone: LiveZone): Planned => {
  const diffs = diff(wanted, zone)
  const consequencesOf = consequencesIn(zone, diffs)
  const rows = safeOrder(diffs).map((row) => ({ row, consequences: consequencesOf(row) }))
  const changes = rows.map(({ consequences, row }) => changeOf(row, dropsData(row) || consequences.length > 0))
  const settled = new Map(diffs.flatMap((host) => host.settled))
  return {
    effectiveIntent: EffectiveIntent.make({
      domain: zone.domain,
      records: wanted.flatMap(({ record }) => settled.get(record) ?? [])
    }),
    changes,
    warnings: inOrder([
      ...diffs.flatMap(warningsAt),
      ...rows.flatMap(({ consequences }) => consequences),
      ...skipped.map(() => "optional_record_skipped" as const)
    ]),
    digest: digestOf({ domain: zone.domain, zone: zone.name, changes }),
    optionalFailures: skipped.map(({ code, record: { host, type } }) => `${type} ${host} ${code}`)
  }
}

const changeOf = ({ after, before }: Row, destructive: boolean): Change => ({
  action: before === undefined ? "create" : after === undefined ? "delete" : "update",
  ...(before === undefined ? {} : { before: recordOf(before) }),
  ...(after === undefined ? {} : { after: { ...after } }),
  destructive
})

const recordOf = ({ host, priority, ttl, type, value }: LiveRecord): ChangeRecord => ({
  host,
  type,
  value,
  ttl,
  ...(priority === undefined ? {} : { priority }),
  optional: false
})
