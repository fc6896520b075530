import { expect } from "bun:test"
import { Effect } from "effect"
import type { FailureCode } from "../../src/domain/connection/Connection.ts"
import { describeBrowser, openPage } from "./Chromium.ts"
import { galleryServerWith } from "./componentGallery.ts"
import { collapseWhitespace, confirmWarnings, headingOf } from "./labCustomer.ts"
import { readDocument } from "./recordedDocuments.ts"

/** What the field says where the provider does not let the service in with a key. */
const refusals: ReadonlyArray<readonly [FailureCode, said: string]> = [
  ["credential_invalid", "Your provider did not accept what you entered."],
  ["authorization_insufficient_scope", "What you gave us does not allow changing DNS entries."],
  ["authorization_zone_mismatch", "This account does not hold the domain."],
  ["account_not_entitled", "Your account at your provider does not let other services in."],
  ["provider_zone_locked", "Your provider has locked this domain for changes."],
  ["provider_record_locked", "Your provider does not let anybody change one of the entries."]
]

const { connection: refused } = readDocument("refused-key")
const { connection: locked } = readDocument("locked-zone")

/** The recorded failure of a key, or after one, with another code, in the document that was read before. */
const refusedWith = (code: FailureCode) => {
  const isAfterKey = code.endsWith("_locked") || code === "record_value_rejected"
  const { allowedActions, failure } = isAfterKey ? locked : refused
  return Response.json({
    connection: { ...refused, allowedActions, failure: { ...failure, code }, updatedAt: new Date().toISOString() }
  })
}

describeBrowser("where the provider does not let the service in, the component", (live) => {
  live("says why beside the field, keeps what was entered and agreed to, and offers both ways on", () =>
    Effect.gen(function* () {
      let code: FailureCode = "credential_invalid"
      const { url } = yield* galleryServerWith(({ method }) => (method === "POST" ? refusedWith(code) : undefined))
      const page = yield* openPage({ viewport: { width: 390, height: 800 } })
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=review`)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        for (const [next, said] of refusals) {
          code = next
          await page.getByLabel("API token").fill(`a key: ${code}`)
          await page.getByRole("button", { name: /^(Allow and connect|Try again)$/ }).click()
          await page.locator(".field .wrong", { hasText: said }).waitFor()
          const field = page.getByLabel("API token")
          expect([await field.inputValue(), await field.getAttribute("aria-invalid")]).toEqual([
            `a key: ${code}`,
            "true"
          ])
          expect(await page.locator(".field + .actions button").allInnerTexts()).toEqual([
            "Try again",
            "Do it yourself"
          ])
          await headingOf(page, "How shall we make the change?").waitFor()
        }
      })
    })
  )

  live("says after a sign-in that the zone is locked, and tries again with the permission that it has", () =>
    Effect.gen(function* () {
      const sent: Array<string> = []
      const { url } = yield* galleryServerWith((request) => {
        const { pathname } = new URL(request.url)
        if (request.method !== "POST")
          return pathname.endsWith("/review") ? Response.json({ connection: shown }) : undefined
        sent.push(pathname.replace(/.*\//, ""))
        return refusedWith("provider_zone_locked")
      })
      let shown: object = refused
      const page = yield* openPage({ viewport: { width: 390, height: 800 } })
      yield* Effect.promise(async () => {
        shown = readDocument("review").connection
        await page.goto(`${url}?picture=review`)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await headingOf(page, "How shall we make the change?").waitFor()
        shown = await refusedWith("provider_zone_locked")
          .json()
          .then(({ connection }: any) => connection)
        await page.reload()
        const problem = page.locator(".problem", { hasText: "Your provider has locked this domain for changes." })
        await problem.waitFor()
        expect(await page.locator(".problem ~ .actions >> nth=0").getByRole("button").allInnerTexts()).toEqual([
          "Try again",
          "Do it yourself"
        ])
        await page.getByRole("button", { name: "Try again" }).click()
        await page.getByRole("button", { name: "Do it yourself" }).first().click()
      })
      expect(sent).toEqual(["retry", "authorization"])
    })
  )

  live("says that an entry is not accepted, and leads on by hand alone", () =>
    Effect.gen(function* () {
      const sent: Array<string> = []
      const { url } = yield* galleryServerWith((request) => {
        const { pathname } = new URL(request.url)
        if (request.method === "POST") sent.push(pathname.replace(/.*\//, ""))
        return pathname.endsWith("/locked-zone") || request.method === "POST"
          ? refusedWith("record_value_rejected")
          : undefined
      })
      const page = yield* openPage({ viewport: { width: 390, height: 800 } })
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=locked-zone`)
        await page.getByText("Your provider does not accept one of the entries.").waitFor()
        expect(await page.getByText("Ask for help").count()).toBe(0)
        expect(await page.locator(".actions").getByRole("button").allInnerTexts()).toEqual(["Do it yourself", "Close"])
        await page.getByRole("button", { name: "Do it yourself" }).click()
      })
      expect(sent).toEqual(["authorization"])
    })
  )

  live("gives no reason of a way that was only tried, once another one is taken", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServerWith(({ method, url: address }) => {
        if (method !== "POST") return undefined
        hasChosenManual = !hasChosenManual
        if (hasChosenManual) return Response.json({ error: { code: "state_conflict" } }, { status: 409 })
        expect(address).toEndWith("/authorization")
        const { connection } = readDocument("verifying")
        return Response.json({ connection: { ...connection, updatedAt: new Date().toISOString() } })
      })
      let hasChosenManual = false
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.addInitScript(`window.heard = []
          addEventListener("step", ({ detail }) => window.heard.push([detail.step, detail.reason ?? null]))`)
        await page.goto(`${url}?picture=review`)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.locator("summary", { hasText: "Do it yourself" }).click()
        await page.getByRole("button", { name: "Show me what to enter" }).click()
        await page.getByText("That is not possible at the moment.").waitFor()
        await page.getByLabel("API token").fill("a key")
        await page.getByRole("button", { name: "Allow and connect" }).click()
        await headingOf(page, "Waiting until everybody sees it").waitFor()
        expect(await page.evaluate("window.heard")).toEqual([
          ["review", null],
          ["ways", null],
          ["progress", null]
        ])
      })
    })
  )
})

describeBrowser("while servers begin to show what was written, the component", (live) => {
  live("says how far it is, and how long some may see the old page, if there was one", () =>
    Effect.gen(function* () {
      const { connection, observations } = readDocument("verifying")
      const { changes = [] } = connection.plan ?? {}
      const authoritative = observations.records.flatMap(({ observed }) =>
        observed.filter(({ kind }) => kind === "authoritative")
      )
      const servers = new Set(authoritative.map(({ server }) => server))
      const late = new Set(authoritative.filter(({ status }) => status !== "present").map(({ server }) => server))
      let shown = changes
      const { url } = yield* galleryServerWith(({ url: address }) => {
        return address.endsWith("/verifying")
          ? Response.json({ connection: { ...connection, plan: { ...connection.plan, changes: shown } } })
          : undefined
      })
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=verifying`)
        await page.getByText("You can close this page.").waitFor()
        await page.getByText("Some visitors may see the old page for up to").waitFor()
        await page.getByText(`Seen at ${servers.size - late.size} of ${servers.size} servers of your domain`).waitFor()
        expect([servers.size, late.size]).toEqual([2, 1])
        expect((await page.locator(".stages li").allTextContents()).map(collapseWhitespace)).toEqual([
          "Allowed (Done)",
          "Written (Done)",
          expect.stringMatching(/ servers of your domain$/),
          expect.stringMatching(/^Seen (at \d of \d servers that everybody uses|by everybody)$/)
        ])
        shown = changes.filter(({ after, before }) => (after ?? before)?.type === "TXT")
        await page.reload()
        await page.getByText("You can close this page.").waitFor()
        expect(await page.getByText("the old page").count()).toBe(0)
      })
    })
  )
})
