import { Context, Layer, type Option } from "effect"
import type { ConnectionId, ConnectionState } from "../../../src/domain/Connection.ts"
import type { Origin } from "../../../src/domain/Origin.ts"
import type { ApiKeyId, Tenancy } from "../../../src/domain/Tenancy.ts"
import type { TimelineEvent } from "../../../src/domain/TimelineEvent.ts"
import type { StoredKey } from "../../../src/persistence/ApiKeyStore.ts"
import type { Phase } from "../../../src/persistence/ConnectionStore.ts"

export interface ConnectionRow {
  readonly tenancy: Tenancy
  readonly id: ConnectionId
  state: ConnectionState
  doc: string
  version: number
  phase: Option.Option<Phase>
  dueAt: Option.Option<number>
  attempt: number
  claim: number
  readonly events: Array<TimelineEvent>
}

export interface IdempotencyRow {
  readonly fingerprint: string
  readonly connectionId: ConnectionId
  readonly state: ConnectionState
  readonly doc: string
  readonly createdAt: number
}

export interface TokenRow {
  readonly connectionId: ConnectionId
  readonly apiKeyId: ApiKeyId
  readonly origin: Origin
  readonly expiresAt: number
  revoked: boolean
}

/** What the in-memory stores share, as the tables of PostgreSQL are shared by the real ones. */
export class Tables extends Context.Tag("test/Tables")<
  Tables,
  {
    readonly connections: Map<ConnectionId, ConnectionRow>
    readonly idempotency: Map<string, IdempotencyRow>
    readonly keys: Map<string, StoredKey>
    readonly tokens: Map<string, TokenRow>
  }
>() {
  static readonly layer = Layer.sync(Tables, () => ({
    connections: new Map(),
    idempotency: new Map(),
    keys: new Map(),
    tokens: new Map()
  }))
}

export const sameTenancy = (one: Tenancy, other: Tenancy): boolean =>
  one.applicationId === other.applicationId && one.tenantId === other.tenantId

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

export const isGood = (key: StoredKey | undefined, now: number): key is StoredKey =>
  key !== undefined && key.revokedAt === null && (key.expiresAt === null || key.expiresAt.getTime() > now)
