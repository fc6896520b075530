import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { IntentRequest } from "../../../src/domain/connection/Intent.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { hasSameRecords } from "../../support/scriptedZone.ts"
import {
  acmeTest,
  commandsFor,
  createDiscovered,
  platform,
  readConnection,
  readPlannedChanges,
  readState,
  requestConnection,
  waitUntilIdle,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { connect, disconnect } from "./connectionSteps.ts"

const spf = { host: "@", type: "TXT", value: "v=spf1 include:a.example.net ~all" } as const

const createPlatform = "create | shop 3600 CNAME shops.example.net"

/** Turns the stored intent of a connection into one that the rules refuse; its effective intent stays. */
const makeIntentRefused = (id: ConnectionId) =>
  Effect.map(Tables, ({ connections }) => {
    const row = connections.get(id)
    if (row === undefined) throw new Error(`there is no connection ${id}`)
    const connection = JSON.parse(row.doc)
    const records = connection.intent.records.map((record: object) => ({ ...record, host: "not a host" }))
    row.doc = JSON.stringify({ ...connection, intent: { ...connection.intent, records } })
  })

/** An active connection whose stored intent the rules refuse. */
const connectRefused = (...records: IntentRequest["records"]) =>
  Effect.gen(function* () {
    const id = yield* connect(...records)
    yield* makeIntentRefused(id)
    return id
  })

describe("a connection whose stored intent the rules refuse now", () => {
  acmeTest("is discovered and connected by its effective intent", (acme) =>
    Effect.gen(function* () {
      const id = yield* requestConnection([platform])
      yield* makeIntentRefused(id)
      yield* waitUntilIdle
      expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual([
        "awaiting_authorization",
        [createPlatform]
      ])
      yield* commandsFor(id).authorize()
      expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual(["planned", [createPlatform]])
      yield* commandsFor(id).approve()
      expect(yield* readState(id)).toBe("active")
      expect(hasSameRecords(acme.now(), zoneWith("shop 3600 CNAME shops.example.net"))).toBe(true)
    })
  )

  acmeTest("is repaired by its effective intent, and shows the same plan before and after the authorization", (acme) =>
    Effect.gen(function* () {
      const id = yield* connectRefused(platform)
      yield* acme.become(zoneWith())
      yield* commandsFor(id).recheck
      expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual(["degraded", [createPlatform]])
      yield* commandsFor(id).retry
      expect([yield* readState(id), yield* readPlannedChanges(id)]).toEqual([
        "awaiting_authorization",
        [createPlatform]
      ])
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).approve()
      expect([yield* readState(id), acme.now().records.length]).toEqual(["active", zoneWith().records.length + 1])
    })
  )

  acmeTest("removes its records when it is disconnected", (acme) =>
    Effect.gen(function* () {
      const id = yield* connectRefused(platform, spf)
      yield* disconnect(id)
      expect([hasSameRecords(acme.now(), zoneWith()), (yield* readConnection(id)).leftovers]).toEqual([true, []])
    })
  )

  acmeTest("removes shared records that another connection left to it", (acme) =>
    Effect.gen(function* () {
      const writer = yield* connect(platform)
      const heir = yield* connectRefused(platform)
      yield* disconnect(writer)
      expect((yield* readConnection(writer)).leftovers?.map(({ reason }) => reason)).toEqual([
        "wanted_by_another_connection"
      ])
      yield* disconnect(heir)
      expect(hasSameRecords(acme.now(), zoneWith())).toBe(true)
    })
  )
})

describe("another connection of the zone whose stored intent the rules refuse now", () => {
  acmeTest("keeps the records that it shares with a disconnected connection", (acme) =>
    Effect.gen(function* () {
      const disconnecting = yield* connect(spf, platform)
      yield* connectRefused(platform)
      yield* disconnect(disconnecting)
      expect((yield* readConnection(disconnecting)).leftovers?.map(({ reason }) => reason)).toEqual([
        "wanted_by_another_connection"
      ])
      expect(hasSameRecords(acme.now(), zoneWith("shop 3600 CNAME shops.example.net"))).toBe(true)
    })
  )

  acmeTest("keeps the merged SPF record when a connection with other senders is disconnected", (acme) =>
    Effect.gen(function* () {
      const disconnecting = yield* connect(spf)
      yield* connectRefused({ ...spf, value: "v=spf1 include:b.example.net ~all" })
      yield* disconnect(disconnecting)
      const kept = zoneWith("@ 3600 TXT v=spf1 include:a.example.net include:b.example.net ~all")
      expect(hasSameRecords(acme.now(), kept)).toBe(true)
    })
  )

  acmeTest("leads to a warning when a new connection replaces its record", () =>
    Effect.gen(function* () {
      yield* connectRefused(platform)
      const id = yield* createDiscovered([{ ...platform, value: "other.example.net" }])
      expect((yield* readConnection(id)).plan?.warnings).toContain("other_connection_affected")
    })
  )
})
