import { Effect, type Scope } from "effect"

/** Clients of event streams in a process of their own: neither the service nor its meter pays for them. */
export interface StreamClients {
  /** Opens a stream by each of these whole HTTP requests, until each has told its connection. */
  readonly open: (port: number, requests: ReadonlyArray<string>) => Effect.Effect<StreamStatus>
  readonly status: Effect.Effect<StreamStatus>
  /** Sends the commands, one after the other, of which the nth changes the connection of the nth stream. */
  readonly change: (commands: ReadonlyArray<ChangeRequest>) => Effect.Effect<StreamStatus>
  readonly close: Effect.Effect<StreamStatus>
}

/** How the streams are that were opened. */
export interface StreamStatus {
  readonly live: number
  /** How many each of the live ones has heard at least. */
  readonly heartbeats: number
  /** For each change that was just made, from sending its command to hearing of it on the stream. */
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
  | { readonly _tag: "Look" }
  | { readonly _tag: "Close" }

/** What the process says to an order: how its streams are, or what went wrong. */
export type StreamClientReply = StreamStatus | { readonly error: string }

/** Runs the process while the scope lives. */
export const startStreamClients: Effect.Effect<StreamClients, never, Scope.Scope> = Effect.gen(function* () {
  let answered: (answer: StreamClientReply) => void = ignored
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      Bun.spawn([process.execPath, `${import.meta.dir}/streamClientProcess.ts`], {
        stdio: ["ignore", 2, 2],
        ipc: (answer: StreamClientReply) => answered(answer),
        onExit: () => answered({ error: "the process of the followers ended" })
      })
    ),
    (child) =>
      Effect.promise(() => {
        child.kill()
        return child.exited
      })
  )
  const order = (order: StreamClientCommand): Effect.Effect<StreamStatus> =>
    Effect.async((resume) => {
      answered = (answer) => resume("error" in answer ? Effect.dieMessage(answer.error) : Effect.succeed(answer))
      child.send(order)
    })
  return {
    open: (port, requests) => order({ _tag: "Open", port, requests }),
    status: order({ _tag: "Look" }),
    change: (commands) => order({ _tag: "Change", commands }),
    close: order({ _tag: "Close" })
  }
})

const ignored = () => {}
