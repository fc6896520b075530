import { Effect } from "effect"
import { existsSync } from "node:fs"
import { makeServer } from "./Server.ts"

/** The program of a process that runs a server until it is killed; the server's process id is in the file `pid`. */
const directory = process.argv[2] ?? "."

const hold = Effect.gen(function* () {
  const server = yield* makeServer({
    name: "held",
    directory,
    command: ["sh", "-c", "echo $$ > pid.new; mv pid.new pid; exec sleep 60"],
    ready: Effect.sync(() => existsSync(`${directory}/pid`))
  })
  yield* server.start
  yield* Effect.sync(() => console.log("started"))
  return yield* Effect.never
})

await Effect.runPromise(Effect.scoped(hold))
