import { Effect, type Scope } from "effect"
import { connect, createServer } from "node:net"
import { temporaryDirectory, type TestDatabase } from "../test/support/TestPostgres.ts"

/** A database behind a socket that counts the round trips of its clients. */
export interface CountedDatabase extends TestDatabase {
  /** Round trips so far: an extended query ends with Sync, a simple one is a Query (PostgreSQL protocol 3.0). */
  readonly roundTrips: () => number
}

/** Proxies PostgreSQL and counts round trips while the scope lives. Too slow for measuring time. */
export const countRoundTrips = (database: TestDatabase): Effect.Effect<CountedDatabase, never, Scope.Scope> =>
  Effect.gen(function* () {
    const socketDirectory = temporaryDirectory()
    let count = 0
    const server = createServer((client) => {
      const upstream = connect(`${database.socketDirectory}/${socketName}`)
      const read = messageReader((type) => {
        if (type === "S" || type === "Q") count += 1
      })
      client.on("data", read).on("error", () => upstream.destroy())
      upstream.on("error", () => client.destroy())
      client.pipe(upstream)
      upstream.pipe(client)
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((resolve) => server.listen(`${socketDirectory}/${socketName}`, resolve))),
      () => Effect.sync(() => server.close())
    )
    return { ...database, socketDirectory, roundTrips: () => count }
  })

const socketName = ".s.PGSQL.5432"

/** Reports the type of each client message. The first one, which opens the session, has a length and no type. */
const messageReader = (onMessage: (type: string) => void) => {
  let pending = Buffer.alloc(0)
  let isOpen = false
  return (chunk: Buffer): void => {
    pending = Buffer.concat([pending, chunk])
    for (;;) {
      const typeLength = isOpen ? 1 : 0
      if (pending.length < typeLength + 4) return
      const length = typeLength + pending.readUInt32BE(typeLength)
      if (pending.length < length) return
      if (isOpen) onMessage(String.fromCharCode(pending[0] ?? 0))
      isOpen = true
      pending = pending.subarray(length)
    }
  }
}
