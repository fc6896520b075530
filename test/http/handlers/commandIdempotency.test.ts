import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, get } from "../../support/testApi.ts"
import {
  type CommandCase,
  commandCases,
  commandTitle,
  connectionAndTimeline,
  createForCommand,
  createInState,
  expectNoEffect,
  moveTo,
  sendCommand
} from "../support/commandFixtures.ts"
import { expectErrorWithoutWrites } from "../support/expectError.ts"

const textOf = (response: Response) => Effect.promise(() => response.text())

withLayer("every command with If-Match", apiInMemory(), (live) => {
  commandCases.forEach((command) => {
    const good = ['"2"', '"1", "2"', "*"]
    good.forEach((etags) =>
      live(`${commandTitle(command)} is carried out when ${etags} names the connection as it is`, () =>
        Effect.gen(function* () {
          const { key, path } = yield* createForCommand(command)
          const response = yield* sendCommand(path, key, command, { "if-match": etags })
          expect([response.status, response.headers.get("etag")]).toEqual([200, '"3"'])
        })
      )
    )

    const stale = ['"1"', '"3"', "2", '""', 'W/"2"']
    stale.forEach((etags) =>
      live(`${commandTitle(command)} answers 412 to ${etags}, and nothing happens`, () =>
        Effect.gen(function* () {
          const { key, path } = yield* createForCommand(command)
          const request = sendCommand(path, key, command, { "if-match": etags, "idempotency-key": "stale" })
          yield* expectNoEffect(path, key, request, { status: 412, code: "precondition_failed" })
        })
      )
    )

    live(`${commandTitle(command)} sent fifty times at once under one ETag is carried out once`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const answers = yield* atOnce(() => sendCommand(path, key, command, { "if-match": '"2"' }))
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 49 }, () => 412)])
        expect((yield* get(path, key)).headers.get("etag")).toBe('"3"')
      })
    )
  })

  live("the ETag counts less than a replay and more than the state", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_authorization")
      const cancel = { name: "cancel" }
      const headers = { "if-match": '"2"', "idempotency-key": "once" }
      const first = yield* textOf(yield* sendCommand(path, key, cancel, headers))
      const again = yield* sendCommand(path, key, cancel, headers)
      expect([again.status, again.headers.get("idempotent-replayed"), yield* textOf(again)]).toEqual([
        200,
        "true",
        first
      ])
      yield* expectErrorWithoutWrites(sendCommand(path, key, cancel, { "if-match": '"2"' }), {
        status: 412,
        code: "precondition_failed"
      })
      yield* expectErrorWithoutWrites(sendCommand(path, key, cancel, { "if-match": '"3"' }), {
        status: 409,
        code: "state_conflict"
      })
    })
  )
})

withLayer("every command with an Idempotency-Key", apiInMemory(), (live) => {
  commandCases.forEach((command) => {
    const once = { "idempotency-key": "once" }

    live(`${commandTitle(command)} is answered again as the first time, though the connection has moved on`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const first = yield* sendCommand(path, key, command, once)
        yield* moveTo(path, "verifying")
        const before = yield* connectionAndTimeline(path, key)
        const again = yield* sendCommand(path, key, command, once)
        expect([first.status, again.status]).toEqual([200, 200])
        expect([first, again].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, "true"])
        expect(again.headers.get("etag")).toBe(first.headers.get("etag"))
        expect(yield* textOf(again)).toBe(yield* textOf(first))
        expect(yield* connectionAndTimeline(path, key)).toEqual(before)
      })
    )

    live(`${commandTitle(command)} sent fifty times at once is carried out once`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const answers = yield* atOnce(() => sendCommand(path, key, command, once))
        const bodies = yield* Effect.forEach(answers, textOf)
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
        expect(answers.filter(({ headers }) => !headers.has("idempotent-replayed"))).toHaveLength(1)
        expect(new Set(bodies).size).toBe(1)
        expect((yield* get(path, key)).headers.get("etag")).toBe('"3"')
      })
    )

    live(`${commandTitle(command)} uses the key for its own connection only`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const other = yield* createForCommand(command)
        const answers = [
          yield* sendCommand(path, key, command, once),
          yield* sendCommand(other.path, other.key, command, once)
        ]
        expect(answers.map(({ headers, status }) => [status, headers.get("idempotent-replayed")])).toEqual([
          [200, null],
          [200, null]
        ])
      })
    )

    live(`${commandTitle(command)} does not use up a key when it is refused`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState("expired", command.standing)
        yield* expectNoEffect(path, key, sendCommand(path, key, command, once), { status: 409, code: "state_conflict" })
        yield* moveTo(path, command.from, command.standing)
        const response = yield* sendCommand(path, key, command, once)
        expect([response.status, response.headers.get("idempotent-replayed")]).toEqual([200, null])
      })
    )
  })

  const bodies: ReadonlyArray<readonly [first: CommandCase, other: unknown]> = commandCases.flatMap((command) =>
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
    live(`${commandTitle(command)} is refused with 422 when the key comes back with another body`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const headers = { "idempotency-key": "reused" }
        yield* sendCommand(path, key, command, headers)
        yield* expectNoEffect(path, key, sendCommand(path, key, { ...command, body: other }, headers), {
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

function anotherMethod({ to }: CommandCase) {
  return to === "authorized"
    ? { credential: { apiToken: "another-token" } }
    : { method: "direct_credential", credential: {} }
}
