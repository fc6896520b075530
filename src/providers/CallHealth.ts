import { Array, Clock, Effect, Number, Option } from "effect"
import type { ProviderHealth } from "../domain/provider/ProviderHealth.ts"

/** The recent calls of one provider, in memory. */
export interface CallHealth {
  /** Counts a call that has ended. */
  readonly record: (call: Omit<RecentCall, "at">) => Effect.Effect<void>
  /** None without a recent call. */
  readonly read: Effect.Effect<Option.Option<ProviderHealth>>
}

interface RecentCall {
  readonly at: number
  /** On whose behalf; empty where nobody knows. */
  readonly connectionId: string
  readonly isFailure: boolean
  readonly millis: number
}

/** Makes the memory of the calls of a provider. The circuit closes by itself, as failures cease to be recent. */
export const makeCallHealth = (): CallHealth => {
  let calls: ReadonlyArray<RecentCall> = []
  const keepRecent = Effect.map(Clock.currentTimeMillis, (now) => {
    calls = calls.filter(({ at }) => now - at < windowMillis).slice(-maxCalls)
    return now
  })
  return {
    record: (call) =>
      Effect.map(keepRecent, (at) => {
        calls = [...calls, { at, ...call }]
      }),
    read: Effect.map(keepRecent, () => (calls.length === 0 ? Option.none() : Option.some(summarize(calls))))
  }
}

const summarize = (calls: ReadonlyArray<RecentCall>): ProviderHealth => {
  const [answered, failed] = Array.partition(calls, ({ isFailure }) => isFailure)
  const errorRate = failed.length / calls.length
  const millis = Array.sort(
    answered.map((call) => Math.round(call.millis)),
    Number.Order
  )
  const medianMillis = millis[Math.ceil(millis.length / 2) - 1]
  const slowMillis = millis[Math.ceil(0.95 * millis.length) - 1]
  const latest = [...new Map(calls.map((call) => [call.connectionId, call])).values()]
  const failing = latest.filter(({ isFailure }) => isFailure).length
  return {
    windowSeconds: windowMillis / 1_000,
    calls: calls.length,
    errorRate: Number.round(errorRate, 3),
    ...(medianMillis === undefined ? {} : { medianMillis }),
    ...(slowMillis === undefined ? {} : { slowMillis }),
    circuit: failing >= minFailing && failing >= latest.length / 2 ? "open" : "closed"
  }
}

/** Short enough that a provider that works again is used again soon. */
const windowMillis = 5 * 60_000

const maxCalls = 1_000

/** More than one customer has as a rule: a broken account closes its way for nobody else. */
const minFailing = 3
