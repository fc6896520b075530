import { Array, Either } from "effect"
import type { ZoneRecord } from "../../domain/DnsRecord.ts"
import { type DomainName, findAffectedHosts } from "../../domain/DomainName.ts"
import type { Zone } from "../../domain/Zone.ts"
import { failWithNoAnswer, type NoAnswer } from "../transport/Query.ts"
import type { ResourceRecord } from "../wire/Message.ts"
import type { RecordTypeName } from "../wire/recordTypes.ts"
import type { NameServer } from "./NameServer.ts"
import type { QuestionSet, RRsetResponse } from "./QuestionSet.ts"
import { indexResponses, recordDataKeyOf, rrsetDataKeyOf, rrsetKeyOf } from "./ResponseIndex.ts"
import { makeExistenceCheck } from "./WildcardProbes.ts"

/** A zone as one server shows it: the records that it answered with, and the RRsets that remain unknown. */
export interface ServerView {
  readonly server: NameServer
  readonly zone: Zone
  readonly unknownRRsets: ReadonlyArray<UnknownRRset>
}

/** It is unknown whether the host has records of the type; `reason` says why. */
interface UnknownRRset {
  readonly host: string
  readonly type: RecordTypeName
  readonly reason: NoAnswer["reason"]
}

/** Makes a view of the zone from the answers of a server, with hosts relative to the domain. */
export const toServerView = (
  server: NameServer,
  answers: ReadonlyArray<RRsetAnswer>,
  { domain, zone }: { readonly domain: DomainName; readonly zone: DomainName }
): ServerView => ({
  server,
  zone: { name: zone, basis: "public_dns", records: mergeZoneRecords(answers, domain) },
  unknownRRsets: answers.flatMap(({ name, records, type }) =>
    Either.match(records, {
      onLeft: ({ reason }) => findAffectedHosts(name, type, domain).map((host) => ({ host, type, reason })),
      onRight: () => []
    })
  )
})

/** The records that one server has for one type at one name, or why they are unknown. */
export interface RRsetAnswer {
  readonly name: string
  readonly type: RecordTypeName
  readonly records: Either.Either<ReadonlyArray<ResourceRecord>, NoAnswer>
}

/**
 * Turns the responses of one server into answers, without the records that it synthesizes from a wildcard for names that
 * do not exist (RFC 4592). `childResponses` are those to `WildcardProbes.children`.
 */
export const toRRsetAnswers = (
  responses: ReadonlyArray<RRsetResponse>,
  childResponses: ReadonlyArray<RRsetResponse>
): ReadonlyArray<RRsetAnswer> => {
  const index = indexResponses(responses)
  const exists = makeExistenceCheck(responses, index, childResponses)
  return responses.map(({ questionSet: { owner: name, wildcard }, type }) => {
    // While the records of the wildcard are unknown, so are those of the name.
    const found = Either.flatMap(index(wildcard, type), () => index(name, type))
    const records = Either.flatMap(found, ({ own, redirects }) =>
      Either.map(own.length === 0 ? Either.right(true) : exists(name), (isOwn) => [...(isOwn ? own : []), ...redirects])
    )
    return { name, type, records }
  })
}

/** Answers every question with the same reason why its records are unknown. */
export const makeFailedRRsetAnswers = (
  names: ReadonlyArray<Pick<QuestionSet, "owner" | "types">>,
  reason: NoAnswer["reason"]
): ReadonlyArray<RRsetAnswer> =>
  names.flatMap(({ owner: name, types }) => types.map((type) => ({ name, type, records: failWithNoAnswer(reason) })))

/** Merges the records of all answers: each one once, with its lowest TTL. */
export const mergeZoneRecords = (
  answers: ReadonlyArray<RRsetAnswer>,
  domain: DomainName
): ReadonlyArray<ZoneRecord> => {
  const records = Array.getRights(answers.map((answer) => answer.records))
    .flat()
    .flatMap(({ name, ...data }) => findAffectedHosts(name, data.type, domain).map((host) => ({ host, ...data })))
  const duplicates = Array.groupBy(records, (record) => `${record.host} ${recordDataKeyOf(record)}`)
  return Object.values(duplicates).map((same) => ({ ...same[0], ttl: Math.min(...same.map(({ ttl }) => ttl)) }))
}

/** Whether servers that answered the same question have different records. */
export const hasDisagreement = (servers: ReadonlyArray<ReadonlyArray<RRsetAnswer>>): boolean =>
  Object.values(Array.groupBy(servers.flat(), ({ name, type }) => rrsetKeyOf(name, type))).some(
    (answers) => new Set(Array.getRights(answers.map(({ records }) => records)).map(rrsetDataKeyOf)).size > 1
  )

/** The questions, `name type`, that no server answered; all of them if there is no server. */
export const findUnanswered = (
  names: ReadonlyArray<Pick<QuestionSet, "owner" | "types">>,
  servers: ReadonlyArray<ReadonlyArray<RRsetAnswer>>
): ReadonlyArray<string> => {
  const [unknown, known] = Array.partition(servers.flat(), ({ records }) => Either.isRight(records))
  const answered = new Set(known.map(({ name, type }) => rrsetKeyOf(name, type)))
  const requested = names.flatMap(({ owner, types }) => types.map((type) => rrsetKeyOf(owner, type)))
  const additional = unknown.map(({ name, type }) => rrsetKeyOf(name, type))
  return [...new Set([...requested, ...additional])].filter((key) => !answered.has(key))
}
