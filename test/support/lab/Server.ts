import { Data, Effect, Schedule, type Scope } from "effect"
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs"
import { decode, queryFor } from "./packet.ts"
import { exchangeUdp } from "./sendQuery.ts"

/** A server of the lab in its own process. It keeps its data over a stop and a start. */
export interface Server {
  readonly name: string
  readonly start: Effect.Effect<void, ServerDidNotStart>
  readonly stop: Effect.Effect<void>
}

interface ServerOptions {
  readonly name: string
  readonly directory: string
  readonly command: ReadonlyArray<string>
  /** Whether it answers. */
  readonly ready: Effect.Effect<boolean>
}

class ServerDidNotStart extends Data.TaggedError("ServerDidNotStart")<{
  readonly server: string
  readonly output: string
}> {
  override get message(): string {
    return `${this.server} did not start:\n${this.output}`
  }
}

/** Makes a server that stops with the scope, and also when this process is killed. */
export const makeServer = (options: ServerOptions): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { name, directory, ready } = options
    const log = `${directory}/${name}.log`
    let running: ReturnType<typeof launch> | undefined
    const stop = Effect.promise(async () => {
      await running?.stdin.end()
      await running?.exited
      running = undefined
    })
    const start = Effect.gen(function* () {
      const child = (running = launch(options.command, directory, log))
      const isUp = Effect.filterOrFail(
        ready,
        (isReady) => isReady,
        () => "not ready"
      )
      const polls = Schedule.spaced("5 millis").pipe(Schedule.upTo("2 minutes"))
      const exited = Effect.zipRight(
        Effect.promise(() => child.exited),
        Effect.fail("exited")
      )
      yield* Effect.raceFirst(Effect.retry(isUp, polls), exited)
    }).pipe(Effect.mapError(() => new ServerDidNotStart({ server: name, output: readFileSync(log, "utf8") })))
    return yield* Effect.acquireRelease(Effect.succeed({ name, start, stop }), () => stop)
  })

/** Whether the server at the address answers queries for all these names. */
export const isAnswering = (address: string, names: ReadonlyArray<string>): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const exchanges = names.map((name) => exchangeUdp({ host: address, port: 53 }, queryFor(name, "SOA"), 50))
    return (await Promise.all(exchanges)).every((datagram) => datagram && decode(datagram.bytes).rcode === "NOERROR")
  })

/** Runs the command until it or its standard input ends. The latter ends with this process, even if that is killed. */
const untilEndOfInput = `
  exec 3<&0
  "$@" </dev/null 3<&- & server=$!
  { read -r _ <&3; kill "$server"; } & watcher=$!
  wait "$server"; kill "$watcher" 2>/dev/null`

const launch = (command: ReadonlyArray<string>, directory: string, log: string) => {
  mkdirSync(directory, { recursive: true })
  const output = openSync(log, "a")
  const wrapped = ["sh", "-c", untilEndOfInput, "sh", ...command]
  const child = Bun.spawn(wrapped, { cwd: directory, stdin: "pipe", stdout: output, stderr: output })
  closeSync(output)
  return child
}

/** Runs a command and returns its output; a failure is a defect. */
export const run = (...command: ReadonlyArray<string>): Effect.Effect<string> =>
  Effect.promise(async () => {
    const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "pipe" })
    const [output, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    if (code !== 0) throw new Error(`${command.join(" ")}: ${errors}${output}`)
    return output
  })
