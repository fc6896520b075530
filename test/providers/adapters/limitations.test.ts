import { expect } from "bun:test"
import { Effect } from "effect"
import { catalog } from "../../../src/providers/catalog/catalog.ts"
import { describeIfPossible } from "../../support/describeIfPossible.ts"
import { live } from "../../support/effectTest.ts"
import { missingVendorData, vendorData } from "../../support/vendors/vendorData.ts"
import { listLimitations } from "./AdapterUnderTest.ts"
import { vendorsUnderTest } from "./vendorsUnderTest.ts"

/** Entries of `cannot_store` that are not about a single planned record, each with why. */
const notOfRecords: Readonly<Record<string, string>> = {
  "removing the assigned NS at the apex": "these records are locked: a test of Hetzner's traps",
  "two equal values in a set": "no plan may leave a record twice, at any provider",
  "equal values twice in a set": "no plan may leave a record twice, at any provider"
}

describeIfPossible("what is declared that a vendor cannot do, compared with its facts,", missingVendorData, () => {
  for (const { id, make } of vendorsUnderTest) {
    live(`names for each limitation where it is stated: ${id}`, () =>
      Effect.gen(function* () {
        const facts = yield* Effect.promise(() => readFacts(id))
        const sources = sourcesIn((yield* make({})).limitations)
        expect(sources.length).toBeGreaterThan(0)
        const stated = yield* Effect.promise(() => Promise.all(sources.map((source) => isStated(source, id, facts))))
        expect(sources.filter((_, index) => stated[index] !== true)).toEqual([])
      })
    )

    live(`names each record that the vendor cannot store: ${id}`, () =>
      Effect.gen(function* () {
        const facts = yield* Effect.promise(() => readFacts(id))
        const sources = new Set(sourcesIn((yield* make({})).limitations))
        const unnamed = (entry: string): boolean => !sources.has(`cannot_store: ${entry}`) && !(entry in notOfRecords)
        expect(facts.cannot_store.filter(unnamed)).toEqual([])
      })
    )
  }
})

type Limitations = Effect.Effect.Success<ReturnType<(typeof vendorsUnderTest)[number]["make"]>>["limitations"]

const sourcesIn = (limitations: Limitations): ReadonlyArray<string> =>
  listLimitations(limitations).map(({ source }) => source)

const readFacts = async (provider: string): Promise<any> => {
  const { vendors } = await Bun.file(`${vendorData}vendor-facts.json`).json()
  return vendors.find(({ id }: { readonly id: string }) => id === provider)
}

/** Whether the place of a source exists and, where its text is here, has the words of the source. */
const isStated = async (source: string, provider: string, facts: any): Promise<boolean> => {
  const [, place = "", words = ""] = /^(.*?): (.+)$/.exec(source) ?? []
  if (place.startsWith("https:"))
    return [documentationHostOf(provider), otherHosts[provider]].includes(new URL(place).host)
  if (place.endsWith(".json")) return (await Bun.file(`${vendorData}${place}`).text()).includes(words)
  if (place.includes("/")) return JSON.stringify(facts).includes(place)
  const fact: unknown = place.split(".").reduce((value, key) => Object(value)[key], facts)
  return words !== "" && [fact].flat().some((each) => JSON.stringify(each ?? null).includes(words))
}

/**
 * Netlify documents no types: the manual of a client lists them. GoDaddy's help is of its pages, not of its API.
 * Infomaniak's own clients, and others, say more than its document; Simply.com's developer wrote one for Stalwart.
 */
const otherHosts: Readonly<Record<string, string>> = {
  netlify: "rdrr.io",
  godaddy: "developer.godaddy.com",
  infomaniak: "github.com",
  simply: "github.com"
}

const documentationHostOf = (provider: string): string | undefined => {
  const url = catalog.find((entry) => entry.provider.id === provider)?.provider.referenceUrl
  return url === undefined ? undefined : new URL(url).host
}
