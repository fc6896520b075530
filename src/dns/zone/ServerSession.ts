import { Array, Either } from "effect"
import { isBasicType } from "../../domain/records/dnsTypes.ts"
import type { DnsClient } from "../transport/DnsClient.ts"
import {
  countRefused,
  failWithNoAnswer,
  hedgeQueries,
  isRefusal,
  isUnreachable,
  makeFailedQuery,
  makeImmediateQuery,
  type NoAnswer,
  type Query,
  type QueryOutcome
} from "../transport/Query.ts"
import { isNotImplemented, type Question } from "../wire/Message.ts"
import { classifyResponse, type NameServer, type ServerAnswer } from "./NameServer.ts"
import type { SurveyBudget } from "./SurveyBudget.ts"

interface SessionOptions {
  readonly zone: string
  readonly requester: string
  readonly budget: SurveyBudget
  /** Nothing is sent once this is true. */
  readonly isOver: () => boolean
}

interface ServerSession {
  readonly query: (question: Question) => Query<ServerAnswer>
  /** Whether it has given an answer, and no failure has ended the session. */
  readonly isAnswering: () => boolean
}

/**
 * Sends queries first to the address that answered last. Ends for an address that refuses, does not understand or is
 * lame, and for a server that never answered at any address or failed 32 times in a row. A type that not every server
 * knows ends neither: it is no longer asked for once it is not implemented, or has failed a few times.
 */
export const openServerSession = (
  client: typeof DnsClient.Service,
  server: NameServer,
  { budget, isOver, requester, zone }: SessionOptions
): ServerSession => {
  let { addresses } = server
  let hasAnswered = false
  let failuresInRow = 0
  const types = makeTypeMemory()
  let endReason: NoAnswer["reason"] = "address_not_reachable"
  const endAt = (failure: NoAnswer, remaining: ReadonlyArray<string>) => {
    addresses = remaining
    endReason = failure.reason
  }
  const queryAt =
    (address: string, question: Question): Query<ServerAnswer> =>
    (onOutcome) => {
      const trySpend = () => budget.trySpend(address)
      if (!trySpend()) return makeFailedQuery("budget_spent")(onOutcome)
      return client.query(address, question, { zone, requester, trySpend })((received) => {
        const answer = Either.flatMap(received, (message) =>
          budget.tryKeep(message) ? classifyResponse(message, question, zone) : failWithNoAnswer("budget_spent")
        )
        if (Either.isRight(answer)) {
          hasAnswered = true
          if (addresses[0] !== address && addresses.includes(address))
            addresses = [address, ...addresses.filter((other) => other !== address)]
        } else if (isRefusal(answer.left) && isBasicType(question.type)) {
          endAt(
            answer.left,
            addresses.filter((other) => other !== address)
          )
        }
        onOutcome(answer)
      })
    }
  const queryAnyAddress = (question: Question): Query<ServerAnswer> => {
    const attempts = addresses.map((address) => queryAt(address, question))
    if (!Array.isNonEmptyReadonlyArray(attempts)) {
      countRefused("server_ended")
      return makeFailedQuery(endReason)
    }
    return isOver() ? makeFailedQuery("timed_out") : hedgeQueries(attempts)
  }
  const noteFailure = (failure: NoAnswer, { type }: Question) => {
    if (failure.reason === "busy" || failure.reason === "budget_spent") return
    if (isBasicType(type)) failuresInRow += 1
    const isSilent = !hasAnswered && isUnreachable(failure)
    if (addresses.length > 0 && (isSilent || failuresInRow >= maxFailuresInRow)) endAt(failure, [])
  }
  return {
    isAnswering: () => hasAnswered && addresses.length > 0,
    query: (question) => (onOutcome) => {
      const known = types.recall(question)
      if (known !== undefined) return makeImmediateQuery(known)(onOutcome)
      return queryAnyAddress(question)((outcome) => {
        types.note(question, outcome)
        if (Either.isRight(outcome)) failuresInRow = 0
        else noteFailure(outcome.left, question)
        onOutcome(outcome)
      })
    }
  }
}

/** How a server treats the types that not every server knows, whatever the name. */
interface TypeMemory {
  readonly note: (question: Question, outcome: QueryOutcome<ServerAnswer>) => void
  /** The outcome of a question that need not be sent. */
  readonly recall: (question: Question) => QueryOutcome<ServerAnswer> | undefined
}

const makeTypeMemory = (): TypeMemory => {
  const failures = new Map<string, number>()
  const settled = new Map<string, QueryOutcome<ServerAnswer>>()
  return {
    recall: ({ type }) => settled.get(type),
    note: ({ type }, outcome) => {
      if (isBasicType(type)) return
      if (Either.isRight(outcome)) {
        failures.delete(type)
        const answer = outcome.right
        if (answer._tag === "Authoritative" && isNotImplemented(answer.message)) settled.set(type, outcome)
        return
      }
      const { reason } = outcome.left
      if (reason === "busy" || reason === "budget_spent") return
      const count = (failures.get(type) ?? 0) + 1
      failures.set(type, count)
      if (count >= maxFailuresOfType) settled.set(type, outcome)
    }
  }
}

/** A server that drops the questions for a type takes two seconds for each, while other questions wait for their turn. */
const maxFailuresOfType = 4

/** More than a name has types: where it is an alias in a loop, some servers fail for all of them but CNAME. */
const maxFailuresInRow = 32
