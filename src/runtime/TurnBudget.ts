/** How long work of one kind may take in each turn of the event loop; what has no time left waits for a later turn. */
interface TurnBudget {
  /** Whether more of the work may begin in this turn. */
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
