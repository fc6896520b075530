import { DateTime, Duration } from "effect"
import type { ConnectionState } from "../../src/domain/connection/Connection.ts"
import type { StateTimeouts } from "../../src/lifecycle/state/StateTimeouts.ts"
import { computeTimeToNextCheck } from "../../src/lifecycle/state/findNextPhase.ts"
import type { RecordedConnection, WatchRecording } from "./WatchRecording.ts"
import { joinSights, listZoneSights, mergeSpans, overlapOf, type TimeSpan, type ZoneSight } from "./zoneSights.ts"

/** What the service promises, and what a busy machine adds. */
export interface WatchRules extends Pick<StateTimeouts, "recheckInterval" | "confirmMissAfter"> {
  /** The longest time between the moment at which a check is due and its end. */
  readonly longestCheckMillis: number
  /** The longest time until another process continues what a killed one had begun. */
  readonly longestTakeoverMillis: number
}

/** What the service did wrong, a sentence for each case. */
export interface WatchFaults {
  /** Drifts that were not found within the promised time. */
  readonly missed: ReadonlyArray<string>
  /** `degraded` without a drift that two checks can have seen. */
  readonly falselyDegraded: ReadonlyArray<string>
  /** `active` again while no server showed the records, or one showed others. */
  readonly falselyRestored: ReadonlyArray<string>
  /** Connections that stayed `degraded` although their records were back. */
  readonly unrestored: ReadonlyArray<string>
  /** Active connections that nobody checked within the interval. */
  readonly unchecked: ReadonlyArray<string>
  /** Connections that left `active` and `degraded`. */
  readonly strayed: ReadonlyArray<string>
}

/** A drift that was found; times in milliseconds. */
export interface FoundDrift {
  readonly afterMillis: number
  /** The promise, without what a busy machine and killed processes add. */
  readonly promisedMillis: number
}

/** Judges a run: compares what the service said with what the name servers showed. */
export const judgeWatch = (
  recording: WatchRecording,
  rules: WatchRules
): WatchFaults & { readonly found: ReadonlyArray<FoundDrift> } => {
  const verdicts = recording.connections.map((connection) => judgeConnection(connection, recording, rules))
  return {
    missed: verdicts.flatMap(({ missed }) => missed),
    falselyDegraded: verdicts.flatMap(({ falselyDegraded }) => falselyDegraded),
    falselyRestored: verdicts.flatMap(({ falselyRestored }) => falselyRestored),
    unrestored: verdicts.flatMap(({ unrestored }) => unrestored),
    unchecked: verdicts.flatMap(({ unchecked }) => unchecked),
    strayed: verdicts.flatMap(({ strayed }) => strayed),
    found: verdicts.flatMap(({ found }) => found)
  }
}

/** A server that was silent may count as such in the next two queries. */
const settleMillis = 3_000

const judgeConnection = (connection: RecordedConnection, recording: WatchRecording, rules: WatchRules) => {
  const sights = listZoneSights(connection, recording, 0)
  const settled = listZoneSights(connection, recording, settleMillis)
  const context: ConnectionContext = {
    connection,
    sights,
    rules,
    endedAt: recording.endedAt,
    extend: makeExtension(recording, settled, rules),
    describe: (text, at) => `${connection.zone} (${connection.id}) ${text}, ${formatSeconds(at - recording.beganAt)}`
  }
  const states = listStates(connection, recording)
  return {
    ...judgeDrifts(context, settled),
    falselyDegraded: entriesOf(connection, "degraded", recording).flatMap((at) =>
      canBeDegraded(context, at) ? [] : [context.describe("was degraded without a drift", at)]
    ),
    falselyRestored: entriesOf(connection, "active", recording).flatMap((at) =>
      hasSight(sights, at - rules.longestCheckMillis, at, isRight)
        ? []
        : [context.describe("was restored without its records", at)]
    ),
    unrestored: states.filter(({ state }) => state === "degraded").flatMap((span) => judgeRestoring(context, span)),
    unchecked: states
      .filter(({ state }) => state === "active")
      .flatMap((span) => judgeIntervals(context, span, settled)),
    strayed: states
      .filter(({ state }) => state !== "active" && state !== "degraded")
      .map(({ from, state }) => context.describe(`became ${state}`, from))
  }
}

interface ConnectionContext {
  readonly connection: RecordedConnection
  readonly sights: ReadonlyArray<ZoneSight>
  readonly rules: WatchRules
  readonly endedAt: number
  /** The end of a time that begins at a moment, longer by all that stopped the service or the servers meanwhile. */
  readonly extend: (from: number, millis: number) => number
  readonly describe: (text: string, at: number) => string
}

/** Finds the drifts that the service had to find, and whether it did. */
const judgeDrifts = (
  { connection, describe, endedAt, extend, rules }: ConnectionContext,
  settled: ReadonlyArray<ZoneSight>
): Pick<WatchFaults, "missed"> & { readonly found: ReadonlyArray<FoundDrift> } => {
  const found: Array<FoundDrift> = []
  const missed: Array<string> = []
  const drifts = joinSights(settled, isDrift)
  for (const [nth, drift] of drifts.entries()) {
    if (stateAt(connection, drift.from) !== "active") continue
    // One server of several is asked in each interval: where some show the records, all have to have had their turn.
    const turns = drift.sights.some(({ shows }) => shows === "both") ? connection.servers.length : 1
    const promisedMillis = turns * Duration.toMillis(rules.recheckInterval) + Duration.toMillis(rules.confirmMissAfter)
    const deadline = extend(drift.from, promisedMillis + rules.longestCheckMillis)
    const degradedAt = connection.transitions.find(({ at, to }) => to === "degraded" && at >= drift.from)?.at
    // A check that began in a drift may end after it.
    const latest = Math.min(deadline, drift.until + rules.longestCheckMillis, drifts[nth + 1]?.from ?? endedAt)
    if (degradedAt !== undefined && degradedAt <= latest) {
      found.push({ afterMillis: degradedAt - drift.from, promisedMillis })
    } else if (deadline < Math.min(drift.until, endedAt)) {
      const when = degradedAt === undefined ? "never" : `${formatSeconds(degradedAt - deadline)} too late`
      missed.push(describe(`has a drift, promised in ${formatSeconds(promisedMillis)} and found ${when}`, drift.from))
    }
  }
  return { found, missed }
}

/** Whether two checks can have missed records: one at the end, and one by the time of confirmation before it. */
const canBeDegraded = ({ extend, rules, sights }: ConnectionContext, at: number): boolean => {
  const { confirmMissAfter, longestCheckMillis } = rules
  const confirmMillis = Duration.toMillis(confirmMissAfter)
  const drifts = joinSights(sights, isDrift).filter(({ from }) => from <= at)
  const second = Math.min(at, drifts.at(-1)?.until ?? -Infinity)
  const first = drifts.findLast(({ from }) => from <= second - confirmMillis)
  return (
    second >= at - longestCheckMillis &&
    first !== undefined &&
    extend(Math.min(first.until, second - confirmMillis), confirmMillis + 2 * longestCheckMillis) >= at
  )
}

/** Whether a degraded connection stayed so although its records were back. */
const judgeRestoring = (
  { connection, describe, endedAt, extend, rules, sights }: ConnectionContext,
  degraded: TimeSpan
): ReadonlyArray<string> =>
  joinSights(sights, isRight).flatMap(({ from, until }) => {
    const since = Math.max(from, degraded.from)
    if (since >= Math.min(until, degraded.until)) return []
    // The check that is under way may have asked before, and the next one is counted from its end.
    const earliest = since + rules.longestCheckMillis
    const wait = computeTimeToNextCheck(DateTime.unsafeMake(degraded.from), DateTime.unsafeMake(earliest))
    const deadline = extend(since, earliest - since + Duration.toMillis(wait) + rules.longestCheckMillis)
    if (deadline >= Math.min(until, degraded.until, endedAt)) return []
    const questions = connection.questionedAt.filter((at) => at >= since && at <= degraded.until)
    const delays = [...new Set(questions.map((at) => formatSeconds(at - since)))].slice(0, 20)
    return [
      describe(
        `has its records again, and was degraded for ${formatSeconds(since - degraded.from)} before and ` +
          `${formatSeconds(degraded.until - since)} after that; its servers were asked after: ${delays.join(", ") || "never"}`,
        since
      )
    ]
  })

/** Whether an active connection was checked in each interval. While no server answers, nobody knows. */
const judgeIntervals = (
  { connection, describe, extend, rules }: ConnectionContext,
  active: TimeSpan,
  settled: ReadonlyArray<ZoneSight>
): ReadonlyArray<string> => {
  const silences = joinSights(settled, (shows) => shows === "nothing").map(({ until }) => until)
  const checkedAt = [active.from, ...connection.questionedAt, ...silences, active.until]
    .filter((at) => at >= active.from && at <= active.until)
    .toSorted((one, other) => one - other)
  const interval = Duration.toMillis(rules.recheckInterval) + rules.longestCheckMillis
  return checkedAt.flatMap((at, nth) => {
    const next = checkedAt[nth + 1]
    return next === undefined || next <= extend(at, interval)
      ? []
      : [describe(`was not checked for ${formatSeconds(next - at)}`, at)]
  })
}

/**
 * Makes the function that adds to a time all in which no process was ready, no server answered, or another process had
 * yet to continue what a killed one had begun.
 */
const makeExtension = (
  { beganAt, endedAt, processChanges, processes }: WatchRecording,
  sights: ReadonlyArray<ZoneSight>,
  { longestTakeoverMillis }: WatchRules
): ConnectionContext["extend"] => {
  const pauses = mergeSpans([
    ...listOutages(processChanges, processes, { from: beganAt, until: endedAt }),
    ...sights.filter(({ shows }) => shows === "nothing"),
    ...processChanges
      .filter(({ isReady }) => !isReady)
      .map(({ at }) => ({ from: at, until: at + longestTakeoverMillis }))
  ])
  return (from, millis) => {
    let end = from + millis
    for (;;) {
      const later = from + millis + overlapOf({ from, until: end }, pauses)
      if (later <= end) return end
      end = later
    }
  }
}

/** The times in which no process was ready. */
const listOutages = (
  changes: WatchRecording["processChanges"],
  processes: number,
  { from, until }: TimeSpan
): ReadonlyArray<TimeSpan> => {
  const ready = new Set(Array.from({ length: processes }, (_, nth) => nth))
  const outages: Array<TimeSpan> = []
  let since: number | undefined = processes === 0 ? from : undefined
  for (const { at, isReady, process } of changes) {
    if (isReady) ready.add(process)
    else ready.delete(process)
    if (ready.size === 0) since ??= at
    else if (since !== undefined) {
      outages.push({ from: since, until: at })
      since = undefined
    }
  }
  return since === undefined ? outages : [...outages, { from: since, until }]
}

/** The states of a connection from the beginning of the run to its end. */
const listStates = (
  { transitions }: RecordedConnection,
  { beganAt, endedAt }: WatchRecording
): ReadonlyArray<TimeSpan & { readonly state: ConnectionState }> =>
  transitions.flatMap(({ at, to }, nth) => {
    const until = Math.min(transitions[nth + 1]?.at ?? endedAt, endedAt)
    const from = Math.max(at, beganAt)
    return from < until ? [{ from, until, state: to }] : []
  })

/** When a connection entered a state during the run. */
const entriesOf = (
  { transitions }: RecordedConnection,
  state: ConnectionState,
  { beganAt }: WatchRecording
): ReadonlyArray<number> => transitions.filter(({ at, to }) => to === state && at > beganAt).map(({ at }) => at)

const stateAt = ({ transitions }: RecordedConnection, moment: number): ConnectionState | undefined =>
  transitions.findLast(({ at }) => at <= moment)?.to

const hasSight = (
  sights: ReadonlyArray<ZoneSight>,
  from: number,
  until: number,
  matches: (shows: ZoneSight["shows"]) => boolean
): boolean => sights.some((sight) => matches(sight.shows) && sight.from <= until && sight.until >= from)

const isDrift = (shows: ZoneSight["shows"]): boolean => shows === "wrong" || shows === "both"

const isRight = (shows: ZoneSight["shows"]): boolean => shows === "right"

const formatSeconds = (millis: number): string => `${(millis / 1_000).toFixed(1)} s`
