import { Array, Clock, Effect, Ref } from "effect"
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
): Effect.Effect<ServerSession> =>
  Effect.map(Ref.make<Hearing>({ addresses: server.addresses, heard: false, silence: notReachable }), (hearing) => ({
    ask: (question) =>
      Effect.gen(function* () {
        const { addresses, silence } = yield* Ref.get(hearing)
        const attempts = addresses.map((address) =>
          Effect.flatMap(client.ask(address, question), (message) => serverAnswer(message, question, zone)).pipe(
            Effect.tap(() => Ref.update(hearing, heardAt(address)))
          )
        )
        if (!Array.isNonEmptyReadonlyArray(attempts)) return yield* new NoAnswer({ reason: silence })
        if ((yield* Clock.currentTimeMillis) > endsAt) return yield* new NoAnswer({ reason: "timed_out" })
        return yield* Effect.tapError(hedged(attempts), ({ reason }) => Ref.update(hearing, failedBy(reason)))
      })
  }))

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
