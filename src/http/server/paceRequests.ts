import type { RequestHandler } from "./TestEnvironment.ts"

/**
 * Lets requests begin during a few milliseconds of each turn of the event loop, and the others in the next turns, in their
 * order. Bun hands over all requests that a socket has received in one turn: a client that sends thousands of them without
 * waiting for responses (pipelining, RFC 9112 section 9.3.2) would stop everybody else, where they are answered at once. Bun
 * reads no further request of a socket while the last one has no response.
 */
export const paceRequests = (handler: RequestHandler): RequestHandler => {
  const waiting: Array<() => void> = []
  let spentMillis = 0
  let isTurnMeasured = false

  const hasTime = () => spentMillis < maxMillisPerTurn
  const begin = (start: () => Promise<Response>): Promise<Response> => {
    const begun = performance.now()
    // What it throws belongs to this request only.
    const response = Promise.try(start)
    spentMillis += performance.now() - begun
    return response
  }
  const measureTurn = () => {
    if (isTurnMeasured) return
    isTurnMeasured = true
    setImmediate(endTurn)
  }
  const endTurn = () => {
    isTurnMeasured = false
    spentMillis = 0
    while (waiting.length > 0 && hasTime()) waiting.shift()?.()
    if (spentMillis > 0) measureTurn()
  }

  return (source, from) => {
    const start = () => handler(source, from)
    measureTurn()
    return waiting.length === 0 && hasTime()
      ? begin(start)
      : new Promise((resolve) => waiting.push(() => resolve(begin(start))))
  }
}

/** Of work before the first wait of each request: the others that come in the turn then wait for that long. */
const maxMillisPerTurn = 4
