import { Number, Option } from "effect"
import { countRefused } from "../transport/countRefused.ts"
import type { NameServer } from "./NameServer.ts"
import type { QuestionSet } from "./QuestionSet.ts"

/** The queries that one reading of a zone may send: in all, and to each address, whatever names its servers have. */
export interface SurveyBudget {
  /** Spends a query to the address, if one is left. */
  readonly trySpend: (address: string) => boolean
}

/**
 * A usual intent needs a hundred questions to each server. The largest, 200 records at hosts of one label, needs 433 to
 * each if the hosts are new or aliases, and 1,233 if they have addresses.
 */
export const surveyLimits = { inAll: 4_000, perAddress: 2_000 } as const

export const makeSurveyBudget = (limits: { readonly inAll: number; readonly perAddress: number }): SurveyBudget => {
  const spentAt = new Map<string, number>()
  let left = limits.inAll
  return {
    trySpend: (address) => {
      const spent = spentAt.get(address) ?? 0
      if (left === 0 || spent >= limits.perAddress) {
        countRefused("survey")
        return false
      }
      left -= 1
      spentAt.set(address, spent + 1)
      return true
    }
  }
}

/** Which servers get the questions of a survey, and how many of them each has at a time once it answers. */
interface SurveyPlan {
  readonly queried: ReadonlySet<NameServer>
  readonly maxInFlight: number
}

/**
 * Plans a survey within its budget: with more questions than all servers can get, those that answered before are queried,
 * at least two. None if one server would get too many questions even if it denied every name.
 */
export const planSurvey = (
  questionSets: ReadonlyArray<QuestionSet>,
  nameServers: ReadonlyArray<NameServer>
): Option.Option<SurveyPlan> => {
  const { inAll, perAddress } = surveyLimits
  const fewest = Number.sumAll(questionSets.map(({ types }) => Math.min(types.length, 2)))
  if (fewest > perAddress) return Option.none()
  const most = Number.sumAll(questionSets.map(({ types }) => types.length))
  const affordable = Math.max(2, Math.floor(inAll / Math.min(Math.max(most, 1), perAddress)))
  const queried = new Set(nameServers.toSorted(byReachability).slice(0, affordable))
  return Option.some({ queried, maxInFlight: Math.ceil(maxInFlight / Math.max(queried.size, 1)) })
}

const byReachability = (one: NameServer, other: NameServer): number =>
  globalThis.Number(one.wasUnreachable === true) - globalThis.Number(other.wasUnreachable === true)

/**
 * Questions to a server at a time until it answers the first one of the survey: a server may refuse all, or be silent. One
 * that was silent before gets a single one: many would delay the questions to the others.
 */
export const maxInFlightBeforeAnswer = ({ wasUnreachable }: NameServer, { queried }: SurveyPlan): number =>
  wasUnreachable === true ? 1 : Math.min(16, Math.ceil(32 / queried.size))

/** Questions of one survey at a time, to all its servers. */
const maxInFlight = 128
