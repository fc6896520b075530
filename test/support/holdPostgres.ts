import { BunFileSystem } from "@effect/platform-bun"
import { Effect, Layer } from "effect"
import { EmbeddedPostgres } from "../../src/persistence/postgres/EmbeddedPostgres.ts"

/** The program of a process that opens the database in a directory, prints its address, and keeps it open. */
const hold = Effect.gen(function* () {
  const opened = yield* EmbeddedPostgres
  yield* Effect.sync(() => process.stdout.write(`${JSON.stringify(opened)}\n`))
  return yield* Effect.never
})

await Effect.runPromise(
  Effect.provide(
    hold,
    EmbeddedPostgres.layer({ dataDirectory: process.argv[2] ?? "" }).pipe(Layer.provide(BunFileSystem.layer))
  )
)
