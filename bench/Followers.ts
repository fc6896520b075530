import { Effect, type Scope } from "effect"

/** Clients of event streams in a process of their own: neither the service nor its meter pays for them. */
export interface Followers {
  /** Opens a stream by each of these whole HTTP requests, until each has told its connection. */
  readonly open: (port: number, requests: ReadonlyArray<string>) => Effect.Effect<Standing>
  readonly standing: Effect.Effect<Standing>
  /** Sends the commands, one after the other, of which the nth changes the connection of the nth stream. */
  readonly change: (commands: ReadonlyArray<Command>) => Effect.Effect<Standing>
  readonly close: Effect.Effect<Standing>
}

/** How the streams are that were opened. */
export interface Standing {
  readonly live: number
  /** How many each of the live ones has heard at least. */
  readonly heartbeats: number
  /** For each change that was just made, from sending its command to hearing of it on the stream. */
  readonly millis: ReadonlyArray<number>
}

export interface Command {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Order =
  | { readonly _tag: "Open"; readonly port: number; readonly requests: ReadonlyArray<string> }
  | { readonly _tag: "Change"; readonly commands: ReadonlyArray<Command> }
  | { readonly _tag: "Look" }
  | { readonly _tag: "Close" }

/** What the process says to an order: how its streams are, or what went wrong. */
export type Answer = Standing | { readonly error: string }

/** Runs the process while the scope lives. */
export const startFollowers: Effect.Effect<Followers, never, Scope.Scope> = Effect.gen(function* () {
  let answered: (answer: Answer) => void = ignored
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      Bun.spawn([process.execPath, `${import.meta.dir}/follow.ts`], {
        stdio: ["ignore", 2, 2],
        ipc: (answer: Answer) => answered(answer),
        onExit: () => answered({ error: "the process of the followers ended" })
      })
    ),
    (child) =>
      Effect.promise(() => {
        child.kill()
        return child.exited
      })
  )
  const order = (order: Order): Effect.Effect<Standing> =>
    Effect.async((resume) => {
      answered = (answer) => resume("error" in answer ? Effect.dieMessage(answer.error) : Effect.succeed(answer))
      child.send(order)
    })
  return {
    open: (port, requests) => order({ _tag: "Open", port, requests }),
    standing: order({ _tag: "Look" }),
    change: (commands) => order({ _tag: "Change", commands }),
    close: order({ _tag: "Close" })
  }
})

const ignored = () => {}
