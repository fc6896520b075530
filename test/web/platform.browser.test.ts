import { expect } from "bun:test"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { ApplicationSettings } from "../../src/domain/access/Application.ts"
import { ApplicationId } from "../../src/domain/access/Tenancy.ts"
import { ApplicationStore } from "../../src/persistence/stores/access/ApplicationStore.ts"
import { createConnectionPath } from "../http/support/connectionRequests.ts"
import { apiInMemory, issueKey, jsonOf, post, serviceUrl, tenancyOf } from "../support/testApi.ts"
import { describeBrowser, openPage } from "./Chromium.ts"
import { galleryServerWith, logo } from "./componentGallery.ts"

const svg = { contentType: "image/svg+xml", body: logo }

/** Waits until the logo is loaded; fails if it cannot be. */
const decodeLogo = async (page: Page) => {
  await page.getByRole("img", { name: "Shop Builder" }).waitFor()
  await page.evaluate(`document.querySelector("domain-connection").shadowRoot.querySelector("img").decode()`)
}

/** A link to the hosted page of a platform with this logo. */
const createShareLink = (application: string, logoUrl: string) =>
  Effect.gen(function* () {
    const settings = ApplicationSettings.make({ name: "Shop Builder", logoUrl })
    yield* (yield* ApplicationStore).create(ApplicationId.make(application), settings)
    const { key } = yield* issueKey(tenancyOf(application, "tenant"))
    const { path } = yield* jsonOf(yield* post(`${yield* createConnectionPath(key)}/share-link`, key, undefined))
    return `${yield* serviceUrl}${path}`
  })

describeBrowser("the platform in the component", (live) => {
  live("has its place before its logo is loaded, and its help where the customer is stuck", () =>
    Effect.gen(function* () {
      const loading = Promise.withResolvers<void>()
      const { url } = yield* galleryServerWith((request) =>
        new URL(request.url).pathname === "/logo.svg"
          ? loading.promise.then(() => new Response(logo, { headers: { "content-type": "image/svg+xml" } }))
          : undefined
      )
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=platform-manual`)
        const heading = page.getByRole("heading", { name: "Connect crumb-and-co-mail.test" })
        const place = await heading.boundingBox()
        loading.resolve()
        const image = page.getByRole("img", { name: "Shop Builder" })
        await decodeLogo(page)
        expect(await heading.boundingBox()).toEqual(place)
        expect((await image.boundingBox())?.height).toBe(32)
        expect(await page.getByRole("link", { name: "help@shop-builder.example" }).getAttribute("href")).toBe(
          "mailto:help@shop-builder.example"
        )
        expect(await page.getByRole("link", { name: /^shop-builder.example/ }).getAttribute("href")).toBe(
          "https://shop-builder.example/help"
        )
      })
    })
  )

  live("keeps its name where its logo cannot be loaded", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServerWith(() => undefined)
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=platform-failure`)
        await page.getByText("An unusually long name of a platform for bakeries").waitFor()
        await page.getByRole("img", { name: /bakeries/ }).waitFor({ state: "detached" })
        await page.getByRole("link", { name: "help@shop-builder.example" }).waitFor()
      })
    })
  )

  live("shows its logo on the hosted page, also after a reload, and no image of another origin", () =>
    Effect.gen(function* () {
      const link = yield* createShareLink("hosted", "https://cdn.shop-builder.example/logo.svg")
      const page = yield* openPage({ locale: "en" })
      yield* Effect.promise(async () => {
        const blocked: Array<string> = []
        page.on("console", (message) => blocked.push(message.text()))
        await page.route("https://*.example/**", (route) => route.fulfill(svg))
        await page.goto(link)
        await decodeLogo(page)
        await page.reload()
        await decodeLogo(page)
        expect(blocked).toEqual([])
        await page.evaluate(`new Promise((resolve) => {
          const image = new Image()
          image.onerror = resolve
          image.src = "https://other.example/logo.svg"
        })`)
        expect(blocked.join()).toContain("Content Security Policy")
      })
    }).pipe(Effect.provide(apiInMemory()))
  )
})
