import { Either, Option } from "effect"
import { failWithNoAnswer, type NoAnswer } from "../transport/Query.ts"
import type { ResourceRecord } from "../wire/Message.ts"
import type { NameServer } from "./NameServer.ts"
import type { QuestionSet, RRsetResponse } from "./QuestionSet.ts"
import { indexResponses, recordDataKeyOf, rrsetDataKeyOf, rrsetKeyOf } from "./ResponseIndex.ts"
import { makeExistenceCheck } from "./WildcardProbes.ts"
import { visitAnswers } from "./visitAnswers.ts"
import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import {
  DomainName,
  findAffectedHosts,
  isAtOrBelow,
  listSelfAndAncestors,
  toRelativeHost
} from "../../domain/names/DomainName.ts"
import { makeWildcardAboveFinder, type Zone, type ZoneLocation } from "../../domain/plan/Zone.ts"
import type { RecordTypeName } from "../../domain/records/dnsTypes.ts"
import type { LongComputation } from "../../runtime/LongComputation.ts"

/** A zone as one server shows it: the records that it answered with, and the RRsets that remain unknown. */
export interface ServerView {
  readonly server: NameServer
  readonly zone: Zone
  readonly unknownRRsets: ReadonlyArray<UnknownRRset>
  readonly wildcardRRsets: ReadonlyArray<WildcardRRset>
}

/** It is unknown whether the host has records of the type; `reason` says why. */
interface UnknownRRset {
  readonly host: string
  readonly type: RecordTypeName
  readonly reason: NoAnswer["reason"]
}

/** A host and type with the same answer as a new name beside the host: a wildcard may answer for both. */
export interface WildcardRRset {
  readonly host: string
  readonly type: RecordTypeName
}

/** Makes a view of the zone from the answers of a server, with hosts relative to the domain. */
export function* toServerView(
  server: NameServer,
  answers: ReadonlyArray<RRsetAnswer>,
  { domain, zone }: { readonly domain: DomainName; readonly zone: DomainName }
): LongComputation<ServerView> {
  const records = yield* mergeZoneRecords(answers, domain)
  const unknownRRsets: Array<UnknownRRset> = []
  yield* visitAnswers(answers, ({ name, records: found, type }) => {
    if (Either.isRight(found)) return
    const { reason } = found.left
    findAffectedHosts(name, type, domain).forEach((host) => unknownRRsets.push({ host, type, reason }))
  })
  const wildcardRRsets = yield* listWildcardRRsets(answers, domain)
  return { server, zone: { name: zone, basis: "public_dns", records }, unknownRRsets, wildcardRRsets }
}

/** The records that one server has for one type at one name, or why they are unknown. */
export interface RRsetAnswer {
  readonly name: string
  readonly type: RecordTypeName
  readonly records: Either.Either<ReadonlyArray<ResourceRecord>, NoAnswer>
  /** Whether a wildcard has such records and the name does not, which therefore exists. */
  readonly isEmptyName?: boolean
  /** Whether a new name beside this one has such records, whether or not the name exists. */
  readonly hasWildcard?: boolean
}

/**
 * Turns the responses of one server into answers, without the records that it synthesizes from a wildcard for names
 * that do not exist (RFC 4592). `childResponses` are those to `WildcardProbes.children`.
 */
export function* toRRsetAnswers(
  responses: ReadonlyArray<RRsetResponse>,
  childResponses: ReadonlyArray<RRsetResponse>
): LongComputation<ReadonlyArray<RRsetAnswer>> {
  const index = yield* indexResponses(responses)
  const exists = yield* makeExistenceCheck(responses, index, childResponses)
  const answers: Array<RRsetAnswer> = []
  yield* visitAnswers(responses, ({ questionSet: { owner: name, wildcard }, type }) => {
    // While the records of the wildcard are unknown, so are those of the name.
    const found = Either.flatMap(index(wildcard, type), () => index(name, type))
    const records = Either.flatMap(found, ({ own, redirects }) =>
      Either.map(own.length === 0 ? Either.right(true) : exists(name), (isOwn) => [...(isOwn ? own : []), ...redirects])
    )
    const hasWildcard = Either.match(index(wildcard, type), {
      onLeft: () => false,
      onRight: ({ own }) => own.length > 0
    })
    const isEmptyName =
      hasWildcard &&
      Either.match(index(name, type), {
        onLeft: () => false,
        onRight: ({ own, redirects }) => own.length + redirects.length === 0
      })
    answers.push({
      name,
      type,
      records,
      ...(isEmptyName ? { isEmptyName } : {}),
      ...(hasWildcard ? { hasWildcard } : {})
    })
  })
  return answers
}

export const makeFailedRRsetAnswers = (
  names: ReadonlyArray<Pick<QuestionSet, "owner" | "types">>,
  reason: NoAnswer["reason"]
): ReadonlyArray<RRsetAnswer> =>
  names.flatMap(({ owner: name, types }) => types.map((type) => ({ name, type, records: failWithNoAnswer(reason) })))

/** Merges the records of all answers: each one once, with its lowest TTL. */
export function* mergeZoneRecords(
  answers: ReadonlyArray<RRsetAnswer>,
  domain: DomainName
): LongComputation<ReadonlyArray<ZoneRecord>> {
  const merged = new Map<string, ZoneRecord>()
  yield* visitAnswers(answers, ({ records }) => {
    if (Either.isLeft(records)) return
    for (const { name, ...data } of records.right) {
      for (const host of findAffectedHosts(name, data.type, domain)) {
        const key = `${host} ${recordDataKeyOf(data)}`
        const same = merged.get(key)
        if (same === undefined) merged.set(key, { host, ...data })
        else if (data.ttl < same.ttl) merged.set(key, { ...same, ttl: data.ttl })
      }
    }
  })
  return [...merged.values()]
}

/** The findings about names whose own records were not read: empty names, and the wildcard above the domain. */
export function* findUnreadNames(
  answers: ReadonlyArray<RRsetAnswer>,
  location: ZoneLocation
): LongComputation<Pick<Zone, "otherHosts" | "wildcardAbove">> {
  const finder = makeWildcardAboveFinder(location)
  const emptyNames = new Set<string>()
  const names = new Set<string>()
  const added = new Set<string>()
  yield* visitAnswers(answers, ({ isEmptyName = false, name: owner, records }) => {
    for (const { name, ...data } of Either.getOrElse(records, () => [])) {
      const key = `${name} ${recordDataKeyOf(data)}`
      if (!added.has(key)) finder.add(name, data)
      added.add(key)
      for (const above of listSelfAndAncestors(DomainName.make(name))) names.add(above)
    }
    if (!isEmptyName || owner.startsWith("*.")) return
    finder.addName(owner)
    emptyNames.add(owner)
  })
  const wildcardAbove = finder.find()
  const otherHosts = [...emptyNames.difference(names)].flatMap((name) =>
    Option.toArray(toRelativeHost(name, location.domain))
  )
  return {
    ...(wildcardAbove === undefined ? {} : { wildcardAbove }),
    ...(otherHosts.length === 0 ? {} : { otherHosts })
  }
}

/** The hosts and types of a domain for which a wildcard may answer, although it answered differently for a new name. */
export function* listWildcardRRsets(
  answers: ReadonlyArray<RRsetAnswer>,
  domain: DomainName
): LongComputation<ReadonlyArray<WildcardRRset>> {
  const found: Array<WildcardRRset> = []
  yield* visitAnswers(answers, ({ hasWildcard = false, name, type }) => {
    if (hasWildcard) Option.map(toRelativeHost(name, domain), (host) => found.push({ host, type }))
  })
  return found
}

export function* listRecordsOutside(
  answers: ReadonlyArray<RRsetAnswer>,
  domain: DomainName
): LongComputation<ReadonlyArray<ResourceRecord>> {
  const outside: Array<ResourceRecord> = []
  yield* visitAnswers(answers, ({ records }) => {
    for (const record of Either.getOrElse(records, () => []))
      if (!isAtOrBelow(record.name, domain)) outside.push(record)
  })
  return outside
}

export function* hasDisagreement(servers: ReadonlyArray<ReadonlyArray<RRsetAnswer>>): LongComputation<boolean> {
  const firstAnswers = new Map<string, string>()
  let found = false
  yield* visitAnswers(servers.flat(), ({ name, records, type }) => {
    if (found || Either.isLeft(records)) return
    const key = rrsetKeyOf(name, type)
    const data = rrsetDataKeyOf(records.right)
    const first = firstAnswers.get(key)
    if (first === undefined) firstAnswers.set(key, data)
    else found = first !== data
  })
  return found
}

/** The questions that no server answered; all of them if there is no server. */
export function* findUnanswered(
  names: ReadonlyArray<Pick<QuestionSet, "owner" | "types">>,
  servers: ReadonlyArray<ReadonlyArray<RRsetAnswer>>
): LongComputation<ReadonlyArray<Pick<RRsetAnswer, "name" | "type">>> {
  const answered = new Set<string>()
  const unanswered = new Map<string, Pick<RRsetAnswer, "name" | "type">>()
  yield* visitAnswers(servers.flat(), ({ name, records, type }) => {
    if (Either.isRight(records)) answered.add(rrsetKeyOf(name, type))
  })
  const addUnlessAnswered = (owner: string, type: RecordTypeName) => {
    const key = rrsetKeyOf(owner, type)
    if (!answered.has(key)) unanswered.set(key, { name: owner, type })
  }
  yield* visitAnswers(names, ({ owner, types }) => types.forEach((type) => addUnlessAnswered(owner, type)))
  yield* visitAnswers(servers.flat(), ({ name, type }) => addUnlessAnswered(name, type))
  return [...unanswered.values()]
}
