import { Effect } from "effect"
import { emptyDataDirectory, startMain } from "./MainProcess.ts"
import { megabytesBelow, residentMegabytes } from "./processes.ts"
import { type Report, rounded } from "./Report.ts"

/** How much memory the service takes with nothing to do, and its PostgreSQL beside it. */
export const memory: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const { pid } = yield* startMain(yield* emptyDataDirectory)
    yield* Effect.sleep("5 seconds")
    const own = residentMegabytes(pid)
    const postgres = megabytesBelow(pid)
    return {
      title: "Idle memory, five seconds after the start",
      lines: [`the service ${rounded(own)} MB, its PostgreSQL ${rounded(postgres)} MB`],
      figures: { serviceMegabytes: own, postgresMegabytes: postgres },
      targets: [{ kind: "aim", what: "idle memory of the service in MB", value: own, atMost: 200 }]
    }
  })
)
