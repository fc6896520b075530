import { Context, Layer, type Option } from "effect"
import type { AuditEntry } from "../../../src/domain/access/AuditEntry.ts"
import type { ConnectionId, ConnectionState, TimelineEntry } from "../../../src/domain/connection/Connection.ts"
import type { Origin } from "../../../src/domain/names/Origin.ts"
import type { Phase } from "../../../src/domain/connection/Transition.ts"
import type { AskSecretId } from "../../../src/domain/access/AskSecret.ts"
import type { ExternalId } from "../../../src/domain/connection/PlatformFields.ts"
import type { SealedSecret, SecretOwner } from "../../../src/domain/access/SealedSecret.ts"
import type { BrowserRole } from "../../../src/domain/access/BrowserRole.ts"
import type { ApiKeyId, ApplicationId, Tenancy, TenantId } from "../../../src/domain/access/Tenancy.ts"
import type { IdempotentRequest } from "../../../src/domain/access/IdempotentRequest.ts"
import type { AttemptError, DeliveryStatus } from "../../../src/domain/webhook/WebhookDelivery.ts"
import type {
  PauseReason,
  WebhookEndpointId,
  WebhookEndpointSettings
} from "../../../src/domain/webhook/WebhookEndpoint.ts"
import type { WebhookEventType } from "../../../src/domain/webhook/WebhookEvent.ts"
import type { StoredAdminKey } from "../../../src/persistence/stores/access/AdminKeyStore.ts"
import type { StoredApiKey } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import type { StoredApplication } from "../../../src/persistence/stores/access/ApplicationStore.ts"
import type { JournalEntry } from "../../../src/persistence/stores/phases/JournalStore.ts"
import type { FencingToken } from "../../../src/persistence/stores/phases/LeaseStore.ts"
import type { StoredConnection } from "../../../src/persistence/stores/connections/StoredConnection.ts"

export interface ConnectionRow {
  readonly tenancy: Tenancy
  readonly id: ConnectionId
  readonly domain: string
  readonly createdAt: number
  externalId?: ExternalId
  /** The key of its intent, as hex; absent once it no longer stands for it. */
  intentKey?: string
  /** The key of the intent that counts while another one waits. */
  countingIntentKey?: string
  state: ConnectionState
  doc: string
  /** As it is stored; absent until the first transition. */
  progress?: string
  version: number
  phase: Option.Option<Phase>
  dueAt: Option.Option<number>
  attempt: number
  claim: number
  isTaken: boolean
  readonly events: Array<EventRow>
}

export interface EventRow extends TimelineEntry {
  readonly occurredAt: number
}

interface IdempotencyRow {
  readonly fingerprint: string
  readonly connectionId: ConnectionId
  readonly state: ConnectionState
  readonly doc: string
  readonly version: number
  readonly createdAt: number
}

interface TokenRow {
  readonly connectionId: ConnectionId
  readonly apiKeyId: ApiKeyId
  readonly origin: Origin
  readonly role: BrowserRole
  /** The code of the link that opened it, in hexadecimal digits. */
  readonly openedBy?: string
  readonly expiresAt: number
  revoked: boolean
}

interface CredentialRow {
  readonly owner: SecretOwner
  readonly sealed: SealedSecret
  readonly expiresAt: number
}

export interface OAuthSessionRow {
  readonly owner: SecretOwner
  readonly ticketHash: string
  readonly stateHash?: string
  readonly browserHash?: string
  readonly sealed: SealedSecret
  readonly expiresAt: number
}

interface LeaseRow {
  readonly owner: string
  readonly claim: number
  until: number
}

export interface HostHolderRow {
  readonly name: string
  readonly tenancy: Tenancy
  readonly connectionId: ConnectionId
}

export interface WebhookEndpointRow {
  readonly applicationId: ApplicationId
  readonly id: WebhookEndpointId
  settings: WebhookEndpointSettings
  secret: SealedSecret
  previous?: { readonly secret: SealedSecret; readonly until: number }
  pauseReason?: PauseReason
  failingSince?: number
  version: number
  readonly idempotency?: IdempotentRequest
  readonly createdAt: number
  updatedAt: number
}

export interface WebhookEventRow {
  readonly id: string
  readonly applicationId: ApplicationId
  readonly tenantId?: TenantId
  readonly connectionId?: ConnectionId
  readonly type: WebhookEventType
  readonly data: string
  readonly createdAt: number
}

export interface WebhookDeliveryRow {
  readonly endpointId: string
  readonly event: WebhookEventRow
  status: DeliveryStatus
  attempts: number
  claim: number
  dueAt: number
  last?: { readonly at: number; readonly millis: number; readonly status?: number; readonly error?: AttemptError }
}

interface WebhookRateRow {
  readonly used: number
  readonly endsAt: number
}

export interface AskSecretRow {
  readonly id: AskSecretId
  readonly prefix: string
  readonly applicationId: ApplicationId
  readonly createdAt: number
  expiresAt: number
  isRevoked: boolean
}

interface KeptJournalRow {
  /** Absent once the tenant was erased. */
  readonly tenancy?: Tenancy
  readonly checkedAt: number
}

interface AdminRequestRow {
  readonly fingerprint: string
  readonly createdAt: number
  response?: SealedSecret
}

/** The tables that the in-memory stores share, as the real stores share those of PostgreSQL. */
export class Tables extends Context.Tag("test/Tables")<
  Tables,
  {
    readonly connections: Map<ConnectionId, ConnectionRow>
    readonly observations: Map<ConnectionId, string>
    readonly idempotency: Map<string, IdempotencyRow>
    readonly keys: Map<string, StoredApiKey>
    readonly askSecrets: Map<string, AskSecretRow>
    readonly adminRequests: Map<string, AdminRequestRow>
    readonly adminKeys: Map<string, StoredAdminKey>
    readonly applications: Map<ApplicationId, StoredApplication>
    /** By application and name. */
    readonly hostHolders: Map<string, HostHolderRow>
    /** By application, name and tenant: who has ever asked for a host. */
    readonly requestedHosts: Map<string, Pick<HostHolderRow, "name" | "tenancy">>
    readonly tokens: Map<string, TokenRow>
    readonly credentials: Map<ConnectionId, CredentialRow>
    readonly oauthSessions: Map<ConnectionId, OAuthSessionRow>
    readonly leases: Map<string, LeaseRow>
    readonly journal: Map<number, JournalEntry>
    /** The erased connections whose journal stays. */
    readonly keptJournals: Map<ConnectionId, KeptJournalRow>
    readonly webhookEndpoints: Map<string, WebhookEndpointRow>
    readonly webhookEvents: Map<string, WebhookEventRow>
    readonly webhookDeliveries: Map<string, WebhookDeliveryRow>
    /** By application and rate. */
    readonly webhookRates: Map<string, WebhookRateRow>
    readonly audit: Map<string, AuditEntry>
    /** The number of the last entry of the audit log. */
    readonly auditPosition: { last: number; readonly clear: () => void }
  }
>() {
  static readonly layer = Layer.sync(Tables, () => ({
    connections: new Map(),
    observations: new Map(),
    idempotency: new Map(),
    keys: new Map(),
    askSecrets: new Map(),
    adminRequests: new Map(),
    adminKeys: new Map(),
    applications: new Map(),
    hostHolders: new Map(),
    requestedHosts: new Map(),
    tokens: new Map(),
    credentials: new Map(),
    oauthSessions: new Map(),
    leases: new Map(),
    journal: new Map(),
    keptJournals: new Map(),
    webhookEndpoints: new Map(),
    webhookEvents: new Map(),
    webhookDeliveries: new Map(),
    webhookRates: new Map(),
    audit: new Map(),
    auditPosition: { last: 0, clear: () => {} }
  }))
}

export const isSameTenancy = (left: Tenancy, right: Tenancy): boolean =>
  left.applicationId === right.applicationId && left.tenantId === right.tenantId

/** The connection that a store returns for a row. */
export const storedConnectionOf = ({ doc, id, state, version }: ConnectionRow): StoredConnection => ({
  id,
  state,
  doc,
  version
})

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

export const isUsableKey = (key: StoredApiKey | undefined, now: number): key is StoredApiKey =>
  key !== undefined && key.revokedAt === null && (key.expiresAt === null || key.expiresAt.getTime() > now)

export const areLeasesHeld = (
  leases: ReadonlyMap<string, LeaseRow>,
  guards: ReadonlyArray<FencingToken>,
  now: number
): boolean =>
  guards.every(({ claim, key }) => {
    const lease = leases.get(key)
    return lease !== undefined && lease.claim === claim && lease.until > now
  })

/** The key of a name in the table of the holders. */
export const hostKeyOf = ({ applicationId }: Pick<Tenancy, "applicationId">, name: string): string =>
  `${applicationId} ${name}`

/** Remembers who asked for hosts. */
export const rememberHosts = (
  { requestedHosts }: Pick<Tables["Type"], "requestedHosts">,
  tenancy: Tenancy,
  names: ReadonlyArray<string>
): void =>
  names.forEach((name) => requestedHosts.set(`${hostKeyOf(tenancy, name)} ${tenancy.tenantId}`, { name, tenancy }))

/** Deletes the rows of a table that match. */
export const deleteWhere = <K, V>(table: Map<K, V>, matches: (row: V) => boolean): void =>
  [...table].forEach(([key, row]) => matches(row) && table.delete(key))
