/** How a verification may go on: at once, as one of those that may be refused, or as one above their number. */
export type VerificationDecision = "known" | "reserved" | "above"

interface PendingVerification {
  readonly isKnown: () => boolean
  readonly onDecided: (decision: VerificationDecision) => void
}

interface Bucket {
  reserved: number
  /** The waiting requests in the order of their arrival. */
  readonly waiting: Set<PendingVerification>
}

/**
 * The verifications of unknown credentials, by client address. Each reserves one of the refusals that the address has left,
 * so that there are never more at once than may fail. While all are reserved, further ones wait: nobody knows yet whether
 * the credentials before them are valid.
 */
export class PendingVerifications {
  readonly #remainingOf: (bucket: string) => number
  readonly #buckets = new Map<string, Bucket>()

  /** `remainingOf`: how many more refusals a bucket may have, not counting what is reserved. */
  constructor(remainingOf: (bucket: string) => number) {
    this.#remainingOf = remainingOf
  }

  /**
   * Calls `onDecided` once, which may be at once. Call the function that it returns when the verification has ended, after
   * a refusal was counted, or to stop waiting.
   */
  enter(key: string, isKnown: () => boolean, onDecided: (decision: VerificationDecision) => void): () => void {
    const bucket = this.#buckets.get(key) ?? { reserved: 0, waiting: new Set() }
    let holdsReservation = false
    const verification: PendingVerification = {
      isKnown,
      onDecided: (decision) => {
        holdsReservation = decision === "reserved"
        onDecided(decision)
      }
    }
    if (!this.#decide(key, bucket, verification)) bucket.waiting.add(verification)
    if (bucket.reserved > 0) this.#buckets.set(key, bucket)
    return () => {
      bucket.waiting.delete(verification)
      if (!holdsReservation) return
      holdsReservation = false
      bucket.reserved -= 1
      this.#decideWaiting(key, bucket)
    }
  }

  /** No request waits without a reservation to wait for: with none, each decision is made. */
  #decideWaiting(key: string, bucket: Bucket): void {
    for (const verification of bucket.waiting) {
      if (!this.#decide(key, bucket, verification)) return
      bucket.waiting.delete(verification)
    }
    if (bucket.reserved === 0) this.#buckets.delete(key)
  }

  #decide(key: string, bucket: Bucket, { isKnown, onDecided }: PendingVerification): boolean {
    if (isKnown()) {
      onDecided("known")
      return true
    }
    const remaining = this.#remainingOf(key)
    if (remaining <= 0) {
      onDecided("above")
      return true
    }
    if (bucket.reserved >= remaining) return false
    bucket.reserved += 1
    onDecided("reserved")
    return true
  }
}
