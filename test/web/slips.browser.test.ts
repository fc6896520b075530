import { expect } from "bun:test"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import type { DiagnosisCode } from "../../src/domain/plan/Diagnosis.ts"
import { describeBrowser, openPage } from "./Chromium.ts"
import { galleryServerWith } from "./componentGallery.ts"
import { collapseWhitespace, confirmWarnings, headingOf } from "./labCustomer.ts"
import { readDocument } from "./recordedDocuments.ts"
import { recordedSlips, slipDocumentName } from "./recordedSlips.ts"

const mergedSpf = "v=spf1 ip4:192.0.2.25 include:_spf.mailprov.net ~all"
const dkim = recordedSlips.find(({ code }) => code === "truncated")?.record.value ?? ""

/** What was found, what to do, and what to copy; nothing where it is only awaited. */
const screens: { readonly [Code in Exclude<DiagnosisCode, "on_its_way">]: ReadonlyArray<string> } = {
  not_yet: [],
  only_some_servers: [],
  old_value_remains: [
    "Almost. We still found A 192.0.2.20.",
    "Change it to this, and save. If you have, wait some minutes.",
    "198.51.100.80 Copy"
  ],
  also_there: ["Almost. The entry is right, but beside it we found A 192.0.2.20.", "Delete A 192.0.2.20."],
  doubled_zone: [
    "Almost. We found www.doubled-zone.com.doubled-zone.com.",
    "Your provider adds “doubled-zone.com” itself: put only “www” in “Host”.",
    "www Copy"
  ],
  target_doubled: [
    "Almost. We found web.hostprov.net.target-doubled.com.",
    "Your provider adds “target-doubled.com” to it: put “web.hostprov.net.” in “Points to”, with the dot.",
    "web.hostprov.net. Copy"
  ],
  quoted: [
    "Almost. We found quotation marks in the value.",
    "Enter it without them.",
    "v=spf1 include:_spf.mailprov.net ~all Copy"
  ],
  escaped: ["Almost. We found backslashes in the value.", "Enter it without them.", "v=DMARC1; p=none Copy"],
  wrong_host: ["Almost. We found it at wrong-host.com.", "Put “_dmarc” in “Host”.", "_dmarc Copy"],
  // A type is chosen, not pasted.
  wrong_type: ["Almost. We found it with the type TXT.", "Delete it, and add it with the type CNAME."],
  two_spf: [
    "Almost. We found two lists of mail senders; together they are void.",
    "Keep one that reads like this, and delete the other.",
    `${mergedSpf} Copy`
  ],
  two_dmarc: [
    "Almost. We found two rules against forged mail; together they are void.",
    "Keep one that reads like this, and delete the other.",
    "v=DMARC1; p=none Copy"
  ],
  truncated: ["Almost. We found only a part of the value.", "Copy all of it.", `${dkim} Copy`],
  proxied: ["Almost. Your provider answers with its own addresses.", "Turn the proxy off for this entry."],
  flattened: ["Almost. Your provider shows it as plain addresses.", "Turn that off for this entry."],
  parking: ["Almost. A placeholder page of your provider is still there.", "Delete its entries, or turn it off."],
  blocked_by_caa: [
    "Almost. An entry forbids the security certificate.",
    "Add this one.",
    '0 issue "letsencrypt.org" Copy'
  ],
  other_zone: [
    "Almost. Other servers answer for your domain than those of GoDaddy.",
    "Make the entry where your domain is managed now."
  ]
}

/** A service that shows a recorded document, also after a command, and as if it had just looked. */
const slipServer = galleryServerWith((request) => {
  const [, , , name = "", what] = new URL(request.url).pathname.split("/")
  if (request.method === "POST") return Response.json({ connection: readDocument(name).connection })
  if (what !== "records") return undefined
  const { observations } = readDocument(name)
  const checkedAt = new Date().toISOString()
  return Response.json({ ...observations, records: observations.records.map((record) => ({ ...record, checkedAt })) })
})

/** Says of each task that it is saved until one of them shows a slip; the lines of that. */
const readSlip = async (page: Page): Promise<ReadonlyArray<string>> => {
  for (const task of await page.locator(".task").all()) {
    await task.click()
    await page.getByRole("button", { name: "I have saved it" }).click()
    await page.getByRole("button", { name: "Check again" }).waitFor()
    const lines = await page.locator(".slip p").allTextContents()
    if (lines.length > 0) return lines.map(collapseWhitespace)
  }
  return []
}

describeBrowser("of what somebody has entered, the component", (live) => {
  for (const [code, lines] of Object.entries(screens))
    live(`says what was found, what to do, and what to copy: ${code}`, () =>
      Effect.gen(function* () {
        const { url } = yield* slipServer
        const page = yield* openPage({ viewport: { width: 390, height: 800 } })
        yield* Effect.promise(async () => {
          await page.goto(`${url}?picture=${slipDocumentName(code)}`)
          await confirmWarnings(page)
          await page.getByRole("button", { name: "Continue" }).click()
          await page.getByRole("button", { name: "It is open: begin" }).waitFor()
          expect(await readSlip(page)).toEqual(lines)
          // An old value may be shown for a while, whoever owns it.
          const isMistake = lines.length > 0 && code !== "old_value_remains" && code !== "parking"
          expect(await page.locator(".task[aria-current] small").innerText()).toBe(
            isMistake ? "Almost." : "Not there yet"
          )
        })
      })
    )

  live("leads from the end to what has to be corrected, and asks for no second entry", () =>
    Effect.gen(function* () {
      const { url } = yield* slipServer
      const page = yield* openPage({ viewport: { width: 390, height: 800 } })
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=${slipDocumentName("doubled_zone")}`)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByRole("button", { name: "It is open: begin" }).waitFor()
        await readSlip(page)
        expect(await page.locator(".slip").evaluate((slip: any) => slip.getBoundingClientRect().top)).toBeGreaterThan(0)
        await page.getByRole("button", { name: "Check again" }).click()
        await page.locator(".answer", { hasText: "If you have just corrected it: GoDaddy often takes" }).waitFor()
        await page.getByRole("button", { name: "Continue" }).click()
        await headingOf(page, "Not everything is right yet").waitFor()
        expect(await page.getByText("You can close this page").count()).toBe(0)
        await page.getByRole("button", { name: "Show what to correct" }).click()
        await page.locator(".slip").waitFor()
        expect(await page.locator(".record h3").allTextContents()).toEqual(["Make it read like this"])
      })
    })
  )

  live("says to leave a field empty where the page of the provider wants that, and copies nothing then", () =>
    Effect.gen(function* () {
      const name = slipDocumentName("empty_host")
      const { url } = yield* slipServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=${name}`)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByRole("button", { name: "It is open: begin" }).click()
        await page.locator(".slip").waitFor()
        expect((await page.locator(".slip p").allTextContents()).map(collapseWhitespace)).toEqual([
          "Almost. We found empty-host.com.empty-host.com.",
          "Sub-domain: leave it empty"
        ])
      })
    })
  )

  live("names the field whose content alone differs, as the page of the provider does", () =>
    Effect.gen(function* () {
      const name = slipDocumentName("old_value_remains")
      const { observations } = readDocument(name)
      const { url } = yield* galleryServerWith(({ method, url: address }) => {
        if (method === "POST") return Response.json({ connection: readDocument(name).connection })
        if (!address.endsWith(`${name}/records`)) return undefined
        const checkedAt = new Date().toISOString()
        const records = observations.records.map(({ diagnosis, ...record }) => ({
          ...record,
          checkedAt,
          ...(diagnosis === undefined ? {} : { diagnosis: { ...diagnosis, copy: "1", field: "priority" } })
        }))
        const guides = (observations.guides ?? []).map((guide) => ({
          ...guide,
          tasks: guide.tasks.map((task) => ({
            ...task,
            fields: [...task.fields, { field: "priority", label: "Prio", value: "1" }]
          }))
        }))
        return Response.json({ ...observations, guides, records })
      })
      const page = yield* openPage({ viewport: { width: 390, height: 800 } })
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=${name}`)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByRole("button", { name: "It is open: begin" }).waitFor()
        expect((await readSlip(page)).slice(1)).toEqual([
          "Change it to this, and save. If you have, wait some minutes.",
          "Prio 1 Copy"
        ])
      })
    })
  )

  live("asks to delete what is beside the right entry, and for nothing else", () =>
    Effect.gen(function* () {
      const { url } = yield* slipServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=${slipDocumentName("also_there")}`)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByRole("button", { name: "It is open: begin" }).waitFor()
        await readSlip(page)
        expect(await page.locator(".record").count()).toBe(0)
      })
    })
  )

  live("is not alarmed while resolvers remember what was there before", () =>
    Effect.gen(function* () {
      const { url } = yield* slipServer
      const page = yield* openPage({ viewport: { width: 390, height: 800 } })
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=${slipDocumentName("on_its_way")}`)
        await page.getByRole("button", { name: "It is open: begin" }).click()
        await page.getByText("Prove that the domain is yours").first().waitFor()
        expect(await page.locator(".bad, .slip").count()).toBe(0)
      })
    })
  )
})
