import { expect } from "bun:test"
import { Effect } from "effect"
import type { ConnectionState } from "../../../src/domain/connection/Connection.ts"
import { Plan, PlanDigest } from "../../../src/domain/plan/Plan.ts"
import { failureOf } from "../../lifecycle/state/connectionRecords.ts"
import { samplePlan } from "../../persistence/connectionFixtures.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, jsonOf } from "../../support/testApi.ts"
import {
  type CommandCase,
  type ConnectionOverrides,
  commandCases,
  commandTitle,
  connectionAndTimeline,
  createForCommand,
  createInState,
  expectNoEffect,
  moveTo,
  sendCommand
} from "../support/commandFixtures.ts"

withLayer("a repeated command, without an Idempotency-Key", apiInMemory(), (live) => {
  commandCases
    .filter(({ name }) => name !== "recheck")
    .forEach((command) =>
      live(`gives the same answer again and changes nothing: ${commandTitle(command)}`, () =>
        Effect.gen(function* () {
          const { key, path } = yield* createForCommand(command)
          const first = yield* sendCommand(path, key, command)
          const before = yield* connectionAndTimeline(path, key)
          const second = yield* sendCommand(path, key, command)
          expect([first.status, second.status]).toEqual([200, 200])
          expect(yield* jsonOf(second)).toEqual(yield* jsonOf(first))
          expect(second.headers.get("etag")).toBe(first.headers.get("etag"))
          expect(yield* connectionAndTimeline(path, key)).toEqual(before)
        })
      )
    )

  live("is still refused if If-Match names an earlier version", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_authorization")
      yield* sendCommand(path, key, { name: "cancel" })
      const request = sendCommand(path, key, { name: "cancel" }, { "if-match": '"2"' })
      yield* expectNoEffect(path, key, request, { status: 412, code: "precondition_failed" })
    })
  )
})

withLayer("a repeated command with a new Idempotency-Key", apiInMemory(), (live) => {
  const headers = { "idempotency-key": "second" }
  const repeatUnderKey = (command: CommandCase) =>
    Effect.gen(function* () {
      const { key, path } = yield* createForCommand(command)
      yield* sendCommand(path, key, command)
      return { key, path, second: yield* sendCommand(path, key, command, headers) }
    })

  commandCases
    .filter(({ name }) => name !== "recheck")
    .forEach((command) => {
      live(`keeps its answer for a replay: ${commandTitle(command)}`, () =>
        Effect.gen(function* () {
          const { key, path, second } = yield* repeatUnderKey(command)
          expect([second.status, second.headers.get("idempotent-replayed")]).toEqual([200, null])
          yield* moveTo(path, "degraded")
          const replay = yield* sendCommand(path, key, command, headers)
          expect([replay.status, replay.headers.get("idempotent-replayed")]).toEqual([200, "true"])
          expect(replay.headers.get("etag")).toBe(second.headers.get("etag"))
          expect(yield* jsonOf(replay)).toEqual(yield* jsonOf(second))
        })
      )
    })

  live("answers 422 to the key with another body", () =>
    Effect.gen(function* () {
      const { key, path } = yield* repeatUnderKey(manual)
      const other = { name: manual.name, body: { method: "direct_credential", credential: { apiToken: "a-token" } } }
      yield* expectNoEffect(path, key, sendCommand(path, key, other, headers), {
        status: 422,
        code: "idempotency_key_reused"
      })
    })
  )
})

withLayer("a repeated command after the connection has moved on", apiInMemory(), (live) => {
  const approval: CommandCase = {
    name: "approval",
    from: "planned",
    to: "applying",
    body: { digest: samplePlan.digest, acknowledge: samplePlan.warnings }
  }
  const retry = { name: "retry", from: "failed", to: "requested" } as const
  const withConsent: CommandCase = {
    ...withToken("a-token", { approvedDigest: samplePlan.digest, acknowledge: samplePlan.warnings }),
    from: "awaiting_authorization",
    to: "authorized"
  }
  const repairPlan = Plan.make({ ...samplePlan, digest: PlanDigest.make(`sha-256:${"e".repeat(64)}`) })
  const cases: ReadonlyArray<readonly [CommandCase, ConnectionState, ConnectionOverrides?]> = [
    [approval, "verifying"],
    [approval, "active", { connection: { plan: repairPlan } }],
    [approval, "degraded", { connection: { plan: repairPlan } }],
    [approval, "failed"],
    [manual, "verifying"],
    [manual, "degraded"],
    [manual, "failed", { connection: { failure: failureOf("verification_timeout", "verifying") } }],
    [withConsent, "planned", { connection: { plan: repairPlan } }],
    [withConsent, "applying", { progress: { approved: repairPlan.digest, hasProvenAccess: true } }],
    [withConsent, "active", { progress: { approved: repairPlan.digest, hasProvenAccess: true } }]
  ]
  cases.forEach(([command, state, overrides]) =>
    live(`succeeds and changes nothing: ${commandTitle(command)} in ${state}`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        expect((yield* sendCommand(path, key, command)).status).toBe(200)
        yield* moveTo(path, state, overrides)
        const before = yield* connectionAndTimeline(path, key)
        expect((yield* sendCommand(path, key, command)).status).toBe(200)
        expect(yield* connectionAndTimeline(path, key)).toEqual(before)
      })
    )
  )

  live("succeeds after one click has led to the records: the authorization, and an approval of the same plan", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createForCommand(withConsent)
      yield* sendCommand(path, key, withConsent)
      yield* moveTo(path, "active", { progress: { approved: samplePlan.digest, hasProvenAccess: true } })
      const before = yield* connectionAndTimeline(path, key)
      expect((yield* sendCommand(path, key, withConsent)).status).toBe(200)
      expect((yield* sendCommand(path, key, approval)).status).toBe(200)
      expect(yield* connectionAndTimeline(path, key)).toEqual(before)
    })
  )

  const afterAuthorization = [
    ["applying"],
    ["verifying"],
    ["active"],
    ["degraded"],
    ["failed", { failure: failureOf("verification_timeout", "verifying") }],
    ["disconnecting"],
    ["disconnected"]
  ] as const
  afterAuthorization.forEach(([state, connection = {}]) =>
    live(`succeeds with the same credential and without a digest, and is refused with another one: in ${state}`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState("awaiting_authorization")
        expect((yield* sendCommand(path, key, withToken("first"))).status).toBe(200)
        yield* moveTo(path, state, { connection, progress: { hasProvenAccess: true } })
        const before = yield* connectionAndTimeline(path, key)
        const refusal = state === "disconnected" ? { status: 409, code: "connection_ended" } : conflict
        expect((yield* sendCommand(path, key, withToken("first"))).status).toBe(200)
        expect(yield* connectionAndTimeline(path, key)).toEqual(before)
        yield* expectNoEffect(path, key, sendCommand(path, key, withToken("second")), refusal)
        const consent = { approvedDigest: `sha-256:${"0".repeat(64)}` }
        yield* expectNoEffect(path, key, sendCommand(path, key, withToken("first", consent)), refusal)
      })
    )
  )

  live("takes effect where it can again: the same credential for a repair, and for the removal of the records", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_authorization")
      yield* sendCommand(path, key, withToken("first"))
      for (const direction of [undefined, "restore"] as const) {
        yield* moveTo(path, "active", { progress: { hasProvenAccess: true } })
        const connection = direction === undefined ? {} : { direction }
        yield* moveTo(path, "awaiting_authorization", { connection, progress: { hasWritten: true } })
        const response = yield* sendCommand(path, key, withToken("first"))
        expect((yield* jsonOf(response)).connection.state).toBe("authorized")
      }
    })
  )

  live("takes effect where it can again: a retry of a connection that has failed once more", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createForCommand(retry)
      yield* sendCommand(path, key, retry)
      yield* moveTo(path, "failed")
      const response = yield* sendCommand(path, key, retry)
      expect((yield* jsonOf(response)).connection.state).toBe("requested")
    })
  )

  live("is refused where it is another: a retry after the connection has been disconnected", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createForCommand(retry)
      yield* sendCommand(path, key, retry)
      yield* moveTo(path, "active", { progress: { hasWritten: true } })
      yield* sendCommand(path, key, { name: "disconnect" })
      yield* expectNoEffect(path, key, sendCommand(path, key, retry), conflict)
    })
  )
})

const conflict = { status: 409, code: "state_conflict" }
const withToken = (apiToken: string, fields: object = {}) => ({
  name: "authorization",
  body: { method: "direct_credential", credential: { apiToken }, ...fields }
})

const manual = {
  name: "authorization",
  from: "awaiting_authorization",
  to: "awaiting_manual",
  body: { method: "manual" }
} as const

withLayer("a command that only resembles an earlier one", apiInMemory(), (live) => {
  live("is refused: another credential, or the same with a consent", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_authorization")
      expect((yield* sendCommand(path, key, withToken("first"))).status).toBe(200)
      yield* expectNoEffect(path, key, sendCommand(path, key, withToken("second")), conflict)
      const consent = { approvedDigest: `sha-256:${"0".repeat(64)}` }
      yield* expectNoEffect(path, key, sendCommand(path, key, withToken("first", consent)), conflict)
    })
  )

  live("is refused: an approval of another plan, or of one that the customer entered by hand", () =>
    Effect.gen(function* () {
      const approval = commandCases.find(({ name }) => name === "approval")?.body
      const other = { name: "approval", body: { digest: `sha-256:${"f".repeat(64)}` } }
      const applying = yield* createInState("applying")
      yield* expectNoEffect(applying.path, applying.key, sendCommand(applying.path, applying.key, other), conflict)
      const { key, path } = yield* createInState("active", { progress: { isManual: true } })
      yield* expectNoEffect(path, key, sendCommand(path, key, { name: "approval", body: approval }), conflict)
    })
  )

  live("is refused: a retry of a connection that no retry has resumed", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("requested")
      yield* expectNoEffect(path, key, sendCommand(path, key, { name: "retry" }), conflict)
    })
  )
})
