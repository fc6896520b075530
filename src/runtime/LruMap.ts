/**
 * A map of at most `capacity` entries, which keeps the half of them that was used last; older ones may be dropped. It has
 * two generations: an entry that is used moves to the young one, and once that is full, the old one is dropped. Moving
 * each entry to the end of one map would cost more than all other work of a request when the map is large.
 */
export class LruMap<K, V> {
  readonly #capacity: number
  #young = new Map<K, V>()
  #old = new Map<K, V>()

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: K, value: V): void {
    this.#old.delete(key)
    this.#young.set(key, value)
    if (this.#young.size * 2 <= this.#capacity) return
    this.#old = this.#young
    this.#young = new Map()
  }

  delete(key: K): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }
}
