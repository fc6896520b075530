import { makeTurnBudget } from "../../runtime/TurnBudget.ts"
import type { RequestHandler } from "./TestEnvironment.ts"

/**
 * Lets requests begin during a few milliseconds of each turn of the event loop, and the others in the next turns, in their
 * order. Bun hands over all requests that a socket has received in one turn: a client that sends thousands of them without
 * waiting for responses (pipelining, RFC 9112 section 9.3.2) would stop everybody else, where they are answered at once. Bun
 * reads no further request of a socket while the last one has no response.
 */
export const paceRequests = (handler: RequestHandler): RequestHandler => {
  const waiting: Array<() => void> = []
  const budget = makeTurnBudget(maxMillisPerTurn, () => {
    while (waiting.length > 0 && budget.hasTime()) waiting.shift()?.()
  })
  return (source, from) => {
    // What the handler throws belongs to this request only.
    const begin = () => budget.spend(() => Promise.try(() => handler(source, from)))
    return waiting.length === 0 && budget.hasTime()
      ? begin()
      : new Promise((resolve) => waiting.push(() => resolve(begin())))
  }
}

/** Of work before the first wait of each request: the others that come in the turn then wait for that long. */
const maxMillisPerTurn = 4
