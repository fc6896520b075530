import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Effect, Either, Redacted } from "effect"
import { median, rounded } from "../bench/Report.ts"
import { DomainName } from "../src/domain/DomainName.ts"
import { resolveIntent } from "../src/domain/Intent.ts"
import { buildPlan } from "../src/planning/buildPlan.ts"
import type { PlanContext } from "../src/planning/PlanContext.ts"
import { powerDns, powerDnsCapabilities } from "../src/providers/powerdns/PowerDns.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { makeZones, manyLines, recordsFor } from "./zones.ts"

/** How long it takes from a credential to a plan in a zone of ten thousand records, of which the plan sees all. */
export const largeZone = Effect.gen(function* () {
  const lab = yield* Lab
  yield* makeZones(lab, [domain], manyLines(records))
  const client = powerDns({
    settings: { baseUrl: lab.pdns.url, serverId: "localhost" },
    capabilities: powerDnsCapabilities,
    http: yield* HttpClient.HttpClient
  })
  const credential = { _tag: "api_token" as const, apiToken: Redacted.make(lab.pdns.key) }
  const nameServers = ["ns1.pdnsprov.net", "ns2.pdnsprov.net"]
  const intent = Either.getOrThrow(resolveIntent({ domain, records: recordsFor(domain) }))
  const once = Effect.gen(function* () {
    const zone = yield* client.openZone({ credential, domain, zone: domain, nameServers })
    const beganAt = performance.now()
    const snapshot = yield* zone.read
    const readAt = performance.now()
    const planned = Either.getOrThrow(
      buildPlan({ intent, zone: snapshot.zone, limits: client.limits, context: nothingElsewhere })
    )
    const plannedAt = performance.now()
    return { snapshot: readAt - beganAt, plan: plannedAt - readAt, changes: planned.changes.length }
  })
  const runs = yield* Effect.replicateEffect(once, rounds)
  const of = (figure: "snapshot" | "plan") => median(runs.map((run) => run[figure]))
  return {
    records,
    changes: runs[0]?.changes,
    snapshotMillis: rounded(of("snapshot")),
    planMillis: rounded(of("plan")),
    medianMillis: rounded(median(runs.map(({ plan, snapshot }) => plan + snapshot))),
    maxMillis: rounded(Math.max(...runs.map(({ plan, snapshot }) => plan + snapshot))),
    octoDns122Millis: "2400–2500"
  }
}).pipe(Effect.provide(FetchHttpClient.layer), Effect.orDie)

const domain = DomainName.make("large.com")
const records = 10_000
const rounds = 9

/** Beyond the zone there is nothing, and that is known. */
const nothingElsewhere: PlanContext = { answers: Object.assign(new Map(), { get: () => [] }), others: [] }
