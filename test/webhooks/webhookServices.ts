import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Option } from "effect"
import { parseNetwork } from "../../src/domain/names/IpAddress.ts"
import { DatabaseReadiness } from "../../src/persistence/postgres/DatabaseReadiness.ts"
import { storesOfAdministration } from "../../src/persistence/layer.ts"
import { ApiKeyStore } from "../../src/persistence/stores/access/ApiKeyStore.ts"
import { BrowserTokenStore } from "../../src/persistence/stores/access/BrowserTokenStore.ts"
import { ConnectionInspections } from "../../src/persistence/stores/connections/ConnectionInspections.ts"
import { ConnectionStore } from "../../src/persistence/stores/connections/ConnectionStore.ts"
import { ConnectionViews } from "../../src/persistence/stores/connections/ConnectionViews.ts"
import { CredentialStore } from "../../src/persistence/stores/access/CredentialStore.ts"
import { OAuthSessionStore } from "../../src/persistence/stores/access/OAuthSessionStore.ts"
import { WebhookDeliveryStore } from "../../src/persistence/stores/webhooks/WebhookDeliveryStore.ts"
import { AuditStore } from "../../src/persistence/stores/audit/AuditStore.ts"
import { WebhookEndpointStore } from "../../src/persistence/stores/webhooks/WebhookEndpointStore.ts"
import { deliveryLoop } from "../../src/webhooks/DeliveryLoop.ts"
import { ReceiverClient } from "../../src/webhooks/ReceiverClient.ts"
import { WebhookSender } from "../../src/webhooks/WebhookSender.ts"
import { freshPool } from "../persistence/freshDatabase.ts"
import { Tables } from "../support/memory/Tables.ts"
import { apiInMemory, apiServicesLayer, httpOnFreePort, offlineDns } from "../support/testApi.ts"

/** Direct access to the outbox. */
export class OutboxFixture extends Context.Tag("test/OutboxFixture")<
  OutboxFixture,
  {
    /** Makes every pending delivery due now. */
    readonly makeDue: Effect.Effect<void, unknown>
    /** Sets the time since when endpoints fail back by days. */
    readonly ageFailures: (days: number) => Effect.Effect<void, unknown>
  }
>() {}

const fixtureInMemory = Layer.effect(
  OutboxFixture,
  Effect.map(Tables, ({ webhookDeliveries, webhookEndpoints }) => ({
    makeDue: Effect.sync(() => webhookDeliveries.forEach((row) => (row.dueAt = 0))),
    ageFailures: (days) =>
      Effect.sync(() =>
        webhookEndpoints.forEach((row) => {
          if (row.failingSince !== undefined) row.failingSince -= days * 86_400_000
        })
      )
  }))
)

const fixtureOnPostgres = Layer.effect(
  OutboxFixture,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    makeDue: Effect.asVoid(sql`update webhook_deliveries set due_at = now() where status = 'pending'`),
    ageFailures: (days) =>
      Effect.asVoid(sql`update webhook_endpoints set failing_since = failing_since - ${days} * interval '1 day'`)
  }))
)

const loop = Layer.provide(
  Layer.provide(deliveryLoop, WebhookSender.layer),
  ReceiverClient.layer({
    outboundProxy: Option.none(),
    outboundAllow: Option.toArray(parseNetwork("127.0.0.0/8"))
  })
)

/** The HTTP API and the loop that delivers, over stores in memory. */
export const webhooksInMemory = Layer.merge(loop, fixtureInMemory).pipe(Layer.provideMerge(apiInMemory()))

/** The same over PostgreSQL. */
export const webhooksOnPostgres = Layer.merge(loop, fixtureOnPostgres).pipe(
  Layer.provideMerge(httpOnFreePort()),
  Layer.provideMerge(apiServicesLayer),
  Layer.provide(offlineDns),
  Layer.provideMerge(
    Layer.mergeAll(
      ConnectionInspections.layer,
      ConnectionStore.layer,
      ConnectionViews.layer,
      CredentialStore.layer,
      OAuthSessionStore.layer,
      ApiKeyStore.layer,
      storesOfAdministration,
      BrowserTokenStore.layer,
      WebhookEndpointStore.layer,
      AuditStore.layer,
      WebhookDeliveryStore.layer,
      DatabaseReadiness.layer
    )
  ),
  Layer.provideMerge(freshPool)
)
