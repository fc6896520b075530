import { Array, Either } from "effect"
import type { ZoneRecord } from "../../domain/DnsRecord.ts"
import { type DomainName, hostsAffectedBy } from "../../domain/DomainName.ts"
import { NoAnswer } from "../transport/Query.ts"
import type { ResourceRecord } from "../wire/Message.ts"
import type { RecordTypeName } from "../wire/recordTypes.ts"
import type { QuestionSet, RRsetResponse } from "./QuestionSet.ts"
import { indexResponses, recordDataKey, rrsetDataKey, rrsetKey } from "./ResponseIndex.ts"
import { makeExistenceCheck } from "./WildcardProbes.ts"

/** The records that one server has for the question for one type of one name. */
export interface RRsetAnswer {
  readonly name: string
  readonly type: RecordTypeName
  readonly records: Either.Either<ReadonlyArray<ResourceRecord>, NoAnswer>
}

/** Tells records from what a wildcard only lends to names that do not exist (RFC 4592); `below`: see `Doubts`. */
export const toRRsetAnswers = (
  said: ReadonlyArray<RRsetResponse>,
  below: ReadonlyArray<RRsetResponse>
): ReadonlyArray<RRsetAnswer> => {
  const findings = indexResponses(said)
  const exists = makeExistenceCheck(said, findings, below)
  return said.map(({ questionSet: { owner: name, wildcard }, type }) => {
    const found = Either.flatMap(findings(wildcard, type), () => findings(name, type))
    const records = Either.flatMap(found, ({ redirects: elsewhere, own }) =>
      Either.map(own.length === 0 ? Either.right(true) : exists(name), (isOwn) => [...(isOwn ? own : []), ...elsewhere])
    )
    return { name, type, records }
  })
}

/** Nothing is known to any of the questions, for one reason. */
export const failedRRsetAnswers = (
  names: ReadonlyArray<Pick<QuestionSet, "owner" | "types">>,
  reason: NoAnswer["reason"]
): ReadonlyArray<RRsetAnswer> =>
  names.flatMap(({ owner: name, types }) =>
    types.map((type) => ({ name, type, records: Either.left(new NoAnswer({ reason })) }))
  )

/** Every record once, with its lowest TTL. */
export const mergeZoneRecords = (held: ReadonlyArray<RRsetAnswer>, domain: DomainName): ReadonlyArray<ZoneRecord> => {
  const records = Array.getRights(held.map((one) => one.records))
    .flat()
    .flatMap(({ name, ...data }) => hostsAffectedBy(name, data.type, domain).map((host) => ({ host, ...data })))
  const same = Array.groupBy(records, (record) => `${record.host} ${recordDataKey(record)}`)
  return Object.values(same).map((equal) => ({ ...equal[0], ttl: Math.min(...equal.map(({ ttl }) => ttl)) }))
}

/** Whether servers that answered the same question hold different records. */
export const hasDisagreement = (servers: ReadonlyArray<ReadonlyArray<RRsetAnswer>>): boolean =>
  Object.values(Array.groupBy(servers.flat(), ({ name, type }) => rrsetKey(name, type))).some(
    (answers) => new Set(Array.getRights(answers.map(({ records }) => records)).map(rrsetDataKey)).size > 1
  )

/** The questions, `name type`, that none of the servers answered, or all where there is no server. */
export const findUnanswered = (
  names: ReadonlyArray<Pick<QuestionSet, "owner" | "types">>,
  servers: ReadonlyArray<ReadonlyArray<RRsetAnswer>>
): ReadonlyArray<string> => {
  const [open, known] = Array.partition(servers.flat(), ({ records }) => Either.isRight(records))
  const answered = new Set(known.map(({ name, type }) => rrsetKey(name, type)))
  const asked = names.flatMap(({ owner, types }) => types.map((type) => rrsetKey(owner, type)))
  const askedBesides = open.map(({ name, type }) => rrsetKey(name, type))
  return [...new Set([...asked, ...askedBesides])].filter((key) => !answered.has(key))
}
