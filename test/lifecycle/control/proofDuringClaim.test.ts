import { expect } from "bun:test"
import { DateTime, Effect, Layer } from "effect"
import type { ControlProof } from "../../../src/domain/Application.ts"
import type { ConnectionId } from "../../../src/domain/Connection.ts"
import { initialControl } from "../../../src/domain/Control.ts"
import { HostHolderStore } from "../../../src/persistence/stores/HostHolderStore.ts"
import { encodeProgress } from "../../../src/persistence/stores/StoredConnection.ts"
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
  readConnection,
  readState,
  scriptedProvider,
  withoutLogs,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { connect, rival, shop } from "./controlSteps.ts"

/** The moment of a claim at which another tenant proves control. */
type ProofMoment = "before" | "after"

/** Plays a story in which the next claim of names meets a proof that `proofs` gives at that moment. */
const playWith = <A, E, R>(
  controlProof: ControlProof,
  moment: ProofMoment,
  story: (
    acme: ReturnType<typeof scriptedProvider>,
    proveAtNextClaim: (id: ConnectionId) => void
  ) => Effect.Effect<A, E, R>
) => {
  const acme = scriptedProvider(...initialRecords)
  const proofs: Array<ConnectionId> = []
  const prove = Effect.gen(function* () {
    const id = proofs.pop()
    const { connections } = yield* Tables
    const row = id === undefined ? undefined : connections.get(id)
    if (row === undefined) return
    const { progress } = connectionRecordOf(row)
    const control = { ...initialControl, provenBy: "challenge", provenAt: yield* DateTime.now } as const
    row.progress = encodeProgress({ ...progress, control })
    row.version += 1
  })
  const stores = Layer.effect(
    HostHolderStore,
    Effect.map(Effect.all([HostHolderStore, Tables]), ([hosts, tables]) => {
      const proven = Effect.provideService(prove, Tables, tables)
      return {
        ...hosts,
        claim: (claim) =>
          moment === "before" ? Effect.zipRight(proven, hosts.claim(claim)) : Effect.zipLeft(hosts.claim(claim), proven)
      }
    })
  ).pipe(Layer.provideMerge(storesInMemory))
  return Effect.provide(
    story(acme, (id) => void proofs.push(id)),
    Layer.merge(lifecycleInMemory(acme.layer, stores, controlProof), withoutLogs)
  )
}

effect("nobody becomes active without a proof beside one that another tenant gives during the claim", () =>
  playWith("when_contested", "before", (acme, proveAtNextClaim) =>
    Effect.gen(function* () {
      const other = yield* createDiscovered(undefined, rival)
      yield* commandsFor(other, rival).chooseManual
      const id = yield* createDiscovered()
      yield* commandsFor(id).chooseManual
      proveAtNextClaim(other)
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(id).recheck
      const { control, state } = yield* readConnection(id)
      expect([state, control?.status, control?.challenge === undefined]).toEqual(["verifying", "unproven", false])
    })
  )
)

for (const moment of ["before", "after"] as const)
  effect(`an older proof takes nothing from a newer one that is found ${moment} its claim`, () =>
    playWith("required", moment, (acme, proveAtNextClaim) =>
      Effect.gen(function* () {
        const holder = yield* connect()
        yield* acme.become(zoneWith())
        yield* commandsFor(holder).recheck
        const newer = yield* createDiscovered(undefined, rival)
        yield* advanceTime("10 minutes")
        yield* commandsFor(newer, rival).chooseManual
        yield* acme.become(zoneWith(shop))
        proveAtNextClaim(newer)
        yield* commandsFor(holder).recheck
        const { control } = yield* readConnection(holder)
        expect([yield* readState(holder), control?.challenge === undefined]).toEqual(["degraded", false])
        const record = (yield* Tables).connections.get(newer)
        expect(JSON.parse(record?.progress ?? "{}").control).toMatchObject({ provenBy: "challenge", isLost: false })
      })
    )
  )
