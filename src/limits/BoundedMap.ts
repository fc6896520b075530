/** A map of `capacity` entries that drops the older half: moving entries one by one would cost more than a request. */
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

  getOrMake(key: K, make: () => V): V {
    const known = this.get(key)
    if (known !== undefined) return known
    const value = make()
    this.set(key, value)
    return value
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

/** A map of the entries of several requesters. A full one forgets the oldest entry of the requester that has most. */
interface FairMap<V> {
  readonly isEmpty: () => boolean
  readonly get: (requester: string, key: string) => V | undefined
  readonly set: (requester: string, key: string, value: V) => void
  readonly delete: (requester: string, key: string) => void
}

export const makeFairMap = <V>(capacity: number): FairMap<V> => {
  const entriesOf = new Map<string, Map<string, V>>()
  let size = 0
  const remove = (requester: string, key: string) => {
    const entries = entriesOf.get(requester)
    if (entries?.delete(key) !== true) return
    size -= 1
    if (entries.size === 0) entriesOf.delete(requester)
  }
  const removeOldestOfFullest = () => {
    let fullest: readonly [string, ReadonlyMap<string, V>] | undefined
    for (const each of entriesOf) if (fullest === undefined || each[1].size > fullest[1].size) fullest = each
    const [oldest] = fullest?.[1].keys() ?? []
    if (fullest !== undefined && oldest !== undefined) remove(fullest[0], oldest)
  }
  return {
    isEmpty: () => size === 0,
    get: (requester, key) => entriesOf.get(requester)?.get(key),
    set: (requester, key, value) => {
      remove(requester, key)
      const entries = entriesOf.get(requester) ?? new Map<string, V>()
      entriesOf.set(requester, entries.set(key, value))
      size += 1
      if (size > capacity) removeOldestOfFullest()
    },
    delete: remove
  }
}
