import { SqlClient, type SqlError } from "@effect/sql"
import { Clock, Duration, Effect, Layer } from "effect"
import { retryAtStart } from "./retryAtStart.ts"

/** Makes the database's clock that of the process; the machine's may be wrong or set: only elapsed time is used. */
export const layer = Layer.unwrapScoped(
  Effect.gen(function* () {
    const own = yield* Effect.clock
    const offset = { millis: yield* retryAtStart(measureOffset) }
    yield* measureOffset.pipe(
      Effect.tap((millis) => Effect.sync(() => (offset.millis = millis))),
      // While the database is unavailable, the passing time is enough.
      Effect.ignore,
      Effect.delay(measureInterval),
      Effect.forever,
      Effect.interruptible,
      Effect.forkScoped
    )
    return Layer.setClock(clockWithOffset(own, offset))
  })
)

const measureInterval = Duration.seconds(10)

/** Measures by how many milliseconds the database's clock is ahead of `performance.now`, which cannot be set. */
const measureOffset: Effect.Effect<number, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sentAt = performance.now()
  const [row] = yield* sql<{ readonly millis: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as millis`
  const answeredAt = performance.now()
  return (row?.millis ?? answeredAt) - (sentAt + answeredAt) / 2
})

const clockWithOffset = (own: Clock.Clock, offset: { readonly millis: number }): Clock.Clock => {
  const now = () => Math.floor(performance.now() + offset.millis)
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: now,
    currentTimeMillis: Effect.sync(now),
    unsafeCurrentTimeNanos: () => own.unsafeCurrentTimeNanos(),
    currentTimeNanos: own.currentTimeNanos,
    sleep: (duration) => own.sleep(duration)
  }
}
