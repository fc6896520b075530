/** Entries of several owners. A full map forgets the oldest entry of the owner that has most. */
export interface FairMap<V> {
  readonly isEmpty: () => boolean
  readonly get: (owner: string, key: string) => V | undefined
  /** Sets an entry, which is the owner's newest then. */
  readonly set: (owner: string, key: string, value: V) => void
  readonly delete: (owner: string, key: string) => void
}

export const makeFairMap = <V>(capacity: number): FairMap<V> => {
  const entriesOf = new Map<string, Map<string, V>>()
  let size = 0
  const remove = (owner: string, key: string) => {
    const entries = entriesOf.get(owner)
    if (entries?.delete(key) !== true) return
    size -= 1
    if (entries.size === 0) entriesOf.delete(owner)
  }
  const removeOldestOfFullest = () => {
    let fullest: readonly [string, ReadonlyMap<string, V>] | undefined
    for (const each of entriesOf) if (fullest === undefined || each[1].size > fullest[1].size) fullest = each
    const [oldest] = fullest?.[1].keys() ?? []
    if (fullest !== undefined && oldest !== undefined) remove(fullest[0], oldest)
  }
  return {
    isEmpty: () => size === 0,
    get: (owner, key) => entriesOf.get(owner)?.get(key),
    set: (owner, key, value) => {
      remove(owner, key)
      const entries = entriesOf.get(owner) ?? new Map<string, V>()
      entriesOf.set(owner, entries.set(key, value))
      size += 1
      if (size > capacity) removeOldestOfFullest()
    },
    delete: remove
  }
}
