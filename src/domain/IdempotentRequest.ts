import type { Array } from "effect"

/**
 * A request that takes effect only once: its route, the `Idempotency-Key` of the client, and its fingerprints, one for
 * each fingerprint key, the newest first. The store keeps it for 24 hours for its application and tenant, with the
 * first fingerprint.
 */
export interface IdempotentRequest {
  readonly route: string
  readonly key: string
  readonly fingerprints: Array.NonEmptyReadonlyArray<RequestFingerprint>
}

/** The id of a fingerprint key, and the hash of a request under it. */
export type RequestFingerprint = `${string}:${string}`

/**
 * Whether a request may be a retry of the one with this stored fingerprint. It is not if the two differ under the same
 * key; fingerprints under different keys cannot be compared.
 */
export const canBeRetryOf = ({ fingerprints }: IdempotentRequest, stored: string): boolean =>
  fingerprints.every((fingerprint) => fingerprint === stored || keyIdOf(fingerprint) !== keyIdOf(stored))

const keyIdOf = (fingerprint: string): string => fingerprint.replace(/:.*/, "")
