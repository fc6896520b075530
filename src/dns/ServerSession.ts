import { Array, Effect, Either } from "effect"
import type { DnsClient } from "./DnsClient.ts"
import { hedged } from "./hedged.ts"
import { NoAnswer } from "./NoAnswer.ts"
import { type ServerAnswer, serverAnswer } from "./serverAnswer.ts"
import type { NameServer } from "./Walk.ts"
import type { Question } from "./wire/decodeAnswer.ts"

/** Puts many questions to one name server. */
export interface ServerSession {
  readonly ask: (question: Question) => Effect.Effect<ServerAnswer, NoAnswer>
}

/**
 * Asks first at the address that answered last. A server that never answered anything is asked no more once all tries
 * at all of its addresses have failed. After `endsAt` (milliseconds since 1970) nothing is asked.
 */
export const openSession = (
  client: typeof DnsClient.Service,
  server: NameServer,
  zone: string,
  endsAt: number
): ServerSession => {
  let hearing: Hearing = { addresses: server.addresses, heard: false, silence: notReachable }
  const askAt = (address: string, question: Question) =>
    Effect.flatMap(client.ask(address, question), (message) => {
      const answer = serverAnswer(message, question, zone)
      if (Either.isRight(answer)) hearing = heardAt(address)(hearing)
      return answer
    })
  return {
    ask: (question) =>
      Effect.clockWith((clock) => {
        const attempts = hearing.addresses.map((address) => askAt(address, question))
        if (!Array.isNonEmptyReadonlyArray(attempts)) return new NoAnswer({ reason: hearing.silence })
        if (clock.unsafeCurrentTimeMillis() > endsAt) return new NoAnswer({ reason: "timed_out" })
        return Effect.tapError(hedged(attempts), ({ reason }) =>
          Effect.sync(() => {
            hearing = failedBy(reason)(hearing)
          })
        )
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

const heardAt =
  (address: string) =>
  (hearing: Hearing): Hearing => ({
    ...hearing,
    heard: true,
    addresses: [address, ...hearing.addresses.filter((other) => other !== address)]
  })

const failedBy =
  (reason: NoAnswer["reason"]) =>
  (hearing: Hearing): Hearing =>
    hearing.heard || !(reason === "timed_out" || reason === "no_route")
      ? hearing
      : { ...hearing, addresses: [], silence: reason }
