import { Array, Either } from "effect"
import type { DnsClient } from "../transport/DnsClient.ts"
import { isUnreachable, type NoAnswer } from "../transport/NoAnswer.ts"
import { failedQuery, flatMapQuery, hedgeQueries, type Query } from "../transport/Query.ts"
import type { Question } from "../wire/decodeResponse.ts"
import type { NameServer } from "./ResolutionContext.ts"
import { classifyResponse, type ServerAnswer } from "./ServerAnswer.ts"

/** Puts many questions to one name server. */
export interface ServerSession {
  readonly query: (question: Question) => Query<ServerAnswer>
}

/**
 * Asks first at the address that answered last. A server that never answered anything is asked no more once all tries
 * at all of its addresses have failed. Once it is over nothing is asked.
 */
export const openServerSession = (
  client: typeof DnsClient.Service,
  server: NameServer,
  zone: string,
  isOver: () => boolean
): ServerSession => {
  let hearing: Hearing = { addresses: server.addresses, heard: false, silence: notReachable }
  const askAt = (address: string, question: Question) =>
    flatMapQuery(client.query(address, question), (message) => {
      const answer = classifyResponse(message, question, zone)
      if (Either.isRight(answer)) hearing = heardAt(hearing, address)
      return answer
    })
  const attemptsAt = (question: Question): Query<ServerAnswer> => {
    const attempts = hearing.addresses.map((address) => askAt(address, question))
    if (!Array.isNonEmptyReadonlyArray(attempts)) return failedQuery(hearing.silence)
    return isOver() ? failedQuery("timed_out") : hedgeQueries(attempts)
  }
  return {
    query: (question) => (over) =>
      attemptsAt(question)((outcome) => {
        if (Either.isLeft(outcome)) hearing = failedBy(hearing, outcome.left)
        over(outcome)
      })
  }
}

/** `silence`: why a server without addresses to ask at is not asked. */
interface Hearing {
  readonly addresses: ReadonlyArray<string>
  readonly heard: boolean
  readonly silence: NoAnswer["reason"]
}

const notReachable = "address_not_reachable"

const heardAt = (hearing: Hearing, address: string): Hearing => ({
  ...hearing,
  heard: true,
  addresses: [address, ...hearing.addresses.filter((other) => other !== address)]
})

const failedBy = (hearing: Hearing, failure: NoAnswer): Hearing =>
  hearing.heard || !isUnreachable(failure) ? hearing : { ...hearing, addresses: [], silence: failure.reason }
