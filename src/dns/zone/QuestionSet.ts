import { Array, Effect, Option, Random } from "effect"
import { type DomainName, type HostName, isAtOrBelow, toFqdn } from "../../domain/names/DomainName.ts"
import { isBasicType, queryableTypes, type RecordTypeName } from "../../domain/records/dnsTypes.ts"
import { type Query, type QueryOutcome, runQueries } from "../transport/Query.ts"
import type { Question } from "../wire/Message.ts"
import type { Delegation } from "./Delegation.ts"
import type { ServerAnswer } from "./NameServer.ts"

/** Record types to query at a host of the domain; `*` and `*.x` are hosts as well. */
export interface HostQuestion {
  readonly host: HostName
  readonly types: ReadonlyArray<RecordTypeName>
  /** The types that must be known besides the basic ones: without their records, nothing can be planned. */
  readonly required?: ReadonlyArray<RecordTypeName>
}

/** The RRsets to read of a zone: some types at some hosts of a domain in it. */
export interface ZoneReadRequest {
  readonly domain: DomainName
  readonly delegation: Delegation
  readonly hosts: ReadonlyArray<HostQuestion>
  readonly apexTypes?: ReadonlyArray<RecordTypeName>
}

/**
 * The questions about one owner name. `queryName` is the QNAME, a random one for a wildcard. `wildcard` is the owner from
 * which a server synthesizes the answer if the name does not exist (RFC 4592).
 */
export interface QuestionSet {
  readonly owner: string
  readonly queryName: string
  readonly types: ReadonlyArray<RecordTypeName>
  readonly wildcard: string | undefined
}

/**
 * Builds questions for the hosts, some types at the apex, NS at every name between, and every type at the wildcards that
 * could answer for any of them or for a new name. `label` is random: no name in the zone has it.
 */
export const buildQuestionSets = (request: {
  readonly domain: DomainName
  readonly zone: DomainName
  readonly hosts: ReadonlyArray<HostQuestion>
  readonly apexTypes?: ReadonlyArray<RecordTypeName>
  readonly label: string
}): ReadonlyArray<QuestionSet> => {
  const { apexTypes = [], domain, hosts, label, zone } = request
  const requested = hosts.map(({ host, types }) => ({ owner: toFqdn(host, domain), types }))
  const above = [...new Set(requested.flatMap(({ owner }) => listNamesUpToApex(owner, zone)))]
  const cuts = above.filter((name) => name !== zone).map((owner) => ({ owner, types: delegationTypes }))
  const everyType = [...new Set([...queryableTypes, ...hosts.flatMap(({ types }) => types)])]
  const wildcards = above.map((name) => ({ owner: wildcardBelow(name), types: everyType }))
  const atApex = apexTypes.length === 0 ? [] : [{ owner: zone, types: apexTypes }]
  const all: ReadonlyArray<Pick<QuestionSet, "owner" | "types">> = [...requested, ...atApex, ...cuts, ...wildcards]
  return [...Map.groupBy(all, ({ owner }) => owner)].map(([owner, atOwner]) => ({
    ...chooseQueryName(owner, label),
    types: [...new Set(atOwner.flatMap(({ types }) => types))],
    wildcard: wildcardFor(owner, zone)
  }))
}

/** Chooses the QNAME for which servers answer with the records of an owner. */
const chooseQueryName = (owner: string, label: string): Pick<QuestionSet, "owner" | "queryName"> => ({
  owner,
  queryName: isWildcard(owner) ? siblingOf(owner, label) : owner
})

/** The wildcard below a name, or the name itself if it is a wildcard. */
export const wildcardOf = (owner: string): string => (isWildcard(owner) ? owner : wildcardBelow(owner))

/**
 * Asks whether a name exists: only if it does not, the wildcard above answers. The QNAME lies below an asterisk, which
 * no wildcard of the name itself covers (`ghost.*.example`, RFC 4592 section 2.2.1).
 */
export const makeChildProbe = ({ owner, wildcard }: QuestionSet, type: RecordTypeName, label: string): QuestionSet => ({
  owner: wildcardOf(owner),
  queryName: prepend(`.${wildcardOf(owner)}`, label),
  types: [type],
  wildcard
})

const delegationTypes: ReadonlyArray<RecordTypeName> = ["NS"]

const listNamesUpToApex = (name: string, zone: string): ReadonlyArray<string> =>
  Array.unfold(name, (below) =>
    below !== zone && isAtOrBelow(below, zone) ? Option.some([parentOf(below), parentOf(below)]) : Option.none()
  )

const parentOf = (name: string): string => name.slice(name.indexOf(".") + 1)

const wildcardBelow = (name: string): string => `*.${name}`

const isWildcard = (owner: string): boolean => owner.startsWith("*.")

const siblingOf = (wildcard: string, label: string): string => prepend(wildcard.slice(1), label)

/** Puts the label in front, shortened where needed: no name has more than 253 characters. */
const prepend = (parent: string, label: string): string => `${label.slice(0, 253 - parent.length)}${parent}`

const wildcardFor = (owner: string, zone: string): string | undefined => {
  const name = isWildcard(owner) ? parentOf(owner) : owner
  return name === zone ? undefined : wildcardBelow(parentOf(name))
}

/** A label that no zone has by chance: 16 random letters and digits. */
export const randomLabel: Effect.Effect<string> = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(0, 36), 16),
  (digits) => digits.map((digit) => digit.toString(36)).join("")
)

export interface RRsetQuestion {
  readonly questionSet: QuestionSet
  readonly type: RecordTypeName
}

export interface RRsetResponse extends RRsetQuestion {
  readonly answer: QueryOutcome<ServerAnswer>
}

export const expandQuestionSet = (questionSet: QuestionSet): ReadonlyArray<RRsetQuestion> =>
  questionSet.types.map((type) => ({ questionSet, type }))

/** The questions for exactly these RRsets, without probes of wildcards. */
export const listServedRRsets = (
  hosts: ReadonlyArray<HostQuestion>,
  domain: DomainName,
  label: string
): ReadonlyArray<RRsetQuestion> =>
  hosts.flatMap(({ host, types }) =>
    expandQuestionSet({ ...chooseQueryName(toFqdn(host, domain), label), types, wildcard: undefined })
  )

/** Sends questions to one server; the responses are in the same order. */
export type QuestionSender = (questions: ReadonlyArray<RRsetQuestion>) => Effect.Effect<ReadonlyArray<RRsetResponse>>

/** Sends at most `maxInFlight` questions at a time, basic types first: a server may be silent for others. */
export const queryAll = (
  questions: ReadonlyArray<RRsetQuestion>,
  query: (question: Question) => Query<ServerAnswer>,
  maxInFlight: () => number
): Effect.Effect<ReadonlyArray<RRsetResponse>> => {
  const [others, basic] = Array.partition(questions, ({ type }) => isBasicType(type))
  const inTurn = [...basic, ...others]
  const queries = inTurn.map(({ questionSet: { queryName }, type }) => query({ name: queryName, type }))
  return Effect.map(runQueries(queries, maxInFlight), (answers) => {
    const answerTo = new Map(Array.zip(inTurn, answers))
    return questions.flatMap((question) => {
      const answer = answerTo.get(question)
      return answer === undefined ? [] : [{ ...question, answer }]
    })
  })
}
