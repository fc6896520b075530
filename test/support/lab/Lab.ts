import { Context, Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { temporaryRoot } from "../temporaryRoot.ts"
import { type Bind, makeBind } from "./Bind.ts"
import { dynamicUpdateTarget } from "./DynamicUpdateTarget.ts"
import { type Knot, makeKnot } from "./Knot.ts"
import { makePowerDns, type PowerDns } from "./PowerDns.ts"
import type { Server } from "./Server.ts"
import { labKey } from "./TsigKey.ts"
import { makeUnbound } from "./Unbound.ts"
import { bindZones, delegations, knotZones, parentOf, parentZones, pdnsZones, rootZone } from "./labZones.ts"

/**
 * A fake internet on 127.10.0.0/16: root and top-level domains (Knot), a provider with an API (PowerDNS), two with
 * dynamic updates (RFC 2136; BIND, Knot) and a resolver (Unbound), all on port 53. `labZones.ts` has their zones.
 */
export class Lab extends Context.Tag("lab/Lab")<
  Lab,
  {
    /** Address of the recursive resolver. */
    readonly resolver: string
    readonly root: Knot
    readonly tld: Knot
    readonly unbound: Server
    readonly pdns: PowerDns
    /** Holds `bindzone.com`. */
    readonly bind: Bind & ReturnType<typeof dynamicUpdateTarget>
    /** Holds `knotzone.com`, and `signed.com`, which it signs. */
    readonly knot: Knot & ReturnType<typeof dynamicUpdateTarget>
    /** Delegates a domain under com, net or test to these name servers; `more` are lines for the parent: glue, DS. */
    readonly delegate: (domain: string, nameServers: ReadonlyArray<string>, more?: string) => Effect.Effect<void>
  }
>() {
  /** With a resolver that caches nothing, so that tests may change any zone. */
  static readonly layer = Layer.scoped(
    Lab,
    Effect.suspend(() => startServers({ isCaching: false }))
  )

  /** With a resolver that keeps answers for their TTL, as those of operators do. */
  static readonly layerWithCache = Layer.scoped(
    Lab,
    Effect.suspend(() => startServers({ isCaching: true }))
  )
}

interface ResolverOptions {
  /** Whether the resolver keeps answers for their TTL. */
  readonly isCaching: boolean
}

const startServers = (resolver: ResolverOptions) =>
  Effect.gen(function* () {
    const servers = yield* Effect.flatMap(temporaryDirectory, (directory) => makeServers(directory, resolver))
    const { root, tld, knot, bind, pdns, unbound } = servers
    const currentDelegations = new Map(delegations.map((delegation) => [delegation.domain, delegation]))
    const delegate = (domain: string, nameServers: ReadonlyArray<string>, more = "") =>
      Effect.suspend(() => {
        currentDelegations.set(domain, { domain, nameServers, more })
        const parent = parentOf(domain)
        return tld.load(parent, parentZones(currentDelegations.values())[parent] ?? "")
      })
    const createZones = Effect.forEach(Object.entries(pdnsZones), ([zone, lines]) => pdns.createZone(zone, lines))
    const delegateSigned = Effect.flatMap(knot.delegationSigners("signed.com"), (signers) =>
      delegate("signed.com", ["ns1.knotprov.net"], signers)
    )
    const signed = Effect.zipRight(inParallel([tld.start, knot.start]), delegateSigned)
    yield* inParallel([root.start, unbound.start, bind.start, Effect.zipRight(pdns.start, createZones), signed])
    return {
      ...servers,
      resolver: addresses.resolver,
      bind: { ...bind, ...dynamicUpdateTarget(bind.address, labKey) },
      knot: { ...knot, ...dynamicUpdateTarget(knot.address, labKey) },
      delegate
    }
  })

const addresses = {
  root: "127.10.0.1",
  tld: "127.10.0.2",
  resolver: "127.10.0.53",
  bind: "127.10.2.1",
  knot: "127.10.3.1"
}

const makeServers = (directory: string, resolver: ResolverOptions) =>
  Effect.all({
    root: makeKnot({ name: "root", address: addresses.root, directory, zones: { ".": rootZone } }),
    tld: makeKnot({ name: "tld", address: addresses.tld, directory, zones: parentZones(delegations) }),
    pdns: makePowerDns({ name: "pdns", addresses: ["127.10.1.1", "127.10.1.2"], directory }),
    bind: makeBind({ name: "bind", address: addresses.bind, directory, zones: bindZones, key: labKey }),
    knot: makeKnot({
      name: "knot",
      address: addresses.knot,
      directory,
      zones: knotZones,
      signed: ["signed.com"],
      key: labKey
    }),
    unbound: makeUnbound({ name: "unbound", address: addresses.resolver, directory, root: addresses.root, ...resolver })
  })

const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(`${temporaryRoot()}/dns-lab-`)),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
)

const inParallel = <E>(effects: ReadonlyArray<Effect.Effect<unknown, E>>) =>
  Effect.all(effects, { concurrency: "unbounded", discard: true })
