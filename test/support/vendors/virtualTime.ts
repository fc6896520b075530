import { HttpClient, HttpClientResponse } from "@effect/platform"
import { Clock, Duration, Effect, type Scope } from "effect"
import { isComputing } from "../../../src/runtime/computeInSlices.ts"
import { trackCrypto } from "../trackCrypto.ts"
import type { FakeVendor } from "./FakeVendor.ts"

/** Time that jumps to the next sleeper once everything waits, so that hours of calls to a fake take moments. */
interface VirtualTime {
  /** Runs an effect, all whose pauses and time limits are in this time. */
  readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Milliseconds since 1970, for the clock of a fake. */
  readonly now: () => number
  /** Sends requests to a fake: time stands still until it answers, and passes if it never will. */
  readonly track: (http: HttpClient.HttpClient, fake: Pick<FakeVendor<never>, "calls">) => HttpClient.HttpClient
  /** Until the scope closes, time also stands still while WebCrypto computes, as it does to sign a request. */
  readonly trackCrypto: Effect.Effect<void, never, Scope.Scope>
}

export const makeVirtualTime = (): VirtualTime => {
  let millis = Date.UTC(2026, 0, 1)
  let sleepers: ReadonlyArray<Sleeper> = []
  const open = new Set<() => boolean>()
  let computations = 0
  let idleTurns = 0
  let isTurning = false

  const turn = () => {
    isTurning = false
    const isBusy = computations > 0 || isComputing() || [...open].some((isUnderWay) => isUnderWay())
    idleTurns = isBusy ? 0 : idleTurns + 1
    if (idleTurns > neededIdleTurns) wakeNext()
    if (sleepers.length > 0) scheduleTurn(isBusy ? 1 : 0)
  }
  const scheduleTurn = (delay: number) => {
    if (isTurning) return
    isTurning = true
    if (delay > 0) setTimeout(turn, delay)
    else setImmediate(turn)
  }
  const wakeNext = () => {
    idleTurns = 0
    const next = sleepers.toSorted((a, b) => a.at - b.at)[0]
    if (next === undefined) return
    sleepers = sleepers.filter((sleeper) => sleeper !== next)
    millis = Math.max(millis, next.at)
    next.wake()
  }
  const sleep = (duration: Duration.Duration): Effect.Effect<void> =>
    Effect.async((resume) => {
      const sleeper = { at: millis + Duration.toMillis(duration), wake: () => resume(Effect.void) }
      sleepers = [...sleepers, sleeper]
      scheduleTurn(0)
      return Effect.sync(() => {
        sleepers = sleepers.filter((other) => other !== sleeper)
      })
    })
  const nanos = () => BigInt(Math.round(millis * 1000)) * 1000n

  const clock: Clock.Clock = Object.assign(Object.create(Clock.make()), {
    sleep,
    unsafeCurrentTimeMillis: () => millis,
    unsafeCurrentTimeNanos: nanos,
    currentTimeMillis: Effect.sync(() => millis),
    currentTimeNanos: Effect.sync(nanos)
  })

  return {
    run: Effect.withClock(clock),
    now: () => millis,
    track: (http, fake) => {
      let sent = fake.calls().length
      return HttpClient.transform(http, (response) =>
        Effect.suspend(() => {
          const number = (sent += 1)
          const isUnderWay = () => fake.calls()[number - 1]?.outcome !== "silence"
          open.add(isUnderWay)
          return Effect.ensuring(
            Effect.flatMap(response, receiveWhole),
            Effect.sync(() => open.delete(isUnderWay))
          )
        })
      )
    },
    trackCrypto: trackCrypto((change) => {
      computations += change
    })
  }
}

interface Sleeper {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly wake: () => void
}

/** Fibers that continue at once do so before these turns of the event loop are over. */
const neededIdleTurns = 3

/** Receives the body too before the call counts as answered. */
const receiveWhole = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.map(response.arrayBuffer, (bytes) =>
    HttpClientResponse.fromWeb(
      response.request,
      new Response(bytes.byteLength === 0 ? null : bytes, { status: response.status, headers: response.headers })
    )
  )
