import { expect } from "bun:test"
import { Effect, Either, Layer, Option } from "effect"
import { DnsClient } from "../../src/dns/transport/DnsClient.ts"
import { Delegations } from "../../src/dns/zone/Delegations.ts"
import { CachedResolver, Resolver } from "../../src/dns/zone/Resolver.ts"
import { ZoneReader } from "../../src/dns/zone/ZoneReader.ts"
import { type ResolvedIntent, resolveIntent } from "../../src/domain/connection/Intent.ts"
import { parseNetwork } from "../../src/domain/names/IpAddress.ts"
import { PlanMaker } from "../../src/lifecycle/plan/PlanMaker.ts"
import { Providers } from "../../src/providers/Providers.ts"
import { Lab } from "../support/lab/Lab.ts"
import { rrsetReplacements } from "../support/lab/RRsetChange.ts"
import { parseZone, recordsOf } from "../support/lab/Zone.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { describeRecords, requestFor } from "./roundTrip/RoundTrip.ts"
import { patchesOf } from "./roundTrip/patchesOf.ts"
import { roundTrips } from "./roundTrip/roundTrips.ts"

const plans = Layer.unwrapEffect(
  Effect.map(Lab, ({ resolver }) =>
    PlanMaker.layerWithoutDatabase.pipe(
      Layer.provide(Providers.layer([])),
      Layer.provide(Layer.mergeAll(Delegations.layer, ZoneReader.layer, CachedResolver.layer)),
      Layer.provide(Resolver.layer([{ host: resolver, port: 53 }])),
      Layer.provide(DnsClient.layer({ allowed: Option.toArray(parseNetwork("127.10.0.0/16")), timeout: "5 seconds" }))
    )
  )
)

/** The zone that the name servers serve, and the changes planned from it. */
const preview = (intent: ResolvedIntent) =>
  Effect.gen(function* () {
    const { planned, zone } = yield* Effect.flatMap(PlanMaker, ({ preview }) => preview(intent))
    const { effectiveIntent, plan } = yield* planned
    return { changes: plan.changes, effectiveIntent, zone }
  }).pipe(Effect.provide(plans))

/** One zone per provider, all with the same initial records. */
const zones = {
  pdns: { zone: "glued.com", nameServer: "ns1.glued.com" },
  bind: { zone: "bindzone.com", nameServer: "ns1.bindprov.net" },
  knot: { zone: "knotzone.com", nameServer: "ns1.knotprov.net" }
} as const

describeLab("an applied plan leaves nothing to change", (live) => {
  for (const provider of ["pdns", "bind", "knot"] as const)
    for (const [label, tripIn] of Object.entries(roundTrips)) {
      const { nameServer, zone } = zones[provider]
      const domain = label === "@" ? zone : `${label}.${zone}`
      const trip = tripIn({ domain, nameServer })
      live(`at ${provider}: ${trip.about}`, () =>
        Effect.gen(function* () {
          const server = (yield* Lab)[provider]
          const intent = Either.getOrThrow(resolveIntent(requestFor(domain, trip)))
          const loaded = recordsOf(parseZone(intent.domain, trip.live ?? "")).filter(({ type }) => type !== "SOA")
          yield* server.update(zone, [rrsetReplacements(loaded)])

          const before = yield* preview(intent)
          expect(before.changes).toHaveLength(trip.changes)
          yield* server.update(zone, patchesOf(before.zone, intent.domain, before.changes))

          const after = yield* preview(intent)
          expect(describeRecords(after.zone.records)).toEqual(trip.served.toSorted())
          expect(after.changes).toEqual([])
          expect(after.effectiveIntent).toEqual(before.effectiveIntent)
          expect(trip.served).toEqual(expect.arrayContaining([...describeRecords(after.effectiveIntent.records)]))
        })
      )
    }
})
