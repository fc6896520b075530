import type { FailureDetail } from "../../domain/connection/Connection.ts"
import type { ServerFailure } from "../../dns/transport/Query.ts"
import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import { type DomainName, toFqdn, toRelativeHost } from "../../domain/names/DomainName.ts"
import type { Change, ChangeRecord } from "../../domain/plan/Plan.ts"
import { resolverName } from "../../dns/zone/Resolver.ts"
import {
  maxMissingRecords,
  type MissingRecord,
  type ObservationReason,
  type RecordObservation
} from "../../domain/plan/RecordObservation.ts"
import { type DiagnosedConnection, describeDiagnosis } from "../../domain/plan/describeDiagnosis.ts"
import type { Phase } from "../../domain/connection/Transition.ts"
import type { PlanRefused } from "../../planning/buildPlan.ts"
import type { ProviderFailure } from "../../providers/ProviderFailure.ts"
import { Array, Option } from "effect"

/** The answers of name servers when a zone was looked for or read. */
export const describeServerFailures = (
  servers: ReadonlyArray<ServerFailure>,
  domain: DomainName
): ReadonlyArray<FailureDetail> =>
  servers.map((failure) => {
    const { question, reason, server } = failure
    return {
      message: describeServerFailure(failure),
      server,
      ...(question === undefined
        ? {}
        : { host: Option.getOrElse(toRelativeHost(question.name, domain), () => question.name), type: question.type }),
      answer: reason
    }
  })

/** The answer or failure of each server for one question, as clauses. */
export const describeServerAnswers = (servers: ReadonlyArray<ServerFailure>): ReadonlyArray<string> =>
  servers.map(({ reason, server }) =>
    reason === "budget_spent" ? `${server} was not asked` : `${server} ${reasonTexts[reason]}`
  )

const describeServerFailure = ({ question, reason, server }: ServerFailure): string => {
  const subject = question === undefined ? "" : ` for ${question.type} of ${question.name}`
  // A resolver has no zones: its answer proves nothing.
  if (reason === "lame" && server === resolverName)
    return `${server}, asked${subject}, gave no answer that proves anything`
  if (reason === "budget_spent")
    return `${server} was not asked${subject}, because the reading would have taken too many queries`
  return subject === "" ? `${server} ${reasonTexts[reason]}` : `${server}, asked${subject}, ${reasonTexts[reason]}`
}

/** A record that the provider keeps as it is, which a plan removes or replaces. */
export const describeLockedRecord = ({ host, type }: Pick<ZoneRecord, "host" | "type">): string =>
  `${type} at ${host}: the provider keeps this record as it is`

/** The work that met a defect, whose cause is for the operator alone. */
export const describeDefect = (phase: Phase): ReadonlyArray<FailureDetail> => [
  {
    message: `A defect ended the phase "${phase}"; the log of the service has its cause under the id of the connection`
  }
]

/** The record that cannot be planned, and the rule that refuses it. */
export const describeRefusal = ({ host, rule, type }: PlanRefused): ReadonlyArray<FailureDetail> => [
  { message: `${type} at ${host}: ${rule}`, host, type }
]

/** The answer of the provider, or the reason why it was not called. */
export const describeProviderFailure = (
  provider: string,
  { detail, isLocal = false }: Pick<ProviderFailure, "detail" | "isLocal">
): ReadonlyArray<FailureDetail> =>
  isLocal ? [{ message: `${provider} was not asked: ${detail}` }] : describeProviderAnswer(provider, detail)

/** The answer of the provider; `request` describes the call where that does not follow from the failure. */
export const describeProviderAnswer = (
  provider: string,
  detail: string,
  request?: string
): ReadonlyArray<FailureDetail> => [
  {
    message: `${provider}${request === undefined ? "" : `, asked to ${request},`} answered: ${detail}`,
    server: provider,
    answer: detail
  }
]

/** The answer of the provider to a write, and the changes of the call where it refused just those. */
export const describeFailedWrite = (
  provider: string,
  {
    refused = [],
    ...failure
  }: Pick<ProviderFailure, "detail" | "isLocal"> & { readonly refused?: ReadonlyArray<Change> },
  domain: DomainName
): ReadonlyArray<FailureDetail> => {
  const records = refused.map((change) => ({ ...describeRecord(change), message: formatChange(change, domain) }))
  const [first, second] = records
  if (first === undefined) return describeProviderFailure(provider, failure)
  if (second === undefined)
    return describeProviderAnswer(provider, failure.detail, first.message).map((answer) => ({ ...first, ...answer }))
  const more = records.length - maxNamed
  const named = [...records.slice(0, maxNamed), ...(more > 0 ? [{ message: `${more} more changes` }] : [])]
  return [
    ...describeProviderAnswer(provider, failure.detail, `make ${records.length} changes in one call`),
    ...named.map((record) => ({ ...record, message: `In this call: ${record.message}` }))
  ]
}

/** A change in words, with the full names of its records. */
export const formatChange = ({ action, after, before }: Change, domain: DomainName): string => {
  const records = [before, after].flatMap((record) =>
    record === undefined ? [] : [`${record.type} at ${toFqdn(record.host, domain)} (${record.value})`]
  )
  return `${verbs[action]} ${records.join(" by ")}`
}

const verbs = { create: "add", update: "replace", delete: "delete" } as const

/** The record that a change writes or deletes, for the detail of a failure. */
export const describeRecord = ({ after, before }: Change): Pick<FailureDetail, "expected" | "host" | "type"> => {
  const record = after ?? before
  return {
    ...(record === undefined ? {} : { host: record.host, type: record.type }),
    ...(after === undefined ? {} : { expected: after.value })
  }
}

/** The provider of a connection no longer serves its zone, or not alone. */
export const describeForeignDelegation = (
  zone: DomainName,
  nameServers: ReadonlyArray<string>,
  provider: string
): ReadonlyArray<FailureDetail> => {
  const answer = nameServers.slice(0, maxNamed).join(", ")
  return [
    {
      message: `${zone} is delegated to ${answer}: these are not, or not only, the name servers of ${provider}`,
      expected: provider,
      answer
    }
  ]
}

/** The most name servers, or records of one call, in the details: as many name servers as one zone usually has. */
const maxNamed = 8

/** Says what to do about each required record that servers do not show, and what each of them shows. */
export const describeMissingRecords = (
  records: ReadonlyArray<RecordObservation>,
  connection: DiagnosedConnection
): ReadonlyArray<FailureDetail> =>
  records
    .filter(({ expected, status }) => status !== "present" && !expected.optional)
    .flatMap(({ diagnosis, expected, observed }) => {
      const { host, type, value } = expected
      const fix = diagnosis === undefined ? [] : [describeDiagnosis(diagnosis, expected, connection)]
      const answers = observed
        .filter(({ status }) => status !== "present")
        .map(({ reason, seen, server, silence, status }) => {
          const answer =
            silence ?? (seen.length === 0 ? "no such record" : seen.map((one) => `${one.type} ${one.value}`).join(", "))
          const cause = reason === undefined ? "" : ` (${reason}: ${reasonMeanings[reason]})`
          return {
            message: `${server} ${status === "unknown" ? "did not answer" : "shows something else"} for ${type} at ${host}: ${answer}${cause}`,
            server,
            host,
            type,
            expected: value,
            answer
          }
        })
      return [...fix.map((message) => ({ message, host, type, expected: value })), ...answers]
    })

const reasonMeanings: { readonly [_ in ObservationReason]: string } = {
  cname_flattened: "the provider answers with addresses in place of the CNAME",
  proxied: "the provider answers with addresses of its own; turn its proxy off for this record"
}

/** Required records that authoritative servers do not show, each with what they show; all if there is no domain. */
export const listMissingRecords = (
  records: ReadonlyArray<RecordObservation>,
  connection: DiagnosedConnection
): ReadonlyArray<MissingRecord> =>
  records
    .flatMap(({ diagnosis, expected, observed, status }) => {
      const { host, optional, type, value } = expected
      const isGone = observed.length === 0 && status === "missing"
      const others = observed.filter(
        ({ kind, status }) => kind === "authoritative" && (status === "missing" || status === "different")
      )
      if (optional || (others.length === 0 && !isGone)) return []
      const seen = Array.dedupe(others.flatMap(({ seen }) => seen.map((one) => cutText(`${one.type} ${one.value}`))))
      const missing = { host, type, expected: cutText(value), seen: seen.slice(0, maxSeen) }
      return diagnosis === undefined
        ? [missing]
        : [
            {
              ...missing,
              diagnosis: diagnosis.code,
              fix: cutText(describeDiagnosis(diagnosis, expected, connection), maxSentenceLength)
            }
          ]
    })
    .slice(0, maxMissingRecords)

/** A text that takes little space in an entry and that the database can hold: no half character, and no NUL. */
const cutText = (text: string, maxLength = 100): string =>
  (text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text).toWellFormed().replaceAll("\0", "")

const maxSentenceLength = 400

/** The most records that are named in the place of a missing one. */
const maxSeen = 2

/** A record of the intent before, which the customer has not removed. */
export const describeRemainingRecord = ({ host, type, value }: ChangeRecord): FailureDetail => ({
  message: `${type} ${value} at ${host} must be removed and is still there`,
  host,
  type,
  answer: `${type} ${value}`
})

/** Why there is no answer of a server that was asked, to be read after its name. */
const reasonTexts: { readonly [_ in Exclude<ServerFailure["reason"], "budget_spent">]: string } = {
  address_not_reachable: "has no address that can be reached",
  no_route: "cannot be reached",
  busy: "could not be asked in time, because other queries were in flight",
  timed_out: "did not answer",
  malformed: "sent an answer that cannot be read",
  truncated: "sent an answer that was cut off",
  format_error: "does not understand the query",
  server_failure: "reported a failure",
  refused: "refused to answer",
  lame: "does not serve the zone",
  nxdomain: "answered that there is no such name",
  nodata: "answered that it has no such records"
}
