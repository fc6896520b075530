/** How the check of a credential may go on: at once, within the refusals that the address has left, or above them. */
export type CredentialCheckDecision = "known" | "reserved" | "above"

interface PendingCredentialCheck {
  readonly isKnown: () => boolean
  readonly onDecided: (decision: CredentialCheckDecision) => void
}

interface Bucket {
  reserved: number
  /** The waiting requests in the order of their arrival. */
  readonly waiting: Set<PendingCredentialCheck>
}

/** The checks of unknown credentials by client address: each reserves a refusal, so that no more run than may fail. */
export class PendingCredentialChecks {
  readonly #remainingOf: (bucket: string) => number
  readonly #buckets = new Map<string, Bucket>()

  /** `remainingOf`: how many more refusals a bucket may have, not counting what is reserved. */
  constructor(remainingOf: (bucket: string) => number) {
    this.#remainingOf = remainingOf
  }

  /** Calls `onDecided` once, perhaps at once. Call the result after the check and its refusal, or to stop waiting. */
  enter(key: string, isKnown: () => boolean, onDecided: (decision: CredentialCheckDecision) => void): () => void {
    const bucket = this.#buckets.get(key) ?? { reserved: 0, waiting: new Set() }
    let holdsReservation = false
    const check: PendingCredentialCheck = {
      isKnown,
      onDecided: (decision) => {
        holdsReservation = decision === "reserved"
        onDecided(decision)
      }
    }
    if (!this.#decide(key, bucket, check)) bucket.waiting.add(check)
    if (bucket.reserved > 0) this.#buckets.set(key, bucket)
    return () => {
      bucket.waiting.delete(check)
      if (!holdsReservation) return
      holdsReservation = false
      bucket.reserved -= 1
      this.#decideWaiting(key, bucket)
    }
  }

  /** No request waits without a reservation to wait for: with none, each decision is made. */
  #decideWaiting(key: string, bucket: Bucket): void {
    for (const check of bucket.waiting) {
      if (!this.#decide(key, bucket, check)) return
      bucket.waiting.delete(check)
    }
    if (bucket.reserved === 0) this.#buckets.delete(key)
  }

  #decide(key: string, bucket: Bucket, { isKnown, onDecided }: PendingCredentialCheck): boolean {
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
