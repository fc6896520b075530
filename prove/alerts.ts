import { Effect, Exit, Scope } from "effect"
import { readFileSync } from "node:fs"
import { Lab } from "../test/support/lab/Lab.ts"
import type { ProofOptions } from "./ProofOptions.ts"
import { expectNone, type ProofResult } from "./ProofResult.ts"
import type { AlertDrill } from "./alerts/AlertDrill.ts"
import { databaseDrills } from "./alerts/databaseDrills.ts"
import { startDrillGround } from "./alerts/DrillGround.ts"
import { outsideDrills } from "./alerts/outsideDrills.ts"
import { processDrills } from "./alerts/processDrills.ts"
import { type Prometheus, startPrometheus } from "./alerts/Prometheus.ts"
import { shortenDurations } from "./alerts/shortenDurations.ts"
import { createZones, typicalLines } from "./proofZones.ts"

/**
 * Lets every alert of `ops/alerts.yaml` fire and clear: Prometheus reads a service in which the cause is planted, and
 * evaluates the rules with durations that are a thirtieth.
 */
export const alerts = ({ only }: ProofOptions): Effect.Effect<ProofResult, never, Lab> =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* Effect.flatMap(Lab, (lab) => createZones(lab, ["drills.com"], typicalLines))
      const rules = readFileSync(rulesPath, "utf8")
      const named = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name)
      const chosen = only === undefined ? drills : drills.filter(({ alert }) => only.split(",").includes(alert))
      const outcomes = yield* Effect.forEach(chosen, (drill) => runDrill(drill, shortenDurations(rules, divisor)), {
        concurrency: drillsAtOnce
      })
      return {
        figures: { divisor, drills: outcomes },
        targets: [
          expectNone(
            "alerts without a drill",
            named.filter((name) => !drills.some(({ alert }) => alert === name))
          ),
          expectNone(
            "alerts that fired before their cause",
            outcomes.filter(({ firedBefore }) => firedBefore)
          ),
          expectNone(
            "alerts that did not fire",
            outcomes.filter(({ firedAfterSeconds }) => firedAfterSeconds === undefined)
          ),
          expectNone(
            "alerts that did not clear",
            outcomes.filter(({ clearedAfterSeconds }) => clearedAfterSeconds === undefined)
          )
        ]
      }
    }).pipe(Effect.orDie)
  )

const rulesPath = new URL("../ops/alerts.yaml", import.meta.url)

const drills: ReadonlyArray<AlertDrill> = [...outsideDrills, ...databaseDrills, ...processDrills]

const divisor = 30

const drillsAtOnce = 2

/** Plants the cause of an alert at a service, waits until it fires, removes the cause, and waits until it clears. */
const runDrill = (drill: AlertDrill, rules: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { alert, cause } = drill
      const ground = yield* startDrillGround(drill)
      const prometheus = yield* startPrometheus({ rules, metricsPort: ground.metricsPort })
      const alsoFired = new Set<string>()
      const waitUntilFiring = (expected: boolean) =>
        waitFor(alert, expected, prometheus, (firing) => firing.forEach((name) => alsoFired.add(name)))
      // Long enough for a first scrape and the first measurements of the service.
      yield* Effect.sleep("8 seconds")
      const firedBefore = (yield* prometheus.listFiring).includes(alert)
      const planted = yield* Scope.make()
      yield* Scope.extend(drill.plant(ground), planted)
      yield* Effect.logInfo("Planted").pipe(Effect.annotateLogs({ alert, cause }))
      const firedAfterSeconds = yield* waitUntilFiring(true)
      yield* Scope.close(planted, Exit.void)
      const clearedAfterSeconds = yield* waitUntilFiring(false)
      alsoFired.delete(alert)
      const outcome = { alert, cause, firedBefore, firedAfterSeconds, clearedAfterSeconds, alsoFired: [...alsoFired] }
      yield* Effect.logInfo("Drilled").pipe(Effect.annotateLogs(outcome))
      return outcome
    })
  )

/** After how many seconds an alert fires or no longer does; undefined if it takes longer than 200 seconds. */
const waitFor = (
  alert: string,
  expected: boolean,
  { listFiring }: Prometheus,
  onRead: (firing: ReadonlyArray<string>) => void
) =>
  Effect.suspend(() => {
    const startedAt = performance.now()
    return listFiring.pipe(
      Effect.tap((firing) => Effect.sync(() => onRead(firing))),
      Effect.delay("500 millis"),
      Effect.repeat({ until: (firing) => firing.includes(alert) === expected }),
      Effect.map(() => Math.round((performance.now() - startedAt) / 1_000)),
      Effect.timeoutTo({ duration: "200 seconds", onSuccess: (seconds) => seconds, onTimeout: () => undefined })
    )
  })
