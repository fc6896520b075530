import type { RecordedConnection, WatchRecording } from "./WatchRecording.ts"

/**
 * What the answering servers of a zone show for a while: all the right records, none of them, some servers these and some
 * not; or none answers.
 */
export interface ZoneSight {
  readonly from: number
  readonly until: number
  readonly shows: "right" | "wrong" | "both" | "nothing"
}

/** A stretch of time. */
export interface TimeSpan {
  readonly from: number
  readonly until: number
}

/**
 * What the servers of a connection show over the run, without gaps. A server that answers again counts `settleMillis`
 * later.
 */
export const listZoneSights = (
  { servers, zone }: RecordedConnection,
  { beganAt, endedAt, serverChanges, zoneChanges }: WatchRecording,
  settleMillis: number
): ReadonlyArray<ZoneSight> => {
  const isRight = new Map(servers.map((server) => [server, true]))
  const isAnswering = new Map(servers.map((server) => [server, true]))
  const changes = [
    ...zoneChanges
      .filter((change) => change.zone === zone)
      .map(({ at, isRight: value, server }) => ({ at, server, value, of: isRight })),
    ...serverChanges
      .filter(({ server }) => servers.includes(server))
      .map(({ at, isAnswering: value, server }) => ({
        at: value ? at + settleMillis : at,
        server,
        value,
        of: isAnswering
      }))
  ].toSorted((one, other) => one.at - other.at)
  const sights: Array<ZoneSight> = []
  let from = beganAt
  for (const { at, of, server, value } of [...changes, { at: endedAt, of: isRight, server: "", value: true }]) {
    const until = Math.min(Math.max(at, beganAt), endedAt)
    if (until > from) sights.push({ from, until, shows: sightOf(servers, isRight, isAnswering) })
    from = Math.max(from, until)
    of.set(server, value)
  }
  return sights
}

const sightOf = (
  servers: ReadonlyArray<string>,
  isRight: ReadonlyMap<string, boolean>,
  isAnswering: ReadonlyMap<string, boolean>
): ZoneSight["shows"] => {
  const answers = servers.filter((server) => isAnswering.get(server) === true).map((server) => isRight.get(server))
  if (answers.length === 0) return "nothing"
  if (answers.every((each) => each === true)) return "right"
  return answers.includes(true) ? "both" : "wrong"
}

/** Joins neighbouring sights that match into spans. */
export const joinSights = (
  sights: ReadonlyArray<ZoneSight>,
  matches: (shows: ZoneSight["shows"]) => boolean
): ReadonlyArray<TimeSpan & { readonly sights: ReadonlyArray<ZoneSight> }> => {
  const spans: Array<{ from: number; until: number; sights: Array<ZoneSight> }> = []
  for (const sight of sights.filter(({ shows }) => matches(shows))) {
    const last = spans.at(-1)
    if (last?.until === sight.from) {
      last.until = sight.until
      last.sights.push(sight)
    } else spans.push({ from: sight.from, until: sight.until, sights: [sight] })
  }
  return spans
}

/** The milliseconds of a span that others cover, which do not overlap each other. */
export const overlapOf = ({ from, until }: TimeSpan, others: ReadonlyArray<TimeSpan>): number =>
  others.reduce((sum, other) => sum + Math.max(0, Math.min(until, other.until) - Math.max(from, other.from)), 0)

/** Joins the spans that overlap. */
export const mergeSpans = (spans: ReadonlyArray<TimeSpan>): ReadonlyArray<TimeSpan> => {
  const merged: Array<{ from: number; until: number }> = []
  for (const { from, until } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until)
    else merged.push({ from, until })
  }
  return merged
}
