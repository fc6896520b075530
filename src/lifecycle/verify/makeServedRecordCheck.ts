import { Array, DateTime, Effect, Either, Option } from "effect"
import { Delegations } from "../../dns/zone/Delegations.ts"
import { ZoneReader } from "../../dns/zone/ZoneReader.ts"
import type { DnsRecord } from "../../domain/records/DnsRecord.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import { isSameRecord } from "../../domain/plan/Plan.ts"
import type { DiagnosedConnection } from "../../domain/plan/describeDiagnosis.ts"
import type { RecordComparison } from "../../planning/verification/compareZone.ts"
import { listServedQuestions } from "../plan/ZoneSurvey.ts"
import { combineObservations } from "./combineObservations.ts"
import { type DiagnosisHistory, listOutside, makeRecordDiagnosis } from "./makeRecordDiagnosis.ts"
import { compareRecord } from "./observeRemovals.ts"

/** The records to observe: those that the customer enters again by hand, and those that the customer removes. */
interface RestoredRecords {
  readonly returns: ReadonlyArray<DnsRecord>
  readonly removals: ReadonlyArray<DnsRecord>
}

/** Observes whether every server serves these records; unknown without a zone, fails without a resolver. */
export const makeServedRecordCheck = Effect.gen(function* () {
  const delegations = yield* Delegations
  const zones = yield* ZoneReader
  const diagnoseRecords = yield* makeRecordDiagnosis

  const readZone = Effect.fnUntraced(function* (domain: DomainName, records: ReadonlyArray<DnsRecord>) {
    if (!Array.isNonEmptyReadonlyArray(records)) return Option.none()
    const found = yield* Effect.either(delegations.find(domain))
    if (Either.isLeft(found)) return found.left._tag === "ResolversUnavailable" ? yield* found.left : Option.none()
    const hosts = listServedQuestions(records, found.right.zone === domain)
    const read = yield* zones.readPerServer({ domain, delegation: found.right, hosts })
    return Option.some({ ...read, delegation: found.right })
  })

  return Effect.fnUntraced(function* (
    connection: DiagnosedConnection,
    { removals, returns }: RestoredRecords,
    history: DiagnosisHistory
  ) {
    const checkedAt = yield* DateTime.now
    const domain = DomainName.make(connection.effectiveIntent.domain)
    const records = [...returns, ...removals]
    const read = yield* readZone(domain, records)
    if (Option.isNone(read)) {
      const unknown = combineObservations([], { records }, checkedAt)
      return { returns: unknown.slice(0, returns.length), removals: unknown.slice(returns.length) }
    }
    const { delegation, merged, views } = read.value
    const servers = views.map((view) => ({
      kind: "authoritative" as const,
      view,
      compared: records.map((record) => compareRecord(record, view, domain))
    }))
    const observed = combineObservations(servers, { records }, checkedAt)
    return {
      returns: yield* diagnoseRecords({
        connection,
        delegation,
        servers: servers.map((server) => ({ ...server, compared: server.compared.map(withRemovedOnly(removals)) })),
        records: observed.slice(0, returns.length),
        outside: listOutside(merged),
        isJustWritten: false,
        history
      }),
      removals: observed.slice(returns.length)
    }
  })
})

/** Keeps beside a record only what the customer removes: everything else may stay. */
const withRemovedOnly =
  (removals: ReadonlyArray<DnsRecord>) =>
  (comparison: RecordComparison): RecordComparison => ({
    ...comparison,
    observed: comparison.observed.filter((live) => removals.some((removal) => isSameRecord(live, removal)))
  })
