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

/** The timers that have not run yet, by what stands for them outside. */
const timers = new Map<unknown, WaitingTimer>()

interface WaitingTimer {
  readonly dueAt: number
  readonly run: () => void
}

let nextDueAt = Infinity

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
  // `clearTimeout` stays, for those that wait on.
  for (const [timer, { dueAt, run }] of timers) {
    native.clearTimeout(timer as ReturnType<typeof setTimeout>)
    native.setTimeout(run, dueAt - passedMillis)
  }
}

const now = () => passedMillis + Math.min(native.now() - turnBeganAt, maxTurnMillis)

const toNanos = (millis: number) => BigInt(Math.round(millis * 1e6))

const beginTurn = () => {
  passedMillis = now()
  turnBeganAt = native.now()
  if (passedMillis < nextDueAt) return
  const due = [...timers.values()].filter(({ dueAt }) => dueAt <= passedMillis)
  // Native timers of no time run in this order, each with what follows from it.
  for (const { run } of due.toSorted((a, b) => a.dueAt - b.dueAt)) native.setTimeout(run, 0)
  nextDueAt = Math.min(...[...timers.values()].map(({ dueAt }) => (dueAt <= passedMillis ? Infinity : dueAt)))
}

const setTimeoutByTurns = (task: (...parameters: Array<any>) => void, millis = 0, ...parameters: Array<any>) => {
  if (!(millis > 1)) return native.setTimeout(task, millis, ...parameters)
  const timer = native.setTimeout(() => {}, longestMillis)
  const run = () => {
    if (!timers.delete(timer)) return
    native.clearTimeout(timer)
    task(...parameters)
  }
  const dueAt = now() + millis
  nextDueAt = Math.min(nextDueAt, dueAt)
  timers.set(timer, { dueAt, run })
  return timer
}

const clearTimeoutByTurns = (timer?: any) => {
  timers.delete(timer)
  native.clearTimeout(timer)
}

/** What `setTimeout` takes at most; such a timer keeps the process alive for another one. */
const longestMillis = 2 ** 31 - 1
