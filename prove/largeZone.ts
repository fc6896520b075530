import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Effect, Either, Redacted } from "effect"
import { median, roundToThreeDigits } from "../bench/Report.ts"
import { DomainName } from "../src/domain/names/DomainName.ts"
import { resolveIntent } from "../src/domain/connection/Intent.ts"
import type { PlanContext } from "../src/planning/PlanContext.ts"
import { makePowerDnsClient, powerDnsCapabilities } from "../src/providers/adapters/powerdns/makePowerDnsClient.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { createZones, largeZoneLines, recordsFor } from "./proofZones.ts"
import { planZone } from "../test/support/planZone.ts"

/** Measures reading a zone of ten thousand records at the provider and planning in it. */
export const measureLargeZone = Effect.gen(function* () {
  const lab = yield* Lab
  yield* createZones(lab, [domain], largeZoneLines(records))
  const client = makePowerDnsClient({
    settings: { baseUrl: lab.pdns.url, serverId: "localhost" },
    capabilities: powerDnsCapabilities,
    http: yield* HttpClient.HttpClient
  })
  const credential = { _tag: "api_token" as const, apiToken: Redacted.make(lab.pdns.key) }
  const nameServers = ["ns1.pdnsprov.net", "ns2.pdnsprov.net"]
  const intent = Either.getOrThrow(resolveIntent({ domain, records: recordsFor(domain) }))
  const measureOnce = Effect.gen(function* () {
    const zone = yield* client.openZone({ connectionId: "con_proof", credential, domain, zone: domain, nameServers })
    const startedAt = performance.now()
    const snapshot = yield* zone.read
    const readAt = performance.now()
    const planned = Either.getOrThrow(
      planZone({ intent, zone: snapshot.zone, limits: zone.limits, context: emptyInternet })
    )
    const plannedAt = performance.now()
    return { snapshot: readAt - startedAt, plan: plannedAt - readAt, changes: planned.changes.length }
  })
  const runs = yield* Effect.replicateEffect(measureOnce, rounds)
  const medianOf = (figure: "snapshot" | "plan") => median(runs.map((run) => run[figure]))
  return {
    records,
    changes: runs[0]?.changes,
    snapshotMillis: roundToThreeDigits(medianOf("snapshot")),
    planMillis: roundToThreeDigits(medianOf("plan")),
    medianMillis: roundToThreeDigits(median(runs.map(({ plan, snapshot }) => plan + snapshot))),
    maxMillis: roundToThreeDigits(Math.max(...runs.map(({ plan, snapshot }) => plan + snapshot))),
    octoDns122Millis: "2400–2500"
  }
}).pipe(Effect.provide(FetchHttpClient.layer), Effect.orDie)

const domain = DomainName.make("large.com")
const records = 10_000
const rounds = 9

/** A DNS without records outside the zone. */
const emptyInternet: PlanContext = { answers: Object.assign(new Map(), { get: () => [] }), others: [] }
