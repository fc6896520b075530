import { Effect, type Scope } from "effect"

/** Clients of event streams, in a process of their own so that they cost neither the service nor the load generator. */
export interface StreamClients {
  /** Opens a stream with each of these raw HTTP requests and waits until each has sent its connection. */
  readonly open: (port: number, requests: ReadonlyArray<string>) => Effect.Effect<StreamStatus>
  readonly status: Effect.Effect<StreamStatus>
  /** Sends the commands one after the other. The nth changes the connection of the nth stream. */
  readonly change: (commands: ReadonlyArray<ChangeRequest>) => Effect.Effect<StreamStatus>
  readonly close: Effect.Effect<StreamStatus>
}

/** The state of the opened streams. */
export interface StreamStatus {
  readonly live: number
  /** The lowest number of heartbeats that a live stream has received. */
  readonly heartbeats: number
  /** For each change of the last command: the time from sending it to its event on the stream. */
  readonly millis: ReadonlyArray<number>
}

export interface ChangeRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type StreamClientCommand =
  | { readonly _tag: "Open"; readonly port: number; readonly requests: ReadonlyArray<string> }
  | { readonly _tag: "Change"; readonly commands: ReadonlyArray<ChangeRequest> }
  | { readonly _tag: "Status" }
  | { readonly _tag: "Close" }

/** The reply to a command: the state of the streams, or an error. */
export type StreamClientReply = StreamStatus | { readonly error: string }

/** Runs the process while the scope lives. */
export const startStreamClients: Effect.Effect<StreamClients, never, Scope.Scope> = Effect.gen(function* () {
  let handleReply: (reply: StreamClientReply) => void = ignore
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      Bun.spawn([process.execPath, `${import.meta.dir}/streamClientProcess.ts`], {
        stdio: ["ignore", 2, 2],
        ipc: (reply: StreamClientReply) => handleReply(reply),
        onExit: () => handleReply({ error: "the process of the stream clients ended" })
      })
    ),
    (child) =>
      Effect.promise(() => {
        child.kill()
        return child.exited
      })
  )
  const send = (command: StreamClientCommand): Effect.Effect<StreamStatus> =>
    Effect.async((resume) => {
      handleReply = (reply) => resume("error" in reply ? Effect.dieMessage(reply.error) : Effect.succeed(reply))
      child.send(command)
    })
  return {
    open: (port, requests) => send({ _tag: "Open", port, requests }),
    status: send({ _tag: "Status" }),
    change: (commands) => send({ _tag: "Change", commands }),
    close: send({ _tag: "Close" })
  }
})

const ignore = () => {}
