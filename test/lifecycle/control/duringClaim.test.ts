import { expect } from "bun:test"
import { DateTime, Effect, Layer } from "effect"
import type { ControlProof } from "../../../src/domain/access/Application.ts"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { initialControl } from "../../../src/domain/connection/Control.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { Dispatcher } from "../../../src/lifecycle/scheduler/Dispatcher.ts"
import { HostHolderStore } from "../../../src/persistence/stores/connections/HostHolderStore.ts"
import { encodeProgress } from "../../../src/persistence/stores/connections/StoredConnection.ts"
import { effect } from "../../support/effectTest.ts"
import { lifecycleInMemory } from "../../support/lifecycleInMemory.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { connectionRecordOf } from "../../support/memory/connectionStoreInMemory.ts"
import { storesInMemory } from "../../support/testApi.ts"
import {
  advanceTime,
  commandsFor,
  createDiscovered,
  initialRecords,
  noOptions,
  readConnection,
  readState,
  scriptedProvider,
  tenancy,
  withoutLogs,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { connect, rival, shop } from "./controlSteps.ts"

/** When something happens beside a claim. */
type ClaimMoment = "before" | "after"

/** Plays a story that says what happens beside the next claim of names. */
const playWith = <A, E, R>(
  controlProof: ControlProof,
  moment: ClaimMoment,
  story: (
    acme: ReturnType<typeof scriptedProvider>,
    atNextClaim: <B, F, S>(happens: Effect.Effect<B, F, S>) => Effect.Effect<void, never, S>
  ) => Effect.Effect<A, E, R>
) => {
  const acme = scriptedProvider(...initialRecords)
  const awaited: Array<Effect.Effect<unknown>> = []
  const happens = Effect.suspend(() => awaited.pop() ?? Effect.void)
  const stores = Layer.effect(
    HostHolderStore,
    Effect.map(HostHolderStore, (hosts) => ({
      ...hosts,
      claim: (claim) =>
        moment === "before" ? Effect.zipRight(happens, hosts.claim(claim)) : Effect.zipLeft(hosts.claim(claim), happens)
    }))
  ).pipe(Layer.provideMerge(storesInMemory))
  const atNextClaim = <B, F, S>(happens: Effect.Effect<B, F, S>) =>
    Effect.map(Effect.context<S>(), (context) => void awaited.push(Effect.orDie(Effect.provide(happens, context))))
  return Effect.provide(
    story(acme, atNextClaim),
    Layer.merge(lifecycleInMemory(acme.layer, stores, controlProof), withoutLogs)
  )
}

/** Stores a new proof of control of a connection. */
const proveControl = (id: ConnectionId) =>
  Effect.gen(function* () {
    const row = (yield* Tables).connections.get(id)
    if (row === undefined) return yield* Effect.dieMessage("there is no such row")
    const { progress } = connectionRecordOf(row)
    const control = { ...initialControl, provenBy: "challenge", provenAt: yield* DateTime.now } as const
    row.progress = encodeProgress({ ...progress, control })
    row.version += 1
  })

effect("nobody becomes active without a proof beside one that another tenant gives during the claim", () =>
  playWith("when_contested", "before", (acme, atNextClaim) =>
    Effect.gen(function* () {
      const other = yield* createDiscovered(undefined, rival)
      yield* commandsFor(other, rival).chooseManual
      const id = yield* createDiscovered()
      yield* commandsFor(id).chooseManual
      yield* atNextClaim(proveControl(other))
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(id).recheck
      const { control, state } = yield* readConnection(id)
      expect([state, control?.status, control?.challenge === undefined]).toEqual(["verifying", "unproven", false])
    })
  )
)

for (const moment of ["before", "after"] as const)
  effect(`an older proof takes nothing from a newer one that is found ${moment} its claim`, () =>
    playWith("required", moment, (acme, atNextClaim) =>
      Effect.gen(function* () {
        yield* acme.serve(...initialRecords)
        const older = yield* connect()
        const newer = yield* createDiscovered(undefined, rival)
        yield* advanceTime("10 minutes")
        yield* commandsFor(newer, rival).chooseManual
        yield* acme.serveZone
        yield* atNextClaim(proveControl(newer))
        yield* commandsFor(older).recheck
        const { control } = yield* readConnection(older)
        expect([yield* readState(older), control?.challenge === undefined]).toEqual(["verifying", false])
        const record = (yield* Tables).connections.get(newer)
        expect(JSON.parse(record?.progress ?? "{}").control).toMatchObject({ provenBy: "challenge", isLost: false })
      })
    )
  )

/** Checks a connection at once, until it is active, without waiting for the phases of others. */
const checkUntilActive = (id: ConnectionId) =>
  Effect.gen(function* () {
    yield* (yield* Connections).recheck(tenancy, id, noOptions)
    const { tick } = yield* Dispatcher
    for (let turns = 0; turns < 1_000; turns += 1) {
      yield* tick
      if ((yield* readState(id)) === "active") return
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    }
    return yield* Effect.dieMessage("the connection does not become active")
  })

effect("where nobody needs a proof, one whose hosts are taken before its claim does not take them back", () =>
  playWith("off", "before", (acme, atNextClaim) =>
    Effect.gen(function* () {
      yield* acme.serve(...initialRecords)
      const taken = yield* connect(rival)
      const taker = yield* createDiscovered()
      yield* commandsFor(taker).chooseManual
      yield* acme.serveZone
      yield* atNextClaim(checkUntilActive(taker))
      yield* commandsFor(taken, rival).recheck
      const { control, state } = yield* readConnection(taken, rival)
      expect([yield* readState(taker), state, control?.status]).toEqual(["active", "verifying", "unproven"])
    })
  )
)
