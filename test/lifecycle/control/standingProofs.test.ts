import { describe, expect } from "bun:test"
import { Effect, Option } from "effect"
import { type ConnectionId, ConnectionAction } from "../../../src/domain/connection/Connection.ts"
import type { IntentRequest } from "../../../src/domain/connection/Intent.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import {
  advanceTime,
  commandsFor,
  controlTest,
  createDiscovered,
  platform,
  readConnection,
  readState,
  type ScriptedProvider,
  tenancy,
  waitUntilIdle,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { challengeOf, connect, connectByChallenge, shop } from "./controlSteps.ts"

const blog = { host: "blog", type: "CNAME", value: "shops.example.net" } as const

/** The record that a former customer left behind. */
const standingBlog = "blog 3600 CNAME shops.example.net"

const changeIntent = (id: ConnectionId, records: IntentRequest["records"]) =>
  Effect.zipRight(
    Effect.flatMap(Connections, (connections) =>
      connections.update(tenancy, id, { intent: { domain: "example.com", records } }, noOptions)
    ),
    waitUntilIdle
  )

const noOptions = { callableActions: ConnectionAction.literals, idempotency: Option.none(), ifVersion: Option.none() }

/** A connection with a proof by a credential, whose records are gone from the zone. */
const degraded = (acme: ScriptedProvider) =>
  Effect.gen(function* () {
    const id = yield* connect()
    yield* advanceTime("400 days")
    yield* acme.become(zoneWith())
    yield* commandsFor(id).recheck
    yield* commandsFor(id).recheck
    expect((yield* readConnection(id)).state).toBe("degraded")
    return id
  })

describe("a new host of a connection that is active", () => {
  controlTest("is reached by the proof by the challenge that the connection has", (acme) =>
    Effect.gen(function* () {
      const id = yield* connectByChallenge(acme)
      yield* acme.become(zoneWith(shop, standingBlog))
      yield* changeIntent(id, [platform, blog])
      const { control, state } = yield* readConnection(id)
      expect([state, control]).toEqual(["active", { status: "proven", by: "challenge" }])
    })
  )
})

describe("a new host of a connection that is not active", () => {
  controlTest("needs a proof of its own where it stood already: an old one may be of a former owner", (acme) =>
    Effect.gen(function* () {
      const id = yield* degraded(acme)
      yield* acme.become(zoneWith(shop, standingBlog))
      yield* changeIntent(id, [platform, blog])
      yield* commandsFor(id).chooseManual
      yield* commandsFor(id).recheck
      expect((yield* readConnection(id)).state).toBe("awaiting_manual")
      yield* acme.become(zoneWith(shop, standingBlog, yield* challengeOf(id)))
      yield* commandsFor(id).recheck
      const { control, effectiveIntent, state } = yield* readConnection(id)
      expect([state, control]).toEqual(["active", { status: "proven", by: "challenge" }])
      expect(effectiveIntent.records.map(({ host }) => host)).toEqual(["shop", "blog"])
    })
  )

  controlTest("is proven by the credential that writes it", (acme) =>
    Effect.gen(function* () {
      const id = yield* degraded(acme)
      yield* changeIntent(id, [platform, blog])
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).acknowledgeAndApprove
      const { control, state } = yield* readConnection(id)
      expect([state, control]).toEqual(["active", { status: "proven", by: "credential" }])
    })
  )

  controlTest("is proven by entering it where nothing was", (acme) =>
    Effect.gen(function* () {
      const id = yield* degraded(acme)
      yield* changeIntent(id, [platform, blog])
      yield* commandsFor(id).chooseManual
      yield* acme.become(zoneWith(shop, standingBlog))
      yield* commandsFor(id).recheck
      const { control, state } = yield* readConnection(id)
      expect([state, control]).toEqual(["active", { status: "proven", by: "entered_records" }])
    })
  )

  controlTest("is not asked about when the change is given up", (acme) =>
    Effect.gen(function* () {
      const id = yield* degraded(acme)
      yield* changeIntent(id, [platform, blog])
      yield* commandsFor(id).cancel
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(id).recheck
      expect([yield* readState(id), (yield* readConnection(id)).control]).toEqual([
        "active",
        { status: "proven", by: "credential" }
      ])
    })
  )
})

describe("a host without a proof beside a proven one", () => {
  controlTest(
    "is shown by a warning and as unproven control, where the application asks for no proof",
    (acme) =>
      Effect.gen(function* () {
        const id = yield* createDiscovered()
        yield* commandsFor(id).chooseManual
        yield* acme.become(zoneWith(shop))
        yield* commandsFor(id).recheck
        const before = yield* readConnection(id)
        expect([before.state, before.control]).toEqual(["active", { status: "proven", by: "entered_records" }])
        yield* acme.become(zoneWith(shop, standingBlog))
        yield* changeIntent(id, [platform, blog])
        yield* commandsFor(id).chooseManual
        yield* commandsFor(id).recheck
        const { control, plan, state } = yield* readConnection(id)
        expect([state, control, plan?.warnings]).toEqual(["active", { status: "unproven" }, ["control_not_proven"]])
      }),
    "when_contested"
  )
})
