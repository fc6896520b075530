import { expect } from "bun:test"
import { Effect, Either, Layer } from "effect"
import { DnsClient } from "../../../src/dns/transport/DnsClient.ts"
import { makeFailedQuery, makeImmediateQuery, type Query } from "../../../src/dns/transport/Query.ts"
import type { Message } from "../../../src/dns/wire/Message.ts"
import { Resolver } from "../../../src/dns/zone/Resolver.ts"
import { effect } from "../../support/effectTest.ts"

const question = { name: "example.com", type: "A" } as const

const answers = (value: string): Query<Message> =>
  makeImmediateQuery(
    Either.right({
      rcode: 0,
      aa: false,
      tc: false,
      ra: true,
      answers: [{ name: question.name, type: "A", ttl: 60, value }],
      authorities: [],
      additionals: []
    })
  )

const hosts = ["192.0.2.1", "192.0.2.2", "192.0.2.3"] as const

/** The outcome of three resolvers that behave like this, and which of them were queried. */
const outcomeOf = (...behaviours: ReadonlyArray<Query<Message>>) =>
  Effect.gen(function* () {
    const queried: Array<string> = []
    const client = Layer.succeed(DnsClient, {
      query: () => makeFailedQuery("refused"),
      resolve:
        ({ host }) =>
        (onOutcome) => {
          queried.push(host)
          return (behaviours[queried.length - 1] ?? makeFailedQuery("refused"))(onOutcome)
        }
    })
    const [first, second, third] = hosts.map((host) => ({ host, port: 53 }))
    if (!first || !second || !third) return yield* Effect.dieMessage("there are three")
    const { resolve } = yield* Effect.provide(Resolver, Layer.provide(Resolver.layer([first, second, third]), client))
    const outcome = yield* Effect.either(resolve(question))
    return {
      queried,
      outcome: Either.mapBoth(outcome, { onLeft: ({ reason }) => reason, onRight: (_) => _.answers[0]?.value }),
      failures: Either.match(outcome, {
        onLeft: ({ servers }) => servers?.map(({ reason, server }) => [server, reason]),
        onRight: () => undefined
      })
    }
  })

effect("the operator's resolvers are queried in order until one answers", () =>
  Effect.map(outcomeOf(makeFailedQuery("server_failure"), answers("second"), answers("third")), (result) =>
    expect(result).toEqual({ queried: hosts.slice(0, 2), outcome: Either.right("second"), failures: undefined })
  )
)

effect("the operator's resolvers report the first failure if none of them answers, without their addresses", () =>
  Effect.map(
    outcomeOf(makeFailedQuery("refused"), makeFailedQuery("timed_out"), makeFailedQuery("server_failure")),
    (result) =>
      expect(result).toEqual({
        queried: [...hosts],
        outcome: Either.left("refused"),
        failures: [["the resolver of this service", "server_failure"]]
      })
  )
)
