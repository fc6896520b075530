import type { RelayBehaviour } from "./NameServerRelay.ts"

/** The size of a run, and the settings of the service in it. */
export interface WatchScale {
  readonly connections: number
  readonly recheckSeconds: number
  readonly secondLook: number
  /** How long a check may take, the wait for its turn on a busy machine included. */
  readonly longestCheckMillis: number
  readonly runSeconds: number
  readonly kills: number
}

/** The name servers of each zone, by their number. */
const servers = [0, 1, 2]

/** What happens in a run, so many milliseconds after its beginning; servers, zones and processes by their number. */
export type WatchAction = { readonly at: number } & (
  | { readonly kind: "drift" | "repair"; readonly zone: number; readonly server: number; readonly nth: number }
  | { readonly kind: "harmless"; readonly zone: number; readonly nth: number }
  | { readonly kind: "behave"; readonly server: number; readonly behaviour: RelayBehaviour }
  | { readonly kind: "kill"; readonly process: number; readonly downMillis: number }
)

/** Draws what people, name servers and killers do in a run. */
export const drawScenario = (random: () => number, scale: WatchScale): ReadonlyArray<WatchAction> =>
  [
    ...Array.from({ length: scale.connections }, (_, zone) => drawZone(random, scale, zone)).flat(),
    ...drawServers(random, scale),
    ...drawKills(random, scale)
  ].toSorted((one, other) => one.at - other.at)

/** Two in five zones drift, one in five changes without harm; nobody touches the others. */
const drawZone = (random: () => number, scale: WatchScale, zone: number): ReadonlyArray<WatchAction> => {
  const runMillis = scale.runSeconds * 1_000
  const fate = random()
  if (fate > 0.6) return []
  const nth = Math.floor(random() * 60)
  if (fate > 0.4) return [{ kind: "harmless", at: random() * runMillis, zone, nth }]
  const promised = servers.length * scale.recheckSeconds + scale.secondLook
  const foundMillis = promised * 1_000 + 1.5 * scale.longestCheckMillis
  const startsAt = random() * Math.max(runMillis - foundMillis, 0)
  const length = random()
  // A fifth is over before a second check can confirm it.
  if (length < 0.2)
    return drawDrift(random, zone, startsAt, startsAt + (0.1 + 0.8 * random()) * scale.secondLook * 1_000)
  const endsAt = length < 0.7 ? startsAt + foundMillis + random() * scale.recheckSeconds * 500 : Infinity
  return drawDrift(random, zone, startsAt, endsAt).filter(({ at }) => at < runMillis)
}

/** A drift at all servers, at one, or at all but one; some servers get changes later than others. */
const drawDrift = (random: () => number, zone: number, startsAt: number, endsAt: number): Array<WatchAction> => {
  const chosen = Math.floor(random() * servers.length)
  const kind = random()
  const changed = kind < 0.6 ? servers : servers.filter((server) => (server === chosen) === kind < 0.85)
  const mayLag = endsAt - startsAt > 10_000
  const nth = Math.floor(random() * 60)
  const lagOf = () => (mayLag && random() < 0.3 ? 3_000 * random() : 0)
  return changed.flatMap((server): ReadonlyArray<WatchAction> => [
    { kind: "drift", at: startsAt + lagOf(), zone, server, nth },
    { kind: "repair", at: endsAt + lagOf(), zone, server, nth }
  ])
}

/** One server after the other dies or lags and comes back, and once all of them are silent. */
const drawServers = (random: () => number, { recheckSeconds, runSeconds }: WatchScale): ReadonlyArray<WatchAction> => {
  const intervalMillis = recheckSeconds * 1_000
  const actions: Array<WatchAction> = []
  const silenceAt = 500 * runSeconds
  const behaveFrom = (at: number, chosen: ReadonlyArray<number>, behaviour: RelayBehaviour, until: number) => {
    for (const server of chosen)
      actions.push(
        { kind: "behave", at, server, behaviour },
        { kind: "behave", at: until, server, behaviour: { delayMillis: 0 } }
      )
  }
  let at = 0
  while (at < 850 * runSeconds) {
    at += (0.5 + random()) * intervalMillis
    const until = at + (0.2 + 0.3 * random()) * intervalMillis
    const isInSilence = at < silenceAt + 0.5 * intervalMillis && until > silenceAt - 0.2 * intervalMillis
    const behaviour = faults[Math.floor(random() * faults.length)] ?? "silent"
    if (!isInSilence) behaveFrom(at, [Math.floor(random() * servers.length)], behaviour, until)
    at = until
  }
  behaveFrom(silenceAt, servers, "silent", silenceAt + 0.25 * intervalMillis)
  return actions
}

/** The first two answers come in time, or never. */
const faults: ReadonlyArray<RelayBehaviour> = [{ delayMillis: 200 }, { delayMillis: 6_000 }, "silent", "closed"]

/**
 * Kills one of the two processes or both in the third quarter of the run, so that the drifts before and after are found
 * by processes that live.
 */
const drawKills = (random: () => number, { kills, runSeconds }: WatchScale): ReadonlyArray<WatchAction> =>
  Array.from({ length: kills }, (_, nth) => {
    const at = runSeconds * 1_000 * (0.5 + (0.25 * (nth + random())) / kills)
    const processes = nth % 3 === 0 ? [0, 1] : [Math.floor(random() * 2)]
    return processes.map((process): WatchAction => ({ kind: "kill", at, process, downMillis: 3_000 * random() }))
  }).flat()
