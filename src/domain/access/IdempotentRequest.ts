import type { Array } from "effect"

/**
 * A request that takes effect only once: its route, its `Idempotency-Key`, and a fingerprint for each key, first that of
 * the key that seals. The store keeps it for 24 hours for its application and tenant, with the first fingerprint.
 */
export interface IdempotentRequest {
  readonly route: string
  readonly key: string
  readonly fingerprints: Array.NonEmptyReadonlyArray<RequestFingerprint>
}

/** The id of a fingerprint key, and the hash of a request under it. */
export type RequestFingerprint = `${string}:${string}`

/** Stored in place of a fingerprint whose key is lost. */
export const lostFingerprint = ""

/**
 * Whether a request retries the one with this fingerprint; "unknown" without a common key. A lost key counts as a retry:
 * a false refusal would hide from an honest client that its request took effect.
 */
export const compareRequests = (
  { fingerprints }: IdempotentRequest,
  stored: string
): "retry" | "other_request" | "unknown" => {
  if (stored === lostFingerprint) return "retry"
  const comparable = fingerprints.find((fingerprint) => keyIdOf(fingerprint) === keyIdOf(stored))
  if (comparable === undefined) return "unknown"
  return comparable === stored ? "retry" : "other_request"
}

const keyIdOf = (fingerprint: string): string => fingerprint.replace(/:.*/, "")
