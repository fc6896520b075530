/**
 * A request that is to have its effect once: the route and the `Idempotency-Key` of the client, and the SHA-256 (hex)
 * of the canonical body. The store scopes it to application and tenant and keeps it 24 hours.
 */
export interface Idempotency {
  readonly route: string
  readonly key: string
  readonly fingerprint: string
}
