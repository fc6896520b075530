/** An amount that several keys spend, and may give back. */
export interface Budget {
  readonly hasRoom: (key: string, amount?: number) => boolean
  /** Spends an amount, whether there is room for it or not; a negative one gives it back. */
  readonly spend: (key: string, amount?: number) => void
  readonly trySpend: (key: string, amount?: number) => boolean
  readonly spentBy: (key: string) => number
}

interface BudgetLimits {
  /** How much all keys may spend together; unlimited. */
  readonly inAll?: number
  /** How much each key may spend; unlimited. */
  readonly perKey?: number
  /** A key may spend no more than it leaves free, so that something is left for later keys. */
  readonly leavesHalfFree?: boolean
}

export const makeBudget = ({ inAll = Infinity, leavesHalfFree = false, perKey = Infinity }: BudgetLimits): Budget => {
  const spent = new Map<string, number>()
  let free = inAll
  const spentBy = (key: string) => spent.get(key) ?? 0
  const hasRoom = (key: string, amount = 1) => {
    const total = spentBy(key) + amount
    return total <= perKey && amount <= free && (!leavesHalfFree || total <= free - amount)
  }
  const spend = (key: string, amount = 1) => {
    const total = spentBy(key) + amount
    free -= amount
    if (total === 0) spent.delete(key)
    else spent.set(key, total)
  }
  return {
    hasRoom,
    spend,
    spentBy,
    trySpend: (key, amount) => {
      const has = hasRoom(key, amount)
      if (has) spend(key, amount)
      return has
    }
  }
}

/** The time for one kind of work in each turn of the event loop; work that finds none left waits for a later turn. */
interface TurnBudget {
  readonly hasTime: () => boolean
  /** Does a piece of the work, and counts the time until it returns. */
  readonly spend: <A>(work: () => A) => A
}

/** `resume` begins what waits, as long as there is time; it is called when the next turn has begun. */
export const makeTurnBudget = (maxMillisPerTurn: number, resume: () => void): TurnBudget => {
  let spentMillis = 0
  let isTurnMeasured = false
  const beginTurn = () => {
    isTurnMeasured = false
    spentMillis = 0
    resume()
  }
  return {
    hasTime: () => spentMillis < maxMillisPerTurn,
    spend: (work) => {
      if (!isTurnMeasured) {
        isTurnMeasured = true
        setImmediate(beginTurn)
      }
      const begun = performance.now()
      try {
        return work()
      } finally {
        spentMillis += performance.now() - begun
      }
    }
  }
}
