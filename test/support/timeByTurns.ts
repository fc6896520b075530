import { Effect, type Scope } from "effect"

/**
 * Until the scope closes, timers and the clocks that measure them are in a time that passes by turns of the event loop,
 * at most two milliseconds in each. While a busy machine keeps this process waiting, no time passes, so that servers and
 * clients of the same process are as fast for each other as on an idle one. Not for what shares a clock with another
 * process, such as a database.
 */
export const timeByTurns: Effect.Effect<void, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    if (scopes === 0) start()
    scopes += 1
  }),
  () =>
    Effect.sync(() => {
      scopes -= 1
      if (scopes === 0) stop()
    })
)

const maxTurnMillis = 2

const native = {
  setTimeout,
  clearTimeout,
  now: performance.now.bind(performance),
  date: Date.now,
  hrtime: process.hrtime.bigint
}

let scopes = 0
let passedMillis = 0
let turnBeganAt = 0
let turns: ReturnType<typeof setInterval> | undefined

/** The timers that were not due yet when the native one was, each with the native one that follows. */
const followers = new Map<unknown, ReturnType<typeof setTimeout>>()

const start = () => {
  passedMillis = native.now()
  turnBeganAt = passedMillis
  turns = setInterval(beginTurn, 1)
  performance.now = now
  const ahead = native.date() - passedMillis
  Date.now = () => Math.floor(ahead + now())
  const aheadNanos = native.hrtime() - toNanos(passedMillis)
  process.hrtime.bigint = () => aheadNanos + toNanos(now())
  globalThis.setTimeout = Object.assign(setTimeoutByTurns, native.setTimeout)
  globalThis.clearTimeout = clearTimeoutByTurns
}

const stop = () => {
  clearInterval(turns)
  performance.now = native.now
  Date.now = native.date
  process.hrtime.bigint = native.hrtime
  globalThis.setTimeout = native.setTimeout
  globalThis.clearTimeout = native.clearTimeout
}

const now = () => passedMillis + Math.min(native.now() - turnBeganAt, maxTurnMillis)

const toNanos = (millis: number) => BigInt(Math.round(millis * 1e6))

const beginTurn = () => {
  passedMillis = now()
  turnBeganAt = native.now()
}

const setTimeoutByTurns = (task: (...parameters: Array<any>) => void, millis = 0, ...parameters: Array<any>) => {
  if (!(millis > 1)) return native.setTimeout(task, millis, ...parameters)
  const dueAt = now() + millis
  let current = native.setTimeout(fire, millis)
  const timer = current
  function fire() {
    const left = dueAt - now()
    if (left <= 0 || scopes === 0) {
      followers.delete(timer)
      return task(...parameters)
    }
    const follower = native.setTimeout(fire, left)
    if (!current.hasRef()) follower.unref()
    current = follower
    followers.set(timer, follower)
  }
  return timer
}

const clearTimeoutByTurns = (timer?: any) => {
  native.clearTimeout(timer)
  const follower = followers.get(timer)
  if (follower === undefined) return
  followers.delete(timer)
  native.clearTimeout(follower)
}
