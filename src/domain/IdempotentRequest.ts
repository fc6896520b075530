import type { Array } from "effect"

/**
 * A request that is to have its effect once: the route and the `Idempotency-Key` of the client, and its fingerprints,
 * one for each key that they are made with, the newest first. The store scopes it to application and tenant and keeps it
 * 24 hours, with the first fingerprint.
 */
export interface IdempotentRequest {
  readonly route: string
  readonly key: string
  readonly fingerprints: Array.NonEmptyReadonlyArray<RequestFingerprint>
}

/** A keyed hash of a request, behind the id of its key. */
export type RequestFingerprint = `${string}:${string}`

/**
 * Whether a request may repeat the one of which this fingerprint was kept: it does not if they differ under one key. Of
 * a key that is gone, or that only others have, nobody can tell.
 */
export const canBeRetryOf = ({ fingerprints }: IdempotentRequest, kept: string): boolean =>
  fingerprints.every((own) => own === kept || keyIdOf(own) !== keyIdOf(kept))

const keyIdOf = (fingerprint: string): string => fingerprint.replace(/:.*/, "")
