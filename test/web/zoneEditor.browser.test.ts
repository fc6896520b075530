import { expect } from "bun:test"
import { Effect } from "effect"
import { Lab } from "../support/lab/Lab.ts"
import { makeZoneEditor, type ZoneEditor } from "../support/lab/ZoneEditor.ts"
import { formOf } from "../support/lab/editedRecords.ts"
import { type ZoneEditorQuirks, zoneEditorQuirks } from "../support/lab/zoneEditorQuirks.ts"
import { describeServiceInBrowser, SharedPage } from "./Chromium.ts"
import { accessibilityFaults } from "./inspectPage.ts"
import {
  changeRecord,
  chooseMailSetting,
  createSubdomain,
  deleteRecord,
  enterRecord,
  leadSiteToEditor,
  openForm,
  type TypedRecord,
  walkToRecords
} from "./zoneEditorDriver.ts"

const { godaddy, ionos, namecheap, ovh, strato } = zoneEditorQuirks

const text = (host: string, value = "hello"): TypedRecord => ({ type: "TXT", host, value })

const alias = (host: string, value = "web.hostprov.net."): TypedRecord => ({ type: "CNAME", host, value })

const phone = { width: 390, height: 800 }

/** A zone at a provider, and what its name servers answer. */
const makeZone = (quirks: ZoneEditorQuirks, delaySeconds = 0) =>
  Effect.gen(function* () {
    const { pdns } = yield* Lab
    const zone = `${quirks.id}-shop.com`
    const editor = yield* makeZoneEditor(quirks, zone, { delaySeconds })
    /** The records that are served, without the name servers' own. */
    const readServed = Effect.map(pdns.dump(zone), (lines) =>
      lines.filter((line) => !line.includes(" NS ")).map((line) => line.replace(/ [+] \d+/, ""))
    )
    return {
      editor,
      readServed,
      /** What the name servers answer with after somebody has done something, and did not before. */
      addedBy: <A>(act: (editor: ZoneEditor) => Promise<A>) =>
        Effect.gen(function* () {
          const before = yield* readServed
          const answer = yield* Effect.promise(() => act(editor))
          yield* editor.publish
          const added = (yield* readServed).filter((line) => !before.includes(line))
          return answer === undefined ? added : answer
        })
    }
  })

/** The same with a page at which a person sits. */
const openEditor = (quirks: ZoneEditorQuirks, delaySeconds = 0) =>
  Effect.gen(function* () {
    const zone = yield* makeZone(quirks, delaySeconds)
    const page = yield* SharedPage
    yield* Effect.promise(() => page.setViewportSize(phone))
    return { ...zone, page }
  })

/**
 * What the name servers of a new zone answer with after a record was entered, or what the page says if it refuses it;
 * entered without a browser, since only the provider's rules matter.
 */
const enterInto = (quirks: ZoneEditorQuirks, record: TypedRecord) =>
  Effect.flatMap(makeZone(quirks), ({ addedBy }) =>
    addedBy(async (editor) => {
      if (quirks.needsSubdomain && record.host === "shop") await postForm(editor, "subdomains", { subdomain: "shop" })
      return postRecord(editor, record)
    })
  )

/** Posts the forms by which a record is entered, and answers what the page asks. Returns what it says if it refuses. */
const postRecord = async (editor: ZoneEditor, { host, type, value }: TypedRecord): Promise<string | undefined> => {
  const domain = host === "@" ? "" : host
  const [ttl = ""] = Object.keys(editor.quirks.ttls)
  const entered = { type: formOf(editor.quirks, type).name, host, domain, value, ttl, accepted: "yes" }
  let shown = await postForm(editor, "records", entered)
  const [, refusal] = /<p role="alert">([^<]+)/.exec(shown) ?? []
  if (refusal !== undefined) return refusal
  const code = /\d{6}(?=<\/aside>)/.exec(shown)?.[0] ?? ""
  if (shown !== "") shown = await postForm(editor, "records", { ...entered, confirmed: "yes", code })
  expect(shown).toBe("")
  if (editor.quirks.hasDraft) await postForm(editor, "save-all", {})
  return undefined
}

/** The page that answers a form; empty where it leads back to a list. */
const postForm = async ({ url }: ZoneEditor, path: string, fields: Readonly<Record<string, string>>) => {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    body: new URLSearchParams(fields),
    redirect: "manual"
  })
  return response.status === 303 ? "" : response.text()
}

describeServiceInBrowser("the zone editor of the lab", SharedPage.layer({ viewport: phone }), (live) => {
  for (const quirks of Object.values(zoneEditorQuirks)) {
    const { id, name } = quirks
    live(`leads through the menu of ${name} to the records that are there at the beginning`, () =>
      Effect.gen(function* () {
        const { editor, page, readServed } = yield* openEditor(quirks)
        yield* Effect.promise(() => walkToRecords(page, editor))
        expect(page.url()).toBe(editor.recordsUrl)
        const rows = yield* Effect.promise(() => page.locator("tbody tr").count())
        expect(rows).toBe(quirks.initialRecords.length)
        expect((yield* readServed).length).toBe(rows + Object.values(quirks.mailSettings).flat().length)
      })
    )

    live(`appends the zone to a full host and keeps the apex in the form of ${name}`, () =>
      Effect.gen(function* () {
        const { addedBy, page } = yield* openEditor(quirks)
        const zone = `${id}-shop.com`
        const enter = (host: string) => addedBy((editor) => enterRecord(page, editor, text(host)))
        expect(yield* enter(`_a.${zone}`)).toEqual([`_a.${zone}.${zone}. TXT "hello"`])
        expect(yield* enter("_b")).toEqual([`_b.${zone}. TXT "hello"`])
        const apex = [`${zone}. TXT "hello"`]
        const refusal = quirks.words.errors.host
        expect(yield* enter("@")).toEqual(quirks.apex === "empty" ? refusal : apex)
        const again = quirks.apex === "either" ? quirks.words.errors.duplicate : apex
        expect(yield* enter("")).toEqual(quirks.apex === "@" ? refusal : again)
      })
    )

    live(`changes and deletes a record at ${name}, and refuses a second one that is alike`, () =>
      Effect.gen(function* () {
        const { addedBy, page, readServed } = yield* openEditor(quirks)
        const zone = `${id}-shop.com`
        const listed = { type: "TXT", host: "_a" }
        yield* addedBy((editor) => enterRecord(page, editor, text("_a")))
        expect(yield* addedBy((editor) => enterRecord(page, editor, text("_a")))).toBe(quirks.words.errors.duplicate)
        expect(yield* addedBy((editor) => changeRecord(page, editor, listed, "other"))).toEqual([
          `_a.${zone}. TXT "other"`
        ])
        yield* addedBy((editor) => deleteRecord(page, editor, listed))
        expect((yield* readServed).filter((line) => line.startsWith("_a."))).toEqual([])
      })
    )

    live(`has room on a phone and on a desk for the pages of ${name}, without accessibility violations`, () =>
      Effect.gen(function* () {
        const { editor, page } = yield* openEditor(quirks)
        yield* Effect.promise(async () => {
          for (const width of [390, 1280]) {
            await page.setViewportSize({ width, height: 800 })
            for (const type of ["", "TXT", "CNAME"]) {
              if (type === "") await walkToRecords(page, editor)
              else await openForm(page, editor, type)
              expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
              if (width !== 390 || type === "CNAME") continue
              expect(await accessibilityFaults(page)).toEqual([])
            }
          }
        })
      })
    )
  }

  live("is what links to the provider's site open, those with the domain at its records", () =>
    Effect.gen(function* () {
      const { editor, page } = yield* openEditor(godaddy)
      yield* Effect.promise(async () => {
        await leadSiteToEditor(page, editor)
        await page.goto(`https://dcc.godaddy.com/control/${editor.zone}/dns`)
        expect(page.url()).toBe(editor.recordsUrl)
        await page.goto("https://www.godaddy.com/help")
        expect(page.url()).toBe(editor.url)
      })
    })
  )

  live("serves what was saved after the delay of the provider only", () =>
    Effect.gen(function* () {
      const { editor, page, readServed } = yield* openEditor(ovh, 3_600)
      const before = yield* readServed
      yield* Effect.promise(() => enterRecord(page, editor, text("_a")))
      yield* Effect.promise(() => page.getByText("It can take up to 24 hours").waitFor())
      expect(yield* readServed).toEqual(before)
      yield* editor.publish
      expect((yield* readServed).filter((line) => !before.includes(line))).toEqual(['_a.ovh-shop.com. TXT "hello"'])
    })
  )

  live(
    "appends the zone to a target without a dot at OVHcloud, wants the dot at STRATO, and takes both elsewhere",
    () =>
      Effect.gen(function* () {
        const target = "web.hostprov.net"
        expect(yield* enterInto(ovh, alias("shop", target))).toEqual([
          `shop.ovh-shop.com. CNAME ${target}.ovh-shop.com.`
        ])
        expect(yield* enterInto(strato, alias("shop", target))).toBe("Der Hostname muss mit einem Punkt enden.")
        for (const quirks of [godaddy, ionos, namecheap])
          expect(yield* enterInto(quirks, alias("shop", target))).toEqual([
            `shop.${quirks.id}-shop.com. CNAME ${target}.`
          ])
        for (const quirks of Object.values(zoneEditorQuirks))
          expect(yield* enterInto(quirks, alias("shop", `${target}.`))).toEqual([
            `shop.${quirks.id}-shop.com. CNAME ${target}.`
          ])
      })
  )

  live("keeps quotation marks in a text, takes them off, or refuses them", () =>
    Effect.gen(function* () {
      const quoted = text("_a", '"v=spf1 -all"')
      for (const quirks of [godaddy, strato])
        expect(yield* enterInto(quirks, quoted)).toEqual([String.raw`_a.${quirks.id}-shop.com. TXT "\"v=spf1 -all\""`])
      for (const quirks of [ionos, ovh])
        expect(yield* enterInto(quirks, quoted)).toEqual([`_a.${quirks.id}-shop.com. TXT "v=spf1 -all"`])
      expect(yield* enterInto(namecheap, quoted)).toBe("The value must not contain quotation marks.")
    })
  )

  live("refuses a CNAME at the domain itself and beside other records in the words of the provider", () =>
    Effect.gen(function* () {
      expect(yield* enterInto(godaddy, alias("@"))).toBe("A CNAME record needs a sub-host: @ is not allowed.")
      expect(yield* enterInto(ionos, alias("@"))).toStartWith("A CNAME record cannot be created for the domain itself.")
      expect(yield* enterInto(ovh, alias(""))).toBe(
        "The CNAME record is not possible for a domain without a sub-domain."
      )
      expect(yield* enterInto(strato, alias("@"))).toStartWith("Für die Hauptdomain ist kein CNAME-Record möglich.")
      expect(yield* enterInto(godaddy, alias("www"))).toBe("Record name www conflicts with another record.")
      expect(yield* enterInto(ovh, alias("www"))).toStartWith("The sub-domain www has records already")
      expect(yield* enterInto(namecheap, alias("www"))).toStartWith("Host www already has a record")
    })
  )

  live("takes a CNAME at the domain itself at Namecheap, which switches off its mail", () =>
    Effect.gen(function* () {
      const { editor, page, readServed } = yield* openEditor(namecheap)
      yield* Effect.promise(() => enterRecord(page, editor, alias("@")))
      yield* editor.publish
      expect(yield* readServed).toEqual(["www.namecheap-shop.com. CNAME parkingpage.namecheap.com."])
    })
  )

  live("wants the subdomain first at IONOS and STRATO, and switches off what a CNAME replaces there", () =>
    Effect.gen(function* () {
      const { addedBy, editor, page, readServed } = yield* openEditor(ionos)
      yield* addedBy(() => enterRecord(page, editor, { type: "A", host: "shop", value: "192.0.2.20" }))
      expect(yield* addedBy(() => enterRecord(page, editor, alias("shop")))).toBe(
        "The subdomain shop does not exist. Create it first, under Subdomains."
      )
      yield* Effect.promise(() => createSubdomain(page, editor, "shop"))
      yield* addedBy(() => enterRecord(page, editor, alias("shop")))
      expect((yield* readServed).filter((line) => line.startsWith("shop."))).toEqual([
        "shop.ionos-shop.com. CNAME web.hostprov.net."
      ])
      yield* Effect.promise(() => page.getByText("(inactive)").waitFor())

      const other = yield* openEditor(strato)
      const choices = yield* Effect.promise(async () => {
        await openForm(other.page, other.editor, "CNAME")
        const before = await other.page.getByLabel("Subdomain").locator("option").allTextContents()
        await createSubdomain(other.page, other.editor, "shop")
        await openForm(other.page, other.editor, "CNAME")
        return [before, await other.page.getByLabel("Subdomain").locator("option").allTextContents()]
      })
      expect(choices).toEqual([["strato-shop.com"], ["strato-shop.com", "shop.strato-shop.com"]])
    })
  )

  live("serves MX records at Namecheap only after Custom MX was chosen", () =>
    Effect.gen(function* () {
      const { addedBy, editor, page, readServed } = yield* openEditor(namecheap)
      const mail = page.getByRole("region", { name: "Mail Settings" })
      yield* Effect.promise(async () => {
        await walkToRecords(page, editor)
        expect(await mail.getByRole("link", { name: "Add New Record" }).count()).toBe(0)
        await chooseMailSetting(page, editor, "Custom MX")
      })
      yield* addedBy(() =>
        enterRecord(page, editor, { type: "MX", host: "@", value: "mx1.mailprov.net", priority: "10" })
      )
      const readMx = Effect.map(readServed, (lines) => lines.filter((line) => line.includes(" MX ")))
      expect(yield* readMx).toEqual(["namecheap-shop.com. MX 10 mx1.mailprov.net."])
      yield* addedBy(() => chooseMailSetting(page, editor, "Email Forwarding"))
      expect(yield* readMx).toEqual([
        "namecheap-shop.com. MX 10 eforward1.registrar-servers.com.",
        "namecheap-shop.com. MX 15 eforward4.registrar-servers.com."
      ])
    })
  )

  live(
    "serves nothing at Namecheap before all changes are saved, and at OVHcloud before the summary is confirmed",
    () =>
      Effect.gen(function* () {
        for (const [quirks, last] of [
          [namecheap, "Save All Changes"],
          [ovh, "Confirm"]
        ] as const) {
          const { editor, page, readServed } = yield* openEditor(quirks)
          const before = yield* readServed
          yield* Effect.promise(async () => {
            await openForm(page, editor, "TXT")
            await page.getByLabel(quirks === ovh ? "Sub-domain" : "Host", { exact: true }).fill("_a")
            await page.getByLabel("Value").fill("hello")
            await page.getByRole("button", { name: quirks.words.save }).click()
            await page.getByRole("button", { name: last }).waitFor()
          })
          yield* editor.publish
          expect(yield* readServed).toEqual(before)
          yield* Effect.promise(async () => {
            await page.getByRole("button", { name: last }).click()
            await page.getByRole("status").waitFor()
          })
          yield* editor.publish
          expect(yield* readServed).toContain(`_a.${quirks.id}-shop.com. TXT "hello"`)
        }
      })
  )

  live("asks for the code on the phone at GoDaddy, and saves nothing with a wrong one", () =>
    Effect.gen(function* () {
      const { editor, page, readServed } = yield* openEditor(godaddy)
      const before = yield* readServed
      yield* Effect.promise(async () => {
        await openForm(page, editor, "TXT")
        await page.getByLabel("Host", { exact: true }).fill("_a")
        await page.getByLabel("TXT Value").fill("hello")
        await page.getByRole("button", { name: "Save" }).click()
        await page.getByLabel("Verification code").fill("000000")
        await page.getByRole("button", { name: "Confirm" }).click()
        await page.getByText("This code is not right.").waitFor()
      })
      yield* editor.publish
      expect(yield* readServed).toEqual(before)
    })
  )
})
