import { Effect, Layer } from "effect"
import type { ControlProof } from "../../../src/domain/access/Application.ts"
import { Identifiers } from "../../../src/domain/values/Identifiers.ts"
import { lifecycleServices } from "../../../src/lifecycle/layer.ts"
import { Dispatcher } from "../../../src/lifecycle/scheduler/Dispatcher.ts"
import { defaultStateTimeouts } from "../../../src/lifecycle/state/StateTimeouts.ts"
import { storesOfAdministration } from "../../../src/persistence/layer.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { ApplicationStore } from "../../../src/persistence/stores/access/ApplicationStore.ts"
import { AuditStore } from "../../../src/persistence/stores/audit/AuditStore.ts"
import { BrowserTokenStore } from "../../../src/persistence/stores/access/BrowserTokenStore.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import { CredentialStore } from "../../../src/persistence/stores/access/CredentialStore.ts"
import { HostHolderStore } from "../../../src/persistence/stores/connections/HostHolderStore.ts"
import { JournalStore } from "../../../src/persistence/stores/phases/JournalStore.ts"
import { LeaseStore } from "../../../src/persistence/stores/phases/LeaseStore.ts"
import { OAuthSessionStore } from "../../../src/persistence/stores/access/OAuthSessionStore.ts"
import { PhaseStore } from "../../../src/persistence/stores/phases/PhaseStore.ts"
import { UsageStore } from "../../../src/persistence/stores/usage/UsageStore.ts"
import { OAuthSessions } from "../../../src/security/OAuthSessions.ts"
import { masterKey, sealingLayer } from "../../support/masterKeys.ts"
import type { ScriptedProvider } from "../phases/scriptedProvider.ts"

/** The lifecycle of one process on PostgreSQL, with its loop; each application has this setting. */
export const lifecycleOnPostgres = (dependencies: ScriptedProvider["layer"], controlProof: ControlProof) =>
  Dispatcher.loop.pipe(
    Layer.provideMerge(lifecycleServices({ stateTimeouts: defaultStateTimeouts, phasesInFlight: 8 })),
    Layer.provideMerge(OAuthSessions.layer),
    Layer.provideMerge(sealingLayer(masterKey(1))),
    Layer.provideMerge(Identifiers.layer),
    Layer.provide(dependencies),
    Layer.provide(Layer.mock(ApplicationStore, { findSettings: () => Effect.succeed({ controlProof }) })),
    Layer.provideMerge(
      Layer.mergeAll(
        ConnectionStore.layer,
        ConnectionViews.layer,
        PhaseStore.layer,
        ApiKeyStore.layer,
        storesOfAdministration,
        BrowserTokenStore.layer,
        CredentialStore.layer,
        OAuthSessionStore.layer,
        LeaseStore.layer,
        JournalStore.layer,
        UsageStore.layer,
        AuditStore.layer,
        HostHolderStore.layer
      )
    )
  )
