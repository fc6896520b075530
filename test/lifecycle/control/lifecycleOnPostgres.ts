import { Effect, Layer } from "effect"
import type { ControlProof } from "../../../src/domain/access/Application.ts"
import { Identifiers } from "../../../src/domain/values/Identifiers.ts"
import { lifecycleServices } from "../../../src/lifecycle/layer.ts"
import { Dispatcher } from "../../../src/lifecycle/scheduler/Dispatcher.ts"
import { defaultStateTimeouts } from "../../../src/lifecycle/state/StateTimeouts.ts"
import { ApplicationStore } from "../../../src/persistence/stores/access/ApplicationStore.ts"
import { OAuthSessions } from "../../../src/security/OAuthSessions.ts"
import { masterKey, sealingLayer } from "../../support/masterKeys.ts"
import type { ScriptedProvider } from "../phases/scriptedProvider.ts"
import { allStores } from "../../persistence/freshDatabase.ts"

/** The lifecycle of one process on PostgreSQL, with its loop; each application has this setting. */
export const lifecycleOnPostgres = (dependencies: ScriptedProvider["layer"], controlProof: ControlProof) =>
  Dispatcher.loop.pipe(
    Layer.provideMerge(lifecycleServices({ stateTimeouts: defaultStateTimeouts, phasesInFlight: 8 })),
    Layer.provideMerge(OAuthSessions.layer),
    Layer.provideMerge(sealingLayer(masterKey(1))),
    Layer.provideMerge(Identifiers.layer),
    Layer.provide(dependencies),
    Layer.provide(Layer.mock(ApplicationStore, { findSettings: () => Effect.succeed({ controlProof }) })),
    Layer.provideMerge(allStores)
  )
