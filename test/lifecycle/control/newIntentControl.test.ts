import { describe, expect } from "bun:test"
import { Effect, Option } from "effect"
import { type ConnectionId, ConnectionAction } from "../../../src/domain/connection/Connection.ts"
import type { IntentRequest } from "../../../src/domain/connection/Intent.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { makeNamesFrom } from "../../../src/domain/names/NameSet.ts"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { HostHolderStore } from "../../../src/persistence/stores/connections/HostHolderStore.ts"
import { Tables } from "../../support/memory/Tables.ts"
import {
  commandsFor,
  controlTest,
  createDiscovered,
  platform,
  readConnection,
  readPlannedChanges,
  readState,
  type ScriptedProvider,
  tenancy,
  waitUntilIdle,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { connectByChallenge, listenToAll, rival } from "./controlSteps.ts"

const blog = { host: "blog", type: "CNAME", value: "shops.example.net" } as const

const news = { host: "news", type: "CNAME", value: "shops.example.net" } as const

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
      connections.update(tenancy, id, { intent: { domain: "example.com", records } }, noOptions)
    ),
    waitUntilIdle
  )

/** Authorizes and approves what a connection waits for. */
const authorizeAndApprove = (id: ConnectionId) =>
  Effect.zipRight(commandsFor(id).authorize(), commandsFor(id).acknowledgeAndApprove)

/** Whether hosts of the domain are held, as the second tenant sees it. */
const holding = Effect.flatMap(HostHolderStore, (hosts) =>
  hosts.findHolding(rival, makeNamesFrom(DomainName.make("example.com")))
)

const noOptions = { callableActions: ConnectionAction.literals, idempotency: Option.none(), ifVersion: Option.none() }

/** The states of the connections of both tenants. */
const statesOf = (id: ConnectionId, rivalId: ConnectionId) =>
  Effect.map(Effect.all([readConnection(id), readConnection(rivalId, rival)]), (both) => both.map(({ state }) => state))

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
      const { control } = yield* readConnection(shop)
      expect(control).toMatchObject({ status: "proven", by: "credential", challenge: { host: "_domain-connection" } })
      expect(yield* readPlannedChanges(shop)).toEqual([
        `create | _domain-connection 300 TXT ${control?.challenge?.value}`
      ])
      yield* commandsFor(shop).chooseManual
      yield* commandsFor(shop).recheck
      // The old intent counts, and nobody loses anything.
      expect(yield* statesOf(shop, rivalBlog)).toEqual(["awaiting_manual", "active"])
      expect((yield* readConnection(shop)).effectiveIntent.records.map(({ host }) => host)).toEqual(["shop"])
      yield* acme.become(zoneWith(...standing, `_domain-connection 300 TXT ${control?.challenge?.value}`))
      yield* commandsFor(shop).recheck
      expect(yield* statesOf(shop, rivalBlog)).toEqual(["active", "degraded"])
      const [winner, loser] = [yield* readConnection(shop), yield* readConnection(rivalBlog, rival)]
      expect([winner.control, loser.failure?.code]).toEqual([{ status: "proven", by: "challenge" }, "control_lost"])
    })
  )

  controlTest("is proven by a credential as well, which writes the challenge along", (acme: ScriptedProvider) =>
    Effect.gen(function* () {
      const { rivalBlog, shop } = yield* shopAndBlog
      yield* changeIntent(shop, [platform, blog])
      const { control, plan } = yield* readConnection(shop)
      const consent = plan === undefined ? plan : { digest: plan.digest, acknowledged: plan.warnings }
      yield* commandsFor(shop).authorize(consent)
      expect(yield* statesOf(shop, rivalBlog)).toEqual(["active", "degraded"])
      expect((yield* readConnection(shop)).control).toEqual({ status: "proven", by: "credential" })
      expect(acme.now().records.some(({ value }) => value === control?.challenge?.value)).toBe(true)
    })
  )

  controlTest("waits for the challenge too where somebody asks for it after the plan was made", (acme) =>
    Effect.gen(function* () {
      const shop = yield* connect(platform, tenancy)
      yield* changeIntent(shop, [platform, blog])
      yield* commandsFor(shop).chooseManual
      const rivalBlog = yield* connect(blog, rival)
      yield* commandsFor(shop).recheck
      expect(yield* statesOf(shop, rivalBlog)).toEqual(["awaiting_manual", "active"])
      const { control, plan } = yield* readConnection(shop)
      expect(plan?.changes.at(-1)?.after?.value).toBe(control?.challenge?.value ?? "none")
      yield* acme.become(zoneWith(...standing, `_domain-connection 300 TXT ${control?.challenge?.value}`))
      yield* commandsFor(shop).recheck
      expect(yield* statesOf(shop, rivalBlog)).toEqual(["active", "degraded"])
    })
  )

  controlTest("asks for nothing any more once it is given up, or without that host", (acme) =>
    Effect.gen(function* () {
      const shop = yield* connectByChallenge(acme)
      yield* connect(blog, rival)
      yield* changeIntent(shop, [platform, blog])
      yield* changeIntent(shop, [platform, news])
      const proven = { status: "proven", by: "challenge" } as const
      expect([yield* readPlannedChanges(shop), (yield* readConnection(shop)).control]).toEqual([
        ["create | news 3600 CNAME shops.example.net"],
        proven
      ])
      yield* changeIntent(shop, [platform, blog])
      yield* commandsFor(shop).cancel
      expect([yield* readState(shop), (yield* readConnection(shop)).control]).toEqual(["active", proven])
    })
  )

  controlTest("is the only reason for a new proof, whatever others ask for at its held hosts", (acme) =>
    Effect.gen(function* () {
      const shop = yield* connectByChallenge(acme)
      yield* createDiscovered([platform], rival)
      yield* changeIntent(shop, [platform, news])
      yield* commandsFor(shop).chooseManual
      yield* acme.become(zoneWith(...standing, "news 3600 CNAME shops.example.net"))
      yield* commandsFor(shop).recheck
      expect(yield* readState(shop)).toBe("active")
    })
  )

  controlTest("takes nothing while it waits for an authorization", (acme: ScriptedProvider) =>
    Effect.gen(function* () {
      const { rivalBlog, shop } = yield* shopAndBlog
      yield* changeIntent(shop, [platform, blog, news])
      expect(yield* readState(shop)).toBe("awaiting_authorization")
      yield* acme.become(zoneWith(...standing))
      yield* commandsFor(shop).recheck
      expect((yield* readConnection(rivalBlog, rival)).state).toBe("active")
      yield* commandsFor(shop).cancel
      expect([yield* readState(shop), (yield* readConnection(rivalBlog, rival)).state]).toEqual(["active", "active"])
    })
  )
})

/** The connections that were told since `listenToAll`, each by its place among these. */
const toldAmong = (...ids: ReadonlyArray<ConnectionId>) =>
  Effect.map(Tables, ({ webhookEvents }) =>
    [...webhookEvents.values()].flatMap(({ connectionId, type }) =>
      type === "connection.contested" ? [ids.findIndex((id) => id === connectionId)] : []
    )
  )

describe("the holder of a host that a new intent wants", () => {
  controlTest("is notified once, and no other connection is", () =>
    Effect.gen(function* () {
      const { rivalBlog, shop } = yield* shopAndBlog
      const rivalNews = yield* connect(news, rival)
      yield* listenToAll
      yield* changeIntent(shop, [platform, blog])
      yield* changeIntent(shop, [blog])
      expect(yield* toldAmong(shop, rivalBlog, rivalNews)).toEqual([1])
    })
  )

  controlTest("is notified of a change before anything was in the zone, too", () =>
    Effect.gen(function* () {
      const id = yield* createDiscovered([platform])
      const rivalBlog = yield* connect(blog, rival)
      yield* listenToAll
      yield* changeIntent(id, [platform, blog])
      expect(yield* toldAmong(id, rivalBlog)).toEqual([1])
    })
  )
})

describe("a host that only the old intent has", () => {
  controlTest("is free for another tenant once the new one counts", (acme: ScriptedProvider) =>
    Effect.gen(function* () {
      const id = yield* connect(platform, tenancy)
      yield* changeIntent(id, [blog])
      expect(yield* holding).toBe("another_tenant")
      yield* authorizeAndApprove(id)
      expect([yield* readState(id), acme.now().records.some(({ host }) => host === "shop")]).toEqual(["active", false])
      const other = yield* connect(platform, rival)
      expect([yield* readState(id), (yield* readConnection(other, rival)).state]).toEqual(["active", "active"])
    })
  )

  controlTest("stays with the connection while the new intent waits, and after it was given up", () =>
    Effect.gen(function* () {
      const id = yield* connect(platform, tenancy)
      yield* changeIntent(id, [blog])
      const waiting = yield* createDiscovered([platform], rival)
      expect((yield* readConnection(waiting, rival)).control?.challenge).toBeDefined()
      yield* commandsFor(id).cancel
      const hosts = yield* HostHolderStore
      expect(yield* hosts.listCompetingConnections(rival, [DomainName.make("shop.example.com")])).toHaveLength(1)
      expect(yield* hosts.listCompetingConnections(rival, [DomainName.make("blog.example.com")])).toEqual([])
    })
  )

  controlTest("is nobody's after a change before anything was in the zone", () =>
    Effect.gen(function* () {
      const id = yield* createDiscovered([platform])
      yield* changeIntent(id, [blog])
      const hosts = yield* HostHolderStore
      expect(yield* hosts.listCompetingConnections(rival, [DomainName.make("shop.example.com")])).toEqual([])
      expect(yield* hosts.listCompetingConnections(rival, [DomainName.make("blog.example.com")])).toHaveLength(1)
    })
  )
})
