import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, get, jsonOf, sampleIntent, textOf } from "../../support/testApi.ts"
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

withLayer("with If-Match, the command", apiInMemory(), (live) => {
  commandCases.forEach((command) => {
    const matching = ['"2"', '"1", "2"', "*"]
    matching.forEach((etags) =>
      live(`${commandTitle(command)} succeeds if ${etags} matches the current ETag`, () =>
        Effect.gen(function* () {
          const { key, path } = yield* createForCommand(command)
          const response = yield* sendCommand(path, key, command, { "if-match": etags })
          expect([response.status, response.headers.get("etag")]).toEqual([200, '"3"'])
        })
      )
    )

    const stale = ['"1"', '"3"', '""']
    stale.forEach((etags) =>
      live(`${commandTitle(command)} answers 412 to ${etags} and has no effect`, () =>
        Effect.gen(function* () {
          const { key, path } = yield* createForCommand(command)
          const request = sendCommand(path, key, command, { "if-match": etags, "idempotency-key": "stale" })
          yield* expectNoEffect(path, key, request, { status: 412, code: "precondition_failed" })
        })
      )
    )

    const malformed = [
      ["2", '"2"'],
      ['W/"2"', '"2"'],
      ['"2', '"2"'],
      ['"1", W/"2"', undefined],
      ["", undefined],
      ['"1" "2"', undefined]
    ] as const
    malformed.forEach(([etags, suggestion]) =>
      live(`${commandTitle(command)} answers 400 with the right form to ${etags || "nothing"} and has no effect`, () =>
        Effect.gen(function* () {
          const { key, path } = yield* createForCommand(command)
          const before = yield* connectionAndTimeline(path, key)
          const response = yield* sendCommand(path, key, command, { "if-match": etags })
          const { error } = yield* jsonOf(response)
          expect([response.status, error.code, error.details]).toEqual([
            400,
            "invalid_request",
            [{ ...ifMatchMalformed, ...(suggestion === undefined ? {} : { suggestion }) }]
          ])
          expect(yield* connectionAndTimeline(path, key)).toEqual(before)
        })
      )
    )

    live(`${commandTitle(command)} runs once when sent fifty times at once with one ETag`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const answers = yield* sendFifty(() => sendCommand(path, key, command, { "if-match": '"2"' }))
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 49 }, () => 412)])
        expect((yield* get(path, key)).headers.get("etag")).toBe('"3"')
      })
    )
  })

  live("cancel checks for a replay first, then the ETag, then the state", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_authorization")
      const cancel = { name: "cancel" }
      const headers = { "if-match": '"2"', "idempotency-key": "once" }
      const first = yield* textOf(yield* sendCommand(path, key, cancel, headers))
      const replay = yield* sendCommand(path, key, cancel, headers)
      expect([replay.status, replay.headers.get("idempotent-replayed"), yield* textOf(replay)]).toEqual([
        200,
        "true",
        first
      ])
      yield* expectErrorWithoutWrites(sendCommand(path, key, cancel, { "if-match": '"2"' }), {
        status: 412,
        code: "precondition_failed"
      })
      const repeated = yield* sendCommand(path, key, cancel, { "if-match": '"3"' })
      expect([repeated.status, yield* textOf(repeated)]).toEqual([200, first])
    })
  )
})

withLayer("with an Idempotency-Key, the command", apiInMemory(), (live) => {
  commandCases.forEach((command) => {
    const once = { "idempotency-key": "once" }

    live(`${commandTitle(command)} replays its first response even after a state change`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const first = yield* sendCommand(path, key, command, once)
        yield* moveTo(path, "verifying")
        const before = yield* connectionAndTimeline(path, key)
        const replay = yield* sendCommand(path, key, command, once)
        expect([first.status, replay.status]).toEqual([200, 200])
        expect([first, replay].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, "true"])
        expect(replay.headers.get("etag")).toBe(first.headers.get("etag"))
        expect(yield* textOf(replay)).toBe(yield* textOf(first))
        expect(yield* connectionAndTimeline(path, key)).toEqual(before)
      })
    )

    live(`${commandTitle(command)} runs once when sent fifty times at once`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const answers = yield* sendFifty(() => sendCommand(path, key, command, once))
        const bodies = yield* Effect.forEach(answers, textOf)
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
        expect(answers.filter(({ headers }) => !headers.has("idempotent-replayed"))).toHaveLength(1)
        expect(new Set(bodies).size).toBe(1)
        expect((yield* get(path, key)).headers.get("etag")).toBe('"3"')
      })
    )

    live(`${commandTitle(command)} may use the key again for another connection`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const unrelated = yield* createForCommand(command)
        const answers = [
          yield* sendCommand(path, key, command, once),
          yield* sendCommand(unrelated.path, unrelated.key, command, once)
        ]
        expect(answers.map(({ headers, status }) => [status, headers.get("idempotent-replayed")])).toEqual([
          [200, null],
          [200, null]
        ])
      })
    )

    live(`${commandTitle(command)} does not use up a key when rejected`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState("expired", command.overrides)
        yield* expectNoEffect(path, key, sendCommand(path, key, command, once), {
          status: 409,
          code: "connection_ended"
        })
        yield* moveTo(path, command.from, command.overrides)
        const response = yield* sendCommand(path, key, command, once)
        expect([response.status, response.headers.get("idempotent-replayed")]).toEqual([200, null])
      })
    )
  })

  const bodyChanges: ReadonlyArray<readonly [command: CommandCase, otherBody: unknown]> = commandCases.flatMap(
    (command) =>
      command.body === undefined
        ? []
        : [
            [
              command,
              {
                ...Object(command.body),
                ...(command.name === "approval"
                  ? { acknowledge: [] }
                  : command.name === "update"
                    ? { intent: sampleIntent }
                    : command.name === "provider"
                      ? { provider: "netlify" }
                      : changedCredential(command))
              }
            ]
          ]
  )
  bodyChanges.forEach(([command, otherBody]) =>
    live(`${commandTitle(command)} answers 422 if the key is reused with another body`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const headers = { "idempotency-key": "reused" }
        yield* sendCommand(path, key, command, headers)
        yield* expectNoEffect(path, key, sendCommand(path, key, { ...command, body: otherBody }, headers), {
          status: 422,
          code: "idempotency_key_reused"
        })
      })
    )
  )
})

/** Sends fifty requests at the same time. */
function sendFifty<E, R>(request: () => Effect.Effect<Response, E, R>) {
  return Effect.all(
    Array.from({ length: 50 }, () => request()),
    { concurrency: "unbounded" }
  )
}

function changedCredential({ to }: CommandCase) {
  return to === "authorized"
    ? { credential: { apiToken: "another-token" } }
    : { method: "direct_credential", credential: {} }
}

const ifMatchMalformed = {
  pointer: "/if-match",
  code: "invalid",
  message: 'must be the ETag of a response as it was sent, in quotes and not weak, such as "3"'
}
