import { Array } from "effect"
import type { HostQuestion } from "../../dns/zone/QuestionSet.ts"
import type { DnsRecord } from "../../domain/DnsRecord.ts"
import { HostName } from "../../domain/DomainName.ts"
import { singletonTxtKind } from "../../domain/singletonTxtKind.ts"
import { relevantTypes } from "../../planning/relevantTypes.ts"

/**
 * What must be read of a zone to plan these records; `isApex`: the zone begins at their domain. Mail and delegation
 * depend on addresses elsewhere in the zone, so what names them is always read.
 */
export const zoneQuestions = (wanted: ReadonlyArray<DnsRecord>, isApex: boolean): ReadonlyArray<HostQuestion> =>
  byHost([
    { host: "@", types: ["MX", "NS", "TXT"] as const },
    ...wanted.map(({ host, type }) => ({ host, types: relevantTypes(type, isApex && host === "@") })),
    ...wanted.flatMap((record) =>
      singletonTxtKind(record) === "SPF" ? [{ host: record.host, types: ["MX"] as const }] : []
    )
  ])

/** What shows whether these records are served: their types, and the addresses of a CNAME that may be flattened. */
export const servedQuestions = (wanted: ReadonlyArray<DnsRecord>, isApex: boolean): ReadonlyArray<HostQuestion> =>
  byHost(
    wanted.map(({ host, type }) => ({
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
