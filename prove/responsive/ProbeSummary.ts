import { countEach } from "../countEach.ts"
import type { Target } from "../../bench/Report.ts"

/**
 * One request of the victim. `millis` is the time from sending it to its answer, `schedulingDelayMillis` the part of it in which
 * the probe itself could not run, and `machineDelayMillis` the part in which the probe or the service had no processor.
 * `failure` says why it was no success.
 */
export interface ProbeSample {
  readonly millis: number
  readonly schedulingDelayMillis: number
  readonly machineDelayMillis: number
  readonly failure?: string
}

/** Everything that the victim sent in a window of time. */
export interface ProbeWindow {
  readonly gets: ReadonlyArray<ProbeSample>
  /** Those with keys that the service had not seen before. */
  readonly firstUses: ReadonlyArray<ProbeSample>
  readonly discoveries: ReadonlyArray<ProbeSample>
  /** Requests at the same time to a server that does nothing but answer: they show how busy the machine is. */
  readonly references: ReadonlyArray<ProbeSample>
}

/** How the victim was served, in milliseconds. `failures` counts the failed requests by their reason. */
export interface ProbeSummary {
  readonly gets: number
  readonly getP50: number
  readonly getP95: number
  readonly getP99: number
  readonly getMax: number
  readonly discoveries: number
  readonly discoveryMax: number
  readonly firstUses: number
  /** Nothing without a new key. */
  readonly firstUseMax?: number
  readonly failures: Readonly<Record<string, number>>
  readonly referenceP99: number
  /** The share of the requests whose time is mostly a delay of the probe itself, of more than `notableDelayMillis`. */
  readonly delayedShare: number
}

/** The limits of a summary. */
export interface ProbeLimits {
  readonly getPercentile: "getP95" | "getP99"
  /** By how much the times may exceed those of the full form. */
  readonly tolerance: number
  /** By how much more, but for the longest get, on a slow machine; 1. */
  readonly slowness?: number
  readonly subtracted: SubtractedDelay
}

/**
 * Summarizes a window. The probe's own delays are subtracted from each time, because the service does not cause them; a
 * stall of the service is longer than those and stays visible. With `machineDelayMillis`, the times in which the service
 * had no processor are subtracted too, which an attack may cause as well as other work on the machine.
 */
export const summarizeProbe = (
  { discoveries, firstUses, gets, references }: ProbeWindow,
  subtracted: SubtractedDelay = "schedulingDelayMillis"
): ProbeSummary => {
  const sortedTimesOf = (samples: ReadonlyArray<ProbeSample>) =>
    samples.map((sample) => sample.millis - sample[subtracted]).toSorted((first, second) => first - second)
  const times = sortedTimesOf(gets)
  const all = [...gets, ...firstUses, ...discoveries]
  const failures = all.flatMap(({ failure }) => (failure === undefined ? [] : [failure]))
  return {
    gets: gets.length,
    getP50: percentile(times, 0.5),
    getP95: percentile(times, 0.95),
    getP99: percentile(times, 0.99),
    getMax: percentile(times, 1),
    discoveries: discoveries.length,
    discoveryMax: percentile(sortedTimesOf(discoveries), 1),
    firstUses: firstUses.length,
    ...(firstUses.length === 0 ? {} : { firstUseMax: percentile(sortedTimesOf(firstUses), 1) }),
    failures: countEach(failures),
    referenceP99: percentile(sortedTimesOf(references), 0.99),
    delayedShare: all.filter(isMostlyOwnDelay).length / all.length
  }
}

type SubtractedDelay = "schedulingDelayMillis" | "machineDelayMillis"

const percentile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN

const isMostlyOwnDelay = ({ millis, schedulingDelayMillis }: ProbeSample) =>
  schedulingDelayMillis > notableDelayMillis && schedulingDelayMillis > millis / 2

const notableDelayMillis = 10

/** Whether even a server that does nothing but answer was slow: then the machine was busy with other work. */
export const isMachineBusy = ({ referenceP99 }: ProbeSummary): boolean => referenceP99 > 25

/** By how much this machine is slower than one on which an undisturbed discovery takes 75 ms; twice at most. */
export const slownessOf = ({ discoveryMax }: ProbeSummary): number => Math.min(2, Math.max(1, discoveryMax / 75))

/** Formats counts as `2 × one, 3 × other`. */
export const formatCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([what, count]) => `${count} × ${what}`)
    .join(", ")

/** The gates of an undisturbed tenant. */
export const probeTargets = (
  summary: ProbeSummary,
  { getPercentile, slowness = 1, tolerance }: Omit<ProbeLimits, "subtracted">
): ReadonlyArray<Target> => [
  gateAtMost(`get ${getPercentile.slice(3).toLowerCase()}, ms`, summary[getPercentile], 50 * tolerance * slowness),
  gateAtMost("get max, ms", summary.getMax, getMaxMillis * tolerance),
  gateAtMost("healthy discovery max, ms", summary.discoveryMax, 2_000 * tolerance * slowness),
  ...(summary.firstUseMax === undefined
    ? []
    : [gateAtMost("first use of a key max, ms", summary.firstUseMax, getMaxMillis * tolerance)]),
  gateAtMost(
    ["failed requests of the victim", formatCounts(summary.failures)].filter(Boolean).join(": "),
    Object.values(summary.failures).reduce((sum, count) => sum + count, 0),
    0
  ),
  gateAtMost("share of requests that the busy machine delayed in the probe", summary.delayedShare, 0.25)
]

const getMaxMillis = 250

/** The gate that the longest `get` misses its gate. */
export const missedMaxTarget = ({ getMax }: ProbeSummary, { tolerance }: Pick<ProbeLimits, "tolerance">): Target => ({
  kind: "gate",
  what: "get max, ms, while the service stops",
  value: getMax,
  atLeast: getMaxMillis * tolerance
})

/** A gate that fails above the limit. */
export const gateAtMost = (what: string, value: number, atMost: number): Target => ({
  kind: "gate",
  what,
  value,
  atMost
})
