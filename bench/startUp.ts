import { Effect } from "effect"
import { emptyDataDirectory, startMainProcess } from "./MainProcess.ts"
import { median, type Report, roundToThreeDigits } from "./Report.ts"

/** Measures the time from start to readiness with the embedded PostgreSQL: the first start, and later ones. */
export const startUp: Effect.Effect<Report> = Effect.gen(function* () {
  const directory = yield* emptyDataDirectory
  const first = yield* measureStart(directory)
  const again = median(yield* Effect.replicateEffect(measureStart(directory), 3))
  return {
    title: "Start-up: from the start of the process to the first 200 of /readyz",
    lines: [`first ${roundToThreeDigits(first)} ms, again ${roundToThreeDigits(again)} ms (median of 3)`],
    figures: { firstMillis: first, againMillis: again },
    targets: [
      { kind: "aim", what: "first start in seconds", value: first / 1_000, atMost: 3 },
      { kind: "aim", what: "further starts in seconds", value: again / 1_000, atMost: 1 }
    ]
  }
})

const measureStart = (directory: string) =>
  Effect.scoped(Effect.map(startMainProcess(directory), ({ readyMillis }) => readyMillis))
