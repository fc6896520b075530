import { Effect, type Scope } from "effect"

/** The operations of a child process by name. */
export type Operations = Readonly<Record<string, (input: any) => Promise<unknown>>>

/** Calls an operation of the child process and waits for its result. */
export type CallOperation<O extends Operations> = <Name extends keyof O & string>(
  name: Name,
  input: Parameters<O[Name]>[0]
) => Effect.Effect<Awaited<ReturnType<O[Name]>>>

/** One call of an operation, and its reply. */
interface OperationCall {
  readonly id: number
  readonly name: string
  readonly input: unknown
}

interface OperationReply {
  readonly id: number
  readonly result?: any
  readonly error?: string
}

/**
 * Runs a program of this folder that ends with `serveOperations`, while the scope lives. A failed operation and the end
 * of the process are defects. A positive `niceness` leaves the processor to the other processes of the proof.
 */
export const startChildProcess = <O extends Operations>(
  file: string,
  niceness = 0
): Effect.Effect<CallOperation<O>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const pending = new Map<number, (reply: OperationReply) => void>()
    const handleReply = (reply: OperationReply) => {
      pending.get(reply.id)?.(reply)
      pending.delete(reply.id)
    }
    const failAll = () => {
      for (const id of pending.keys()) handleReply({ id, error: `${file} ended` })
    }
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Bun.spawn(["nice", "-n", String(niceness), process.execPath, `${import.meta.dir}/${file}`], {
          env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: "4000" },
          stdio: ["ignore", 2, 2],
          ipc: handleReply,
          onExit: failAll
        })
      ),
      (running) =>
        Effect.promise(() => {
          running.kill("SIGKILL")
          return running.exited
        })
    )
    let calls = 0
    return (name, input) =>
      Effect.async((resume) => {
        const id = ++calls
        pending.set(id, ({ error, result }) =>
          resume(error === undefined ? Effect.succeed(result) : Effect.dieMessage(`${name}: ${error}`))
        )
        child.send({ id, name, input } satisfies OperationCall)
      })
  })

/** Serves the operations of this process to the one that started it, which also ends it. */
export const serveOperations = (operations: Operations): void => {
  process.on("message", ({ id, input, name }: OperationCall) => {
    const reply = (content: Omit<OperationReply, "id">) => process.send?.({ id, ...content } satisfies OperationReply)
    void (async () => operations[name]?.(input))().then(
      (result) => reply({ result }),
      (cause) => reply({ error: String(cause) })
    )
  })
}
