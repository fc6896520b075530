import { Effect } from "effect"
import { Lab } from "../test/support/lab/Lab.ts"
import { runCli } from "../test/cli/commandLine.ts"
import type { ProofOptions } from "./ProofOptions.ts"
import { expectNone, type ProofResult } from "./ProofResult.ts"
import { type DrillGround, startDrillGround } from "./alerts/DrillGround.ts"
import { type PlantedCause, plantedCauses } from "./causes/plantedCauses.ts"
import { createZones, typicalLines } from "./proofZones.ts"

/**
 * Plants causes of trouble at running services and looks for each as `docs/runbook.md` says, by commands and metrics and
 * without SQL: what they print names the cause.
 */
export const causes = ({ only }: ProofOptions): Effect.Effect<ProofResult, never, Lab> =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* Effect.flatMap(Lab, (lab) => createZones(lab, ["drills.com"], typicalLines))
      const chosen = plantedCauses.filter(({ name }) => only === undefined || only.split(",").includes(name))
      const found = yield* Effect.forEach(chosen, findCause)
      return {
        figures: { causes: found },
        targets: [
          expectNone(
            "causes that a documented step does not name",
            found.flatMap(({ name, steps }) => steps.filter(({ missing }) => missing !== undefined).map(() => name))
          ),
          {
            kind: "gate" as const,
            what: "seconds to find a cause, at most",
            value: Math.max(0, ...found.map(({ seconds }) => seconds)),
            atMost: 300
          }
        ]
      }
    }).pipe(Effect.orDie)
  )

const findCause = ({ ground: settings, name, plant, steps }: PlantedCause) =>
  Effect.scoped(
    Effect.gen(function* () {
      const ground = yield* startDrillGround(settings)
      const planted = yield* plant(ground)
      const startedAt = performance.now()
      const taken = yield* Effect.forEach(steps(planted), ({ expected, ...step }) =>
        Effect.gen(function* () {
          const printed =
            "command" in step
              ? yield* Effect.map(
                  runCli({ ...ground.environment, ...step.environment }, ...step.command),
                  ({ err, out }) => `${out}${err}`
                )
              : yield* Effect.repeat(Effect.delay(readMetrics(ground), "1 second"), {
                  times: 60,
                  until: (text) => text.split("\n").some((line) => expected.test(line))
                })
          const lines = printed.split("\n").filter((line) => expected.test(line))
          const title = "command" in step ? `dcs ${step.command.join(" ")}` : "/metrics"
          yield* Effect.logInfo(title).pipe(Effect.annotateLogs({ cause: name, lines }))
          return { step: title, lines: lines.slice(0, 3), missing: lines.length === 0 ? printed : undefined }
        })
      )
      return { name, seconds: Math.round((performance.now() - startedAt) / 1_000), steps: taken }
    })
  )

const readMetrics = ({ metricsPort }: DrillGround) =>
  Effect.promise(async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())
