import { expect } from "bun:test"
import { Deferred, Effect } from "effect"
import type { Page } from "playwright-core"
import { describeBrowser, openPage, stopClock } from "./Chromium.ts"
import { galleryServer, galleryServerWith, plan } from "./componentGallery.ts"
import { collapseWhitespace, confirmWarnings, headingOf, openWay } from "./labCustomer.ts"
import { readDocument } from "./recordedDocuments.ts"

/** The events of the component, in the order in which the page receives them. */
const eventsOf = (page: Page) =>
  page.addInitScript(`window.heard = []
    for (const name of ["connected", "failed", "closed", "token-expired"]) {
      addEventListener(name, ({ detail, composed }) => window.heard.push({ name, composed, ...detail }))
    }`)

const heard = (page: Page) => page.evaluate("window.heard")

const refused = (status: number, code: string) => Response.json({ error: { code, status } }, { status })

const background = (element: any) => (globalThis as any).getComputedStyle(element).backgroundColor

describeBrowser("the component", (live) => {
  live("shows an event of the stream without another request, and notifies the page", () =>
    Effect.gen(function* () {
      const streams: Array<ReadableStreamDefaultController> = []
      let requests = 0
      const { url } = yield* galleryServerWith(({ headers, url }) => {
        requests += 1
        if (!url.endsWith("/stream")) return undefined
        expect(headers.get("authorization")).toBe("Bearer t")
        const body = new ReadableStream({ start: (controller) => void streams.push(controller) })
        return new Response(body, { headers: { "content-type": "text/event-stream" } })
      })
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await eventsOf(page)
        await page.goto(`${url}?picture=4-progress`)
        await headingOf(page, "Waiting until everybody sees it").waitFor()
        const active = { ...readDocument("active").connection, updatedAt: "2030-01-01T00:00:00.000Z" }
        const event = `: heartbeat\n\nid: 7\nevent: connection\ndata: ${JSON.stringify(active)}\n\n`
        const halves = [event.slice(0, 40), event.slice(40)]
        const before = requests
        halves.forEach((half) => streams[0]?.enqueue(new TextEncoder().encode(half)))
        await headingOf(page, "record-shop.com is connected").waitFor()
        expect(requests).toBe(before)
        expect(await heard(page)).toEqual([
          { name: "connected", composed: true, connectionId: "4-progress", state: "active" }
        ])
      })
    })
  )

  live("polls where there is no stream, with the ETag of the current version", () =>
    Effect.gen(function* () {
      const asked: Array<string | null> = []
      const { url } = yield* galleryServerWith(({ headers, url }) => {
        if (!url.endsWith("/v1/connections/4-progress")) return undefined
        asked.push(headers.get("if-none-match"))
        if (asked.length === 2) return new Response(null, { status: 304 })
        const { connection } = readDocument(asked.length === 1 ? "verifying" : "active")
        const shown = { ...connection, updatedAt: new Date().toISOString() }
        return Response.json({ connection: shown }, { headers: { etag: `"${asked.length}"` } })
      })
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=4-progress`)
        await headingOf(page, "record-shop.com is connected").waitFor()
        expect(asked).toEqual([null, '"1"', '"1"'])
      })
    })
  )

  live("reads without a stream what servers show while records are removed by hand", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        const read = page.waitForResponse(/disconnecting-by-hand\/records$/)
        await page.goto(`${url}?picture=disconnecting-by-hand`)
        await page.locator(".task").first().waitFor()
        expect((await read).status()).toBe(200)
      })
    })
  )

  live("does not continue before every serious warning is confirmed, and sends the confirmed ones", () =>
    Effect.gen(function* () {
      const sent = yield* Deferred.make<any>()
      const { url } = yield* galleryServerWith((request) => {
        if (request.method !== "POST") return undefined
        return request.json().then((body) => {
          Effect.runSync(Deferred.succeed(sent, body))
          return Response.json({ connection: readDocument("authorized").connection })
        })
      })
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=1-changes`)
        await page.getByRole("button", { name: "Continue" }).click()
        await headingOf(page, "Connect crumb-and-co-mail.test").waitFor()
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await openWay(page, "With an access key of Test DNS")
        await page.getByLabel("API token").fill(" secret ")
        await page.getByRole("button", { name: "Allow and connect" }).click()
        await headingOf(page, "Reading your current entries").waitFor()
      })
      expect(yield* Deferred.await(sent)).toEqual({
        method: "direct_credential",
        credential: { apiToken: "secret" },
        approvedDigest: plan.digest,
        acknowledge: ["website_replaced", "mx_replaced"]
      })
    })
  )

  live("says that it is a test with a token of test mode, and not with a live one", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        const secret = "t".repeat(43)
        const shown: Array<number> = []
        for (const token of [`dct_test_${secret}`, `dct_${secret}`]) {
          await page.goto(`${url}?picture=5-success&token=${token}`)
          await headingOf(page, / is connected$/).waitFor()
          shown.push(await page.getByText("Test mode").count())
        }
        expect(shown).toEqual([1, 0])
      })
    })
  )

  const offers: ReadonlyArray<readonly [document: string, action: string, button: string]> = [
    ["degraded", "retry", "Repair"],
    ["refused-key", "retry", "Try again"],
    ["by-hand-with-mail", "recheck", "I have saved it"],
    ["by-hand-with-mail", "authorization", "Let us do it instead"]
  ]
  offers.forEach(([document, action, button]) =>
    live(`offers “${button}” only while ${action} is allowed`, () =>
      Effect.gen(function* () {
        const { connection } = readDocument(document)
        for (const allowedActions of [[action], []]) {
          const { url } = yield* galleryServerWith(({ url }) =>
            url.endsWith(`/v1/connections/${document}`)
              ? Response.json({ connection: { ...connection, allowedActions } })
              : undefined
          )
          const page = yield* openPage()
          yield* Effect.promise(async () => {
            await page.goto(`${url}?picture=${document}`)
            await page.locator("h2").waitFor()
            if (connection.state === "awaiting_manual") {
              await confirmWarnings(page)
              await page.getByRole("button", { name: "Continue" }).click()
              await page.getByRole("button", { name: "It is open: begin" }).click()
            }
            expect(await page.getByRole("button", { name: button }).count()).toBe(allowedActions.length)
          })
        }
      })
    )
  )

  live("continues after a reload where the customer had agreed, and marks what has changed since in the plan", () =>
    Effect.gen(function* () {
      const moved = { ...plan.changes[0], before: { ...plan.changes[0]?.before, value: "other.example" } }
      let shown: object = {}
      const { url } = yield* galleryServerWith(({ url }) =>
        url.endsWith("/v1/connections/2-access")
          ? Response.json({
              connection: { ...readDocument("review-with-mail").connection, plan: { ...plan, ...shown } }
            })
          : undefined
      )
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=2-access`)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await headingOf(page, "How shall we make the change?").waitFor()
        await page.reload()
        await headingOf(page, "How shall we make the change?").waitFor()
        shown = { digest: `sha-256:${"6".repeat(64)}`, changes: [moved, ...plan.changes.slice(1)] }
        await page.reload()
        await page.getByText("The list has changed in the meantime.").waitFor()
        expect((await page.locator(".since").allTextContents()).map(collapseWhitespace)).toEqual([
          "Since you looked, www.crumb-and-co-mail.test was changed to other.example"
        ])
        // The mail changes as before: what was confirmed of it stays.
        expect(await page.locator("[name=mx_replaced]").isChecked()).toBe(true)
      })
    })
  )

  live(
    "asks whose the domain is where several providers share the name servers, and shows the ways of the answer",
    () =>
      Effect.gen(function* () {
        const answers: Array<unknown> = []
        const answer = () => {
          const { connection } = readDocument(answers.length === 0 ? "shared-servers" : "shared-servers-answered")
          return Response.json({ connection: { ...connection, updatedAt: new Date().toISOString() } })
        }
        const { url } = yield* galleryServerWith((request) => {
          if (request.url.endsWith("/v1/connections/shared-servers")) return answer()
          if (!request.url.endsWith("/provider")) return undefined
          return request.json().then((body) => (answers.push(body), answer()))
        })
        const page = yield* openPage()
        yield* Effect.promise(async () => {
          await page.goto(`${url}?picture=shared-servers`)
          await confirmWarnings(page)
          await page.getByRole("button", { name: "Continue" }).click()
          await headingOf(page, "Who runs the DNS of bakery-shared-servers.test?").waitFor()
          const buttons = await page.locator("domain-connection button[part='button button-side']").allInnerTexts()
          expect(buttons.map((text) => text.trim())).toEqual([
            "Test DNS",
            "Test Token DNS",
            "Test Registrar",
            "Somebody else",
            "Back"
          ])
          await page.getByRole("button", { name: "Test DNS" }).click()
          await openWay(page, "With an access key of Test DNS")
          expect(answers).toEqual([{ provider: "test-dns" }])
          // The answer can be corrected.
          await page.getByText("Who runs the DNS of bakery-shared-servers.test?").click()
          expect(await page.getByRole("button", { name: "Test Registrar" }).isVisible()).toBe(true)
        })
      })
  )

  live("asks the page for a token until it sets one: with pauses, and when the network is back", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServerWith(({ headers, url }) =>
        url.includes("/v1/connections/") && headers.get("authorization") !== "Bearer new"
          ? refused(401, "unauthenticated")
          : undefined
      )
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await eventsOf(page)
        await stopClock(page)
        const asked = (times: number) =>
          page.waitForFunction(`window.heard.filter(({ name }) => name === "token-expired").length === ${times}`)
        await page.goto(`${url}?picture=2-visit`)
        await asked(1)
        expect(await heard(page)).toEqual([{ name: "token-expired", composed: true, connectionId: "2-visit" }])
        await page.clock.runFor(4_000)
        await asked(2)
        await page.clock.runFor(4_000)
        await page.getByText("Your session has ended.").waitFor()
        await page.evaluate("dispatchEvent(new Event('online'))")
        await asked(3)
        await page.evaluate("document.querySelector('domain-connection').token = 'new'")
        await page.clock.resume()
        await headingOf(page, "Waiting for you at Test DNS").waitFor()
        await page.clock.fastForward(60_000)
        await asked(3)
        expect(await page.getByRole("alert").innerText()).toBe("")
      })
    })
  )

  live("shows an error where the page sets no token, asks it again, and starts late", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await eventsOf(page)
        await stopClock(page)
        await page.goto(`${url}?picture=2-visit&token=`)
        await page.getByText("One moment").waitFor()
        await page.clock.runFor(8_000)
        await page.getByText("This page could not begin.").waitFor()
        await page.getByText("One moment").waitFor({ state: "detached" })
        expect(await heard(page)).toMatchObject([{ name: "token-expired" }])
        await page.evaluate("document.querySelector('domain-connection').token = 't'")
        await page.clock.resume()
        await headingOf(page, "Waiting for you at Test DNS").waitFor()
        await page.getByText("This page could not begin.").waitFor({ state: "detached" })
      })
    })
  )

  live("reports to the developer of the page that the connection-id is missing", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await stopClock(page)
        await page.goto(`${url}?picture=`)
        await page.getByText("One moment").waitFor()
        const complaint = page.waitForEvent("console", (message) => message.type() === "error")
        await page.clock.runFor(8_000)
        expect((await complaint).text()).toContain("no connection-id")
        await page.getByText("This page could not begin.").waitFor()
      })
    })
  )

  live("works without storage, which a page in a frame may not have", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.addInitScript(
          `Object.defineProperty(window, "sessionStorage", { get: () => { throw new Error() } })`
        )
        await page.goto(`${url}?picture=2-access`)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await headingOf(page, "How shall we make the change?").waitFor()
      })
    })
  )

  live("follows no link that is not a web page", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServerWith(({ method }) =>
        method === "POST" ? Response.json({ authorizeUrl: "javascript:alert(1)" }) : undefined
      )
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        page.on("dialog", () => expect.unreachable())
        await page.goto(`${url}?picture=2-access`)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByRole("button", { name: "Continue to Test DNS" }).click()
        await page.getByText("Something went wrong on our side.").waitFor()
      })
    })
  )

  live("marks the field that the service rejected, and keeps the entered values", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServerWith(({ method }) =>
        method === "POST"
          ? Response.json(
              { error: { code: "credential_kind_mismatch", details: [{ pointer: "/credential/apiToken" }] } },
              { status: 422 }
            )
          : undefined
      )
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=2-access`)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await openWay(page, "With an access key of Test DNS")
        await page.getByLabel("API token").fill("wrong")
        await page.getByRole("button", { name: "Allow and connect" }).click()
        await page.getByText("This does not look right.").waitFor()
        const field = page.getByLabel("API token")
        expect([await field.getAttribute("aria-invalid"), await field.inputValue()]).toEqual(["true", "wrong"])
      })
    })
  )

  live("emits closed, and uses the theme, words and colours of the page", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage({ colorScheme: "light", reducedMotion: "reduce" })
      yield* Effect.promise(async () => {
        await eventsOf(page)
        await page.goto(`${url}?picture=5-success`)
        await page.evaluate(`(() => {
          const element = document.querySelector("domain-connection")
          element.theme = "dark"
          element.words = { done: "Back to my shop" }
          element.style.setProperty("--dc-accent", "rgb(1, 2, 3)")
        })()`)
        const button = page.getByRole("button", { name: "Back to my shop" })
        expect(await button.evaluate(background)).toBe("rgb(1, 2, 3)")
        const card = page.locator("domain-connection .card")
        expect(await card.evaluate(background)).toBe("rgb(23, 24, 28)")
        await button.click()
        expect(await heard(page)).toEqual([
          { name: "connected", composed: true, connectionId: "5-success", state: "active" },
          { name: "closed", composed: true, connectionId: "5-success", state: "active" }
        ])
      })
    })
  )
})
