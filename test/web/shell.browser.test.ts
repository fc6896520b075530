import { expect } from "bun:test"
import { Effect } from "effect"
import { describeBrowser, openPage } from "./Chromium.ts"
import { galleryServer, galleryServerWith } from "./componentGallery.ts"
import { headingOf } from "./labCustomer.ts"
import { readDocument } from "./recordedDocuments.ts"

/** The folder for screenshots, if they are wanted. */
const folder = process.env["SCREENSHOTS"]

describeBrowser("the shell of the component", (live) => {
  live("switches to another language, also its direction, and keeps it after a reload", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage({ viewport: { width: 320, height: 640 } })
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=1-changes`)
        await page.getByRole("combobox", { name: "Language" }).selectOption("ar")
        await headingOf(page, /^ربط/).waitFor()
        const shell = page.locator(".shell")
        expect([await shell.getAttribute("lang"), await shell.getAttribute("dir")]).toEqual(["ar", "rtl"])
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320)
        if (folder !== undefined) await page.screenshot({ path: `${folder}/shell-ar.png`, fullPage: true })
        await page.reload()
        await headingOf(page, /^ربط/).waitFor()
      })
    })
  )

  live("speaks English where a language cannot be loaded", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.route("**/v1/connect/de.js*", (route) => route.abort())
        await page.goto(`${url}?picture=1-changes&locale=de`)
        await headingOf(page, /^Connect /).waitFor()
      })
    })
  )

  live("shows what the page has for it while no texts can be loaded, and goes on once they can", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        const texts = /\/v1\/connect\/\w\w\.js/
        await page.route(texts, (route) => route.abort())
        await page.goto(`${url}?picture=1-changes&locale=de`)
        await page.getByText("If it takes long, reload the page.").waitFor()
        await page.unroute(texts)
        await headingOf(page, /verbinden$|^Connect /).waitFor()
      })
    })
  )

  live("says where it cannot load the steps after the review, and shows them once it can", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.route("**/v1/connect/laterSteps.js*", (route) => route.abort())
        await page.goto(`${url}?picture=2-visit`)
        await page.getByText("We cannot reach the service. We keep trying.").waitFor()
        await page.unroute("**/v1/connect/laterSteps.js*")
        await headingOf(page, "Waiting for you at Test DNS").waitFor()
      })
    })
  )

  live("makes a link for a helper, with the name of the sender and a QR code, and takes it back", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const { url } = yield* galleryServerWith((request) => {
        if (!request.url.endsWith("/share-link")) return undefined
        asked.push(request.method)
        return request.method === "POST"
          ? Response.json({ path: `/connect#dcs_${"A".repeat(43)}`, expiresAt: "2030-01-01T00:00:00.000Z" })
          : new Response(null, { status: 204 })
      })
      const page = yield* openPage({ viewport: { width: 390, height: 700 }, reducedMotion: "reduce" })
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=disconnecting-by-hand`)
        await page.getByRole("button", { name: "Send to my web person" }).click()
        await headingOf(page, "Send this to somebody who helps you").waitFor()
        await page.getByLabel("Your name").fill("Anna Berg")
        const link = `${url}connect#dcs_${"A".repeat(43)}&from=Anna%20Berg`
        await page.getByText(link).waitFor()
        const mail = (await page.getByRole("link", { name: "Send by mail" }).getAttribute("href")) ?? ""
        expect(decodeURIComponent(mail)).toContain(link)
        await page.getByRole("button", { name: "Show QR code" }).click()
        await page.getByRole("img", { name: "Point the camera of a phone at it." }).waitFor()
        if (folder !== undefined) await page.screenshot({ path: `${folder}/shell-share.png`, fullPage: true })
        await page.getByRole("button", { name: "Take it back" }).click()
        await page.getByText("The link no longer works.").waitFor()
        expect(asked).toEqual(["POST", "DELETE"])
      })
    })
  )

  live("makes a link of its own for each connection, and another one once that has been active", () =>
    Effect.gen(function* () {
      const links: Array<string> = []
      let shown = readDocument("disconnecting-by-hand")
      const { url } = yield* galleryServerWith((request) => {
        const [, , , id = "", what] = new URL(request.url).pathname.split("/")
        if (what === "share-link") {
          links.push(id)
          return Response.json({ path: `/connect#dcs_${links.length}`, expiresAt: "2030-01-01T00:00:00.000Z" })
        }
        const updatedAt = new Date().toISOString()
        return id === "changing" && what === undefined
          ? Response.json({ connection: { ...shown.connection, updatedAt } })
          : undefined
      })
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        const share = async (link: string) => {
          await page.getByRole("button", { name: "Send to my web person" }).click()
          await page.getByText(`${url}connect#${link}`, { exact: true }).waitFor()
        }
        await page.goto(`${url}?picture=disconnecting-by-hand`)
        await share("dcs_1")
        await page.getByRole("button", { name: "Back", exact: true }).click()
        await share("dcs_1")
        await page.evaluate("document.querySelector('domain-connection').connectionId = 'changing'")
        await share("dcs_2")
        expect(links).toEqual(["disconnecting-by-hand", "changing"])
        shown = readDocument("active-by-hand")
        await headingOf(page, /is connected$/).waitFor()
        shown = readDocument("disconnecting-by-hand")
        await share("dcs_3")
      })
    })
  )
})
