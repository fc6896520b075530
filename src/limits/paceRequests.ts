import type { Option } from "effect"
import { makeFairQueue } from "./FairQueue.ts"
import { clientNetworkOf } from "./RequestSource.ts"

/**
 * Lets requests begin during a few milliseconds of each turn of the event loop, and the others in the next turns, in which
 * the client addresses (IPv6: /64) alternate. Bun hands over all requests that a socket has received in one turn, and a
 * client may send thousands without waiting for responses (pipelining, RFC 9112 section 9.3.2).
 */
export const paceRequests = <Request, Response>(
  handler: (request: Request, findClient: () => Option.Option<string>) => Promise<Response>
): typeof handler => {
  const queue = makeFairQueue({ permits: Infinity, maxMillisPerTurn })
  return (request, findClient) =>
    new Promise((resolve) => {
      const permit = queue.acquire(queue.isIdle() ? "" : clientNetworkOf(findClient()), () => {
        // What the handler throws belongs to this request only.
        resolve(Promise.try(() => handler(request, findClient)))
        queueMicrotask(() => permit?.release())
      })
    })
}

/** Of work before the first wait of each request: the others that come in the turn then wait for that long. */
const maxMillisPerTurn = 4
