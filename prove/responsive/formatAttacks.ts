import { formatTable, isMet, type Target } from "../../bench/Report.ts"
import { formatCounts, isMachineBusy, type ProbeSummary } from "./ProbeSummary.ts"

/** What happened to the victim while an attack was played. */
export interface AttackResult {
  readonly name: string
  readonly seconds: number
  readonly victim: ProbeSummary
  readonly answers: Readonly<Record<string, number>>
  readonly figures: object
  /** The memory of the service before the attack, and the most that it used during it. */
  readonly megabytes: { readonly start: number; readonly peak: number }
  /** Whether the service did not serve the victim as before when the attack had ended, and was started anew. */
  readonly hadToRestart: boolean
  readonly targets: ReadonlyArray<Target>
}

/** Formats whether all gates of an attack were met. */
export const formatVerdict = (result: AttackResult): string =>
  `${missedOf(result).length === 0 ? "PASS" : "FAIL"}  ${result.name}, ${result.seconds.toFixed(1)} s`

/** Formats the results as a table, with the missed gates of each attack below. */
export const formatAttacks = (results: ReadonlyArray<AttackResult>): string =>
  [
    ...formatTable([
      [
        "attack",
        "",
        "get p50",
        "p99",
        "max ms",
        "discovery max ms",
        "failed",
        "reference p99",
        "MB before",
        "peak",
        "answers to the attack"
      ],
      ...results.map((result) => [result.name, missedOf(result).length === 0 ? "PASS" : "FAIL", ...cellsOf(result)])
    ]),
    ...results.flatMap((result) => missedOf(result).map((target) => `FAIL  ${formatMissed(result, target)}`)),
    ...results
      .filter((result) => missedOf(result).length > 0 && isMachineBusy(result.victim))
      .map(({ name }) => `NOTE  ${name}: the machine was busy, a server that does nothing but answer was slow as well`)
  ].join("\n")

const cellsOf = ({ answers, hadToRestart, megabytes, victim }: AttackResult) => [
  ...[victim.getP50, victim.getP99, victim.getMax, victim.discoveryMax].map((millis) => millis.toFixed(0)),
  String(Object.values(victim.failures).reduce((sum, count) => sum + count, 0)),
  victim.referenceP99.toFixed(0),
  megabytes.start.toFixed(0),
  megabytes.peak.toFixed(0),
  `${formatCounts(answers)}${hadToRestart ? "; then not healthy again" : ""}`
]

const missedOf = ({ targets }: AttackResult) => targets.filter((target) => !isMet(target))

const formatMissed = ({ name }: AttackResult, { atLeast, atMost, value, what }: Target) => {
  const limits = [atLeast === undefined ? "" : `at least ${atLeast}`, atMost === undefined ? "" : `at most ${atMost}`]
  return `${name}: ${what}: ${Number.isInteger(value) ? value : value.toFixed(2)} (${limits.filter(Boolean).join(", ")})`
}
