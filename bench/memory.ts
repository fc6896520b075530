import { Effect } from "effect"
import { emptyDataDirectory, startMainProcess } from "./MainProcess.ts"
import { descendantMegabytes, residentMegabytesOf } from "./processes.ts"
import { type Report, roundToThreeDigits } from "./Report.ts"

/** Measures the memory of the idle service and of its PostgreSQL. */
export const memory: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const { pid } = yield* startMainProcess(yield* emptyDataDirectory)
    yield* Effect.sleep("5 seconds")
    const own = residentMegabytesOf(pid)
    const postgres = descendantMegabytes(pid)
    return {
      title: "Idle memory, five seconds after the start",
      lines: [`the service ${roundToThreeDigits(own)} MB, its PostgreSQL ${roundToThreeDigits(postgres)} MB`],
      figures: { serviceMegabytes: own, postgresMegabytes: postgres },
      targets: [{ kind: "aim", what: "idle memory of the service in MB", value: own, atMost: 200 }]
    }
  })
)
