import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { IntentRequest } from "../../../src/domain/connection/Intent.ts"
import { Tables } from "../../support/memory/Tables.ts"
import {
  advanceTime,
  commandsFor,
  controlTest,
  createDiscovered,
  platform,
  readConnection,
  readState,
  tenancy,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { connect, eventsOf, listenToAll, shop } from "./controlSteps.ts"

const news = { ...platform, host: "news" }

/** How a new intent is given up for the earlier records. */
const ways = {
  "a cancel": (id: ConnectionId) => commandsFor(id).cancel,
  "a change back": (id: ConnectionId, earlier: IntentRequest["records"]) => commandsFor(id).changeIntent(earlier),
  "the end of the time for an authorization": () => advanceTime("8 days")
}

/** The webhook events and the audit entries of a connection of this type. */
const reportsOf = (id: ConnectionId, type: string) =>
  Effect.map(Tables, ({ audit, webhookEvents }) => ({
    events: [...webhookEvents.values()].filter((event) => event.connectionId === id && event.type === type),
    entries: [...audit.values()].filter((entry) => entry.connectionId === id && entry.action === type)
  }))

describe("a degraded connection whose new intent is given up", () => {
  for (const [title, giveUp] of Object.entries(ways))
    controlTest(`names its missing records again, as the last check found them: ${title}`, (acme) =>
      Effect.gen(function* () {
        yield* listenToAll
        const records = [platform, { ...platform, host: "blog" }]
        const id = yield* connect(tenancy, records)
        yield* acme.become(zoneWith(shop))
        yield* commandsFor(id).recheck
        expect(yield* readState(id)).toBe("degraded")
        yield* acme.become(zoneWith("blog 300 CNAME shops.example.net"))
        yield* commandsFor(id).recheck
        yield* commandsFor(id).changeIntent([news])
        yield* giveUp(id, records)
        expect(yield* readState(id)).toBe("degraded")
        const { events } = yield* reportsOf(id, "connection.degraded")
        const missing = [
          {
            host: "shop",
            type: "CNAME",
            expected: "shops.example.net",
            seen: [],
            diagnosis: "not_yet",
            fix: expect.stringContaining("shop.example.com")
          }
        ]
        expect(events.map(({ data }) => JSON.parse(data).missing).at(-1)).toEqual(missing)
        expect(events.length).toBe(2)
      })
    )
})

describe("a connection that was never active and whose new intent is given up", () => {
  for (const [title, giveUp] of Object.entries(ways))
    controlTest(`is not reported as applied once more: ${title}`, (acme) =>
      Effect.gen(function* () {
        yield* listenToAll
        yield* acme.become(zoneWith(shop))
        const id = yield* createDiscovered()
        expect(yield* readState(id)).toBe("verifying")
        const before = yield* eventsOf(id)
        yield* commandsFor(id).changeIntent([news])
        yield* giveUp(id, [platform])
        const { pendingIntent, state } = yield* readConnection(id)
        expect([state, pendingIntent]).toEqual(["verifying", undefined])
        expect((yield* eventsOf(id)).slice(before.length)).toEqual(["connection.planned"])
        const { entries } = yield* reportsOf(id, "connection.control_proven")
        expect(entries).toEqual([])
        expect((yield* reportsOf(id, "connection.change_canceled")).entries.length).toBe(1)
      })
    )
})
