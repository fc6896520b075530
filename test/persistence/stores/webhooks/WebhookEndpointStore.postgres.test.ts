import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Layer, Option } from "effect"
import { ApplicationId } from "../../../../src/domain/access/Tenancy.ts"
import { WebhookEndpointId } from "../../../../src/domain/webhook/WebhookEndpoint.ts"
import { WebhookEndpointStore } from "../../../../src/persistence/stores/webhooks/WebhookEndpointStore.ts"
import { concurrentTest } from "../../../support/concurrentTest.ts"
import { freshPool } from "../../freshDatabase.ts"

const applicationId = ApplicationId.make("app")

const request = Option.some({ route: "POST /v1/webhook-endpoints", key: "first", fingerprints: ["1:a"] as const })

const create = (id: string, limit = 5) =>
  Effect.flatMap(WebhookEndpointStore, (store) =>
    store.create(
      {
        applicationId,
        id: WebhookEndpointId.make(id),
        settings: { url: "https://hooks.example.com/" },
        secret: { keyVersion: 1, nonce: new Uint8Array(12), ciphertext: new Uint8Array(16) }
      },
      limit,
      request
    )
  )

const onFreshDatabase = (
  name: string,
  body: Effect.Effect<unknown, unknown, WebhookEndpointStore | SqlClient.SqlClient>
) =>
  concurrentTest(name, () =>
    Effect.provide(body, Layer.fresh(Layer.provideMerge(WebhookEndpointStore.layer, freshPool)))
  )

onFreshDatabase(
  "creations with one idempotency key at the same time make one endpoint",
  Effect.gen(function* () {
    const creations = yield* Effect.all(
      ["whe_1", "whe_2", "whe_3", "whe_4"].map((id) => create(id)),
      { concurrency: 4 }
    )
    const ids = creations.map((creation) => ("stored" in creation ? creation.stored.endpoint.id : creation._tag))
    expect(new Set(ids).size).toBe(1)
    expect(creations.map(({ _tag }) => _tag).toSorted()).toEqual(["Created", "Replayed", "Replayed", "Replayed"])
  })
)

onFreshDatabase(
  "after a day an idempotency key makes another endpoint",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* create("whe_1")
    yield* sql`update webhook_endpoints set created_at = now() - interval '25 hours'`
    expect((yield* create("whe_2"))._tag).toBe("Created")
    expect((yield* create("whe_3"))._tag).toBe("Replayed")
  })
)
