import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../support/effect.ts"
import { apiInMemory, get } from "../support/apiUnderTest.ts"
import {
  arrange,
  arrangeFor,
  bring,
  type Command,
  commands,
  expectNoEffect,
  order,
  standingOf,
  titleOf
} from "./commanding.ts"
import { expectRefusal } from "./expectRefusal.ts"

const textOf = (response: Response) => Effect.promise(() => response.text())

withLayer("every command with If-Match", apiInMemory(), (live) => {
  commands.forEach((command) => {
    const good = ['"2"', '"1", "2"', "*"]
    good.forEach((etags) =>
      live(`${titleOf(command)} is carried out when ${etags} names the connection as it is`, () =>
        Effect.gen(function* () {
          const { key, path } = yield* arrangeFor(command)
          const response = yield* order(path, key, command, { "if-match": etags })
          expect([response.status, response.headers.get("etag")]).toEqual([200, '"3"'])
        })
      )
    )

    const stale = ['"1"', '"3"', "2", '""', 'W/"2"']
    stale.forEach((etags) =>
      live(`${titleOf(command)} answers 412 to ${etags}, and nothing happens`, () =>
        Effect.gen(function* () {
          const { key, path } = yield* arrangeFor(command)
          const request = order(path, key, command, { "if-match": etags, "idempotency-key": "stale" })
          yield* expectNoEffect(path, key, request, { status: 412, code: "precondition_failed" })
        })
      )
    )

    live(`${titleOf(command)} sent fifty times at once under one ETag is carried out once`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* arrangeFor(command)
        const answers = yield* atOnce(() => order(path, key, command, { "if-match": '"2"' }))
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 49 }, () => 412)])
        expect((yield* get(path, key)).headers.get("etag")).toBe('"3"')
      })
    )
  })

  live("the ETag counts less than a replay and more than the state", () =>
    Effect.gen(function* () {
      const { key, path } = yield* arrange("awaiting_authorization")
      const cancel = { name: "cancel" }
      const headers = { "if-match": '"2"', "idempotency-key": "once" }
      const first = yield* textOf(yield* order(path, key, cancel, headers))
      const again = yield* order(path, key, cancel, headers)
      expect([again.status, again.headers.get("idempotent-replayed"), yield* textOf(again)]).toEqual([
        200,
        "true",
        first
      ])
      yield* expectRefusal(order(path, key, cancel, { "if-match": '"2"' }), {
        status: 412,
        code: "precondition_failed"
      })
      yield* expectRefusal(order(path, key, cancel, { "if-match": '"3"' }), { status: 409, code: "state_conflict" })
    })
  )
})

withLayer("every command with an Idempotency-Key", apiInMemory(), (live) => {
  commands.forEach((command) => {
    const once = { "idempotency-key": "once" }

    live(`${titleOf(command)} is answered again as the first time, though the connection has moved on`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* arrangeFor(command)
        const first = yield* order(path, key, command, once)
        yield* bring(path, "verifying")
        const before = yield* standingOf(path, key)
        const again = yield* order(path, key, command, once)
        expect([first.status, again.status]).toEqual([200, 200])
        expect([first, again].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, "true"])
        expect(again.headers.get("etag")).toBe(first.headers.get("etag"))
        expect(yield* textOf(again)).toBe(yield* textOf(first))
        expect(yield* standingOf(path, key)).toEqual(before)
      })
    )

    live(`${titleOf(command)} sent fifty times at once is carried out once`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* arrangeFor(command)
        const answers = yield* atOnce(() => order(path, key, command, once))
        const bodies = yield* Effect.forEach(answers, textOf)
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
        expect(answers.filter(({ headers }) => !headers.has("idempotent-replayed"))).toHaveLength(1)
        expect(new Set(bodies).size).toBe(1)
        expect((yield* get(path, key)).headers.get("etag")).toBe('"3"')
      })
    )

    live(`${titleOf(command)} uses the key for its own connection only`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* arrangeFor(command)
        const other = yield* arrangeFor(command)
        const answers = [yield* order(path, key, command, once), yield* order(other.path, other.key, command, once)]
        expect(answers.map(({ headers, status }) => [status, headers.get("idempotent-replayed")])).toEqual([
          [200, null],
          [200, null]
        ])
      })
    )

    live(`${titleOf(command)} does not use up a key when it is refused`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* arrange("expired", command.standing)
        yield* expectNoEffect(path, key, order(path, key, command, once), { status: 409, code: "state_conflict" })
        yield* bring(path, command.from, command.standing)
        const response = yield* order(path, key, command, once)
        expect([response.status, response.headers.get("idempotent-replayed")]).toEqual([200, null])
      })
    )
  })

  const bodies: ReadonlyArray<readonly [first: Command, other: unknown]> = commands.flatMap((command) =>
    command.body === undefined
      ? []
      : [
          [
            command,
            { ...Object(command.body), ...(command.name === "approval" ? { acknowledge: [] } : anotherMethod(command)) }
          ]
        ]
  )
  bodies.forEach(([command, other]) =>
    live(`${titleOf(command)} is refused with 422 when the key comes back with another body`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* arrangeFor(command)
        const headers = { "idempotency-key": "reused" }
        yield* order(path, key, command, headers)
        yield* expectNoEffect(path, key, order(path, key, { ...command, body: other }, headers), {
          status: 422,
          code: "idempotency_key_reused"
        })
      })
    )
  )
})

/** Fifty requests at the same time. */
function atOnce<E, R>(request: () => Effect.Effect<Response, E, R>) {
  return Effect.all(
    Array.from({ length: 50 }, () => request()),
    { concurrency: "unbounded" }
  )
}

function anotherMethod({ to }: Command) {
  return to === "authorized"
    ? { credential: { apiToken: "another-token" } }
    : { method: "direct_credential", credential: {} }
}
