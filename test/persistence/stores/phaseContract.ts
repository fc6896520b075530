import { expect } from "bun:test"
import { Array, Effect, Option } from "effect"
import { type Connection, ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { makeInitialProgress } from "../../../src/domain/connection/ConnectionRecord.ts"
import { CredentialChange, type Phase, type Transition } from "../../../src/domain/connection/Transition.ts"
import type { Metadata } from "../../../src/domain/connection/PlatformFields.ts"
import type { SealedSecret } from "../../../src/domain/access/SealedSecret.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import { CredentialStore } from "../../../src/persistence/stores/access/CredentialStore.ts"
import { type PhaseClaim, PhaseStore } from "../../../src/persistence/stores/phases/PhaseStore.ts"
import { encodeConnection } from "../../../src/persistence/stores/connections/StoredConnection.ts"
import { hex } from "../../support/memory/Tables.ts"
import { StoreFixture } from "../StoreFixture.ts"
import { createConnection, dueNow, moveToState, ownTenancy, transitionInto } from "../connectionFixtures.ts"
import type { StoreTest } from "./storeContract.ts"

/** The contract of every `PhaseStore`. */
export const phaseContract = (test: StoreTest): void => {
  duePhases(test)
  claims(test)
  steps(test)
}

const duePhases = (test: StoreTest) => {
  test("takes each due phase once, as its first attempt, up to the limit", () =>
    Effect.gen(function* () {
      const { takeDue } = yield* PhaseStore
      const ids = yield* Effect.replicateEffect(createConnection(), 3)
      const takes = [yield* takeDue(2, 60), yield* takeDue(2, 60), yield* takeDue(2, 60)]
      expect(takes.map((taken) => taken.length)).toEqual([2, 1, 0])
      expect(byId(takes.flat())).toMatchObject(
        ids.map(({ id }) => ({ ...ownTenancy, connectionId: id, phase: "discover" as const, attempt: 1 }))
      )
    }))

  test("a phase without progress is due again after the given time, as the next attempt", () =>
    Effect.gen(function* () {
      const { takeDue } = yield* PhaseStore
      const { advanceTime } = yield* StoreFixture
      const { id } = yield* createConnection()
      yield* takeDue(1, 60)
      yield* advanceTime("59 seconds")
      expect(yield* takeDue(1, 60)).toEqual([])
      yield* advanceTime("1 second")
      expect(yield* takeDue(1, 60)).toMatchObject([{ ...ownTenancy, connectionId: id, phase: "discover", attempt: 2 }])
    }))

  test("takes the phases that have been due longest first", () =>
    Effect.gen(function* () {
      const { takeDue } = yield* PhaseStore
      const { advanceTime } = yield* StoreFixture
      const early = yield* createConnection()
      yield* takeDue(1, 60)
      yield* advanceTime("1 second")
      const late = yield* createConnection()
      yield* advanceTime("60 seconds")
      expect((yield* takeDue(1, 60)).map(({ connectionId }) => connectionId)).toEqual([late.id])
      expect((yield* takeDue(1, 60)).map(({ connectionId }) => connectionId)).toEqual([early.id])
    }))

  test("concurrent workers never take the same phase", () =>
    Effect.gen(function* () {
      const { takeDue } = yield* PhaseStore
      const created = yield* Effect.replicateEffect(createConnection(), 20)
      const takes = yield* Effect.replicateEffect(takeDue(5, 60), 8).pipe(Effect.withConcurrency("unbounded"))
      const rest = yield* takeDue(20, 60)
      expect(byId([...takes.flat(), ...rest]).map(({ connectionId }) => connectionId)).toEqual(
        created.map(({ id }) => id)
      )
    }))

  test("a phase that is given back is due after the given time, as the next attempt", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      const { store, due } = yield* taken
      yield* store.release(due, 5)
      yield* advanceTime("4 seconds")
      expect(yield* store.takeDue(1, 60)).toEqual([])
      yield* advanceTime("1 second")
      expect(yield* store.takeDue(1, 60)).toMatchObject([{ connectionId: due.connectionId, attempt: 2 }])
      yield* store.release(due, 0)
      expect(yield* store.takeDue(1, 60)).toEqual([])
    }))

  test("a transition that keeps the phase leaves it due when it is, and one that is under way begins anew", () =>
    Effect.gen(function* () {
      const { takeDue } = yield* PhaseStore
      const { advanceTime } = yield* StoreFixture
      const connections = yield* ConnectionStore
      const attach = Effect.fnUntraced(function* (id: ConnectionId, metadata: Metadata) {
        const read = yield* connections.findRecord(ownTenancy, id)
        const after = { ...read, connection: { ...read.connection, metadata } }
        const transition = { ...(yield* transitionInto(read, read.connection.state)), after, events: [] }
        const kept = { ...transition, next: Option.none(), keepsPhase: true }
        expect((yield* connections.update(ownTenancy, read, kept, Option.none()))._tag).toBe("Done")
      })
      const { id } = yield* createConnection()
      const [due] = yield* takeDue(1, 60)
      yield* attach(id, { plan: "pro" })
      const saved = yield* Effect.flatMap(due?.claim ?? Effect.dieMessage("nothing is due"), (claim) =>
        Effect.flatMap(PhaseStore, ({ save }) =>
          Effect.flatMap(transitionInto(claim, "failed"), (transition) => save(claim, transition))
        )
      )
      expect(saved).toBe(false)
      yield* moveToState("active", { next: Option.some({ phase: "verify", inSeconds: 60 }) })
      yield* advanceTime("40 seconds")
      yield* attach(id, { plan: "free" })
      expect(yield* takeDue(1, 60)).toEqual([])
      yield* advanceTime("20 seconds")
      expect(yield* takeDue(1, 60)).toMatchObject([{ connectionId: id, phase: "verify" }])
    }))

  test("what a process has taken and does not run is due at once, and nothing else", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      const { store, due: running } = yield* taken
      const { due: unknown } = yield* taken
      const { claim } = yield* claimed
      const later = Option.some({ phase: "verify" as const, inSeconds: 30 })
      yield* store.save(claim, yield* transitionInto(claim, "active", { next: later }))
      yield* store.releaseUnknown([running])
      expect(yield* store.takeDue(9, 60)).toMatchObject([{ connectionId: unknown.connectionId, attempt: 2 }])
      yield* store.releaseUnknown([running, unknown])
      expect(yield* store.takeDue(9, 60)).toMatchObject([{ connectionId: unknown.connectionId, attempt: 3 }])
      yield* advanceTime("30 seconds")
      expect(yield* store.takeDue(9, 60)).toMatchObject([{ connectionId: claim.connection.id, phase: "verify" }])
    }))

  test("the backlog holds the due phases that no process has taken", () =>
    Effect.gen(function* () {
      const { measureBacklog, takeDue } = yield* PhaseStore
      const { advanceTime } = yield* StoreFixture
      expect(yield* measureBacklog).toEqual({ waiting: 0, oldestSeconds: 0 })
      yield* Effect.replicateEffect(createConnection(), 3)
      yield* takeDue(1, 60)
      yield* advanceTime("30 seconds")
      const { oldestSeconds, waiting } = yield* measureBacklog
      // The clock of a database runs on while a busy machine takes a phase.
      expect([waiting, oldestSeconds >= 30, oldestSeconds < 90]).toEqual([2, true, true])
    }))
}

const claims = (test: StoreTest) => {
  test("a claim contains the current connection, and each claim has a higher number than that of the taking", () =>
    Effect.gen(function* () {
      const { store, due, connection } = yield* taken
      const claimed = { connection, progress: makeInitialProgress(connection), attempt: 1, version: 1 }
      expect(yield* due.claim).toEqual({ ...claimed, claim: 1 })
      expect(yield* store.claim(due, 60)).toEqual(Option.some({ ...claimed, claim: 2 }))
      expect(yield* store.claim(due, 60)).toEqual(Option.some({ ...claimed, claim: 3 }))
    }))

  test("another attempt, a completed phase or a missing connection cannot be claimed", () =>
    Effect.gen(function* () {
      const { store, due, claim } = yield* claimed
      for (const attempt of [0, 2]) expect(yield* store.claim({ ...due, attempt }, 60)).toEqual(Option.none())
      expect(yield* store.claim({ ...due, connectionId: ConnectionId.make("con_missing") }, 60)).toEqual(Option.none())
      yield* store.save(claim, yield* transitionInto(claim, "awaiting_manual"))
      expect(yield* store.claim(due, 60)).toEqual(Option.none())
    }))

  test("a claim fences the previous claim", () =>
    Effect.gen(function* () {
      const { store, due, claim } = yield* claimed
      const newer = yield* Effect.flatten(store.claim(due, 60))
      yield* expectRefused(claim, yield* transitionInto(claim, "awaiting_manual"))
      expect(yield* store.save(newer, yield* transitionInto(claim, "awaiting_authorization"))).toBe(true)
    }))

  test("a newer attempt fences the claim of the previous attempt", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      const { store, claim } = yield* claimed
      yield* advanceTime("60 seconds")
      yield* store.takeDue(1, 60)
      yield* expectRefused(claim, yield* transitionInto(claim, "awaiting_manual"))
    }))

  test("a claim allows one transition", () =>
    Effect.gen(function* () {
      const { store, claim } = yield* claimed
      yield* store.save(claim, yield* transitionInto(claim, "awaiting_authorization"))
      yield* expectRefused(claim, yield* transitionInto(claim, "canceled"))
    }))

  test("only one of two concurrent transitions under one claim is written", () =>
    Effect.gen(function* () {
      const { store, claim, connection } = yield* claimed
      const steps = [yield* transitionInto(claim, "awaiting_manual"), yield* transitionInto(claim, "failed")]
      const saved = yield* Effect.forEach(steps, (step) => store.save(claim, step), { concurrency: 2 })
      expect(saved.toSorted()).toEqual([false, true])
      const [, written, ...more] = yield* eventsOf(connection)
      expect(more).toEqual([])
      expect(written).toEqual(steps[saved.indexOf(true)]?.events[0])
    }))

  test("a command fences the claim", () =>
    Effect.gen(function* () {
      const connections = yield* ConnectionStore
      const { claim } = yield* claimed
      yield* connections.update(ownTenancy, claim, yield* transitionInto(claim, "canceled"), Option.none())
      yield* expectRefused(claim, yield* transitionInto(claim, "awaiting_manual"))
    }))
}

const steps = (test: StoreTest) => {
  test("a save writes the connection, its progress, its events and the next version, and ends the due phase", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      const { store, claim, connection } = yield* claimed
      const first = yield* transitionInto(claim, "awaiting_manual")
      const step = yield* transitionInto(first.after, "failed")
      expect(yield* store.save(claim, { ...step, events: [...first.events, ...step.events] })).toBe(true)
      const { find, findRecord } = yield* ConnectionStore
      const expected = {
        id: connection.id,
        state: "failed" as const,
        doc: encodeConnection(step.after.connection),
        version: 2
      }
      expect(yield* find(ownTenancy, connection.id)).toEqual(expected)
      expect(yield* findRecord(ownTenancy, connection.id)).toEqual({ ...step.after, version: 2 })
      const timeline = yield* eventsOf(connection)
      expect(timeline.slice(1)).toEqual([...first.events, ...step.events])
      expect(timeline.map(({ failure, from, to }) => [from, to, failure])).toEqual([
        [undefined, "requested", undefined],
        ["requested", "awaiting_manual", undefined],
        ["awaiting_manual", "failed", "discovery_timeout"]
      ])
      yield* advanceTime("1 day")
      expect(yield* store.takeDue(1, 60)).toEqual([])
    }))

  test("a transition without an event does not change the timeline", () =>
    Effect.gen(function* () {
      const { store, claim, connection } = yield* claimed
      const before = yield* eventsOf(connection)
      expect(yield* store.save(claim, yield* transitionInto(claim, "requested", { events: [] }))).toBe(true)
      expect(yield* eventsOf(connection)).toEqual(before)
    }))

  const phases: ReadonlyArray<Phase> = ["discover", "provision", "verify", "restore", "expire"]
  for (const phase of phases) {
    test(`a transition to ${phase} makes it due at once, as the next attempt`, () =>
      Effect.gen(function* () {
        const { store, due, claim } = yield* claimed
        yield* store.save(claim, yield* transitionInto(claim, "requested", { next: dueNow(phase) }))
        expect(yield* store.takeDue(1, 60)).toMatchObject([{ connectionId: due.connectionId, phase, attempt: 2 }])
      }))
  }

  test("a transition that schedules a later phase makes it due at that time", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      const { store, due, claim } = yield* claimed
      const next = Option.some({ phase: "verify" as const, inSeconds: 90.5 })
      yield* store.save(claim, yield* transitionInto(claim, "active", { next }))
      yield* advanceTime("90 seconds")
      expect(yield* store.takeDue(1, 60)).toEqual([])
      yield* advanceTime("500 millis")
      expect(yield* store.takeDue(1, 60)).toMatchObject([
        { connectionId: due.connectionId, phase: "verify", attempt: 2 }
      ])
    }))

  test("a claim returns the last transition with its progress", () =>
    Effect.gen(function* () {
      const { store, claim } = yield* claimed
      const step = yield* transitionInto(claim, "active", { next: dueNow("verify") })
      yield* store.save(claim, step)
      const due = yield* Effect.flatten(Effect.map(store.takeDue(1, 60), Array.head))
      expect(yield* due.claim).toEqual({ ...step.after, attempt: 2, claim: 2, version: 2 })
    }))

  test("a transition can replace, keep and delete the credential", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      const { claim } = yield* claimed
      const put = (text: string, lifetimeSeconds: number) =>
        CredentialChange.Replace({ sealed: sealed(text), lifetimeSeconds })
      expect(yield* credentialAfter(claim, put("one", 60))).toEqual(inBrief(sealed("one")))
      expect(yield* credentialAfter(claim, put("other", 3_600))).toEqual(inBrief(sealed("other")))
      expect(yield* credentialAfter(claim, CredentialChange.Keep())).toEqual(inBrief(sealed("other")))
      yield* advanceTime("59 minutes")
      expect(yield* credentialAfter(claim, CredentialChange.Keep())).toEqual(inBrief(sealed("other")))
      expect(yield* credentialAfter(claim, CredentialChange.Delete())).toBe("none")
      expect(yield* credentialAfter(claim, CredentialChange.Keep())).toBe("none")
    }))

  test("a credential expires after the lifetime given with the transition", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      const { claim } = yield* claimed
      yield* credentialAfter(claim, CredentialChange.Replace({ sealed: sealed("one"), lifetimeSeconds: 60 }))
      yield* advanceTime("60 seconds")
      expect(yield* credentialAfter(claim, CredentialChange.Keep())).toBe("none")
    }))

  test("observations are kept until the next observations", () =>
    Effect.gen(function* () {
      const { claim, connection } = yield* claimed
      const { findObservations } = yield* ConnectionViews
      const latest = Effect.map(findObservations(connection.id), ({ doc }) => doc)
      expect(yield* latest).toEqual(Option.none())
      for (const observed of [Option.some("[1]"), Option.some("[2]"), Option.none()]) {
        yield* applyTransition(claim, { observations: observed })
        expect(yield* latest).toEqual(Option.orElse(observed, () => Option.some("[2]")))
      }
    }))

  test("a refused transition stores neither credential nor observations", () =>
    Effect.gen(function* () {
      const { store, claim, connection } = yield* claimed
      const sideEffects = {
        credential: CredentialChange.Replace({ sealed: sealed("one"), lifetimeSeconds: 60 }),
        observations: Option.some("[]")
      }
      expect(yield* store.save({ ...claim, version: 2 }, yield* transitionInto(claim, "active", sideEffects))).toBe(
        false
      )
      expect(yield* credentialOf(connection)).toBe("none")
      expect((yield* Effect.flatMap(ConnectionViews, (views) => views.findObservations(connection.id))).doc).toEqual(
        Option.none()
      )
    }))
}

const eventsOf = ({ id }: Connection) => Effect.flatMap(StoreFixture, (fixture) => fixture.listEvents(id))

const byId = <A extends { readonly connectionId: string }>(rows: ReadonlyArray<A>) =>
  rows.toSorted((a, b) => a.connectionId.localeCompare(b.connectionId))

/** A connection whose discover phase was taken. */
const taken = Effect.gen(function* () {
  const store = yield* PhaseStore
  const connection = yield* createConnection()
  const due = yield* Effect.flatten(Effect.map(store.takeDue(1, 60), Array.head))
  return { store, connection, due }
})

/** The same with the claim of the run that starts. */
const claimed = Effect.gen(function* () {
  const { store, connection, due } = yield* taken
  return { store, connection, due, claim: yield* due.claim }
})

const expectRefused = (claim: PhaseClaim, step: Transition) =>
  Effect.gen(function* () {
    const store = yield* PhaseStore
    const { connection } = step.after
    const current = Effect.all([
      Effect.flatMap(ConnectionStore, ({ find }) => find(ownTenancy, connection.id)),
      eventsOf(connection)
    ])
    const before = yield* current
    expect(yield* store.save(claim, step)).toBe(false)
    expect(yield* current).toEqual(before)
  })

/** Applies one more transition to the connection of a claim. */
const applyTransition = ({ connection: { id } }: PhaseClaim, sideEffects: Partial<Transition>) =>
  Effect.gen(function* () {
    const store = yield* ConnectionStore
    const record = yield* store.findRecord(ownTenancy, id)
    const commit = yield* store.update(
      ownTenancy,
      record,
      yield* transitionInto(record, "active", sideEffects),
      Option.none()
    )
    expect(commit._tag).toBe("Done")
  })

const credentialAfter = (claim: PhaseClaim, credential: CredentialChange) =>
  Effect.zipRight(applyTransition(claim, { credential }), credentialOf(claim.connection))

const credentialOf = ({ id }: Connection) =>
  Effect.map(
    Effect.flatMap(CredentialStore, (credentials) => credentials.find(ownTenancy, id)),
    Option.match({ onNone: () => "none" as const, onSome: inBrief })
  )

const sealed = (text: string) => ({
  keyVersion: text.length,
  nonce: Buffer.from(`nonce of ${text}`),
  ciphertext: Buffer.from(`${text}\0\xff`, "latin1")
})

/** Comparable whether the bytes are a `Buffer` or a `Uint8Array`. */
const inBrief = ({ ciphertext, keyVersion, nonce }: SealedSecret) => ({
  keyVersion,
  nonce: hex(nonce),
  ciphertext: hex(ciphertext)
})
