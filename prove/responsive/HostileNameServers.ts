import { Effect } from "effect"
import { Lab } from "../../test/support/lab/Lab.ts"
import type { LabDelegation } from "../../test/support/lab/labZones.ts"
import { startChildProcess } from "./ChildProcess.ts"
import type { HostileNameServersOperations } from "./hostileNameServersProcess.ts"

/** How a name server of the attacker answers. Names of zones and hosts end with a dot. */
export type NameServerBehaviour =
  | { readonly _tag: "Silent" }
  /** Serves the NS record of any domain, so that a client believes in it, and never answers another question. */
  | { readonly _tag: "SilentOnHosts"; readonly nameServer: string }
  /** Serves the NS records of its zone and refuses every other question. */
  | { readonly _tag: "Refusing"; readonly zone: string; readonly nameServers: ReadonlyArray<string> }
  /** Serves the NS records of its zone, and answers every other question with as much as a message can hold, over TCP. */
  | { readonly _tag: "Huge"; readonly zone: string; readonly nameServers: ReadonlyArray<string> }
  /** Refers to a zone one label deeper, at name servers without addresses; `level` labels below `zone` it begins. */
  | {
      readonly _tag: "Referring"
      readonly zone: string
      readonly level: number
      readonly nameServers: ReadonlyArray<string>
    }
  /** Has the addresses of some name servers to which others refer, and denies the rest: the victim of an NXNSAttack. */
  | { readonly _tag: "Target"; readonly zone: string; readonly addresses: Readonly<Record<string, string>> }

export interface HostileServer {
  readonly address: string
  readonly behaviour: NameServerBehaviour
}

/** The packets that reached servers of one behaviour; a TCP connection counts as one. */
export interface ReceivedPackets {
  readonly fromService: number
  readonly fromResolver: number
  /** The most packets of the service in one second to one address. */
  readonly peakPerSecondAtOneAddress: number
}

/** The name servers of the attacker's domains, in a process of their own. */
export interface HostileNameServers {
  readonly reset: Effect.Effect<void>
  readonly received: (...behaviours: ReadonlyArray<NameServerBehaviour["_tag"]>) => Effect.Effect<ReceivedPackets>
}

/** Starts the servers of `hostileDelegations`. */
export const startHostileNameServers = Effect.gen(function* () {
  const { resolver } = yield* Lab
  const call = yield* startChildProcess<HostileNameServersOperations>("hostileNameServersProcess.ts", 10)
  yield* call("start", servers)
  const nameServers: HostileNameServers = {
    reset: call("reset", undefined),
    received: (...behaviours) => call("received", { behaviours, resolver })
  }
  return nameServers
})

const numbers = (count: number) => Array.from({ length: count }, (_, nth) => nth)

/** A zone of the attacker with the addresses of the name servers, which any resolver finds quickly. */
export const nameServerZone = "hostiledns.com"

/** A name server with its addresses, and how it answers there. */
interface HostileHost {
  readonly host: string
  readonly addresses: ReadonlyArray<string>
  readonly behaviour: NameServerBehaviour
}

const silentHosts = numbers(64).map((nth): HostileHost => {
  const host = `silent${nth}.${nameServerZone}`
  return {
    host,
    addresses: [`127.10.64.${nth + 1}`],
    behaviour: nth % 4 < 2 ? { _tag: "Silent" } : { _tag: "SilentOnHosts", nameServer: `${host}.` }
  }
})

/** Domains whose two name servers never answer: nothing at all for every second domain, nothing about hosts for the others. */
export const silentDomains = numbers(400).map((nth) => `silence${nth}.com`)

/** A domain with eight name servers at two addresses each, which refuse every question about its hosts. */
export const refusingDomain = "refusing.com"

const refusingHosts = numbers(8).map((nth): HostileHost => ({
  host: `refusing${nth}.${nameServerZone}`,
  addresses: [`127.10.65.${2 * nth + 1}`, `127.10.65.${2 * nth + 2}`],
  behaviour: {
    _tag: "Refusing",
    zone: `${refusingDomain}.`,
    nameServers: numbers(8).map((other) => `refusing${other}.${nameServerZone}.`)
  }
}))

/** A domain with two name servers whose answers are as long as a message can be. */
export const hugeDomain = "huge.com"

const hugeHosts = numbers(2).map((nth): HostileHost => ({
  host: `huge${nth}.${nameServerZone}`,
  addresses: [`127.10.68.${nth + 1}`],
  behaviour: {
    _tag: "Huge",
    zone: `${hugeDomain}.`,
    nameServers: numbers(2).map((other) => `huge${other}.${nameServerZone}.`)
  }
}))

/**
 * A domain below a chain of delegations. Each names twenty name servers, of which one exists, in another domain: who
 * follows the chain asks that domain's server for the address of each (NXNSAttack).
 */
export const chainedDomain = [
  ...numbers(20)
    .map((nth) => `level${nth}`)
    .toReversed(),
  "chain.com"
].join(".")

const referredServers = (level: number) => numbers(20).map((nth) => `ns${nth}.of${level}.chaintarget.com.`)

const chainHosts = numbers(20).map((level): HostileHost => ({
  host: `chain${level}.${nameServerZone}`,
  addresses: [`127.10.66.${level + 1}`],
  behaviour: { _tag: "Referring", zone: "chain.com.", level, nameServers: referredServers(level) }
}))

const targetHost: HostileHost = {
  host: `target.${nameServerZone}`,
  addresses: ["127.10.67.1"],
  behaviour: {
    _tag: "Target",
    zone: "chaintarget.com.",
    addresses: Object.fromEntries(
      chainHosts.slice(1).map(({ addresses }, level) => [referredServers(level)[0] ?? "", addresses[0] ?? ""])
    )
  }
}

const hosts = [...silentHosts, ...refusingHosts, ...hugeHosts, ...chainHosts, targetHost]

const servers: ReadonlyArray<HostileServer> = hosts.flatMap(({ addresses, behaviour }) =>
  addresses.map((address) => ({ address, behaviour }))
)

/** The lines of `nameServerZone`. */
export const nameServerLines = hosts
  .flatMap(({ addresses, host }) => addresses.map((address) => `${host}. A ${address}`))
  .join("\n")

/** The delegations of the attacker's domains. */
export const hostileDelegations: ReadonlyArray<LabDelegation> = [
  ...silentDomains.map((domain, nth) => ({
    domain,
    nameServers: [0, 1].map((server) => silentHosts[(2 * nth + server) % silentHosts.length]?.host ?? "")
  })),
  { domain: refusingDomain, nameServers: refusingHosts.map(({ host }) => host) },
  { domain: hugeDomain, nameServers: hugeHosts.map(({ host }) => host) },
  { domain: "chain.com", nameServers: chainHosts.slice(0, 1).map(({ host }) => host) },
  { domain: "chaintarget.com", nameServers: [targetHost.host] }
]
