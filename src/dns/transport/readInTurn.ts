import { makeTurnBudget } from "../../runtime/TurnBudget.ts"

/**
 * Reads an answer at once if it is short. A long one may take milliseconds, and hundreds of them may arrive together: of
 * these, each turn of the event loop reads what takes two milliseconds, in the order in which they came. Returns the
 * function that gives up an answer that has not been read.
 */
export const readInTurn = (bytes: Uint8Array, read: (bytes: Uint8Array) => void): (() => void) => {
  const readNow = () => read(bytes)
  if (bytes.length <= maxShortBytes) readNow()
  else {
    waiting.add(readNow)
    readWaiting()
  }
  return () => void waiting.delete(readNow)
}

/** The longest answer that is read at once: no server sends a longer one over UDP. */
export const maxShortBytes = 4_096

/** The long answers that wait to be read. */
const waiting = new Set<() => void>()

const readWaiting = () => {
  for (const readNow of waiting) {
    if (!budget.hasTime()) return
    waiting.delete(readNow)
    budget.spend(readNow)
  }
}

const budget = makeTurnBudget(2, readWaiting)
