import { expect } from "bun:test"
import { Effect } from "effect"
import { ApplicationSettings } from "../../../src/domain/access/Application.ts"
import { Origin } from "../../../src/domain/names/Origin.ts"
import { ApplicationStore } from "../../../src/persistence/stores/access/ApplicationStore.ts"
import { ApplicationId } from "../../../src/domain/access/Tenancy.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, get, issueKey, jsonOf, post, send, serviceUrl, tenancyOf } from "../../support/testApi.ts"
import { createConnectionPath, issueBearer, shopOrigin } from "../support/connectionRequests.ts"
import { expectErrorWithoutWrites } from "../support/expectError.ts"

const settings = {
  name: "Shop Builder",
  logoUrl: "https://cdn.shop-builder.example:8443/logo.svg?v=2",
  supportEmail: "help@shop-builder.example",
  supportUrl: "https://shop-builder.example/help"
}

const createApplication = (id: string) =>
  Effect.flatMap(ApplicationStore, ({ create }) =>
    create(
      ApplicationId.make(id),
      ApplicationSettings.make({ ...settings, controlProof: "off", returnOrigins: [Origin.make(shopOrigin)] })
    )
  )

withLayer("the platform of a connection", apiInMemory(), (live) => {
  live("is what the customer may see of the application, for its browser and its server", () =>
    Effect.gen(function* () {
      yield* createApplication("with-settings")
      const { key } = yield* issueKey(tenancyOf("with-settings", "tenant"))
      const path = yield* createConnectionPath(key)
      const authorization = yield* issueBearer(key, path)
      const byBrowser = yield* send(`${path}/platform`, { headers: { authorization, origin: shopOrigin } })
      expect([byBrowser.status, byBrowser.headers.get("access-control-allow-origin")]).toEqual([200, shopOrigin])
      expect(yield* jsonOf(byBrowser)).toEqual({ platform: settings })
      expect(yield* Effect.flatMap(get(`${path}/platform`, key), jsonOf)).toEqual({ platform: settings })
      const { key: other } = yield* issueKey()
      yield* expectErrorWithoutWrites(get(`${path}/platform`, other), { status: 404, code: "not_found" })
    })
  )

  live("is empty for an application without settings", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("without-settings", "tenant"))
      const path = yield* createConnectionPath(key)
      expect(yield* Effect.flatMap(get(`${path}/platform`, key), jsonOf)).toEqual({ platform: {} })
    })
  )
})

const policyAt = (address: string) =>
  Effect.promise(async () => {
    const response = await fetch(address)
    expect(response.status).toBe(200)
    return response.headers.get("content-security-policy") ?? ""
  })

withLayer("the hosted page", apiInMemory(), (live) => {
  live("may show images of the origin of the platform's logo, by its link, and of no other", () =>
    Effect.gen(function* () {
      const url = yield* serviceUrl
      yield* createApplication("with-logo")
      const { key } = yield* issueKey(tenancyOf("with-logo", "tenant"))
      const { path } = yield* jsonOf(yield* post(`${yield* createConnectionPath(key)}/share-link`, key, undefined))
      expect(yield* policyAt(`${url}${path}`)).toContain("; img-src https://cdn.shop-builder.example:8443")
      const forged = path.replace("shop-builder", "evil")
      expect(forged).not.toBe(path)
      for (const address of [`${url}/connect`, `${url}${forged}`, `${url}/connect?logo=https%3A%2F%2Fevil.example`])
        expect(yield* policyAt(address)).not.toContain("img-src")
    })
  )

  live("has the same address for every application without a logo", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("without-logo", "tenant"))
      const { path } = yield* jsonOf(yield* post(`${yield* createConnectionPath(key)}/share-link`, key, undefined))
      expect(path).toMatch(/^\/connect#dcs_/)
    })
  )
})
