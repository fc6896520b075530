import { Array, DateTime, Effect, Either } from "effect"
import { Delegations } from "../../dns/zone/Delegations.ts"
import type { ServerView } from "../../dns/zone/ServerView.ts"
import { ZoneReader } from "../../dns/zone/ZoneReader.ts"
import type { DnsRecord, ZoneRecord } from "../../domain/records/DnsRecord.ts"
import type { DomainName } from "../../domain/names/DomainName.ts"
import type { RecordObservation } from "../../domain/plan/RecordObservation.ts"
import { liveRoleOf, recordKeyOf } from "../../planning/RecordRole.ts"
import type { RecordComparison } from "../../planning/verification/compareZone.ts"
import { isApex, type LiveRecord } from "../../planning/zone/LiveZone.ts"
import { listServedQuestions } from "../plan/ZoneSurvey.ts"
import { combineObservations } from "./Verification.ts"

/**
 * Makes the function that observes whether every authoritative server of a domain serves exactly these records, whatever
 * else stands beside them. All are unknown where the zone is not found; fails where no resolver answers.
 */
export const makeServedRecordCheck = Effect.gen(function* () {
  const delegations = yield* Delegations
  const zones = yield* ZoneReader

  const readViews = Effect.fnUntraced(function* (domain: DomainName, records: ReadonlyArray<DnsRecord>) {
    if (!Array.isNonEmptyReadonlyArray(records)) return []
    const found = yield* Effect.either(delegations.find(domain))
    if (Either.isLeft(found)) return found.left._tag === "ResolversUnavailable" ? yield* found.left : []
    const hosts = listServedQuestions(records, found.right.zone === domain)
    const { views } = yield* zones.readPerServer({ domain, delegation: found.right, hosts })
    return views
  })

  return Effect.fnUntraced(function* (domain: DomainName, records: ReadonlyArray<DnsRecord>) {
    const checkedAt = yield* DateTime.now
    const views = yield* readViews(domain, records)
    const servers = views.map((view) => ({
      kind: "authoritative" as const,
      view,
      compared: records.map((record) => compareRecord(record, view, domain))
    }))
    const observations: ReadonlyArray<RecordObservation> = combineObservations(servers, { records }, checkedAt)
    return observations
  })
})

const compareRecord = (
  record: DnsRecord,
  { unknownRRsets, zone }: ServerView,
  domain: DomainName
): RecordComparison => {
  const role = liveRoleOf(record.type, isApex({ name: zone.name, domain }, record.host))
  const toLive = (served: ZoneRecord): LiveRecord => ({ ...served, role, key: recordKeyOf(role, served) })
  const observed = zone.records.filter(({ host, type }) => host === record.host && type === record.type).map(toLive)
  const isKnown = !unknownRRsets.some(({ host, type }) => host === record.host && type === record.type)
  const isServed = observed.some(({ key }) => key === recordKeyOf(role, record))
  return {
    record,
    observed,
    isExact: isServed,
    status: isServed ? "present" : !isKnown ? "unknown" : observed.length === 0 ? "missing" : "different"
  }
}
