import { expect } from "bun:test"
import { Effect, Option } from "effect"
import { ApplicationSettings, defaultApplicationSettings } from "../../../src/domain/access/Application.ts"
import { ApplicationId } from "../../../src/domain/access/Tenancy.ts"
import { WebhookEndpointId, WebhookEventId } from "../../../src/domain/webhook/WebhookEndpoint.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { ApplicationStore } from "../../../src/persistence/stores/access/ApplicationStore.ts"
import { WebhookDeliveryStore } from "../../../src/persistence/stores/webhooks/WebhookDeliveryStore.ts"
import { tenancyOf } from "../../support/testApi.ts"
import { createConnection, ownTenancy } from "../connectionFixtures.ts"
import { keyOf } from "./apiKeyContract.ts"
import type { StoreTest } from "./storeContract.ts"

const shop = ApplicationId.make("shop")

const blog = ApplicationId.make("blog")

const named = ApplicationSettings.make({
  name: "The Shop",
  logoUrl: "https://shop.example.com/logo.svg",
  supportEmail: "help@shop.example.com",
  controlProof: "when_contested"
})

/** The contract of every `ApplicationStore`. */
export const applicationContract = (test: StoreTest): void => {
  settings(test)
  lists(test)
  removal(test)
}

const settings = (test: StoreTest) => {
  test("an application without a row has the default settings, and is not found", () =>
    Effect.gen(function* () {
      const store = yield* ApplicationStore
      expect(yield* store.findSettings(shop)).toEqual(defaultApplicationSettings)
      expect(yield* store.find(shop)).toEqual(Option.none())
    }))

  test("an application is created once, with its settings", () =>
    Effect.gen(function* () {
      const store = yield* ApplicationStore
      const created = yield* Effect.flatten(store.create(shop, named))
      expect(created).toMatchObject({ id: shop, settings: named, version: 1 })
      expect(yield* store.create(shop, defaultApplicationSettings)).toEqual(Option.none())
      expect(yield* store.find(shop)).toEqual(Option.some(created))
      expect(yield* store.findSettings(shop)).toEqual(named)
    }))

  test("an update replaces the settings of the version that was read, and no other", () =>
    Effect.gen(function* () {
      const store = yield* ApplicationStore
      const read = yield* Effect.flatten(store.create(shop, named))
      const updated = yield* Effect.flatten(store.update(read, defaultApplicationSettings))
      expect([updated.settings, updated.version]).toEqual([defaultApplicationSettings, 2])
      expect(yield* store.update(read, named)).toEqual(Option.none())
      expect(yield* store.find(shop)).toEqual(Option.some(updated))
    }))

  test("an API key brings its application with it, and leaves one that is there as it is", () =>
    Effect.gen(function* () {
      const store = yield* ApplicationStore
      const keys = yield* ApiKeyStore
      yield* store.create(shop, named)
      yield* keys.insert(keyOf("key_1", [], tenancyOf("shop", "tenant")))
      yield* keys.insert(keyOf("key_2", [], tenancyOf("blog", "tenant")))
      const found = (yield* store.list({ limit: 10 })).map(({ id, settings, version }) => [`${id}`, settings, version])
      expect(found).toEqual([
        ["blog", defaultApplicationSettings, 1],
        ["shop", named, 1]
      ])
    }))
}

const lists = (test: StoreTest) => {
  test("applications are listed in the order of their ids, in pages", () =>
    Effect.gen(function* () {
      const store = yield* ApplicationStore
      const ids = ["delta", "alpha", "charlie", "bravo"].map((id) => ApplicationId.make(id))
      yield* Effect.forEach(ids, (id) => store.create(id, defaultApplicationSettings))
      const page = (after?: string) =>
        Effect.map(store.list({ limit: 3, ...(after === undefined ? {} : { after }) }), (found) =>
          found.map(({ id }) => `${id}`)
        )
      expect([yield* page(), yield* page("charlie")]).toEqual([["alpha", "bravo", "charlie"], ["delta"]])
    }))

  test("the tenants of an application are those with API keys or connections, each once, in pages", () =>
    Effect.gen(function* () {
      const store = yield* ApplicationStore
      const keys = yield* ApiKeyStore
      const { applicationId } = ownTenancy
      const tenants = ["zulu", "bravo", "bravo", "alpha"]
      for (const [at, tenant] of tenants.entries())
        yield* keys.insert(keyOf(`key_${at}`, [], tenancyOf(applicationId, tenant)))
      yield* keys.insert(keyOf("key_other", [], tenancyOf("other", "another")))
      yield* createConnection()
      yield* createConnection()
      const all = [...new Set([...tenants, ownTenancy.tenantId])].toSorted()
      const page = (limit: number, after?: string) =>
        Effect.map(store.listTenants(applicationId, { limit, ...(after === undefined ? {} : { after }) }), (found) =>
          found.map(({ id }): string => id)
        )
      expect(yield* page(10)).toEqual(all)
      expect([yield* page(2), yield* page(10, all[1])]).toEqual([all.slice(0, 2), all.slice(2)])
      const dated = yield* store.listTenants(applicationId, { limit: 10 })
      const moment = Math.max(...dated.map(({ createdAt }) => createdAt.epochMillis))
      const since = (limit: number, order: "asc" | "desc", after?: string) =>
        Effect.map(
          store.listTenants(applicationId, {
            limit,
            order,
            createdAfter: new Date(moment),
            ...(after === undefined ? {} : { after })
          }),
          (found) => found.map(({ id }): string => id)
        )
      const late = dated.filter(({ createdAt }) => createdAt.epochMillis >= moment).map(({ id }): string => id)
      expect([yield* since(10, "asc"), yield* since(1, "desc")]).toEqual([late, late.toReversed().slice(0, 1)])
      expect(yield* since(10, "desc", late.at(-1))).toEqual(late.toReversed().slice(1))
    }))
}

const removal = (test: StoreTest) => {
  test("an application with a connection is not removed, nor is one that has changed since it was read", () =>
    Effect.gen(function* () {
      const store = yield* ApplicationStore
      yield* (yield* ApiKeyStore).insert(keyOf("key_1"))
      const read = yield* Effect.flatten(store.find(ownTenancy.applicationId))
      const updated = yield* Effect.flatten(store.update(read, named))
      expect(yield* store.remove(read)).toBe(false)
      yield* createConnection()
      expect(yield* store.remove(updated)).toBe(false)
      expect(yield* store.find(ownTenancy.applicationId)).toEqual(Option.some(updated))
    }))

  test("an application without connections is removed once, with its API keys, and no other one", () =>
    Effect.gen(function* () {
      const store = yield* ApplicationStore
      const keys = yield* ApiKeyStore
      yield* keys.insert(keyOf("key_1"))
      yield* keys.insert(keyOf("key_other", [], tenancyOf("other", "tenant")))
      const read = yield* Effect.flatten(store.find(ownTenancy.applicationId))
      expect([yield* store.remove(read), yield* store.remove(read)]).toEqual([true, false])
      expect(yield* store.find(ownTenancy.applicationId)).toEqual(Option.none())
      expect((yield* keys.list).map(({ id }) => `${id}`)).toEqual(["key_other"])
    }))

  test("the hourly rates of an application go with it, and those of others stay", () =>
    Effect.gen(function* () {
      const store = yield* ApplicationStore
      const deliveries = yield* WebhookDeliveryStore
      const usedBy = (id: ApplicationId) => Effect.map(deliveries.readRates(id), ({ testEvents }) => testEvents.used)
      const removed = yield* Effect.flatten(store.create(shop, named))
      for (const application of [shop, blog])
        yield* deliveries.insertTest(
          application,
          WebhookEndpointId.make(`whe_${application}`),
          { id: WebhookEventId.make(`evt_${application}`), data: "{}" },
          2
        )
      expect([yield* usedBy(shop), yield* usedBy(blog)]).toEqual([1, 1])
      yield* store.remove(removed)
      expect([yield* usedBy(shop), yield* usedBy(blog)]).toEqual([0, 1])
    }))
}
