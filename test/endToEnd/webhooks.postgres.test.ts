import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect } from "effect"
import { deliveryBounds } from "../../src/webhooks/DeliveryLoop.ts"
import { poolOn } from "../persistence/freshDatabase.ts"
import { embeddedDatabase } from "../support/TestPostgres.ts"
import { live } from "../support/effectTest.ts"
import { startCompiledService } from "../support/serviceProcess.ts"
import { jsonOf, sampleIntent } from "../support/testApi.ts"
import { eventually, startHangingReceiver, verify } from "../webhooks/Receiver.ts"
import { makeDataDirectory } from "../support/dataDirectory.ts"

const connections = deliveryBounds.perEndpoint + 4

live("a service that is killed between commits and answers of a receiver sends every event after its next start", () =>
  Effect.gen(function* () {
    const receiver = yield* startHangingReceiver
    // Nothing listens there: the connections stay in discovery.
    const settings = {
      DATA_DIR: yield* makeDataDirectory,
      DNS_RESOLVERS: "127.0.0.1:9",
      OUTBOUND_ALLOW: "127.0.0.0/8"
    }
    const first = yield* startCompiledService(settings)
    const send = (path: string, body: object) =>
      Effect.promise(() =>
        fetch(`${first.url}${path}`, {
          method: "POST",
          headers: { "x-api-key": first.key, "content-type": "application/json" },
          body: JSON.stringify(body)
        })
      )
    const { secret } = yield* Effect.flatMap(
      send("/v1/webhook-endpoints", { url: receiver.url, eventTypes: ["connection.created"] }),
      jsonOf
    )
    const created = yield* Effect.forEach(Array.from({ length: connections }), () =>
      Effect.flatMap(send("/v1/connections", { intent: sampleIntent, allowDuplicate: true }), jsonOf)
    )
    // Attempts are under way; of so many events at least four are only committed.
    yield* receiver.awaitRequests(1)
    yield* first.end("SIGKILL")

    receiver.answerWith(() => new Response())
    const before = receiver.received.length
    yield* startCompiledService(settings)
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // The leases of the attempts that were under way run out.
      yield* sql`update webhook_deliveries set due_at = now() where status = 'pending'`
    }).pipe(Effect.provide(poolOn(embeddedDatabase(settings.DATA_DIR), 1)))
    const sent = new Set(created.map(({ connection }) => connection.id))
    const receivedIds = () => new Set(receiver.received.slice(before).map(({ body }) => body.data.connection.id))
    yield* eventually(
      Effect.suspend(() =>
        receivedIds().size >= sent.size
          ? Effect.void
          : Effect.fail(`only ${receivedIds().size} of ${sent.size} events came`)
      )
    )
    for (const request of receiver.received.slice(before)) verify(secret, request)
    expect(receivedIds()).toEqual(sent)
  })
)
