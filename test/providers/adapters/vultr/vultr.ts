import { makeVultrClient } from "../../../../src/providers/adapters/vultr/makeVultrClient.ts"
import { inZoneOf, refuseConflicts, type VendorDescription } from "../../../support/vendors/DescribedVendor.ts"
import { objectOf, text } from "../../../support/vendors/documentShapes.ts"
import { singleRecordOperations } from "../../../support/vendors/singleRecords.ts"
import type { VendorAnswer, VendorCall } from "../../../support/vendors/VendorCall.ts"
import { jsonAnswers, readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import {
  type EnteredRecord,
  toAbsoluteName,
  toLabFields,
  toRelativeName,
  type VendorRecord,
  withPriorityBeside
} from "../../../support/vendors/VendorZones.ts"
import { absentAtFake, apiTokens, type DescribedAdapter, errorCases, requireToken } from "../DescribedAdapter.ts"
import {
  refusedApexAlias,
  refusedApexNameServers,
  refusedEmptyText,
  refusedNullMx,
  refusedNullService,
  refusedTypes,
  refusedValues
} from "../vendorContract.ts"

/** What Vultr keeps of a record: a text in quotes, a target without the dot at its end. */
export interface VultrData {
  readonly data: string
  /** 0, or -1 in a record that Vultr made itself, where the type has none. */
  readonly priority: number
}

export const validToken = "VULTRVALID".padEnd(36, "0")
export const headers = { authorization: `Bearer ${validToken}` }

const ownNameServers = ["ns1.vultr.com", "ns2.vultr.com"]
const types = "A AAAA CAA CNAME MX NS SRV SSHFP TXT"
const domainPath = "/domains/{dns-domain}"
const recordsPath = `${domainPath}/records`
const recordPath = `${recordsPath}/{record-id}`

/** An error in the form of the API. */
export const error = (status: number, message: string): VendorAnswer => ({ status, body: { error: message, status } })
const notFound = error(404, "Not Found")

/** The document has the form of an error in its introduction only. */
const readVultrDocument = () =>
  readVendorDocument("vultr", () => {
    const withErrors = { responses: jsonAnswers(objectOf({ error: text, status: { type: "integer" } }), 400, 401, 404) }
    const ofRecord = { get: withErrors, patch: withErrors, delete: withErrors }
    const paths = { [recordsPath]: { get: withErrors, post: withErrors }, [recordPath]: ofRecord }
    return { paths: { "/domains": { get: withErrors }, [domainPath]: { get: withErrors }, ...paths } }
  })

/** Why Vultr does not store data, in its own words as far as somebody has seen them. */
const refusalOf = (type: string, data: string): string | undefined => {
  if (!types.split(" ").includes(type)) return "Invalid type"
  if (type === "A" && !/^\d+(\.\d+){3}$/.test(data)) return "Data must be an IPv4 address"
  if (type === "AAAA" && !/^[\da-f:]+(:\d+(\.\d+){3})?$/i.test(data)) return "Data must be an IPv6 address"
  if (/^(CNAME|MX|NS|SRV)$/.test(type) && !/[^.\s]$/.test(data)) return "Data must be a name without a dot at its end"
  if (type === "SRV" && !/^\d+ \d+ \S+$/.test(data)) return "Data must be in the format: [weight] [port] [target]"
  if (type === "CAA" && !/^\d+ (iodef|issuewild|issue) "[^\s"\\]+"$/.test(data))
    return 'Data must be in the format: [flag] [iodef|issuewild|issue] "domain"'
  if (type !== "TXT") return undefined
  if (!/^".*"$/s.test(data)) return "Record data must be enclosed in quotes"
  if (data.slice(1, -1).includes('"')) return "Quotes may only appear at the beginning and end of the data"
  return /^""$|[\p{Cc}\ufffd]/u.test(data) ? "nobody has seen such a text" : undefined
}

const toData: VendorDescription<VultrData>["toData"] = ({ name, type }, { priority = 0, value }, zone) => {
  const data = value.trim()
  return name === zone && type === "CNAME" ? "no alias at the apex" : (refusalOf(type, data) ?? { data, priority })
}

const show =
  (zone: string) =>
  ({ data, id, name, ttl, type }: VendorRecord<VultrData>) => ({
    id,
    type,
    name: toRelativeName(name, zone, ""),
    ...data,
    ttl
  })

/** What a record that Vultr shows is in the state of its fake. */
export const readShown = ({ data, id, name, priority, ttl, type }: any, zone: string): VendorRecord<VultrData> => ({
  id,
  name: toAbsoluteName(name, zone),
  ttl,
  type,
  data: { data, priority }
})

/** A page of a list: 100 items, unless the query says otherwise. Its cursors are encoded. */
const toPage = ({ query }: VendorCall, name: string, all: ReadonlyArray<unknown>): VendorAnswer => {
  const length = Math.min(Number(query.get("per_page") ?? 100), 500)
  const first = Number(atob(query.get("cursor") ?? "").replace(/\D+/, ""))
  const end = first + length
  const next = end < all.length ? btoa(`next__${end}`) : ""
  const prev = first > 0 ? btoa(`prev__${first - length}`) : ""
  return { status: 200, body: { [name]: all.slice(first, end), meta: { total: all.length, links: { next, prev } } } }
}

const showDomain = (domain: string) => ({ domain, date_created: "2026-01-01T00:00:00+00:00" })

const inZone = inZoneOf<VultrData>(() => vultrVendor)

const showOne = (records: ReadonlyArray<VendorRecord<VultrData>>, zone: string) => ({
  record: records.map(show(zone))[0]
})

/** Nobody has seen the words for a record that is changed. */
const refuseOtherTtl = (record: EnteredRecord<VultrData>, others: ReadonlyArray<EnteredRecord<VultrData>>) => {
  const beside = others.find(({ name, type }) => name === record.name && type === record.type)
  const ttls = `New records TTL (${record.ttl}) must match the TTL of existing records (${beside?.ttl})`
  return (beside?.ttl ?? record.ttl) === record.ttl ? undefined : error(400, `Unable to add record: ${ttls}`)
}

/** `PATCH` keeps what the body does not name. */
const one = singleRecordOperations<VultrData>(() => vultrVendor, {
  id: "record-id",
  noRecord: notFound,
  read: ({ body, zone }, before) => {
    const {
      data: value,
      name,
      priority,
      ttl,
      type
    } = { priority: 0, ttl: 300, ...(before && show(zone)(before)), ...body }
    return { place: { name: toAbsoluteName(name, zone), ttl, type }, fields: { value, priority } }
  },
  refuseBeside: (record, others) => refuseConflicts(vultrVendor, others, [record]) ?? refuseOtherTtl(record, others)
})

/** Vultr's API of domains and their records, without creating and deleting domains. */
export const vultrVendor: VendorDescription<VultrData> = {
  baseUrl: "https://api.vultr.com/v2",
  document: readVultrDocument,
  authenticate: requireToken(validToken, error(401, "Invalid API token.")),
  lists: [`GET ${recordsPath}`],
  ownRecords: (zone) =>
    ownNameServers.map((data) => ({ name: zone, type: "NS", ttl: 300, data: { data, priority: -1 } })),
  toData,
  toEnteredFields: (type, fields) => {
    const { value, ...rest } = withPriorityBeside(type, fields)
    const isTarget = /^(CNAME|MX|NS|SRV)$/.test(type) && !/(^| )\.$/.test(value)
    return { ...rest, value: type === "TXT" ? `"${value}"` : isTarget ? value.replace(/\.$/, "") : value }
  },
  toFields: ({ data: { data, priority }, type }) =>
    type === "TXT"
      ? { value: data.slice(1, -1) }
      : toLabFields({ type, data: /^(MX|SRV)$/.test(type) ? `${priority} ${data}` : data }),
  refuse: (reason, detail) => (reason.startsWith("no ") ? notFound : error(400, `Unable to add record: ${detail}`)),
  operations: {
    "GET /domains": (call, { zones }) => toPage(call, "domains", Object.keys(zones).map(showDomain)),
    [`GET ${domainPath}`]: inZone(({ zone }) => ({ status: 200, body: { domain: showDomain(zone) } })),
    [`GET ${recordsPath}`]: inZone((call, records) => toPage(call, "records", records.map(show(call.zone)))),
    [`POST ${recordsPath}`]: inZone(one.create({ status: 201 }), showOne),
    [`GET ${recordPath}`]: inZone(one.find((record, zone) => showOne([record], zone))),
    [`PATCH ${recordPath}`]: inZone(one.replace({ status: 204 })),
    [`DELETE ${recordPath}`]: inZone(one.remove({ status: 204 }))
  }
}

const document = "openapi/vultr.openapi.json"

/** The adapter of Vultr, and what its vendor answers. */
export const vultr: DescribedAdapter<VultrData> = {
  id: "vultr",
  name: "Vultr",
  makeClient: makeVultrClient,
  vendor: vultrVendor,
  ...apiTokens(validToken),
  nameServers: ownNameServers,
  writes: "records",
  recordsOfTwoPages: 510,
  errors: errorCases(error, [
    [400, "Unable to add record: Record data must be enclosed in quotes", "apply_rejected"],
    [401, "Invalid API token.", "credential_invalid"],
    [401, "Unauthorized IP address: 203.0.113.9", "authorization_insufficient_scope"],
    [403, "Forbidden", "authorization_insufficient_scope"],
    [404, "Not Found", "authorization_zone_mismatch"],
    [429, "Rate limit reached", "provider_rate_limited"],
    [500, "Internal Server Error", "OutcomeUnknown"]
  ]),
  limit: { ...error(429, "Rate limit reached"), headers: { "retry-after": "7" }, seconds: 7 },
  limitations: {
    writesInParts: "atomicity: per record",
    storesOtherwise: "names: relative, empty for the apex",
    refused: [
      refusedApexAlias("apex_alias: none"),
      refusedTypes(`${document}: The DNS record type`, types),
      refusedApexNameServers("zone.name_servers_from: fixed ns1.vultr.com, ns2.vultr.com"),
      refusedNullMx,
      refusedNullService("values.srv: weight port target"),
      refusedValues("TXT", {
        about: "a text with a quote",
        source: "cannot_store: double quote in TXT",
        matches: (value) => value.includes('"'),
        examples: ['6" pipe', '"quoted"']
      }),
      { ...refusedEmptyText, source: "values.txt: must be wrapped in double quotes" },
      refusedValues("TXT", {
        about: "a text with a control character",
        source: "values.txt: must be wrapped in double quotes",
        matches: (value) => /\p{Cc}/u.test(value),
        examples: ["two\nlines"]
      }),
      refusedValues("CAA", {
        about: "a CAA with a space, a quote or a backslash, without a value, or not of issue, issuewild or iodef",
        source: "cannot_store: CAA value with spaces",
        matches: (value) => !/^\d+ (issue|issuewild|iodef) "[^\s"\\]+"$/.test(value),
        examples: ['0 issue "a; b=c"', String.raw`0 issue "a\\1"`, '0 issue ""', '0 issuemail "a.b"']
      })
    ],
    absent: [absentAtFake(vultrVendor, "values.txt: must be wrapped in double quotes")]
  }
}
