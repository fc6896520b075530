import { median, quantile } from "./Report.ts"
import type { LoadResult } from "./generateLoad.ts"

/** A short time in which one subject has the load. */
export interface LoadTurn {
  readonly subject: string
  readonly load: LoadResult
}

/** The service takes every second turn, so that each turn of a peer has one of the service right before it and after it. */
export const rotationOf = <A>(service: A, peers: ReadonlyArray<A>): ReadonlyArray<A> =>
  peers.flatMap((peer) => [service, peer])

/** The largest share of the machine that other processes may take in a turn that counts. */
export const mostForeignShare = 0.05

/** Whether a turn counts. Where the load of other processes is unknown, all turns do. */
export const isUndisturbed = ({ load }: LoadTurn): boolean => !(load.foreignShare > mostForeignShare)

/**
 * The requests/s of the service divided by those of a peer, one ratio for each pair of neighbouring turns, both
 * undisturbed. The machine's speed changes from minute to minute, and is nearly the same for neighbours.
 */
export const neighbourRatios = (turns: ReadonlyArray<LoadTurn>, service: string, peer: string): ReadonlyArray<number> =>
  turns.slice(1).flatMap((second, index) => {
    const pair = [turns[index], second].filter((turn) => turn !== undefined && isUndisturbed(turn))
    const ofService = pair.find((turn) => turn?.subject === service)
    const ofPeer = pair.find((turn) => turn?.subject === peer)
    return ofService === undefined || ofPeer === undefined ? [] : [ofService.load.perSecond / ofPeer.load.perSecond]
  })

/** The medians of the undisturbed turns of a subject. */
export const medianLoad = (turns: ReadonlyArray<LoadTurn>, name: string): LoadResult => {
  const loads = turns.filter((turn) => turn.subject === name && isUndisturbed(turn)).map(({ load }) => load)
  const medianOf = (figure: keyof LoadResult) => median(loads.map((load) => load[figure]))
  return {
    perSecond: medianOf("perSecond"),
    p50: medianOf("p50"),
    p99: medianOf("p99"),
    serverMicros: medianOf("serverMicros"),
    databaseMicros: medianOf("databaseMicros"),
    clientMicros: medianOf("clientMicros"),
    foreignShare: medianOf("foreignShare")
  }
}

/** How ratios are distributed, and how many there are. */
export interface RatioSummary {
  readonly lowerQuartile: number
  readonly median: number
  readonly upperQuartile: number
  readonly count: number
}

export const summarizeRatios = (ratios: ReadonlyArray<number>): RatioSummary => ({
  lowerQuartile: quantile(ratios, 0.25),
  median: median(ratios),
  upperQuartile: quantile(ratios, 0.75),
  count: ratios.length
})
