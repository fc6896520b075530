import { expect } from "bun:test"
import { Effect, Schema } from "effect"
import type { AuditEntry } from "../../../src/domain/access/AuditEntry.ts"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { ConnectionEventType } from "../../../src/domain/webhook/WebhookEvent.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { connect, listenToAll, shop, takeOver } from "../control/controlSteps.ts"
import {
  advanceTime,
  commandsFor,
  controlTest,
  createDiscovered,
  platform,
  readConnection,
  readState,
  zoneWith
} from "../phases/scriptedProvider.ts"

const entriesOf = (id: ConnectionId) =>
  Effect.map(Tables, ({ audit }) => [...audit.values()].filter(({ connectionId }) => connectionId === id))

const actionsOf = (id: ConnectionId) => Effect.map(entriesOf(id), (entries) => entries.map(({ action }) => action))

const isEventType = Schema.is(ConnectionEventType)

/** The entries with the word of a webhook event that is not the event that they report, or that was not sent. */
const listContradictions = Effect.map(Tables, ({ audit, webhookEvents }) =>
  [...audit.values()].flatMap(({ action, eventId = "" }: AuditEntry) => {
    const sent = webhookEvents.get(eventId)?.type
    return isEventType(action) && action !== sent ? [[action, sent]] : []
  })
)

/** The events of connections without an entry. A contest is an event of the connection that is left as it is. */
const listUnaudited = Effect.map(Tables, ({ audit, webhookEvents }) => {
  const audited = new Set([...audit.values()].map(({ eventId }) => eventId))
  return [...webhookEvents.values()].filter(({ id, type }) => !audited.has(id) && type !== "connection.contested")
})

controlTest("an audit entry with the word of a webhook event is that event, and every event has an entry", (acme) =>
  Effect.gen(function* () {
    yield* listenToAll
    const id = yield* connect()
    yield* acme.become(zoneWith())
    yield* commandsFor(id).recheck
    expect(yield* readState(id)).toBe("degraded")
    yield* acme.become(zoneWith(shop))
    yield* commandsFor(id).recheck
    expect(yield* actionsOf(id)).toEqual([
      "connection.created",
      "connection.planned",
      "connection.authorized",
      "credential.stored",
      "connection.planned",
      "connection.approved",
      "connection.applied",
      "credential.deleted",
      "connection.active",
      "connection.degraded",
      "connection.restored"
    ])
    yield* commandsFor(id).changeIntent([platform, { ...platform, host: "news" }])
    yield* commandsFor(id).cancel
    expect((yield* actionsOf(id)).slice(-3)).toEqual([
      "connection.intent_changed",
      "connection.planned",
      "connection.change_canceled"
    ])
    const rivals = yield* takeOver(acme)
    expect((yield* entriesOf(id)).at(-1)).toMatchObject({ action: "connection.degraded", failure: "control_lost" })
    yield* commandsFor(id).disconnect
    yield* commandsFor(yield* createDiscovered()).disconnect
    yield* createDiscovered()
    yield* advanceTime("60 days")
    expect(yield* listContradictions).toEqual([])
    expect(yield* listUnaudited).toEqual([])
    expect(rivals).not.toBe(id)
  })
)

controlTest("a consent that comes with an authorization is an entry of an approval, by the same actor", () =>
  Effect.gen(function* () {
    const id = yield* createDiscovered()
    const { plan } = yield* readConnection(id)
    if (plan === undefined) return yield* Effect.dieMessage("there is no plan")
    yield* commandsFor(id).authorize({ digest: plan.digest, acknowledged: plan.warnings })
    const entries = yield* entriesOf(id)
    expect(entries.map(({ action }) => action)).toContainAllValues([
      "connection.created",
      "connection.planned",
      "connection.authorized",
      "connection.approved",
      "credential.stored",
      "connection.plan_made",
      "connection.applied",
      "credential.deleted",
      "connection.active"
    ])
    const [authorized, approved] = entries.slice(2)
    expect(approved).toMatchObject({
      action: "connection.approved",
      digest: plan.digest,
      acknowledged: plan.warnings,
      actor: authorized?.actor
    })
    expect(authorized?.digest).toBeUndefined()
  })
)

controlTest("a degraded connection names its missing records, to the platform and in the audit log", (acme) =>
  Effect.gen(function* () {
    yield* listenToAll
    const long = { host: "long", type: "TXT", value: "x".repeat(250) } as const
    const id = yield* connect(undefined, [platform, long])
    yield* acme.become(zoneWith("shop 300 CNAME elsewhere.example.net"))
    yield* commandsFor(id).recheck
    const missing = [
      { host: "shop", type: "CNAME", expected: "shops.example.net", seen: ["CNAME elsewhere.example.net"] },
      { host: "long", type: "TXT", expected: `${"x".repeat(99)}…`, seen: [] }
    ]
    expect((yield* entriesOf(id)).at(-1)).toMatchObject({ action: "connection.degraded", to: "degraded", missing })
    const { webhookEvents } = yield* Tables
    const event = [...webhookEvents.values()].find(({ type }) => type === "connection.degraded")
    expect(JSON.parse(event?.data ?? "")).toMatchObject({ formerState: "active", missing })
  })
)

controlTest("a connection that is degraded because its domain ended names all of its records", (acme) =>
  Effect.gen(function* () {
    const id = yield* connect()
    yield* acme.setGone(true)
    yield* commandsFor(id).recheck
    const missing = [{ host: "shop", type: "CNAME", expected: "shops.example.net", seen: [] }]
    expect((yield* entriesOf(id)).at(-1)).toMatchObject({ action: "connection.degraded", to: "degraded", missing })
  })
)
