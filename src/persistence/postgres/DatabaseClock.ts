import { SqlClient, type SqlError } from "@effect/sql"
import { Clock, Duration, Effect, Layer } from "effect"

/**
 * One time for all machines, the database's. Of its own clock a process takes only how much time goes by, so that it may
 * be wrong, and may be set while the process runs: what two processes write down can be compared.
 */
export const layer = Layer.unwrapScoped(
  Effect.gen(function* () {
    const own = yield* Effect.clock
    const ahead = { millis: yield* aheadOf }
    yield* aheadOf.pipe(
      Effect.tap((millis) => Effect.sync(() => (ahead.millis = millis))),
      // Until a database that is away is back, the time that goes by is enough.
      Effect.ignore,
      Effect.delay(compareEvery),
      Effect.forever,
      Effect.interruptible,
      Effect.forkScoped
    )
    return Layer.setClock(shifted(own, ahead))
  })
)

const compareEvery = Duration.seconds(10)

/** How many milliseconds the database's clock is ahead of `performance.now`, which nobody can set. */
const aheadOf: Effect.Effect<number, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const asked = performance.now()
  const [row] = yield* sql<{ readonly millis: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as millis`
  const answered = performance.now()
  return (row?.millis ?? answered) - (asked + answered) / 2
})

const shifted = (own: Clock.Clock, ahead: { readonly millis: number }): Clock.Clock => {
  const now = () => Math.floor(performance.now() + ahead.millis)
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: now,
    currentTimeMillis: Effect.sync(now),
    unsafeCurrentTimeNanos: () => own.unsafeCurrentTimeNanos(),
    currentTimeNanos: own.currentTimeNanos,
    sleep: (duration) => own.sleep(duration)
  }
}
