import { describe, expect, test } from "bun:test"
import { Record, Schema } from "effect"
import { parse as parseSuffix } from "tldts"
import { isAtOrBelow } from "../../../src/domain/names/DomainName.ts"
import { Provider } from "../../../src/domain/provider/Provider.ts"
import { catalog } from "../../../src/providers/catalog/catalog.ts"
import { nameServers } from "../../../src/providers/catalog/nameServers.ts"
import { sharedNameServers } from "../../../src/providers/catalog/sharedNameServers.ts"
import { providerTraits } from "../../../src/providers/catalog/providerTraits.ts"
import { websiteShares } from "../../../src/providers/catalog/websiteShares.ts"
import { testIfPossible } from "../../support/describeIfPossible.ts"
import { missingVendorData } from "../../support/vendors/vendorData.ts"

const ids = nameServers.map(({ id }) => id)
const suffixes = catalog.flatMap(({ provider, suffixes }) => suffixes.map((suffix) => ({ id: provider.id, suffix })))

describe("the catalog", () => {
  test("lists each provider once, sorted by id, and none with the id `unknown`", () => {
    expect(catalog.map(({ provider }) => provider.id)).toEqual([...new Set(ids)].toSorted())
    expect(ids).not.toContain("unknown")
  })

  test("has name servers for each provider with traits", () => {
    expect(Object.keys(providerTraits).filter((id) => !ids.includes(id))).toEqual([])
  })

  test("declares no capability as both supported and unsupported", () => {
    const contradictory = Record.filter(providerTraits, ({ lacks = [], supports = [] }) =>
      lacks.some((name) => supports.includes(name))
    )
    expect(contradictory).toEqual({})
  })

  test("claims no more for any provider than the service supports", () => {
    const claims = catalog.map(({ provider }) => ({
      implementation: provider.implementation,
      methods: provider.availableAuthorizationMethods,
      inputs: provider.authorizationInputs,
      detection: provider.detection
    }))
    expect(new Set(claims.map((claim) => JSON.stringify(claim)))).toEqual(
      new Set([
        JSON.stringify({
          implementation: "manual",
          methods: ["manual"],
          inputs: { directCredential: "none", providerSession: "none" },
          detection: { method: "nameserver" }
        })
      ])
    )
  })

  test("links only to https pages", () => {
    const links = catalog.flatMap(({ provider }) => provider.referenceUrl ?? [])
    expect(links.filter((link) => new URL(link).protocol !== "https:")).toEqual([])
  })

  test("matches the API schema for every provider", () => {
    const providers = catalog.map(({ provider }) => provider)
    const encoded = Schema.encodeSync(Schema.Array(Provider))(providers)
    expect(Schema.decodeUnknownSync(Schema.Array(Provider))(encoded)).toEqual(providers)
  })
})

test("every share of websites belongs to providers of the catalog, each once", () => {
  const shared = websiteShares.flatMap(({ providers }) => providers)
  expect(shared.filter((id) => !ids.includes(id))).toEqual([])
  expect(new Set(shared).size).toBe(shared.length)
})

describe("the suffixes", () => {
  test("are absent only where all name servers of a provider are shared ones of another", () => {
    const withoutSuffix = catalog.filter((entry) => entry.suffixes.length === 0).map(({ provider }) => provider.id)
    expect(withoutSuffix).toEqual(["netlify"])
    const candidates = Object.values(sharedNameServers).flatMap((shared) => shared.candidates)
    expect(candidates.filter((id) => !ids.includes(id))).toEqual([])
    expect(candidates).toContain("netlify")
  })

  test("are lower-case labels with # for a digit and no other digits", () => {
    expect(suffixes.filter(({ suffix }) => !/^[a-z0-9#-]+(\.[a-z0-9#-]+)+$/.test(suffix))).toEqual([])
    expect(suffixes.filter(({ suffix }) => suffix.includes("#") && /\d/.test(suffix))).toEqual([])
  })

  test("do not contain each other, so that no name matches two providers", () => {
    const nested = suffixes.filter((inner) =>
      suffixes.some((outer) => inner !== outer && isAtOrBelow(inner.suffix, outer.suffix))
    )
    expect(nested).toEqual([])
  })

  test("are not public suffixes, below which customers own names", () => {
    const shared = suffixes.filter(({ suffix }) => {
      const { publicSuffix } = parseSuffix(`a.${suffix.replaceAll("#", "1")}`, { allowPrivateDomains: true })
      return publicSuffix === null || isAtOrBelow(publicSuffix, suffix)
    })
    expect(shared).toEqual([])
  })
})

/** A pattern is cited if it has a source besides general knowledge, or public texts that name it. */
const Pattern = Schema.Struct({
  value: Schema.String,
  source: Schema.String,
  citations: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] })
})

const Facts = Schema.parseJson(
  Schema.Struct({
    providers: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        name: Schema.String,
        patterns: Schema.Array(Pattern)
      })
    )
  })
)

/**
 * The catalog's suffixes for cited patterns that are expressions, lie within another, or match customers' names.
 */
const catalogSuffixes: Readonly<Record<string, ReadonlyArray<string>>> = {
  "^ns-\\d+\\.awsdns-\\d{2}\\.(com|net|org|co\\.uk)$": [
    "awsdns-##.com",
    "awsdns-##.net",
    "awsdns-##.org",
    "awsdns-##.co.uk"
  ],
  "^ns\\d+\\.amzndns\\.(com|net|org|co\\.uk)$": ["amzndns.com", "amzndns.net", "amzndns.org", "amzndns.co.uk"],
  "^ns-cloud-[a-e][1-4]\\.googledomains\\.com$": [],
  "kasserver.com": ["ns#.kasserver.com"],
  "linode.com": ["ns#.linode.com"],
  "mythic-beasts.com": ["ns#.mythic-beasts.com"],
  "sakura.ne.jp": ["gslb#.sakura.ne.jp", "gslb##.sakura.ne.jp"],
  "scw.cloud": ["dom.scw.cloud"],
  "yandexcloud.net": ["ns#.yandexcloud.net"]
}

/** The sources by suffix, without uncited suffixes and those within another of the same provider. */
const citedSuffixes = (patterns: ReadonlyArray<typeof Pattern.Type>) => {
  const cited = patterns
    .map(({ citations, source, value }) => {
      const projects = source.split(",").filter((name) => name !== "curated-unverified")
      return { value, sources: projects.length === 0 && citations.length > 0 ? ["public-texts"] : projects }
    })
    .filter(({ sources }) => sources.length > 0)
    .flatMap(({ sources, value }) => (catalogSuffixes[value] ?? [value]).map((suffix) => ({ sources, suffix })))
  const outermost = cited.filter(
    (inner) => !cited.some((outer) => inner.suffix !== outer.suffix && isAtOrBelow(inner.suffix, outer.suffix))
  )
  return Object.fromEntries(outermost.map(({ sources, suffix }) => [suffix, sources]))
}

const facts = Bun.file(new URL("../../../../shared/data/nameservers.json", import.meta.url).pathname)

testIfPossible("the catalog has every cited suffix and no others", missingVendorData, async () => {
  const { providers } = Schema.decodeSync(Facts)(await facts.text())
  const cited = providers
    .map(({ id, name, patterns }) => ({ id, name, suffixes: citedSuffixes(patterns) }))
    .filter(({ suffixes }) => Object.keys(suffixes).length > 0)
  const withSuffix = nameServers.filter(({ suffixes }) => Object.keys(suffixes).length > 0)
  expect<unknown>(withSuffix).toEqual(cited)
  expect(withSuffix.length).toBeGreaterThanOrEqual(180)
})
