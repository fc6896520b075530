import { expect } from "bun:test"
import { DateTime, Effect, Option } from "effect"
import { type ConnectionState, Failure, type FailureCode } from "../../../src/domain/Connection.ts"
import type { Phase } from "../../../src/domain/Phase.ts"
import { CredentialChange } from "../../../src/domain/Transition.ts"
import { ConnectionStore } from "../../../src/persistence/stores/ConnectionStore.ts"
import { Credentials } from "../../../src/security/Credentials.ts"
import { ownTenancy } from "../../persistence/connectionFixtures.ts"
import { apiToken } from "../../security/credentialsInMemory.ts"
import { withLayer } from "../../support/effectTest.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { apiInMemory, jsonOf } from "../../support/testApi.ts"
import { type ConnectionOverrides, createInState, idIn, moveTo, sendCommand } from "../support/commandFixtures.ts"

/** What a command leads to: the state, what is due, and in which direction. */
const ledBy = (name: string, state: ConnectionState, standing: ConnectionOverrides = {}) =>
  Effect.gen(function* () {
    const { key, path } = yield* createInState(state, standing)
    return yield* ledFrom(path, key, name)
  })

const ledFrom = (path: string, key: string, name: string) =>
  Effect.gen(function* () {
    const { connection } = yield* jsonOf(yield* sendCommand(path, key, { name }))
    const row = (yield* Tables).connections.get(idIn(path))
    const { progress } = yield* Effect.flatMap(ConnectionStore, ({ findRecord: standing }) =>
      standing(ownTenancy, idIn(path))
    )
    const isDue = Option.exists(row?.dueAt ?? Option.none(), (at) => at <= Date.now())
    return { connection, progress, due: isDue ? Option.getOrNull(row?.phase ?? Option.none()) : null }
  })

const failedWith = (code: FailureCode, resumeState: ConnectionState): ConnectionOverrides => ({
  shows: {
    failure: Failure.make({
      code,
      retryable: true,
      resumeState,
      occurredAt: DateTime.unsafeMake("2026-01-02T03:04:05Z")
    })
  }
})

/** Keeps a credential for a connection that stays in its state. */
const keepCredential = (path: string, state: ConnectionState, standing: ConnectionOverrides) =>
  Effect.gen(function* () {
    const { seal } = yield* Credentials
    const sealed = yield* seal({ ...ownTenancy, connectionId: idIn(path) }, apiToken("a-token"))
    yield* moveTo(path, state, {
      ...standing,
      beside: { credential: CredentialChange.Replace({ sealed, lifetimeSeconds: 60 }) }
    })
  })

withLayer("retry", apiInMemory(), (live) => {
  const resumes: ReadonlyArray<readonly [FailureCode, ConnectionState, Phase | null]> = [
    ["domain_not_registered", "requested", "discover"],
    ["credential_invalid", "awaiting_authorization", "discover"],
    ["provider_snapshot_timeout", "authorized", "provision"],
    ["apply_partial", "authorized", "provision"],
    ["verification_timeout", "verifying", "verify"],
    ["manual_setup_timeout", "awaiting_manual", "verify"],
    ["provider_unavailable", "disconnecting", "restore"]
  ]
  resumes.forEach(([code, resumeState, phase]) =>
    live(`after ${code} goes on in ${resumeState}, and the failure is gone`, () =>
      Effect.gen(function* () {
        const { connection, due } = yield* ledBy("retry", "failed", failedWith(code, resumeState))
        expect([connection.state, due, Object.keys(connection).includes("failure")]).toEqual([
          resumeState,
          phase,
          false
        ])
      })
    )
  )

  live("of a degraded connection has the domain looked at anew", () =>
    Effect.gen(function* () {
      const { connection, due } = yield* ledBy("retry", "degraded")
      expect([connection.state, due]).toEqual(["degraded", "discover"])
    })
  )
})

withLayer("recheck", apiInMemory(), (live) => {
  const states: ReadonlyArray<ConnectionState> = ["awaiting_manual", "verifying", "active", "degraded"]
  states.forEach((state) =>
    live(`in ${state} has the servers asked at once, and lets what they say decide`, () =>
      Effect.gen(function* () {
        const { connection, due, progress } = yield* ledBy("recheck", state, { keeps: { checks: 3 } })
        expect([connection.state, due, progress.urgent]).toEqual([state, "verify", true])
      })
    )
  )

  live("sent fifty times at once is answered fifty times", () =>
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
  live("ends the connection, and nothing is due or kept of it any more", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned")
      yield* keepCredential(path, "planned", {})
      const { credentials } = yield* Tables
      expect(credentials.size).toBe(1)
      const { connection, due } = yield* ledFrom(path, key, "cancel")
      expect([connection.state, due, credentials.size]).toEqual(["canceled", null, 0])
    })
  )

  live("keeps telling why the connection had failed", () =>
    Effect.gen(function* () {
      const { connection } = yield* ledBy("cancel", "failed", failedWith("domain_not_registered", "requested"))
      expect([connection.state, connection.failure.code]).toEqual(["canceled", "domain_not_registered"])
    })
  )
})

withLayer("disconnect", apiInMemory(), (live) => {
  const states: ReadonlyArray<ConnectionState> = ["active", "degraded", "verifying", "failed"]
  states.forEach((state) => {
    live(`of what was written and is ${state} waits for a new authorization, and the plan in force is gone`, () =>
      Effect.gen(function* () {
        const { connection, due } = yield* ledBy("disconnect", state, { keeps: { wrote: true } })
        expect([connection.state, connection.direction, due]).toEqual(["awaiting_authorization", "restore", "discover"])
        expect(Object.keys(connection)).not.toContain("plan")
      })
    )

    live(`of what was written and is ${state} is planned at once while a credential is held`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState(state, { keeps: { wrote: true } })
        yield* keepCredential(path, state, { keeps: { wrote: true } })
        const { connection, due } = yield* ledFrom(path, key, "disconnect")
        expect([connection.state, connection.direction, due]).toEqual(["authorized", "restore", "provision"])
        expect((yield* Tables).credentials.has(idIn(path))).toBe(true)
      })
    )
  })

  live("of what the customer entered by hand begins at once: there is nothing to authorize", () =>
    Effect.gen(function* () {
      const { connection, due } = yield* ledBy("disconnect", "active", { keeps: { byHand: true } })
      expect([connection.state, connection.direction, due]).toEqual(["disconnecting", "restore", "restore"])
    })
  )
})
