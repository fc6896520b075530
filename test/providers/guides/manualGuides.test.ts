import { describe, expect, test } from "bun:test"
import { DateTime, Schema, Struct } from "effect"
import { nameServers } from "../../../src/providers/catalog/nameServers.ts"
import type { ProviderGuide, TextByType } from "../../../src/providers/guides/ProviderGuide.ts"
import { manualGuides } from "../../../src/providers/guides/manualGuides.ts"
import { testIfPossible } from "../../support/describeIfPossible.ts"
import { missingVendorData, vendorData } from "../../support/vendors/vendorData.ts"

/** The guides of providers whose name servers the catalog does not have: only an operator can declare them. */
const withoutNameServers = ["fasthosts", "shopify"]

/** The guides with a text of which it is known that it is old or has no date: nobody has read the page again yet. */
const knownOld = [
  "123reg",
  "bluehost",
  "cloudflare",
  "crazydomains",
  "enom",
  "fasthosts",
  "godaddy",
  "hetzner",
  "hosteurope",
  "infomaniak",
  "inmotion",
  "ionos",
  "loopia",
  "namecom",
  "networksolutions",
  "ovh",
  "registerit",
  "strato",
  "unitedomains",
  "wix",
  "wordpresscom"
]

/** The guides with a text that is older than 18 months at a time, or has no date. */
const listOldGuides = (now: DateTime.Utc): ReadonlyArray<{ readonly id: string; readonly checked: string }> => {
  const oldest = DateTime.subtract(now, { months: 18 })
  const isOld = (checked: string | undefined) =>
    checked === undefined || DateTime.lessThan(DateTime.unsafeMake(checked), oldest)
  return Object.entries(manualGuides)
    .filter(([, guide]) => isOld(guide?.checked))
    .map(([id, guide]) => ({ id, checked: guide?.checked ?? "no date" }))
}

const idsAt = (date: string) => listOldGuides(DateTime.unsafeMake(date)).map(({ id }) => id)

describe("the guides for records that are entered by hand", () => {
  test("are those of providers in the catalog, but for some that an operator may declare", () => {
    const ids = new Set([...nameServers.map(({ id }) => id), ...withoutNameServers])
    expect(Object.keys(manualGuides).filter((id) => !ids.has(id))).toEqual([])
  })

  test("link only to https pages, with the domain in at most one form", () => {
    const links = Object.values(manualGuides).flatMap((guide) => [
      guide?.dnsPageUrl ?? [],
      guide?.helpUrl ?? [],
      guide?.loginUrl ?? []
    ])
    const odd = links
      .flat()
      .filter(
        (link) =>
          new URL(link).protocol !== "https:" || /%(?!domain%|[0-9A-F]{2})/.test(link.replaceAll("%domain%", ""))
      )
    expect(odd).toEqual([])
  })

  test("with a text older than 18 months are those that are known to be old", () => {
    const unexpected = listOldGuides(DateTime.unsafeNow()).filter(({ id }) => !knownOld.includes(id))
    const list = unexpected.map(({ checked, id }) => `${id} (${checked})`).join(", ")
    expect(
      list,
      "Older than 18 months. Read these pages of the providers again, correct the guide and set `checked`."
    ).toBe("")
  })

  test("grow old after 18 months", () => {
    expect(idsAt("2026-11-28")).toEqual(knownOld)
    expect(idsAt("2028-02-28")).not.toContain("namecheap")
    expect(idsAt("2028-03-02")).toContain("namecheap")
  })
})

const Text = Schema.NullOr(Schema.String)
const FactTexts = Schema.NullOr(
  Schema.Union(Schema.String, Schema.Record({ key: Schema.String, value: Schema.String }))
)
const GuideFacts = Schema.parseJson(
  Schema.Struct({
    guides: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        loginLink: Text,
        dnsPageLink: Text,
        helpLink: Schema.optional(Text),
        path: Text,
        addButton: Text,
        hostLabel: FactTexts,
        apex: Text,
        domainAppended: Schema.NullOr(Schema.Boolean),
        valueLabel: FactTexts,
        targetTrailingDot: Text,
        priority: Text,
        srvFields: Schema.NullOr(Schema.Array(Schema.String)),
        checked: Schema.String
      })
    )
  })
)
type GuideFact = (typeof GuideFacts.Type)["guides"][number]

/** What the data say in words where the table has a form. */
const apexForms: Readonly<Record<string, TextByType>> = {
  "@": "@",
  "@ or empty": "@",
  "@ (shown as @ (None) afterwards)": "@",
  empty: "",
  "empty Präfix": "",
  "filled in by itself (empty)": "",
  "empty for TXT; @ for MX in the same guide": { TXT: "", MX: "@" }
}

/** The paths of the data that name several ways at once, or a way that only one type of record has. */
const ownPaths: Readonly<Record<string, string>> = {
  enom: "my domains > domain > Manage Domain > Host Records",
  networksolutions: "domain > Advanced Tools > Advanced DNS Records > Manage",
  strato: "Kunden-Login > Domains > Domainverwaltung > verwalten > DNS"
}

/** The buttons of the data that are several. */
const withoutButton = ["enom", "networksolutions"]

/** Labels with a word of explanation: `Service (without underscore)`. */
const withoutExplanation = (label: string) => label.replace(/ \((?!Hostname|alias|points).*\)$/, "")

const labelsOf = (texts: GuideFact["hostLabel"]): TextByType | undefined => {
  if (texts === null) return undefined
  if (typeof texts === "string") return withoutExplanation(texts)
  return Object.fromEntries(Object.entries(texts).filter(([, label]) => label !== "none"))
}

/** What the data tell in sentences only. */
const inWords = [
  "apexType",
  "hints",
  "publishButton",
  "servedWithinMinutes",
  "srvUnderscores",
  "ttl",
  "typeHints",
  "withoutHost"
] as const

/** The facts in the form of the table, as far as they have a field of their own. */
const toGuide = (fact: GuideFact): ProviderGuide => {
  const [oldest] = [...fact.checked.matchAll(/\d{4}(?:-\d\d(?!\d))?/g)].map(([date]) => date).toSorted()
  const { addButton, apex, dnsPageLink, helpLink, id, loginLink, path, priority, srvFields, targetTrailingDot } = fact
  const entries = (ownPaths[id] ?? path)?.split(" > ").map((entry) => entry.replace(/^(domain|zone)$/, "%domain%"))
  const fields = {
    checked: oldest,
    loginUrl: loginLink ?? undefined,
    dnsPageUrl: dnsPageLink ?? undefined,
    helpUrl: helpLink ?? undefined,
    path: entries?.filter((entry, at) => at < entries.length - 1 || entry !== addButton),
    addButton: withoutButton.includes(id) ? undefined : (addButton ?? undefined),
    hostLabel: labelsOf(fact.hostLabel),
    apex: apex === null ? undefined : apexForms[apex],
    appendsZone: fact.domainAppended ?? undefined,
    valueLabel: labelsOf(fact.valueLabel),
    targetDot: targetTrailingDot === null ? undefined : !targetTrailingDot.startsWith("not needed"),
    priorityLabel: priority === null || priority.includes(" ") ? undefined : priority,
    srvFields: srvFields?.filter((label) => label !== "TTL").map(withoutExplanation)
  }
  return JSON.parse(JSON.stringify(fields))
}

testIfPossible("the guides say what the data say, and no more", missingVendorData, async () => {
  const { guides } = Schema.decodeSync(GuideFacts)(await Bun.file(`${vendorData}manual-guides.json`).text())
  const table = Object.entries(manualGuides).map(([id, guide = {}]) => {
    const { srvFields, ...facts } = Struct.omit(guide, ...inWords)
    return [id, { ...facts, ...(srvFields === undefined ? {} : { srvFields: srvFields.map(([, label]) => label) }) }]
  })
  expect(Object.fromEntries(table)).toEqual(Object.fromEntries(guides.map((fact) => [fact.id, toGuide(fact)])))
})
