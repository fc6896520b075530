/** The quotas of the application and tenant of an API key; 0 for no limit. */
export interface QuotaLimits {
  /** Connections that have not ended. */
  readonly connections: number
  /** Connections that have not ended, in one registered domain. */
  readonly connectionsPerDomain: number
  /** Connections in `requested`, whose discovery has not ended. */
  readonly openDiscoveries: number
  /** Bytes of the documents of all connections, also of ended ones, and of everything that is stored about them. */
  readonly storageBytes: number
  /** Bytes of the answers that are kept for 24 hours under an `Idempotency-Key`. */
  readonly idempotencyBytes: number
}

export type QuotaName = keyof QuotaLimits

/** A quota that is counted for a tenant as a whole. */
export type TenantQuota = Exclude<QuotaName, "connectionsPerDomain">

/** How much of its quotas a tenant has used, or needs. */
export type QuotaAmounts = { readonly [_ in TenantQuota]?: number }

export const unlimitedQuotas: QuotaLimits = {
  connections: 0,
  connectionsPerDomain: 0,
  openDiscoveries: 0,
  storageBytes: 0,
  idempotencyBytes: 0
}
