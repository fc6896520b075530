import { makeDnsimpleClient } from "../../../../src/providers/adapters/dnsimple/makeDnsimpleClient.ts"
import { unquoteText } from "../../../../src/domain/records/unquoteText.ts"
import { inZoneOf, selectPage, type VendorDescription } from "../../../support/vendors/DescribedVendor.ts"
import { singleRecordOperations } from "../../../support/vendors/singleRecords.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import {
  toAbsoluteName,
  toLabFields,
  toRelativeName,
  type VendorRecord,
  withPriorityBeside
} from "../../../support/vendors/VendorZones.ts"
import { absentAtFake, apiTokens, type DescribedAdapter, errorCases, requireToken } from "../DescribedAdapter.ts"
import {
  refusedApexNameServers,
  refusedCaaBackslash,
  refusedEmptyText,
  refusedNullService,
  refusedTypes,
  refusedValues
} from "../vendorContract.ts"
import { readDnsimpleDocument } from "./dnsimpleDocument.ts"

/** What DNSimple keeps of a record. */
export interface DnsimpleData {
  /** Of a text, without its quotes. */
  readonly content: string
  readonly priority: number | null
  /** Without them, everywhere. */
  readonly regions?: ReadonlyArray<string>
  readonly isOfSystem?: boolean
}

export const validToken = "dnsimple-valid"
export const headers = { authorization: `Bearer ${validToken}` }

/** As in the recording. */
export const accountId = 731

const types = "A AAAA ALIAS CAA CNAME MX NAPTR NS PTR SRV SSHFP TXT"
const ownNameServers = ["ns1.dnsimple.com", "ns2.dnsimple-edge.net", "ns3.dnsimple.com", "ns4.dnsimple-edge.org"]

export const error = (status: number, message: string): VendorAnswer => ({ status, body: { message } })

const times = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" }
const zoneTimes = { last_transferred_at: null, ...times }

const show =
  (zone: string) =>
  ({ data, id, name, ttl, type }: VendorRecord<DnsimpleData>) => {
    const place = { zone_id: zone, parent_id: null as number | null, name: toRelativeName(name, zone, "") }
    const { content, isOfSystem: system_record = false, priority, regions = ["global"] } = data
    return { id: Number(id), ...place, content, ttl, priority, type, regions, system_record, ...times }
  }

type ShownDnsimpleRecord = ReturnType<ReturnType<typeof show>>

/** Each alias brings a text, which goes with it. */
const withText = (shown: ShownDnsimpleRecord): ReadonlyArray<ShownDnsimpleRecord> => {
  const text = { id: shown.id + 1_000_000, parent_id: shown.id, type: "TXT", content: `ALIAS for ${shown.content}` }
  return shown.type === "ALIAS" ? [shown, { ...shown, ...text }] : [shown]
}

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`

/** What a record that DNSimple shows is in the state of its fake. */
export const readShown = (zone: string, { content, id, name, priority, system_record, ttl, type }: any) => {
  const data = { content, priority, isOfSystem: system_record }
  return { id: String(id), name: toAbsoluteName(name, zone), type, ttl, data }
}

const isOddText = (text: string): boolean => text.split('"').length % 2 === 0 || / $|[\p{Cc}\ufffd]/u.test(text)

const isLong = (content: string): boolean => Buffer.byteLength(content) > 1000

const toData: VendorDescription<DnsimpleData>["toData"] = ({ name, type }, { priority, value }, zone) => {
  if (!types.split(" ").includes(type)) return "record_type unsupported"
  if ((type === "NS" || type === "CNAME") && name === zone) return "this type does not stand at the apex"
  if (type === "CAA" && value.includes("\\")) return "the CAA value is not known to be stored"
  if (type === "TXT" && (value === "" || isOddText(value) || isLong(quote(value)))) return "the text is not stored"
  const content = value === "." || /^(A|AAAA|CAA|SSHFP|TXT)$/.test(type) ? value : value.replace(/\.$/, "")
  if (type === "SRV" && content.endsWith(" ")) return "an SRV without a target would be corrupt"
  return { content, priority: type === "MX" || type === "SRV" ? (priority ?? 0) : null }
}

const inZone = inZoneOf<DnsimpleData>(
  () => dnsimpleVendor,
  ({ pathParameters: { account, zone = "" } }) => (account === String(accountId) ? zone : "")
)

const one = singleRecordOperations<DnsimpleData>(() => dnsimpleVendor, {
  id: "zonerecord",
  noRecord: error(404, "Record `0` not found"),
  refusesDuplicates: true,
  read: ({ body, zone }, before) => {
    const shown = before === undefined ? { ttl: 3600 } : show(zone)(before)
    const { content, name, priority, ttl, type } = { ...shown, ...body }
    const value = type === "TXT" ? (unquoteText(content) ?? content) : content
    const fields = { value, ...(typeof priority === "number" ? { priority } : {}) }
    return { place: { name: toAbsoluteName(name, zone), type, ttl }, fields }
  },
  refuseChange: ({ data }) => (data.isOfSystem === true ? error(400, "The record is of the system") : undefined)
})

export const account = { id: accountId, email: "crumb@example.com", plan_identifier: "dnsimple-business", ...times }

/** The operations, where texts are shown in this form. */
const operationsOf = (showText: (text: string) => string): VendorDescription<DnsimpleData>["operations"] => {
  const toShown = (shown: ShownDnsimpleRecord) =>
    shown.type === "TXT" ? { ...shown, content: showText(shown.content) } : shown
  const showOne = (records: ReadonlyArray<VendorRecord<DnsimpleData>>, zone: string) => ({
    data: records.map(show(zone)).map(toShown)[0]
  })
  const records = "/{account}/zones/{zone}/records"
  return {
    "GET /whoami": () => ({ status: 200, body: { data: { user: null, account } } }),
    "GET /accounts": () => ({ status: 200, body: { data: [account] } }),
    "GET /{account}/zones/{zone}": inZone(({ zone }) => ({ status: 200, body: { data: { ...aZone, name: zone } } })),
    [`GET ${records}`]: inZone((call, stored) => {
      const [name, type] = ["name", "type"].map((filter) => call.query.get(filter))
      const found = stored
        .map(show(call.zone))
        .flatMap(withText)
        .filter((record) => (name ?? record.name) === record.name && (type ?? record.type) === record.type)
      const sorted = call.query.get("sort") === "id:asc" ? found.toSorted((a, b) => a.id - b.id) : found
      const { items, last, length, page } = selectPage(call, sorted, { most: 100, perPage: 30, size: "per_page" })
      const pagination = { current_page: page, per_page: length, total_entries: found.length, total_pages: last }
      return { status: 200, body: { data: items.map(toShown), pagination } }
    }),
    [`POST ${records}`]: inZone(one.create({ status: 201 }), showOne),
    [`PATCH ${records}/{zonerecord}`]: inZone(one.replace({ status: 200 }), showOne),
    [`DELETE ${records}/{zonerecord}`]: inZone(one.remove({ status: 204 }))
  }
}

/** What DNSimple says of a zone. */
export const aZone = { id: 1, account_id: accountId, reverse: false, secondary: false, active: true, ...zoneTimes }

/** DNSimple's API of the records of a zone. */
export const dnsimpleVendor: VendorDescription<DnsimpleData> = {
  baseUrl: "https://api.dnsimple.com/v2",
  document: readDnsimpleDocument,
  authenticate: requireToken(validToken, error(401, "Authentication failed")),
  lists: ["GET /{account}/zones/{zone}/records"],
  ownRecords: (zone) =>
    ["ns1.dnsimple.com admin.dnsimple.com 1458642070 86400 7200 604800 300", ...ownNameServers].map((content) => {
      const data = { content, priority: null, isOfSystem: true }
      return { name: zone, type: content.includes(" ") ? "SOA" : "NS", ttl: 3600, data }
    }),
  ttl: { minimum: 60, maximum: 259_200 },
  toData,
  toEnteredFields: withPriorityBeside,
  toStoredType: ({ name, type }, zone) => (type === "CNAME" && name === zone ? "ALIAS" : type),
  toFields: ({ data: { content, priority }, type }) => {
    if (type === "TXT") return { value: content }
    return toLabFields({ type, data: priority === null ? content : `${priority} ${content}` })
  },
  refuse: (reason, detail) => {
    if (reason === "no zone") return error(404, `Zone \`${detail}\` not found`)
    if (reason.startsWith("no ")) return error(404, "Not Found")
    return { status: 400, body: { message: "Validation failed", errors: { base: [detail] } } }
  },
  operations: operationsOf(quote)
}

const { document: _, ...undocumented } = dnsimpleVendor

/** The API before November 2023, which showed texts as they were written, with the domains of an account. */
export const formerDnsimpleVendor: VendorDescription<DnsimpleData> = {
  ...undocumented,
  operations: {
    ...operationsOf((text) => text),
    "GET /{account}/domains": ({ query }, { zones }) => {
      const names = Object.keys(zones).filter((name) => name.includes(query.get("name_like") ?? ""))
      const pagination = { current_page: 1, per_page: 30, total_entries: names.length, total_pages: 1 }
      return { status: 200, body: { data: names.map((name) => ({ id: 57_894, name })), pagination } }
    }
  }
}

/** The adapter of DNSimple, and what its vendor answers. */
export const dnsimple: DescribedAdapter<DnsimpleData> = {
  id: "dnsimple",
  name: "DNSimple",
  makeClient: makeDnsimpleClient,
  vendor: dnsimpleVendor,
  ...apiTokens(validToken),
  nameServers: ownNameServers,
  writes: "records",
  storesApexAlias: true,
  recordsOfTwoPages: 120,
  errors: errorCases(error, [
    [400, "Validation failed", "apply_rejected"],
    [401, "Authentication failed", "credential_invalid"],
    [402, "This action cannot be completed because you have purchase invoices", "account_not_entitled"],
    [403, "Permission Denied. Required Scope: zones:*:read", "authorization_insufficient_scope"],
    [404, "Not Found", "authorization_zone_mismatch"],
    [412, "The feature is not available on the current plan", "account_not_entitled"],
    [504, "Could not query zone, connection timed out", "OutcomeUnknown"]
  ]),
  // DNSimple has the time instead, which would be another one in each run; the service reads both.
  limit: { ...error(429, "quota exceeded"), headers: { "x-ratelimit-reset": "40" }, seconds: 40 },
  limitations: {
    writesInParts: "atomicity: per record",
    storesOtherwise: "names: relative, empty for the apex",
    refused: [
      {
        ...refusedTypes(
          "openapi/dnsimple.openapi.json: Note that some record types may only be available on specific plans",
          types
        ),
        about: "a type that the vendor does not have, or that no other client writes there"
      },
      refusedEmptyText,
      refusedValues("TXT", {
        about: "a text with a space at its end, an unpaired quote or a control character",
        source: "cannot_store: trailing space in TXT",
        matches: isOddText,
        examples: ["one ", '6" pipe', '"a" and "', "two\nlines"]
      }),
      refusedValues("TXT", {
        about: "a text of more than 1,000 characters with its quotes, or bytes in other scripts",
        source: "cannot_store: TXT over 1,000 characters",
        matches: (value) => isLong(quote(value)),
        examples: ["x".repeat(999), "ä".repeat(500), "\\".repeat(500)]
      }),
      refusedCaaBackslash("https://support.dnsimple.com/articles/caa-record-format/: backslashes may be removed"),
      refusedNullService("values.srv: content"),
      refusedApexNameServers("zone.name_servers_from: NS system records of the zone")
    ],
    absent: [absentAtFake(dnsimpleVendor, "cannot_store: unpaired double quote in TXT")]
  }
}
