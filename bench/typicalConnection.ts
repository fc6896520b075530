import { DateTime, Duration, Either } from "effect"
import { Connection, ConnectionId } from "../src/domain/connection/Connection.ts"
import { type ConnectionRecord, makeInitialProgress } from "../src/domain/connection/ConnectionRecord.ts"
import { DomainName } from "../src/domain/names/DomainName.ts"
import { type IntentRequest, resolveIntent } from "../src/domain/connection/Intent.ts"
import { Plan } from "../src/domain/plan/Plan.ts"
import type { Tenancy } from "../src/domain/access/Tenancy.ts"
import type { Zone } from "../src/domain/plan/Zone.ts"
import { LifecycleEvent } from "../src/lifecycle/state/LifecycleEvent.ts"
import { advance } from "../src/lifecycle/state/advance.ts"
import { emptyPlanContext } from "../src/planning/PlanContext.ts"
import { detectProvider } from "../src/providers/catalog/Detection.ts"
import { planZone } from "../test/support/planZone.ts"

/** The records that a platform for shops requests: the shop, mail at a provider, and the mail policies. */
export const typicalIntent: IntentRequest = {
  domain: "example.com",
  records: [
    { host: "shop", type: "CNAME", value: "shops.example.net" },
    { host: "mail", type: "MX", value: "mx1.mail.example.net", priority: 10 },
    { host: "mail", type: "TXT", value: "v=spf1 include:spf.mail.example.net -all" },
    { host: "_dmarc.mail", type: "TXT", value: "v=DMARC1; p=quarantine; rua=mailto:dmarc@example.net" }
  ]
}

/** The zone before the change; some of its records conflict with the intent. */
export const typicalZone: Zone = {
  name: DomainName.make("example.com"),
  basis: "public_dns",
  records: [
    { host: "shop", type: "A", value: "192.0.2.10", ttl: 3600 },
    { host: "mail", type: "MX", value: "mx.old.example.org", ttl: 3600, priority: 10 },
    { host: "mail", type: "TXT", value: "v=spf1 ip4:192.0.2.0/24 ~all", ttl: 3600 }
  ]
}

/** A connection in the state `requested`. */
export const requestedConnection = (id: string, tenancy: Tenancy): Connection =>
  Connection.make({
    ...tenancy,
    id: ConnectionId.make(id),
    intent: resolved.intent,
    effectiveIntent: resolved.effectiveIntent,
    state: "requested",
    optionalFailures: [],
    createdAt: someTime,
    updatedAt: someTime
  })

/** The result of its discovery: Cloudflare, and a plan of several changes. */
export const discoveredEvent = (): LifecycleEvent => {
  const { limits, provider, warnings } = detectProvider(["amy.ns.cloudflare.com", "bob.ns.cloudflare.com"])
  const planned = Either.getOrThrow(
    planZone({ intent: resolved, zone: typicalZone, limits, context: emptyPlanContext })
  )
  return LifecycleEvent.Discovered({
    provider,
    effectiveIntent: planned.effectiveIntent,
    optionalFailures: planned.optionalFailures,
    plan: Plan.make({
      digest: planned.digest,
      basis: "public_dns",
      changes: planned.changes,
      warnings: [...planned.warnings, ...warnings],
      expiresAt: DateTime.addDuration(someTime, Duration.minutes(15))
    })
  })
}

/** The connection after its discovery: a document of about three thousand bytes. */
export const discoveredConnection = (id: string, tenancy: Tenancy): Connection =>
  Either.getOrThrow(advance(connectionRecordOf(requestedConnection(id, tenancy)), discoveredEvent(), someTime))
    .connection

/** The record of a connection with its initial progress. */
export const connectionRecordOf = (connection: Connection): ConnectionRecord => ({
  connection,
  progress: makeInitialProgress(connection)
})

const resolved = Either.getOrThrow(resolveIntent(typicalIntent))

const someTime = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
