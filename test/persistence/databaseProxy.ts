import { Effect } from "effect"
import { rmSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { temporaryDirectory, type TestDatabase } from "../support/TestPostgres.ts"

/** A proxy in front of a test database; it can act like a server that is down or does not respond. */
export const databaseProxy = (database: TestDatabase) =>
  Effect.gen(function* () {
    const socketDirectory = temporaryDirectory()
    const path = `${socketDirectory}/${socketName}`
    const sockets = new Set<Socket>()
    const state = { listener: createServer(), isAnswerLost: () => false }

    const track = (socket: Socket) => {
      sockets.add(socket)
      return socket.on("error", () => undefined).on("close", () => sockets.delete(socket))
    }
    const close = Effect.sync(() => {
      state.listener.close()
      sockets.forEach((socket) => socket.destroy())
      rmSync(path, { force: true })
    })
    const listen = (receive: (caller: Socket) => void) =>
      Effect.zipRight(
        close,
        Effect.async<void>((resume) => {
          state.listener = createServer(receive).listen(path, () => resume(Effect.void))
        })
      )

    yield* Effect.addFinalizer(() => close)
    return {
      database: { ...database, socketDirectory },
      open: listen((caller) => {
        const server = track(connect(`${database.socketDirectory}/${socketName}`))
        track(caller).pipe(server)
        server
          .on("end", () => caller.end())
          .on("data", (answer) => {
            if (!state.isAnswerLost()) return void caller.write(answer)
            caller.destroy()
            server.end()
          })
      }),
      /** Asks before every answer of the server whether it is lost with its connection, after the server has done its work. */
      loseAnswers: (isAnswerLost: () => boolean) => Effect.sync(() => void (state.isAnswerLost = isAnswerLost)),
      /** Refuses new connections and closes all open ones. */
      close,
      /** Accepts connections without responding. */
      hang: listen(track),
      /** Keeps open connections without forwarding anything. */
      freeze: Effect.sync(() => {
        state.listener.close()
        sockets.forEach((socket) => socket.unpipe().removeAllListeners("data").pause())
      })
    }
  })

const socketName = ".s.PGSQL.5432"
