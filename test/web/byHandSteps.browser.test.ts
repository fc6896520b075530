import { expect } from "bun:test"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import type { ObservationsDocument } from "../../src/domain/plan/ObservationsDocument.ts"
import { describeBrowser, openPage } from "./Chromium.ts"
import { galleryServer, galleryServerWith } from "./componentGallery.ts"
import { collapseWhitespace, confirmWarnings, headingOf } from "./labCustomer.ts"
import { readDocument } from "./recordedDocuments.ts"

type Guides = NonNullable<ObservationsDocument["guides"]>
type GuideTask = Guides[number]["tasks"][number]

/** The recorded setup by hand, with every task changed. */
const withTasks = (change: (task: GuideTask) => Partial<GuideTask>) =>
  galleryServerWith(({ url }) => {
    if (!url.endsWith("/by-hand/records")) return undefined
    const { observations } = readDocument("by-hand")
    const guides = (observations.guides ?? []).map((guide) => ({
      ...guide,
      tasks: guide.tasks.map((task) => ({ ...task, ...change(task) }))
    }))
    return Response.json({ ...observations, guides })
  })

const beginByHand = async (page: Page, url: string): Promise<void> => {
  await page.goto(`${url}?picture=by-hand`)
  await confirmWarnings(page)
  await page.getByRole("button", { name: "Continue" }).click()
  await page.getByRole("button", { name: "It is open: begin" }).waitFor()
}

/** The texts of the controls that something covers while they have the focus. */
const listCovered = `(() => {
  const root = document.querySelector("domain-connection").shadowRoot
  return [...root.querySelectorAll("a, button, summary, select")].filter((control) => {
    control.focus()
    const { bottom, left, right, top } = control.getBoundingClientRect()
    const shown = root.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    return right > left && shown !== control && !control.contains(shown) && !shown?.contains(control)
  }).map((control) => control.textContent.trim())
})()`

describeBrowser("a setup by hand in the component", (live) => {
  for (const [width, height] of [
    [390, 700],
    [1280, 800]
  ] as const)
    live(`has nothing under its footer that has the focus, at ${width} px`, () =>
      Effect.gen(function* () {
        const { url } = yield* galleryServer
        const page = yield* openPage({ viewport: { width, height } })
        yield* Effect.promise(async () => {
          await beginByHand(page, `${url}`)
          expect(await page.evaluate(listCovered)).toEqual([])
          for (const task of await page.locator(".task").all()) {
            await task.click()
            expect(await page.evaluate(listCovered)).toEqual([])
            await page.getByRole("button", { name: "I have saved it" }).click()
            await page.locator(".answer").waitFor()
            expect(await page.evaluate(listCovered)).toEqual([])
          }
        })
      })
    )

  live("offers to copy what a field takes, and nothing that is chosen from a list", () =>
    Effect.gen(function* () {
      const { url } = yield* withTasks(({ fields }) => ({
        fields: [...fields.filter(({ field }) => field !== "ttl"), { field: "ttl", value: "1 hour", isChoice: true }]
      }))
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await beginByHand(page, `${url}`)
        await page.locator(".task", { hasText: "Show your shop at www" }).click()
        await page.getByText("1 hour").waitFor()
        const copies = await page
          .getByRole("button", { name: /^Copy/ })
          .evaluateAll((all: any) => all.map((one: any) => one.getAttribute("aria-label")))
        expect(copies.filter((label: string) => /Type|TTL/.test(label))).toEqual([])
        expect(copies).toContain("Copy Host")
      })
    })
  )

  live("names a field without a known label by what it holds", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await beginByHand(page, `${url}`)
        const labels = async (task: string) => {
          await page.locator(".task", { hasText: task }).click()
          return (await page.locator(".record dt").allTextContents()).map(collapseWhitespace)
        }
        expect(await labels("Show your shop at small-shop.com")).toContain("IP address")
        expect(await labels("Show your shop at www")).toContain("Target")
      })
    })
  )

  live("goes on at the tasks in another tab, and asks a stranger to agree", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await beginByHand(page, `${url}`)
        const tab = await page.context().newPage()
        await tab.goto(`${url}?picture=by-hand`)
        await tab.getByRole("button", { name: "It is open: begin" }).waitFor()
      })
      const begun = yield* withTasks(({ record }) => ({ isDone: record.host === "www" }))
      const phone = yield* openPage()
      yield* Effect.promise(async () => {
        // A helper may have entered it: what the owner has to confirm is asked before the rest.
        await beginByHand(phone, `${begun.url}`)
        await phone.locator(".task.good", { hasText: "Show your shop at www" }).click()
        await phone.getByText("There is nothing left to do here.").waitFor()
        expect(await phone.locator(".record").count()).toBe(0)
      })
      const stranger = yield* openPage()
      yield* Effect.promise(async () => {
        await stranger.goto(`${url}?picture=by-hand`)
        await headingOf(stranger, "Connect small-shop.com").waitFor()
      })
    })
  )

  live("names the provider wherever entries of two are shown", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServerWith(({ method, url: address }) => {
        const { connection, observations } = readDocument("two-providers")
        if (method === "POST") return Response.json({ connection })
        if (!address.endsWith("/records")) return undefined
        const checkedAt = new Date().toISOString()
        return Response.json({ ...observations, records: observations.records.map((each) => ({ ...each, checkedAt })) })
      })
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=two-providers`)
        await page.getByText("managed at BIND of the lab and PowerDNS of the lab").waitFor()
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByText("At PowerDNS of the lab: Open the DNS settings of mixed.com.").waitFor()
        const names = (await page.locator(".task").allTextContents()).map(collapseWhitespace)
        expect(new Set(names).size).toBe(names.length)
        await page.locator(".task", { hasText: "At PowerDNS of the lab" }).first().click()
        await page.getByRole("button", { name: "I have saved it" }).click()
        await page.locator(".answer", { hasText: "PowerDNS of the lab often takes 1 to 5 minutes" }).waitFor()
      })
    })
  )

  live("begins with the review where one of two providers has shown a record all the time", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServerWith(({ url: address }) => {
        if (!address.endsWith("/records")) return undefined
        const { observations } = readDocument("two-providers")
        const [first, ...others] = observations.guides ?? []
        const guides = first && [{ ...first, tasks: first.tasks.map((task) => ({ ...task, isDone: true })) }, ...others]
        return Response.json({ ...observations, guides })
      })
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        const read = page.waitForResponse(/two-providers\/records$/)
        await page.goto(`${url}?picture=two-providers`)
        await read
        await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        await headingOf(page, "Connect mixed.com").waitFor()
        expect(await page.locator(".task").count()).toBe(0)
      })
    })
  )
})
