import { makeIonosClient, makeUnitedDomainsClient } from "../../../../src/providers/adapters/ionos/makeIonosClient.ts"
import {
  type DescribedCall,
  inZoneOf,
  keepRecord,
  refuseConflicts,
  type VendorDescription
} from "../../../support/vendors/DescribedVendor.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import {
  type EnteredRecord,
  toLabFields,
  type VendorRecord,
  withPriorityBeside
} from "../../../support/vendors/VendorZones.ts"
import {
  absentAtFake,
  apiToken,
  type DescribedAdapter,
  errorCases,
  requireHeader,
  wrongTokens
} from "../DescribedAdapter.ts"
import {
  refusedApexAlias,
  refusedCaaBackslash,
  refusedNullMx,
  refusedNullService,
  refusedTypes,
  refusedValues
} from "../vendorContract.ts"

/** What IONOS keeps of a record: a text in quotes, and a priority beside the rest. */
export interface IonosData {
  readonly content: string
  readonly prio?: number
  readonly disabled: boolean
}

/** A key of the account: the public prefix and the secret. */
export const validKey = "ionosprefix.ionossecret"

/** The zone of the recording has the name of the tests' zone, and this id. */
export const zoneId = "4c9feb47-2a4d-11ec-bda4-0a5864441f49"
const idOf = (zone: string): string => (zone === "example.com" ? zoneId : `id-of-${zone}`)
const nameOf = (id: string): string => (id === zoneId ? "example.com" : id.replace("id-of-", ""))

const error = (status: number, code: string): VendorAnswer => ({ status, body: [{ code, message: "no" }] })

const types = "A AAAA CAA CNAME MX NS SRV TXT"
const isOddText = (text: string): boolean => text === "" || /["\\\p{Cc}\ufffd]/u.test(text)

type StoredIonosRecord = VendorRecord<IonosData>

const show =
  (zone: string) =>
  ({ data, id, name, ttl, type }: StoredIonosRecord) => ({
    id,
    name,
    rootName: zone,
    type,
    ttl,
    changeDate: "2026-01-01T00:00:00.000Z",
    ...data
  })

/** What a record that IONOS shows is in the state of its fake. */
export const readShown = ({ content, disabled, id, name, prio, ttl, type }: any): StoredIonosRecord => ({
  id,
  name,
  type,
  ttl,
  data: { content, ...(prio === undefined ? {} : { prio }), disabled }
})

const toData: VendorDescription<IonosData>["toData"] = ({ name, type }, { priority, value }, zone) => {
  if (!types.split(" ").includes(type)) return "the type is not known to be stored"
  if (type === "CNAME" && name === zone) return "a CNAME cannot stand at the domain itself"
  if (type === "TXT") {
    const text = value.replace(/^"(.*)"$/s, "$1")
    return isOddText(text) ? "the text is not known to be stored" : { content: `"${text}"`, disabled: false }
  }
  const content = ["CNAME", "MX", "NS", "SRV"].includes(type) ? value.replace(/\.$/, "") : value
  if (content === "" || /[ ]$/.test(content) || (type === "CAA" && content.includes("\\")))
    return "not known to be stored"
  return { content, disabled: false, ...(type === "MX" || type === "SRV" ? { prio: priority ?? 0 } : {}) }
}

/** The record of a request, or why it cannot be stored. */
const keep = (vendor: VendorDescription<IonosData>, body: any, zone: string) => {
  const { content, disabled = false, id, name, prio, ttl = 3600, type } = body
  const kept = keepRecord(vendor, { name, type, ttl }, { priority: prio, value: content }, zone)
  return typeof kept === "string" ? kept : { ...kept, id, data: { ...kept.data, disabled } }
}

/** The API of records at IONOS, or at a brand of it. */
const makeVendor = (baseUrl: string, nameServers: ReadonlyArray<string>): VendorDescription<IonosData> => {
  const inZone = inZoneOf<IonosData>(
    () => vendor,
    ({ pathParameters }) => nameOf(pathParameters["zoneId"] ?? "")
  )
  const isSameAs = (one: EnteredRecord<IonosData>) => (other: EnteredRecord<IonosData>) =>
    one.name === other.name && one.type === other.type && one.data.content === other.data.content
  const write = (
    { body, method, zone }: Pick<DescribedCall, "body" | "method" | "zone">,
    records: ReadonlyArray<StoredIonosRecord>,
    isReplaced: (record: StoredIonosRecord, written: ReadonlyArray<EnteredRecord<IonosData>>) => boolean
  ) => {
    const kept = [...body].map((each) => keep(vendor, each, zone))
    const written = kept.filter((record) => typeof record !== "string")
    if (written.length < kept.length) return error(400, "INVALID_RECORD")
    const others = records.filter((record) => !isReplaced(record, written))
    const status = method === "POST" ? 201 : 200
    return refuseConflicts(vendor, others, written) ?? { status, records: [...others, ...written] }
  }
  const vendor: VendorDescription<IonosData> = {
    baseUrl,
    authenticate: requireHeader("x-api-key", [validKey], () => error(401, "UNAUTHORIZED")),
    lists: ["GET /zones/{zoneId}"],
    ownRecords: (zone) =>
      nameServers.map((content) => ({ name: zone, type: "NS", ttl: 86_400, data: { content, disabled: false } })),
    ttl: { minimum: 300 },
    toData,
    toEnteredFields: withPriorityBeside,
    toFields: ({ data: { content, prio }, type }) =>
      toLabFields({ type, data: prio === undefined ? content : `${prio} ${content}` }),
    refuse: (reason) => {
      if (reason === "no zone") return error(404, "ZONE_NOT_FOUND")
      return reason.startsWith("no ") ? error(404, "RECORD_NOT_FOUND") : error(400, "INVALID_RECORD")
    },
    operations: {
      "GET /zones": (_, { zones }) => ({
        status: 200,
        body: Object.keys(zones).map((name) => ({ name, id: idOf(name), type: "NATIVE" }))
      }),
      "GET /zones/{zoneId}": inZone(({ query, zone }, records) => {
        const { recordName, recordType, suffix = "" } = Object.fromEntries(query)
        const found = records.filter(
          ({ name, type }) => (recordName ?? name) === name && (recordType ?? type) === type && name.endsWith(suffix)
        )
        return { status: 200, body: { name: zone, id: idOf(zone), type: "NATIVE", records: found.map(show(zone)) } }
      }),
      // A record that is there already gets a new id: so it was recorded.
      "POST /zones/{zoneId}/records": inZone(
        (call, records) => write(call, records, (record, written) => written.some(isSameAs(record))),
        (records, zone) => records.map(show(zone))
      ),
      "PATCH /zones/{zoneId}": inZone((call, records) =>
        write(call, records, ({ name, type }, written) =>
          written.some((record) => record.name === name && record.type === type)
        )
      ),
      "PUT /zones/{zoneId}/records/{recordId}": inZone(
        (call, records) => {
          const before = records.find(({ id }) => id === call.pathParameters["recordId"])
          if (before === undefined) return error(404, "RECORD_NOT_FOUND")
          if ("name" in call.body || "type" in call.body) return error(400, "INVALID_RECORD")
          const { id, name, type } = before
          return write({ ...call, body: [{ ...call.body, id, name, type }] }, records, (record) => record === before)
        },
        (records, zone) => records.map(show(zone))[0]
      ),
      "DELETE /zones/{zoneId}/records/{recordId}": inZone(({ pathParameters }, records) => {
        const left = records.filter(({ id }) => id !== pathParameters["recordId"])
        return left.length === records.length ? error(404, "RECORD_NOT_FOUND") : { status: 200, records: left }
      })
    }
  }
  return vendor
}

const errors = errorCases(error, [
  [400, "INVALID_RECORD", "apply_rejected"],
  [401, "UNAUTHORIZED", "credential_invalid"],
  [403, "FORBIDDEN", "authorization_insufficient_scope"],
  [404, "ZONE_NOT_FOUND", "authorization_zone_mismatch"],
  [500, "INTERNAL_SERVER_ERROR", "OutcomeUnknown"]
])

/** The adapter at IONOS, or at a brand of it, and what its vendor answers; both have the same sources. */
const makeAdapter = (
  brand: Pick<DescribedAdapter<IonosData>, "id" | "makeClient" | "name" | "nameServers">,
  baseUrl: string,
  sources: Readonly<Record<"alias" | "format" | "ttl", string>>
): DescribedAdapter<IonosData> => {
  const vendor = makeVendor(baseUrl, brand.nameServers)
  return {
    ...brand,
    vendor,
    credential: apiToken(validKey),
    wrongCredentials: [...wrongTokens(validKey), apiToken("other.secret")],
    writes: "records",
    errors,
    limit: { ...error(429, "TOO_MANY_REQUESTS"), headers: { "retry-after": "60" }, seconds: 60 },
    limitations: {
      writesInParts: "atomicity: per call",
      storesOtherwise: sources.ttl,
      refused: [
        refusedApexAlias(sources.alias),
        refusedTypes(sources.format, types),
        { ...refusedNullMx, source: sources.format },
        refusedNullService(sources.format),
        refusedValues("TXT", {
          about: "an empty text, and one with a quote, a backslash or a control character",
          source: sources.format,
          matches: isOddText,
          examples: ["", 'say "hi"', "back\\slash", "two\nlines"]
        }),
        refusedCaaBackslash(sources.format)
      ],
      absent: [absentAtFake(vendor, sources.format)]
    }
  }
}

/** The adapter of IONOS, and what its vendor answers. */
export const ionos = makeAdapter(
  {
    id: "ionos",
    name: "IONOS",
    makeClient: makeIonosClient,
    nameServers: ["ns1061.ui-dns.com", "ns1067.ui-dns.de"]
  },
  "https://api.hosting.ionos.com/dns/v1",
  {
    alias: "https://developer.hosting.ionos.com/docs/dns: the types have no ALIAS",
    format: "values.txt: written plain, read quoted (recorded)",
    ttl: "ttl.note: unproven; lego refuses less than 300"
  }
)

/** The adapter of united-domains, and what its vendor answers. */
export const unitedDomains = makeAdapter(
  {
    id: "unitedomains",
    name: "united-domains",
    makeClient: makeUnitedDomainsClient,
    nameServers: ["ns.udag.de", "ns.udag.net", "ns.udag.org"]
  },
  "https://dnsapi.united-domains.de/dns/v1",
  { alias: "errors: as IONOS", format: "names: as IONOS", ttl: "ttl.min: 300" }
)
