import { LruMap } from "../../runtime/LruMap.ts"

/** Deals the verifications of each client address that is above its limit one after the other, in a bounded queue. */
export class VerificationPace {
  /** When the next verification of a bucket may begin, in milliseconds. */
  readonly #turns = new LruMap<string, number>(maxBuckets)

  /** Takes the next turn of a bucket: how many milliseconds it has to wait; `undefined` if the queue is full. */
  take(bucket: string, nowMillis: number): number | undefined {
    const turn = Math.max(this.#turns.get(bucket) ?? 0, nowMillis)
    if (!isInQueue(turn, nowMillis)) return undefined
    this.#turns.set(bucket, turn + intervalMillis)
    return turn - nowMillis
  }

  /** Whether `take` would give a turn. */
  hasTurn(bucket: string, nowMillis: number): boolean {
    return isInQueue(this.#turns.get(bucket) ?? 0, nowMillis)
  }
}

const isInQueue = (turn: number, nowMillis: number): boolean => turn - nowMillis < queueSeconds * 1_000

/** Five a second are enough for servers that start behind one address, and cost little. */
const intervalMillis = 200

/** How long the queue of a bucket is: twenty verifications. */
export const queueSeconds = 4

/** An entry takes about 100 bytes. */
const maxBuckets = 100_000
