import { Array } from "effect"
import type { HostQuestion } from "../../dns/zone/QuestionSet.ts"
import { type DnsRecord, findSingletonTxtKind } from "../../domain/DnsRecord.ts"
import { HostName } from "../../domain/DomainName.ts"
import { listRelevantTypes } from "../../planning/changes/conflicts.ts"

/**
 * The questions whose answers a plan for these records needs; `isApex` says that the zone begins at their domain. Mail
 * and delegation depend on addresses elsewhere in the zone, so the records that name these are always read.
 */
export const zoneQuestions = (desired: ReadonlyArray<DnsRecord>, isApex: boolean): ReadonlyArray<HostQuestion> =>
  byHost([
    { host: "@", types: ["MX", "NS", "TXT"] as const },
    ...desired.map(({ host, type }) => ({ host, types: listRelevantTypes(type, isApex && host === "@") })),
    ...desired.flatMap((record) =>
      findSingletonTxtKind(record) === "SPF" ? [{ host: record.host, types: ["MX"] as const }] : []
    )
  ])

/** The questions that show whether these records are served: their types, and the addresses of a flattened CNAME. */
export const servedQuestions = (desired: ReadonlyArray<DnsRecord>, isApex: boolean): ReadonlyArray<HostQuestion> =>
  byHost(
    desired.map(({ host, type }) => ({
      host,
      types: type === "CNAME" && isApex && host === "@" ? (["CNAME", "A", "AAAA"] as const) : [type]
    }))
  )

const byHost = (
  questions: ReadonlyArray<{ readonly host: string; readonly types: HostQuestion["types"] }>
): ReadonlyArray<HostQuestion> =>
  [...Map.groupBy(questions, ({ host }) => host)].map(([host, atHost]) => ({
    host: HostName.make(host),
    types: Array.dedupe(atHost.flatMap(({ types }) => types))
  }))
