import { Equal, Hash } from "effect"

/**
 * A cache key that says on whose behalf the value is looked up (see `QueryOwner`). Keys for the same value are equal,
 * whoever asks. A cache looks up in the context in which it was made, so the key has to carry the owner.
 */
export class OwnedKey<A> implements Equal.Equal {
  readonly value: A
  readonly owner: string

  constructor(value: A, owner: string) {
    this.value = value
    this.owner = owner
  }

  [Equal.symbol](that: Equal.Equal): boolean {
    return that instanceof OwnedKey && Equal.equals(this.value, that.value)
  }

  [Hash.symbol](): number {
    return Hash.hash(this.value)
  }
}
