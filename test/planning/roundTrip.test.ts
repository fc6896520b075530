import { expect } from "bun:test"
import { Effect, Either, Layer, Option } from "effect"
import { Delegations } from "../../src/dns/Delegation.ts"
import { DnsClient } from "../../src/dns/DnsClient.ts"
import { PublicAnswers } from "../../src/dns/PublicAnswers.ts"
import { Resolver } from "../../src/dns/Resolver.ts"
import { ZoneReader } from "../../src/dns/ZoneReader.ts"
import { parseNetwork } from "../../src/domain/Address.ts"
import { resolveIntent, type ResolvedIntent } from "../../src/domain/Intent.ts"
import { Planner } from "../../src/lifecycle/zone/Planner.ts"
import { Survey } from "../../src/lifecycle/zone/Survey.ts"
import { Providers } from "../../src/providers/Providers.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { Lab } from "../support/lab/Lab.ts"
import { replacing } from "../support/lab/RrsetChange.ts"
import { parseZone, recordsOf } from "../support/lab/Zone.ts"
import { patchesOf } from "./roundTrip/patchesOf.ts"
import { inWords, requestFor } from "./roundTrip/RoundTrip.ts"
import { roundTrips } from "./roundTrip/roundTrips.ts"

const surveys = Layer.unwrapEffect(
  Effect.map(Lab, ({ resolver }) =>
    Survey.layer.pipe(
      Layer.provide(Layer.merge(Planner.layer, Providers.layer([]))),
      Layer.provide(Layer.mergeAll(Delegations.layer, ZoneReader.layer, PublicAnswers.layer)),
      Layer.provide(Resolver.layer([{ host: resolver, port: 53 }])),
      Layer.provide(DnsClient.layer({ allowed: Option.toArray(parseNetwork("127.10.0.0/16")), timeout: "1 second" }))
    )
  )
)

/** What stands in public and what is planned from there. */
const survey = (intent: ResolvedIntent) =>
  Effect.gen(function* () {
    const { planned, zone } = yield* Effect.flatMap(Survey, ({ survey }) => survey(intent))
    return { ...(yield* planned), zone }
  }).pipe(Effect.provide(surveys))

/** One zone of each provider; all three begin with the same records. */
const zones = {
  pdns: { zone: "glued.com", nameServer: "ns1.glued.com" },
  bind: { zone: "bindzone.com", nameServer: "ns1.bindprov.net" },
  knot: { zone: "knotzone.com", nameServer: "ns1.knotprov.net" }
} as const

describeLab("a plan that is carried out leaves nothing to do", (live) => {
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
          yield* server.update(zone, [replacing(loaded)])

          const before = yield* survey(intent)
          expect(before.changes).toHaveLength(trip.changes)
          yield* server.update(zone, patchesOf(before.zone, intent.domain, before.changes))

          const after = yield* survey(intent)
          expect(inWords(after.zone.records)).toEqual(trip.served.toSorted())
          expect(after.changes).toEqual([])
          expect(after.effectiveIntent).toEqual(before.effectiveIntent)
          expect(trip.served).toEqual(expect.arrayContaining([...inWords(after.effectiveIntent.records)]))
        })
      )
    }
})
