import { expect } from "bun:test"
import { DateTime, Effect, Option } from "effect"
import { type ConnectionState, Failure, FailureCode } from "../../../src/domain/connection/Connection.ts"
import { CredentialChange, type Phase } from "../../../src/domain/connection/Transition.ts"
import { makeFailure } from "../../../src/lifecycle/state/failures.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { Credentials } from "../../../src/security/Credentials.ts"
import { ownTenancy } from "../../persistence/connectionFixtures.ts"
import { apiToken } from "../../security/credentialsInMemory.ts"
import { withLayer } from "../../support/effectTest.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { apiInMemory, jsonOf, post, sampleIntent } from "../../support/testApi.ts"
import { expectError } from "../support/expectError.ts"
import { type ConnectionOverrides, createInState, idIn, moveTo, sendCommand } from "../support/commandFixtures.ts"

/** Sends a command to a new connection in a state and returns the connection, its progress and its due phase. */
const runCommandIn = (name: string, state: ConnectionState, overrides: ConnectionOverrides = {}) =>
  Effect.gen(function* () {
    const { key, path } = yield* createInState(state, overrides)
    return yield* runCommandOn(path, key, name)
  })

const runCommandOn = (path: string, key: string, name: string) =>
  Effect.gen(function* () {
    const { connection } = yield* jsonOf(yield* sendCommand(path, key, { name }))
    const row = (yield* Tables).connections.get(idIn(path))
    const { progress } = yield* Effect.flatMap(ConnectionStore, ({ findRecord }) => findRecord(ownTenancy, idIn(path)))
    const isDue = Option.exists(row?.dueAt ?? Option.none(), (at) => at <= Date.now())
    return { connection, progress, due: isDue ? Option.getOrNull(row?.phase ?? Option.none()) : null }
  })

const failedWith = (code: FailureCode, resumeState: ConnectionState): ConnectionOverrides => ({
  connection: {
    failure: Failure.make({
      code,
      retryable: true,
      resumeState,
      occurredAt: DateTime.unsafeMake("2026-01-02T03:04:05Z")
    })
  }
})

/** As the lifecycle fails with this code. */
const failureAt = (state: ConnectionState, code: FailureCode): ConnectionOverrides => ({
  connection: { failure: makeFailure({ state }, { code }, DateTime.unsafeMake("2026-01-02T03:04:05Z")) }
})

/** Stores a credential for a connection that stays in its state. */
const storeCredential = (path: string, state: ConnectionState, overrides: ConnectionOverrides) =>
  Effect.gen(function* () {
    const { seal } = yield* Credentials
    const sealed = yield* seal({ ...ownTenancy, connectionId: idIn(path) }, apiToken("a-token"))
    yield* moveTo(path, state, {
      ...overrides,
      transition: { credential: CredentialChange.Replace({ sealed, lifetimeSeconds: 60 }) }
    })
  })

withLayer("retry", apiInMemory(), (live) => {
  const resumes: ReadonlyArray<readonly [FailureCode, ConnectionState, Phase | null]> = [
    ["domain_not_registered", "requested", "discover"],
    ["credential_invalid", "awaiting_authorization", "discover"],
    ["provider_snapshot_timeout", "authorized", "provision"],
    ["apply_partial", "authorized", "provision"],
    ["apply_rejected", "authorized", "provision"],
    ["verification_timeout", "verifying", "verify"],
    ["manual_setup_timeout", "awaiting_manual", "verify"],
    ["provider_unavailable", "disconnecting", "restore"]
  ]
  resumes.forEach(([code, resumeState, phase]) =>
    live(`after ${code} resumes in ${resumeState} and clears the failure`, () =>
      Effect.gen(function* () {
        const { connection, due } = yield* runCommandIn("retry", "failed", failedWith(code, resumeState))
        expect([connection.state, due, Object.keys(connection).includes("failure")]).toEqual([
          resumeState,
          phase,
          false
        ])
      })
    )
  )

  live("of a degraded connection schedules its discovery", () =>
    Effect.gen(function* () {
      const { connection, due } = yield* runCommandIn("retry", "degraded")
      expect([connection.state, due]).toEqual(["degraded", "discover"])
    })
  )
})

withLayer("after a refusal of the provider", apiInMemory(), (live) => {
  const codes = ["apply_rejected", "apply_partial", "provider_record_locked", "provider_zone_locked", "zone_too_large"]
  live(`(${codes.join(", ")}) the customer may try again, or enter the records by hand`, () =>
    Effect.gen(function* () {
      for (const code of FailureCode.literals.filter((each) => codes.includes(each))) {
        const { key, path } = yield* createInState("failed", failureAt("applying", code))
        yield* expectError(yield* sendCommand(path, key, { name: "recheck" }), {
          status: 409,
          code: "state_conflict",
          allowedActions: ["authorization", "retry", "cancel", "update"]
        })
        const answer = yield* sendCommand(path, key, { name: "authorization", body: { method: "manual" } })
        expect((yield* jsonOf(answer)).connection).toMatchObject({ state: "awaiting_manual" })
        yield* sendCommand(path, key, { name: "cancel" })
      }
    })
  )

  live("the connection holds its intent, so that another one is refused with its id", () =>
    Effect.gen(function* () {
      const { id, key } = yield* createInState("failed", failureAt("applying", "apply_rejected"))
      const answer = yield* post("/v1/connections", key, { intent: sampleIntent })
      expect((yield* jsonOf(answer)).error).toMatchObject({ code: "connection_exists", connectionId: id })
    })
  )
})

withLayer("recheck", apiInMemory(), (live) => {
  const states: ReadonlyArray<ConnectionState> = ["awaiting_manual", "verifying", "active", "degraded"]
  states.forEach((state) =>
    live(`in ${state} schedules a verification at once and keeps the state`, () =>
      Effect.gen(function* () {
        const { connection, due, progress } = yield* runCommandIn("recheck", state, { progress: { checks: 3 } })
        expect([connection.state, due, progress.isRecheckRequested]).toEqual([state, "verify", true])
      })
    )
  )

  live("succeeds each time when sent fifty times at once", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("active")
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, () => sendCommand(path, key, { name: "recheck" })),
        { concurrency: "unbounded" }
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    })
  )
})

withLayer("cancel", apiInMemory(), (live) => {
  live("ends the connection, its due phase and its credential", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned")
      yield* storeCredential(path, "planned", {})
      const { credentials } = yield* Tables
      expect(credentials.size).toBe(1)
      const { connection, due } = yield* runCommandOn(path, key, "cancel")
      expect([connection.state, due, credentials.size]).toEqual(["canceled", null, 0])
    })
  )

  live("keeps the failure of the connection", () =>
    Effect.gen(function* () {
      const { connection } = yield* runCommandIn("cancel", "failed", failedWith("domain_not_registered", "requested"))
      expect([connection.state, connection.failure.code]).toEqual(["canceled", "domain_not_registered"])
    })
  )
})

withLayer("disconnect", apiInMemory(), (live) => {
  const states: ReadonlyArray<ConnectionState> = ["active", "degraded", "verifying", "failed"]
  states.forEach((state) => {
    live(`in ${state} after a write waits for a new authorization and removes the plan`, () =>
      Effect.gen(function* () {
        const { connection, due } = yield* runCommandIn("disconnect", state, { progress: { hasWritten: true } })
        expect([connection.state, connection.direction, due]).toEqual(["awaiting_authorization", "restore", "discover"])
        expect(Object.keys(connection)).not.toContain("plan")
      })
    )

    live(`in ${state} after a write plans at once if a credential is stored`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState(state, { progress: { hasWritten: true } })
        yield* storeCredential(path, state, { progress: { hasWritten: true } })
        const { connection, due } = yield* runCommandOn(path, key, "disconnect")
        expect([connection.state, connection.direction, due]).toEqual(["authorized", "restore", "provision"])
        expect((yield* Tables).credentials.has(idIn(path))).toBe(true)
      })
    )
  })

  live("after manual setup starts at once, without an authorization", () =>
    Effect.gen(function* () {
      const { connection, due } = yield* runCommandIn("disconnect", "active", { progress: { isManual: true } })
      expect([connection.state, connection.direction, due]).toEqual(["disconnecting", "restore", "restore"])
    })
  )
})
