import { Array, Number, Option } from "effect"
import { makeBudget } from "../../limits/Budget.ts"
import type { AnswerBudget } from "../transport/AnswerMemory.ts"
import { countRefused } from "../transport/Query.ts"
import type { NameServer } from "./NameServer.ts"
import type { QuestionSet } from "./QuestionSet.ts"

/** The budget for reading a zone once: queries in all and to each address, and the memory for their answers. */
export interface SurveyBudget extends Pick<AnswerBudget, "tryKeep"> {
  /** Spends a query to the address, if one is left and its answer may be kept. */
  readonly trySpend: (address: string) => boolean
}

/**
 * The most queries of any survey. The largest intents need this many: 200 records at hosts of one label need 405
 * questions to each server if the hosts are new, 1,405 if they have addresses, and 1,833 in a zone with a wildcard.
 */
export const surveyLimits: SurveyLimits = { inAll: 4_000, perKey: 2_000 }

interface SurveyLimits {
  readonly inAll: number
  readonly perKey: number
}

/** Makes the budget of one survey; `limits` count queries. */
export const makeSurveyBudget = (limits: SurveyLimits, answers: AnswerBudget): SurveyBudget => {
  const queries = makeBudget(limits)
  return {
    tryKeep: answers.tryKeep,
    trySpend: (address) => {
      if (answers.isSpent()) return false
      if (queries.trySpend(address)) return true
      countRefused("survey")
      return false
    }
  }
}

/** Which servers get the questions of a survey, how many in all, and how many of them at a time once they answer. */
interface SurveyScope {
  readonly queried: ReadonlySet<NameServer>
  readonly maxInFlight: number
  readonly limits: SurveyLimits
}

/** Limits a survey to its budget: at least two servers, first those that answered. None if one would get too many. */
export const scopeSurvey = (
  questionSets: ReadonlyArray<QuestionSet>,
  nameServers: ReadonlyArray<NameServer>
): Option.Option<SurveyScope> => {
  const { inAll, perKey } = surveyLimits
  const fewest = Number.sumAll(questionSets.map(({ types }) => Math.min(types.length, 2)))
  if (fewest > perKey) return Option.none()
  const first = Number.sumAll(questionSets.map(({ types }) => types.length))
  const affordable = Math.max(2, Math.floor(inAll / Math.min(Math.max(first, 1), perKey)))
  const queried = new Set(nameServers.toSorted(byReachability).slice(0, affordable))
  // Twice, for an address that two servers share or that has to be queried without EDNS.
  const most = Math.min(2 * (first + countWildcardProbes(questionSets)), perKey)
  const addresses = new Set([...queried].flatMap((server) => server.addresses)).size
  return Option.some({
    queried,
    maxInFlight: Math.ceil(maxInFlight / Math.max(queried.size, 1)),
    limits: { perKey: most, inAll: Math.min(most * addresses, inAll) }
  })
}

/** The most questions needed to find which of the names exist, if each has a wildcard above it that has every type. */
const countWildcardProbes = (questionSets: ReadonlyArray<QuestionSet>): number => {
  const typesOf = new Map(questionSets.map(({ owner, types }) => [owner, types]))
  return Number.sumAll(
    questionSets.map(({ types, wildcard = "" }) => {
      const ofWildcard = typesOf.get(wildcard)
      return ofWildcard === undefined ? 0 : ofWildcard.filter((type) => !types.includes(type)).length + 1
    })
  )
}

/** Groups servers that have the same addresses, and so the same zone; in each group those first that answered before. */
export const groupByAddresses = (
  nameServers: ReadonlyArray<NameServer>
): ReadonlyArray<Array.NonEmptyReadonlyArray<NameServer>> =>
  Object.values(Array.groupBy(nameServers.toSorted(byReachability), ({ addresses }) => addresses.join()))

const byReachability = (one: NameServer, other: NameServer): number =>
  globalThis.Number(one.wasUnreachable === true) - globalThis.Number(other.wasUnreachable === true)

/**
 * How many questions a server gets at a time until it answers the first one of the survey: it may refuse all, or be
 * silent. A server that was silent before gets one: many would delay the questions to the others.
 */
export const maxInFlightBeforeAnswer = ({ wasUnreachable }: NameServer, { queried }: SurveyScope): number =>
  wasUnreachable === true ? 1 : Math.min(16, Math.ceil(32 / queried.size))

/** Questions of one survey at a time, to all its servers. */
const maxInFlight = 128
