import { Effect } from "effect"
import { rmSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { temporaryDirectory, type TestDatabase } from "../support/TestPostgres.ts"

/** A way to a database of the tests; shut, it is like a server that is down or that answers nobody. */
export const databaseProxy = (database: TestDatabase) =>
  Effect.gen(function* () {
    const socketDirectory = temporaryDirectory()
    const path = `${socketDirectory}/${socketName}`
    const sockets = new Set<Socket>()
    const door = { listener: createServer() }

    const admit = (socket: Socket) => {
      sockets.add(socket)
      return socket.on("error", () => undefined).on("close", () => sockets.delete(socket))
    }
    const close = Effect.sync(() => {
      door.listener.close()
      sockets.forEach((socket) => socket.destroy())
      rmSync(path, { force: true })
    })
    const listen = (receive: (caller: Socket) => void) =>
      Effect.zipRight(
        close,
        Effect.async<void>((resume) => {
          door.listener = createServer(receive).listen(path, () => resume(Effect.void))
        })
      )

    yield* Effect.addFinalizer(() => close)
    return {
      database: { ...database, socketDirectory },
      open: listen((caller) => {
        const server = admit(connect(`${database.socketDirectory}/${socketName}`))
        server.pipe(admit(caller))
        caller.pipe(server)
      }),
      /** Nobody listens, and every connection is cut. */
      close,
      /** Connections are taken, and nothing is ever said. */
      hang: listen(admit),
      /** Connections stay, and nothing passes any more. */
      freeze: Effect.sync(() => {
        door.listener.close()
        sockets.forEach((socket) => socket.unpipe().pause())
      })
    }
  })

const socketName = ".s.PGSQL.5432"
