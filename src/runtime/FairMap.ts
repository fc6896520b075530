/** A map of the entries of several requesters. A full one forgets the oldest entry of the requester that has most. */
interface FairMap<V> {
  readonly isEmpty: () => boolean
  readonly get: (requester: string, key: string) => V | undefined
  /** Sets an entry, which is the requester's newest then. */
  readonly set: (requester: string, key: string, value: V) => void
  readonly delete: (requester: string, key: string) => void
}

/** Makes an empty map of at most `capacity` entries. */
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
