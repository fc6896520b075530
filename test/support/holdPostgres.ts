import { BunFileSystem } from "@effect/platform-bun"
import { Effect, Layer, Redacted } from "effect"
import { EmbeddedPostgres } from "../../src/persistence/postgres/EmbeddedPostgres.ts"

/** The program of a process that opens the database in a directory, prints its address, and keeps it open. */
const hold = Effect.gen(function* () {
  const opened = yield* EmbeddedPostgres
  const shown = { ...opened, password: Redacted.value(opened.password) }
  yield* Effect.sync(() => process.stdout.write(`${JSON.stringify(shown)}\n`))
  return yield* Effect.never
})

await Effect.runPromise(
  Effect.provide(
    hold,
    EmbeddedPostgres.layer({ dataDirectory: process.argv[2] ?? "" }).pipe(Layer.provide(BunFileSystem.layer))
  )
)
