import { describe, expect } from "bun:test"
import { Effect, Either, Fiber, Layer, TestClock } from "effect"
import { DnsClient } from "../../src/dns/DnsClient.ts"
import { NoAnswer } from "../../src/dns/NoAnswer.ts"
import { Resolver } from "../../src/dns/Resolver.ts"
import type { Message } from "../../src/dns/wire/decodeAnswer.ts"
import { effect } from "../support/effect.ts"

const question = { name: "example.com", type: "A" } as const

type Behaviour = Effect.Effect<Message, NoAnswer>

const answers = (value: string): Behaviour =>
  Effect.succeed({
    rcode: 0,
    aa: false,
    tc: false,
    ra: true,
    answers: [{ name: question.name, type: "A", ttl: 60, value }],
    authorities: [],
    additionals: []
  })

const at = (host: string) => ({ host, port: 53 })

const fails = (reason: NoAnswer["reason"]): Behaviour => Effect.fail(new NoAnswer({ reason }))

const [first, second, third] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"] as const

/** What three resolvers that behave like this make of a question within a second, and which of them were asked. */
const outcomeOf = (...behaviours: readonly [Behaviour, Behaviour, Behaviour]) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const client = Layer.succeed(DnsClient, {
      ask: () => fails("refused"),
      resolve: ({ host }) =>
        Effect.suspend(() => {
          asked.push(host)
          return behaviours[asked.length - 1] ?? fails("refused")
        })
    })
    const layer = Layer.provide(Resolver.layer([at(first), at(second), at(third)]), client)
    const running = yield* Resolver.pipe(
      Effect.flatMap(({ resolve }) => resolve(question)),
      Effect.either,
      Effect.provide(layer),
      Effect.fork
    )
    yield* TestClock.adjust("1 second")
    const outcome = yield* Fiber.join(running)
    return {
      asked,
      outcome: Either.mapBoth(outcome, { onLeft: ({ reason }) => reason, onRight: (_) => _.answers[0]?.value })
    }
  })

describe("the operator's resolvers", () => {
  effect("answer by the first of them, and no other is asked", () =>
    Effect.map(outcomeOf(answers("first"), answers("second"), answers("third")), (seen) =>
      expect(seen).toEqual({ asked: [first], outcome: Either.right("first") })
    )
  )

  effect("answer by the next one when one fails", () =>
    Effect.map(outcomeOf(fails("server_failure"), fails("refused"), answers("third")), (seen) =>
      expect(seen).toEqual({ asked: [first, second, third], outcome: Either.right("third") })
    )
  )

  effect("answer by the next one when one is silent for 0.4 s", () =>
    Effect.map(outcomeOf(Effect.never, answers("second"), answers("third")), (seen) =>
      expect(seen).toEqual({ asked: [first, second], outcome: Either.right("second") })
    )
  )

  effect("answer by a slow one when those after it fail", () =>
    Effect.map(
      outcomeOf(Effect.delay(answers("first"), "900 millis"), fails("refused"), fails("server_failure")),
      (seen) => expect(seen).toEqual({ asked: [first, second, third], outcome: Either.right("first") })
    )
  )

  effect("leave a question open that none of them answers", () =>
    Effect.map(outcomeOf(fails("refused"), fails("timed_out"), fails("server_failure")), (seen) =>
      expect(seen).toEqual({ asked: [first, second, third], outcome: Either.left("refused") })
    )
  )
})
