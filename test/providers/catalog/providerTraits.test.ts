import { describe, expect, test } from "bun:test"
import { Record, Schema } from "effect"
import { anyTtl, toStorableTtl } from "../../../src/domain/provider/Provider.ts"
import { nameServers } from "../../../src/providers/catalog/nameServers.ts"
import { ttlRanges } from "../../../src/providers/catalog/providerTraits.ts"
import { describeIfPossible } from "../../support/describeIfPossible.ts"
import { missingVendorData } from "../../support/vendors/vendorData.ts"

describe("the TTLs that providers store", () => {
  test("belong to providers in the catalog", () => {
    const ids = nameServers.map(({ id }) => id)
    expect(Object.keys(ttlRanges).filter((id) => !ids.includes(id))).toEqual([])
  })

  test("are ranges of whole seconds within the limits of DNS", () => {
    const odd = Record.filter(ttlRanges, ({ maximum, minimum }) => {
      const whole = Number.isInteger(minimum) && Number.isInteger(maximum)
      return !whole || minimum < anyTtl.minimum || minimum > maximum || maximum > anyTtl.maximum
    })
    expect(odd).toEqual({})
  })

  test("are rounded up to the next one of a list, which has the bounds at its ends", () => {
    const odd = Record.filter(ttlRanges, ({ allowed, maximum, minimum }) => {
      const ascending = [...new Set([minimum, ...(allowed ?? []), maximum])].toSorted((a, b) => a - b)
      return allowed !== undefined && allowed.join() !== ascending.join()
    })
    expect(odd).toEqual({})
    const atLinode = ttlRanges["linode"] ?? anyTtl
    expect([60, 300, 301, 3600, 86_401, 5_000_000].map((requested) => toStorableTtl(requested, atLinode))).toEqual([
      300, 300, 3600, 3600, 172_800, 2_419_200
    ])
  })

  test("are valid for the served automatic TTL, and not for its written value", () => {
    const odd = Record.filter(ttlRanges, ({ automatic, maximum, minimum }) => {
      const stores = (ttl: number) => minimum <= ttl && ttl <= maximum
      return automatic !== undefined && (stores(automatic.written) || !stores(automatic.served))
    })
    expect(odd).toEqual({})
  })
})

/** A TTL in an OpenAPI document: bounds or a description. */
const Bounds = Schema.Struct({
  minimum: Schema.optional(Schema.Number),
  maximum: Schema.optional(Schema.Number),
  exclusiveMinimum: Schema.optional(Schema.Boolean),
  enum: Schema.optional(Schema.Array(Schema.Number)),
  description: Schema.optional(Schema.String)
})
const DocumentedTtl = Schema.Struct({ ...Bounds.fields, anyOf: Schema.optional(Schema.Array(Bounds)) })

const data = new URL("../../../../shared/data/", import.meta.url).pathname

const child = (node: unknown, key: string): unknown =>
  typeof node === "object" && node !== null ? Reflect.get(node, key) : undefined

/** The TTL at this path of the vendor's document. */
const documented = async (id: string, ...path: ReadonlyArray<string>) => {
  const document: unknown = await Bun.file(`${data}openapi/${id}.openapi.json`).json()
  return Schema.decodeUnknownSync(DocumentedTtl)(path.reduce(child, document))
}

const numbersIn = (text = "") => (text.match(/\d+/g) ?? []).map(Number)
const body = ["requestBody", "content", "application/json", "schema"]

describeIfPossible("the vendor's document has the same TTL range for", missingVendorData, () => {
  test("Cloudflare, whose lower minimum is for Enterprise zones only", async () => {
    const ttl = await documented("cloudflare", "components", "schemas", "dns-records_ttl")
    expect(ttl.description).toContain("1 means 'automatic'. Value must be between 60 and 86400")
    expect(ttl.anyOf?.map(({ enum: only, maximum, minimum }) => only ?? [minimum, maximum])).toEqual([
      [30, 86_400],
      [1]
    ])
    expect(ttlRanges["cloudflare"]).toEqual({ minimum: 60, maximum: 86_400, automatic: { written: 1, served: 300 } })
  })

  test("Exoscale, which can be created with 0 but not changed to it", async () => {
    const record = "/dns-domain/{domain-id}/record"
    const created = await documented("exoscale", "paths", record, "post", ...body, "properties", "ttl")
    const changed = await documented("exoscale", "paths", `${record}/{record-id}`, "put", ...body, "properties", "ttl")
    expect([created, changed]).toMatchObject([
      { minimum: 0, exclusiveMinimum: false },
      { minimum: 0, exclusiveMinimum: true }
    ])
    expect(ttlRanges["exoscale"]).toEqual({ minimum: 1, maximum: anyTtl.maximum })
  })

  test("Hetzner", async () => {
    const schema = "resource_record_set_to_create"
    const { maximum, minimum } = await documented("hetzner", "components", "schemas", schema, "properties", "ttl")
    expect<unknown>(ttlRanges["hetzner"]).toEqual({ minimum, maximum })
  })

  test("Linode, a list in a description", async () => {
    const records = "/{apiVersion}/domains/{domainId}/records"
    const path = ["paths", records, "post", ...body, "allOf", "0", "properties", "ttl_sec"]
    const [, list] = (await documented("linode", ...path)).description?.split("Valid values are") ?? []
    const allowed = numbersIn(list)
    expect(ttlRanges["linode"]).toEqual({ minimum: Math.min(...allowed), maximum: Math.max(...allowed), allowed })
  })

  test("name.com, in a description", async () => {
    const path = ["components", "schemas", "DNSCreateRecordBody", "properties", "ttl"]
    const [, words] = (await documented("namecom", ...path)).description?.split("minimum TTL of") ?? []
    expect<unknown>(ttlRanges["namecom"]).toEqual({ minimum: numbersIn(words)[0], maximum: anyTtl.maximum })
  })

  test("Route 53", async () => {
    const { maximum, minimum } = await documented("route53", "components", "schemas", "TTL")
    expect<unknown>(ttlRanges["route53"]).toEqual({ minimum, maximum })
  })

  test("Vercel, with every kind of record", async () => {
    const path = ["paths", "/v2/domains/{domain}/records", "post", ...body, "anyOf"]
    const kinds = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]
    const found = await Promise.all(kinds.map((kind) => documented("vercel", ...path, kind, "properties", "ttl")))
    expect<unknown>(found.map(({ maximum, minimum }) => ({ minimum, maximum }))).toEqual(
      kinds.map(() => ttlRanges["vercel"])
    )
  })
})

const recorded = ["cloudflare", "desec", "digitalocean", "dnsimple", "gandi", "godaddy", "hetzner", "vercel"]

describeIfPossible("every recorded TTL is in the range of", missingVendorData, () => {
  test.each(recorded)("%s", async (id) => {
    const text = await Bun.file(`${data}recordings/${id}.json`).text()
    const recordedTtls = [...text.matchAll(/"(?:rrset_)?ttl":(\d+)/g)].map(([, ttl]) => Number(ttl))
    const { maximum, minimum } = ttlRanges[id] ?? anyTtl
    expect(recordedTtls).not.toEqual([])
    expect(recordedTtls.filter((ttl) => ttl < minimum || ttl > maximum)).toEqual([])
  })
})
