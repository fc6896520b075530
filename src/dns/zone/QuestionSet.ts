import { Array, Effect, Option, Random } from "effect"
import { type DomainName, type HostName, isAtOrBelow, toFqdn } from "../../domain/DomainName.ts"
import { queryableTypes } from "../../domain/queryableTypes.ts"
import { type Query, type QueryOutcome, runQueries } from "../transport/Query.ts"
import type { Question } from "../wire/Message.ts"
import type { RecordTypeName } from "../wire/recordTypes.ts"
import type { ServerAnswer } from "./NameServer.ts"

/** Record types wanted at a host of the domain; `*` and `*.x` are hosts as well. */
export interface HostQuestion {
  readonly host: HostName
  readonly types: ReadonlyArray<RecordTypeName>
}

/**
 * A name to ask for. `owner` holds what is answered; it differs from `name` for a wildcard, which is seen by asking for
 * a sibling that nobody has. `wildcard` is the owner that answers where the name does not exist (RFC 4592).
 */
export interface QuestionSet {
  readonly owner: string
  readonly name: string
  readonly types: ReadonlyArray<RecordTypeName>
  readonly wildcard: string | undefined
}

/**
 * All that must be asked to know what a zone holds at these hosts: the hosts themselves, NS at every name between them
 * and the apex, and the wildcards that could answer for any of them, with every type that a new name would take from
 * them. `label` is one that no name in the zone has.
 */
export const buildQuestionSets = (request: {
  readonly domain: DomainName
  readonly zone: DomainName
  readonly hosts: ReadonlyArray<HostQuestion>
  readonly label: string
}): ReadonlyArray<QuestionSet> => {
  const { domain, hosts, label, zone } = request
  const wanted = hosts.map(({ host, types }) => ({ owner: toFqdn(host, domain), types }))
  const above = [...new Set(wanted.flatMap(({ owner }) => namesAbove(owner, zone)))]
  const cuts = above.filter((name) => name !== zone).map((owner) => ({ owner, types: delegation }))
  const everyType = [...new Set([...queryableTypes, ...hosts.flatMap(({ types }) => types)])]
  const wildcards = above.map((name) => ({ owner: wildcardBelow(name), types: everyType }))
  const parts: ReadonlyArray<Pick<QuestionSet, "owner" | "types">> = [...wanted, ...cuts, ...wildcards]
  return [...Map.groupBy(parts, ({ owner }) => owner)].map(([owner, all]) => ({
    ...queryNameFor(owner, label),
    types: [...new Set(all.flatMap(({ types }) => types))],
    wildcard: wildcardFor(owner, zone)
  }))
}

/** The name that shows what is served at an owner, wherever it comes from. */
export const queryNameFor = (owner: string, label: string): Pick<QuestionSet, "owner" | "name"> => ({
  owner,
  name: isWildcard(owner) ? siblingOf(owner, label) : owner
})

/** The wildcard below a name, or the name itself where it is one. */
export const wildcardOf = (owner: string): string => (isWildcard(owner) ? owner : wildcardBelow(owner))

/**
 * A name for which the wildcard answers exactly where the one asked for does not exist: it lies below an asterisk, where
 * no wildcard of that name's own answers either (`ghost.*.example`, RFC 4592 section 2.2.1).
 */
export const makeChildProbe = ({ owner, wildcard }: QuestionSet, type: RecordTypeName, label: string): QuestionSet => ({
  owner: wildcardOf(owner),
  name: inFrontOf(`.${wildcardOf(owner)}`, label),
  types: [type],
  wildcard
})

const delegation: ReadonlyArray<RecordTypeName> = ["NS"]

/** What lies above a name, up to the apex of the zone. */
const namesAbove = (name: string, zone: string): ReadonlyArray<string> =>
  Array.unfold(name, (below) =>
    below !== zone && isAtOrBelow(below, zone) ? Option.some([parentOf(below), parentOf(below)]) : Option.none()
  )

const parentOf = (name: string): string => name.slice(name.indexOf(".") + 1)

const wildcardBelow = (name: string): string => `*.${name}`

const isWildcard = (owner: string): boolean => owner.startsWith("*.")

const siblingOf = (wildcard: string, label: string): string => inFrontOf(wildcard.slice(1), label)

/** As long as fits: no name has more than 253 characters. */
const inFrontOf = (parent: string, label: string): string => `${label.slice(0, 253 - parent.length)}${parent}`

const wildcardFor = (owner: string, zone: string): string | undefined => {
  const name = isWildcard(owner) ? parentOf(owner) : owner
  return name === zone ? undefined : wildcardBelow(parentOf(name))
}

/** A label that no zone has by chance: 16 letters and digits. */
export const randomLabel: Effect.Effect<string> = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(0, 36), 16),
  (digits) => digits.map((digit) => digit.toString(36)).join("")
)

/** One type of one name to ask a server for. */
export interface RRsetQuestion {
  readonly questionSet: QuestionSet
  readonly type: RecordTypeName
}

/** What one server said to an inquiry. */
export interface RRsetResponse extends RRsetQuestion {
  readonly answer: QueryOutcome<ServerAnswer>
}

/** All types that a name is asked for. */
export const expandQuestionSet = (asked: QuestionSet): ReadonlyArray<RRsetQuestion> =>
  asked.types.map((type) => ({ questionSet: asked, type }))

/** Puts all inquiries, so many at a time; what is said to them comes in their order. */
export const queryAll = (
  inquiries: ReadonlyArray<RRsetQuestion>,
  ask: (question: Question) => Query<ServerAnswer>,
  atATime: number
): Effect.Effect<ReadonlyArray<RRsetResponse>> =>
  Effect.map(
    runQueries(
      inquiries.map(({ questionSet: { name }, type }) => ask({ name, type })),
      atATime
    ),
    (answers) => Array.zipWith(inquiries, answers, (inquiry, answer): RRsetResponse => ({ ...inquiry, answer }))
  )
