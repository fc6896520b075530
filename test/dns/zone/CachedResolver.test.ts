import { expect } from "bun:test"
import { Duration, Effect, Exit, Fiber, Layer, Option, TestClock } from "effect"
import { NoAnswer } from "../../../src/dns/transport/Query.ts"
import { Requester } from "../../../src/limits/RequestSource.ts"
import type { Message, Question } from "../../../src/dns/wire/Message.ts"
import { CachedResolver, Resolver } from "../../../src/dns/zone/Resolver.ts"
import { effect } from "../../support/effectTest.ts"

const message: Message = {
  rcode: 0,
  aa: false,
  tc: false,
  ra: true,
  answers: [],
  authorities: [],
  additionals: []
}
const soa = { name: "example.com", type: "SOA", ttl: 300, value: "ns admin 1 2 3 4 5" }
const text = (name: string, value: string) => ({ name, type: "TXT", ttl: 300, value })

/** The response of the resolvers to each name. */
const responses: Readonly<Record<string, Effect.Effect<Message, NoAnswer>>> = {
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

const questionFor = (name: string): Question => ({ name, type: "TXT" })

const resolver = Layer.provide(
  CachedResolver.layer,
  Layer.succeed(Resolver, {
    requireAvailable: () => Effect.void,
    resolve: ({ name }) => responses[name] ?? Effect.die(name)
  })
)

/** Resolvers whose permits the requester has used up, so that its questions wait. */
const resolverWithoutPermitsFor = (waitingRequester: string) =>
  Layer.provide(
    CachedResolver.layer,
    Layer.succeed(Resolver, {
      requireAvailable: () => Effect.void,
      resolve: ({ name }) =>
        Effect.flatMap(Requester, (requester) =>
          requester === waitingRequester ? Effect.never : (responses[name] ?? Effect.die(name))
        )
    })
  )

effect("returns the values of the questions answered in time and leaves the others out", () =>
  Effect.gen(function* () {
    const { lookUp } = yield* CachedResolver
    const lookup = yield* Effect.fork(lookUp(Object.keys(responses).map(questionFor), Duration.seconds(3)))
    yield* TestClock.adjust("3 seconds")
    const answered: ReadonlyArray<readonly [Question, ReadonlyArray<string>]> = [
      [questionFor("here.com"), ["here"]],
      [questionFor("alias.com"), ["here"]],
      [questionFor("empty.com"), []],
      [questionFor("slow.com"), ["slow"]]
    ]
    expect<unknown>(yield* Fiber.poll(lookup)).toEqual(Option.some(Exit.succeed(answered)))
  }).pipe(Effect.provide(resolver))
)

effect("answers a requester at once while the same question of another requester waits for a permit", () =>
  Effect.gen(function* () {
    const { lookUp } = yield* CachedResolver
    const lookUpFor = (requester: string) =>
      Effect.provideService(lookUp([questionFor("here.com")], Duration.seconds(3)), Requester, requester)
    const waiting = yield* Effect.fork(lookUpFor("app/hostile"))
    yield* Effect.yieldNow()
    expect<unknown>(yield* lookUpFor("app/honest")).toEqual([[questionFor("here.com"), ["here"]]])
    expect(waiting.unsafePoll()).toBeNull()
    yield* Fiber.interrupt(waiting)
  }).pipe(Effect.provide(resolverWithoutPermitsFor("app/hostile")))
)
