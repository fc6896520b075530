import { Effect, Option } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { IntentRequest } from "../../../src/domain/connection/Intent.ts"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { WebhookEndpointId } from "../../../src/domain/webhook/WebhookEndpoint.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { tenancyOf } from "../../support/testApi.ts"
import {
  commandsFor,
  createDiscovered,
  platform,
  readConnection,
  type ScriptedProvider,
  tenancy,
  waitUntilIdle,
  zoneWith
} from "../phases/scriptedProvider.ts"

/** A second tenant of the same application. */
export const rival = tenancyOf("app", "rival")

/** The record of the platform as a line of a zone. */
export const shop = "shop 3600 CNAME shops.example.net"

/** The line of a zone with the challenge that a connection asks for. */
export const challengeOf = (id: ConnectionId, owner: Tenancy = tenancy) =>
  Effect.map(readConnection(id, owner), ({ control }) => {
    if (control?.challenge === undefined) throw new Error("the connection asks for no challenge")
    return `${control.challenge.host} 300 TXT ${control.challenge.value}`
  })

/** A connection whose records the service wrote with a credential. */
export const connect = (owner: Tenancy = tenancy, records: IntentRequest["records"] = [platform]) =>
  Effect.gen(function* () {
    const id = yield* createDiscovered(records, owner)
    yield* commandsFor(id, owner).authorize()
    yield* commandsFor(id, owner).acknowledgeAndApprove
    return id
  })

/** A connection whose record stood, and whose challenge was shown and removed. */
export const connectByChallenge = (acme: ScriptedProvider) =>
  Effect.gen(function* () {
    yield* acme.become(zoneWith(shop))
    const id = yield* createDiscovered()
    yield* acme.become(zoneWith(shop, yield* challengeOf(id)))
    yield* commandsFor(id).recheck
    yield* acme.become(zoneWith(shop))
    return id
  })

/** A connection of a second tenant whose challenge the owner of the zone enters. */
export const takeOver = (acme: ScriptedProvider, owner: Tenancy = rival) =>
  Effect.gen(function* () {
    const id = yield* createDiscovered([platform], owner)
    yield* acme.become(zoneWith(shop, yield* challengeOf(id, owner)))
    yield* commandsFor(id, owner).recheck
    return id
  })

/** Makes a row as an earlier version wrote it, which kept no control. */
export const forgetControl = (id: ConnectionId) =>
  Effect.map(Tables, ({ connections }) => {
    const row = connections.get(id)
    if (row?.progress === undefined) throw new Error("there is no such row")
    const { control: _, ...progress } = JSON.parse(row.progress)
    const { control: _control, ...doc } = JSON.parse(row.doc)
    row.progress = JSON.stringify({ ...progress, proven: false })
    row.doc = JSON.stringify(doc)
  })

/** Registers a webhook endpoint that gets every event of the application. */
export const listenToAll = Effect.map(Tables, ({ webhookEndpoints }) => {
  const id = WebhookEndpointId.make("whe_1")
  const secret = { keyVersion: 1, nonce: new Uint8Array(), ciphertext: new Uint8Array() }
  const settings = { url: "https://hooks.example.com/" }
  const row = { applicationId: rival.applicationId, id, settings, secret, version: 1, createdAt: 0, updatedAt: 0 }
  webhookEndpoints.set(id, row)
})

/** The types of the webhook events of a connection since `listenToAll`, oldest first. */
export const eventsOf = (id: ConnectionId) =>
  Effect.map(Tables, ({ webhookEvents }) =>
    [...webhookEvents.values()].flatMap(({ connectionId, type }) => (connectionId === id ? [type] : []))
  )

/** What an intent asks for, at `example.com` unless it names another domain. */
export type WantedRecords = Pick<IntentRequest, "existingRecordPolicy" | "records"> &
  Partial<Pick<IntentRequest, "domain">>

/** Creates a connection and chooses to enter its records by hand. */
export const enterByHand = (wanted: WantedRecords, owner: Tenancy = tenancy) =>
  Effect.gen(function* () {
    const connections = yield* Connections
    const { stored } = yield* connections.create(owner, { domain: "example.com", ...wanted }, Option.none(), {
      allowDuplicate: true
    })
    yield* waitUntilIdle
    const { state } = yield* readConnection(stored.id, owner)
    if (state === "awaiting_authorization") yield* commandsFor(stored.id, owner).chooseManual
    return stored.id
  })

/** The state of a connection, and how its control is proven. */
export const outcomeOf = (id: ConnectionId, owner: Tenancy = tenancy) =>
  Effect.map(readConnection(id, owner), ({ control, state }) => [state, control?.by ?? control?.status])
