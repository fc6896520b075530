import { Array, Either } from "effect"
import { type Asking, hedged, judged, leftOpen } from "./Asking.ts"
import type { DnsClient } from "./DnsClient.ts"
import { isSilence, type NoAnswer } from "./NoAnswer.ts"
import { type ServerAnswer, serverAnswer } from "./serverAnswer.ts"
import type { NameServer } from "./Walk.ts"
import type { Question } from "./wire/decodeAnswer.ts"

/** Puts many questions to one name server. */
export interface ServerSession {
  readonly ask: (question: Question) => Asking<ServerAnswer>
}

/**
 * Asks first at the address that answered last. A server that never answered anything is asked no more once all tries
 * at all of its addresses have failed. Once it is over nothing is asked.
 */
export const openSession = (
  client: typeof DnsClient.Service,
  server: NameServer,
  zone: string,
  isOver: () => boolean
): ServerSession => {
  let hearing: Hearing = { addresses: server.addresses, heard: false, silence: notReachable }
  const askAt = (address: string, question: Question) =>
    judged(client.ask(address, question), (message) => {
      const answer = serverAnswer(message, question, zone)
      if (Either.isRight(answer)) hearing = heardAt(hearing, address)
      return answer
    })
  const attemptsAt = (question: Question): Asking<ServerAnswer> => {
    const attempts = hearing.addresses.map((address) => askAt(address, question))
    if (!Array.isNonEmptyReadonlyArray(attempts)) return leftOpen(hearing.silence)
    return isOver() ? leftOpen("timed_out") : hedged(attempts)
  }
  return {
    ask: (question) => (over) =>
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
  hearing.heard || !isSilence(failure) ? hearing : { ...hearing, addresses: [], silence: failure.reason }
