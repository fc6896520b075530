import type { Option } from "effect"
import { makeTurnBudget } from "../runtime/TurnBudget.ts"
import { clientNetworkOf } from "./RequestSource.ts"

/**
 * Lets requests begin during a few milliseconds of each turn of the event loop, and the others in the next turns: those of
 * a client address (IPv6: /64) in their order, and the addresses in turn, so that one with thousands of requests does not
 * keep those of others waiting, also behind the same proxy. Bun hands over all requests that a socket has received in one
 * turn: a client that sends thousands of them without waiting for responses (pipelining, RFC 9112 section 9.3.2) would stop
 * everybody else, where they are answered at once. Bun reads no further request of a socket while the last one has no
 * response.
 */
export const paceRequests = <Request, Response>(
  handler: (request: Request, findClient: () => Option.Option<string>) => Promise<Response>
): typeof handler => {
  const waiting = new Map<string, Array<() => void>>()
  const budget = makeTurnBudget(maxMillisPerTurn, () => {
    while (waiting.size > 0 && budget.hasTime()) beginNext(waiting)
  })
  return (request, findClient) => {
    // What the handler throws belongs to this request only.
    const begin = () => budget.spend(() => Promise.try(() => handler(request, findClient)))
    if (waiting.size === 0 && budget.hasTime()) return begin()
    const address = clientNetworkOf(findClient())
    return new Promise((resolve) => {
      const requests = waiting.get(address) ?? []
      requests.push(() => resolve(begin()))
      waiting.set(address, requests)
    })
  }
}

/** Begins the first request of the address whose turn it is; its next turn is after those of the others. */
const beginNext = (waiting: Map<string, Array<() => void>>): void => {
  for (const [address, requests] of waiting) {
    waiting.delete(address)
    const next = requests.shift()
    if (requests.length > 0) waiting.set(address, requests)
    return next?.()
  }
}

/** Of work before the first wait of each request: the others that come in the turn then wait for that long. */
const maxMillisPerTurn = 4
