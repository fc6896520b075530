import { expect } from "bun:test"
import { Duration, Effect, Exit, Fiber, Layer, Option, TestClock } from "effect"
import { NoAnswer } from "../../../src/dns/transport/NoAnswer.ts"
import type { Message } from "../../../src/dns/wire/decodeResponse.ts"
import { CachedResolver } from "../../../src/dns/zone/CachedResolver.ts"
import { Resolver } from "../../../src/dns/zone/Resolver.ts"
import type { LookupQuestion } from "../../../src/planning/DnsLookup.ts"
import { effect } from "../../support/effectTest.ts"

const message: Message = { rcode: 0, aa: false, tc: false, ra: true, answers: [], authorities: [], additionals: [] }
const soa = { name: "example.com", type: "SOA", ttl: 300, value: "ns admin 1 2 3 4 5" }
const text = (name: string, value: string) => ({ name, type: "TXT", ttl: 300, value })

/** What the resolvers say to each name. */
const said: Readonly<Record<string, Effect.Effect<Message, NoAnswer>>> = {
  "here.com": Effect.succeed({ ...message, answers: [text("here.com", "here")] }),
  "alias.com": Effect.succeed({
    ...message,
    answers: [{ name: "alias.com", type: "CNAME", ttl: 300, value: "here.com" }, text("here.com", "here")]
  }),
  "empty.com": Effect.succeed({ ...message, authorities: [soa] }),
  "unproven.com": Effect.succeed(message),
  "failing.com": Effect.fail(new NoAnswer({ reason: "server_failure" })),
  "slow.com": Effect.delay(Effect.succeed({ ...message, answers: [text("slow.com", "slow")] }), "2 seconds"),
  "silent.com": Effect.never
}

const questions = Object.keys(said).map((name): LookupQuestion => ({ name, type: "TXT" }))

const answers = Layer.provide(
  CachedResolver.layer,
  Layer.succeed(Resolver, { resolve: ({ name }) => said[name] ?? Effect.die(name) })
)

effect("what was answered in time is known, and of the rest nothing", () =>
  Effect.gen(function* () {
    const { lookUp: ask } = yield* CachedResolver
    const asking = yield* Effect.fork(ask(questions, Duration.seconds(3)))
    yield* TestClock.adjust("3 seconds")
    const known = [
      ["here.com TXT", ["here"]],
      ["alias.com TXT", ["here"]],
      ["empty.com TXT", []],
      ["slow.com TXT", ["slow"]]
    ] as const
    expect<unknown>(yield* Fiber.poll(asking)).toEqual(
      Option.some(Exit.succeed(new Map<string, ReadonlyArray<string>>(known)))
    )
  }).pipe(Effect.provide(answers))
)
