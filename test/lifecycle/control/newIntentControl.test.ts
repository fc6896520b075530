import { describe, expect } from "bun:test"
import { Effect, Option } from "effect"
import { type ConnectionId, ConnectionAction } from "../../../src/domain/Connection.ts"
import type { IntentRequest } from "../../../src/domain/Intent.ts"
import type { Tenancy } from "../../../src/domain/Tenancy.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { tenancyOf } from "../../support/testApi.ts"
import {
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

const rival = tenancyOf("app", "rival")

const blog = { host: "blog", type: "CNAME", value: "shops.example.net" } as const

const standing = ["shop 3600 CNAME shops.example.net", "blog 3600 CNAME shops.example.net"]

/** Connects a host by a credential; the second tenant also enters the challenge that it is asked for. */
const connect = (record: IntentRequest["records"][number], owner: Tenancy) =>
  Effect.gen(function* () {
    const id = yield* createDiscovered([record], owner)
    yield* commandsFor(id, owner).authorize()
    yield* commandsFor(id, owner).acknowledgeAndApprove
    expect((yield* readConnection(id, owner)).state).toBe("active")
    return id
  })

const changeIntent = (id: ConnectionId, records: IntentRequest["records"]) =>
  Effect.zipRight(
    Effect.flatMap(Connections, (connections) =>
      connections.changeIntent(tenancy, id, { domain: "example.com", records }, noOptions)
    ),
    waitUntilIdle
  )

const noOptions = { callableActions: ConnectionAction.literals, idempotency: Option.none(), ifVersion: Option.none() }

/** Two active connections: of the shop, and of the blog of a second tenant. */
const shopAndBlog = Effect.gen(function* () {
  const shop = yield* connect(platform, tenancy)
  return { shop, rivalBlog: yield* connect(blog, rival) }
})

describe("a new intent with a host that another tenant holds", () => {
  controlTest("needs a new proof, and leaves the host to its holder until then", (acme: ScriptedProvider) =>
    Effect.gen(function* () {
      const { rivalBlog, shop } = yield* shopAndBlog
      yield* changeIntent(shop, [platform, blog])
      yield* commandsFor(shop).recheck
      expect([yield* readState(shop), (yield* readConnection(rivalBlog, rival)).state]).toEqual(["verifying", "active"])
      const { control } = yield* readConnection(shop)
      expect(control).toMatchObject({ status: "unproven", challenge: { host: "_domain-connection" } })
      yield* acme.become(zoneWith(...standing, `_domain-connection 300 TXT ${control?.challenge?.value}`))
      yield* commandsFor(shop).recheck
      const loser = yield* readConnection(rivalBlog, rival)
      expect([yield* readState(shop), loser.state, loser.failure?.code]).toEqual(["active", "degraded", "control_lost"])
    })
  )

  controlTest("takes nothing while it waits for an authorization", (acme: ScriptedProvider) =>
    Effect.gen(function* () {
      const { rivalBlog, shop } = yield* shopAndBlog
      yield* changeIntent(shop, [platform, blog, { host: "news", type: "CNAME", value: "shops.example.net" }])
      expect(yield* readState(shop)).toBe("awaiting_authorization")
      yield* acme.become(zoneWith(...standing))
      yield* commandsFor(shop).recheck
      expect((yield* readConnection(rivalBlog, rival)).state).toBe("active")
      yield* commandsFor(shop).cancel
      expect([yield* readState(shop), (yield* readConnection(rivalBlog, rival)).state]).toEqual(["active", "active"])
    })
  )
})
