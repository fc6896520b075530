import { describe, expect } from "bun:test"
import { Effect, Option } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { IntentRequest } from "../../../src/domain/connection/Intent.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import {
  acmeTest,
  advanceTime,
  commandsFor,
  createDiscovered,
  platform,
  readConnection,
  readState,
  type ScriptedProvider,
  tenancy,
  waitUntilIdle,
  zoneWith,
  noOptions
} from "./scriptedProvider.ts"

const shop = "shop 3600 CNAME shops.example.net"

const blog = "blog 3600 CNAME shops.example.net"

const blogRecord = { host: "blog", type: "CNAME", value: "shops.example.net" } as const

/** A connection that was set up by hand, and that gets another intent by hand. */
const changeByHand = (acme: ScriptedProvider, records: IntentRequest["records"]) =>
  Effect.gen(function* () {
    const id = yield* createDiscovered([platform])
    yield* commandsFor(id).chooseManual
    yield* acme.become(zoneWith(shop))
    yield* commandsFor(id).recheck
    const connections = yield* Connections
    yield* connections.update(tenancy, id, { intent: { domain: "example.com", records } }, noOptions)
    yield* waitUntilIdle
    yield* commandsFor(id).chooseManual
    return id
  })

/** The state of a connection, the hosts of its intent, and the hosts of the records that it waits to see removed. */
const readProgress = (id: ConnectionId) =>
  Effect.gen(function* () {
    const { effectiveIntent } = yield* readConnection(id)
    const { doc } = yield* Effect.flatMap(ConnectionViews, (views) => views.findObservations(id))
    const { toRemove } = JSON.parse(Option.getOrThrow(doc))
    return [
      yield* readState(id),
      effectiveIntent.records.map(({ host }) => host),
      toRemove?.map(({ host }: { readonly host: string }) => host)
    ]
  })

describe("a new intent that the customer enters by hand", () => {
  acmeTest("counts once its records are there and those of the old one only are gone", (acme) =>
    Effect.gen(function* () {
      const id = yield* changeByHand(acme, [blogRecord])
      yield* acme.become(zoneWith(shop, blog))
      yield* commandsFor(id).recheck
      expect(yield* readProgress(id)).toEqual(["awaiting_manual", ["shop"], ["shop"]])
      yield* acme.become(zoneWith(blog))
      yield* commandsFor(id).recheck
      expect(yield* readProgress(id)).toEqual(["active", ["blog"], []])
    })
  )

  acmeTest("is awaited too where it only removes records", (acme) =>
    Effect.gen(function* () {
      const id = yield* changeByHand(acme, [blogRecord])
      yield* acme.become(zoneWith(blog))
      yield* commandsFor(id).recheck
      const connections = yield* Connections
      const records = [blogRecord, platform]
      yield* connections.update(tenancy, id, { intent: { domain: "example.com", records } }, noOptions)
      yield* waitUntilIdle
      yield* commandsFor(id).chooseManual
      yield* acme.become(zoneWith(blog, shop))
      yield* commandsFor(id).recheck
      yield* connections.update(tenancy, id, { intent: { domain: "example.com", records: [blogRecord] } }, noOptions)
      yield* waitUntilIdle
      yield* commandsFor(id).chooseManual
      yield* commandsFor(id).recheck
      expect(yield* readProgress(id)).toEqual(["awaiting_manual", ["blog", "shop"], ["shop"]])
      yield* acme.become(zoneWith(blog))
      yield* commandsFor(id).recheck
      expect(yield* readProgress(id)).toEqual(["active", ["blog"], []])
    })
  )

  acmeTest("does not wait for an optional record, nor for the removal of records in its place", (acme) =>
    Effect.gen(function* () {
      const optional = { host: "mail", type: "CNAME", value: "mail.example.net", optional: true } as const
      const id = yield* changeByHand(acme, [platform, blogRecord, optional])
      yield* acme.become(zoneWith(shop, blog))
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("active")
    })
  )

  acmeTest("does not count as entered while it is unknown whether the old records are gone", (acme) =>
    Effect.gen(function* () {
      const id = yield* changeByHand(acme, [blogRecord])
      yield* acme.become(zoneWith(blog))
      yield* acme.setSilent(true)
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("awaiting_manual")
      yield* acme.setSilent(false)
      yield* commandsFor(id).recheck
      expect(yield* readState(id)).toBe("active")
    })
  )

  acmeTest("fails in the end with the records that are still there", (acme) =>
    Effect.gen(function* () {
      const id = yield* changeByHand(acme, [blogRecord])
      yield* acme.become(zoneWith(shop, blog))
      yield* advanceTime("31 days")
      const { failure } = yield* readConnection(id)
      expect([failure?.code, failure?.details?.map(({ host }) => host)]).toEqual(["manual_setup_timeout", ["shop"]])
    })
  )
})
