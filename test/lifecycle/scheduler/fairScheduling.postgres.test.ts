import { Layer } from "effect"
import { storesOfAdministration } from "../../../src/persistence/layer.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
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
import { freshPool } from "../../persistence/freshDatabase.ts"
import { fairSchedulingContract } from "./fairSchedulingContract.ts"

fairSchedulingContract(
  "a process on PostgreSQL",
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
  ).pipe(Layer.provide(freshPool))
)
