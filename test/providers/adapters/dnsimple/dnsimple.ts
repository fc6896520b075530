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
import {
  absentAtFake,
  apiToken,
  type DescribedAdapter,
  requireToken,
  type VendorErrorCase,
  wrongTokens
} from "../DescribedAdapter.ts"
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
  /** A text is in quotes. */
  readonly content: string
  readonly priority: number | null
  /** Without them, everywhere. */
  readonly regions?: ReadonlyArray<string>
  readonly isOfSystem?: true
}

export const validToken = "dnsimple-valid"

/** As in the recording. */
export const accountId = 731

const types = "A AAAA ALIAS CAA CNAME MX NAPTR NS PTR SRV SSHFP TXT"
const ownNameServers = ["ns1.dnsimple.com", "ns2.dnsimple-edge.net", "ns3.dnsimple.com", "ns4.dnsimple-edge.org"]

export const error = (status: number, message: string, more: object = {}): VendorAnswer => ({
  status,
  body: { message, ...more }
})

type StoredDnsimpleRecord = VendorRecord<DnsimpleData>

const times = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" }

const show =
  (zone: string) =>
  ({ data, id, name, ttl, type }: StoredDnsimpleRecord) => ({
    id: Number(id),
    zone_id: zone,
    parent_id: null as number | null,
    name: toRelativeName(name, zone, ""),
    content: data.content,
    ttl,
    priority: data.priority,
    type,
    regions: data.regions ?? ["global"],
    system_record: data.isOfSystem === true,
    ...times
  })

type ShownRecord = ReturnType<ReturnType<typeof show>>

/** Each alias brings a text, which goes with it. */
const withChildren = (shown: ShownRecord): ReadonlyArray<ShownRecord> =>
  shown.type === "ALIAS"
    ? [
        shown,
        {
          ...shown,
          id: shown.id + 1_000_000,
          parent_id: shown.id,
          type: "TXT",
          content: `"ALIAS for ${shown.content}"`
        }
      ]
    : [shown]

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`

const isQuoted = (content: string): boolean => /^"([^"\\]|\\.)*"(\s+"([^"\\]|\\.)*")*$/s.test(content)

/** What a record that DNSimple shows is in the state of its fake. */
export const readShown = (zone: string, { content, id, name, priority, system_record, ttl, type }: any) => ({
  id: String(id),
  name: toAbsoluteName(name, zone),
  type,
  ttl,
  data: {
    content: type === "TXT" && !isQuoted(content) ? quote(content) : content,
    priority,
    ...(system_record ? { isOfSystem: true as const } : {})
  }
})

const isUnpaired = (text: string): boolean => text.split('"').length % 2 === 0

const isLong = (content: string): boolean => Buffer.byteLength(content) > 1000

const faultOfText = (content: string): string | undefined => {
  const text = unquoteText(content) ?? content
  if (isLong(content)) return "Txt is too long (maximum is 1000 characters)"
  return text === "" || text.endsWith(" ") || isUnpaired(text) || /[\p{Cc}\ufffd]/u.test(text)
    ? "Txt is not known to be stored"
    : undefined
}

const toData: VendorDescription<DnsimpleData>["toData"] = ({ name, type }, { priority, value }, zone) => {
  if (!types.split(" ").includes(type)) return "record_type unsupported"
  if (type === "NS" && name === zone) return "the name servers of a zone are changed elsewhere"
  if (type === "CNAME" && name === zone) return "a CNAME cannot stand at the apex"
  if (type === "TXT") {
    const content = isQuoted(value) ? value : quote(value)
    return faultOfText(content) ?? { content, priority: null }
  }
  if (type === "CAA" && value.includes("\\")) return "the CAA value is not known to be stored"
  const content = value === "." || /^(A|AAAA|CAA|SSHFP)$/.test(type) ? value : value.replace(/\.$/, "")
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
    const fields = { value: content, ...(typeof priority === "number" ? { priority } : {}) }
    return { place: { name: toAbsoluteName(name, zone), type, ttl }, fields }
  },
  refuseChange: ({ data }) =>
    data.isOfSystem === true ? error(400, "The record is of the system", { errors: {} }) : undefined
})

const list = (shownAs: (shown: ShownRecord) => ShownRecord) =>
  inZone((call, records) => {
    const [name, type] = ["name", "type"].map((filter) => call.query.get(filter))
    const found = records
      .map(show(call.zone))
      .flatMap(withChildren)
      .filter((record) => (name ?? record.name) === record.name && (type ?? record.type) === record.type)
      .map(shownAs)
    const sorted = call.query.get("sort") === "id:asc" ? found.toSorted((a, b) => a.id - b.id) : found
    const { items, last, length, page } = selectPage(call, sorted, { most: 100, perPage: 30, size: "per_page" })
    const pagination = { current_page: page, per_page: length, total_entries: found.length, total_pages: last }
    return { status: 200, body: { data: items, pagination } }
  })

const operationsOf = (shownAs: (shown: ShownRecord) => ShownRecord): VendorDescription<DnsimpleData>["operations"] => {
  const showOne = ([record]: ReadonlyArray<StoredDnsimpleRecord>, zone: string) =>
    record === undefined ? undefined : { data: shownAs(show(zone)(record)) }
  const records = "/{account}/zones/{zone}/records"
  return {
    "GET /accounts": () => ({ status: 200, body: { data: [account] } }),
    [`GET ${records}`]: list(shownAs),
    [`POST ${records}`]: inZone(one.create({ status: 201 }), showOne),
    [`PATCH ${records}/{zonerecord}`]: inZone(one.replace({ status: 200 }), showOne),
    [`DELETE ${records}/{zonerecord}`]: inZone(one.remove({ status: 204 }))
  }
}

const account = { id: accountId, email: "crumb@example.com", plan_identifier: "dnsimple-business", ...times }

/** What DNSimple says of a zone. */
export const aZone = {
  id: 1,
  account_id: accountId,
  reverse: false,
  secondary: false,
  last_transferred_at: null,
  active: true,
  ...times
}

/** DNSimple's API of the records of a zone. */
export const dnsimpleVendor: VendorDescription<DnsimpleData> = {
  baseUrl: "https://api.dnsimple.com/v2",
  document: readDnsimpleDocument,
  authenticate: requireToken(validToken, error(401, "Authentication failed")),
  lists: ["GET /{account}/zones/{zone}/records"],
  ownRecords: (zone) =>
    [
      ["SOA", "ns1.dnsimple.com admin.dnsimple.com 1458642070 86400 7200 604800 300"],
      ...ownNameServers.map((content) => ["NS", content])
    ].map(([type = "", content = ""]) => ({
      name: zone,
      type,
      ttl: 3600,
      data: { content, priority: null, isOfSystem: true }
    })),
  ttl: { minimum: 60, maximum: 259_200 },
  toData,
  toEnteredFields: (type, fields) =>
    type === "TXT" ? { value: quote(fields.value) } : withPriorityBeside(type, fields),
  toStoredType: ({ name, type }, zone) => (type === "CNAME" && name === zone ? "ALIAS" : type),
  toFields: ({ data: { content, priority }, type }) => {
    if (type === "TXT") return { value: unquoteText(content) ?? content }
    return toLabFields({ type, data: type === "MX" || type === "SRV" ? `${priority ?? 0} ${content}` : content })
  },
  refuse: (reason, detail) => {
    if (reason === "no zone") return error(404, `Zone \`${detail}\` not found`)
    return reason.startsWith("no ")
      ? error(404, "Not Found")
      : error(400, "Validation failed", { errors: { base: [detail] } })
  },
  operations: {
    "GET /whoami": () => ({ status: 200, body: { data: { user: null, account } } }),
    "GET /{account}/zones/{zone}": inZone(({ zone }) => ({ status: 200, body: { data: { ...aZone, name: zone } } })),
    ...operationsOf((shown) => shown)
  }
}

const { document: _, ...undocumented } = dnsimpleVendor

/** The API before November 2023, which showed texts as they were written, with the domains of an account. */
export const formerDnsimpleVendor: VendorDescription<DnsimpleData> = {
  ...undocumented,
  operations: {
    ...operationsOf((shown) =>
      shown.type === "TXT" ? { ...shown, content: unquoteText(shown.content) ?? shown.content } : shown
    ),
    "GET /{account}/domains": ({ query }, { zones }) => {
      const names = Object.keys(zones).filter((name) => name.includes(query.get("name_like") ?? ""))
      const pagination = { current_page: 1, per_page: 30, total_entries: names.length, total_pages: 1 }
      return { status: 200, body: { data: names.map((name) => ({ id: 57_894, name })), pagination } }
    }
  }
}

const errors: ReadonlyArray<readonly [number, string, VendorErrorCase["codes"]]> = [
  [400, "Validation failed", "apply_rejected"],
  [401, "Authentication failed", "credential_invalid"],
  [402, "This action cannot be completed because you have purchase invoices", "account_not_entitled"],
  [403, "Permission Denied. Required Scope: zones:*:read", "authorization_insufficient_scope"],
  [404, "Zone `0` not found", "authorization_zone_mismatch"],
  [412, "The feature is not available on the current plan", "account_not_entitled"],
  [504, "Could not query zone, connection timed out", "OutcomeUnknown"]
]

/** The adapter of DNSimple, and what its vendor answers. */
export const dnsimple: DescribedAdapter<DnsimpleData> = {
  id: "dnsimple",
  name: "DNSimple",
  makeClient: makeDnsimpleClient,
  vendor: dnsimpleVendor,
  credential: apiToken(validToken),
  wrongCredentials: wrongTokens(validToken),
  nameServers: ownNameServers,
  writes: "records",
  storesApexAlias: true,
  recordsOfTwoPages: 120,
  errors: errors.map(([status, message, codes]) => ({
    word: `${status} ${message.replaceAll("`", "")}`,
    answer: error(status, message),
    codes
  })),
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
        about: "a text with a space at its end",
        source: "cannot_store: trailing space in TXT",
        matches: (value) => value.endsWith(" "),
        examples: ["one "]
      }),
      refusedValues("TXT", {
        about: "a text with an unpaired quote",
        source: "cannot_store: unpaired double quote in TXT",
        matches: isUnpaired,
        examples: ['6" pipe', '"a" and "']
      }),
      refusedValues("TXT", {
        about: "a text of more than 1,000 characters with its quotes, or bytes in other scripts",
        source: "cannot_store: TXT over 1,000 characters",
        matches: (value) => isLong(quote(value)),
        examples: ["x".repeat(999), "ä".repeat(500), "\\".repeat(500)]
      }),
      refusedValues("TXT", {
        about: "a text with a control character",
        source: "https://support.dnsimple.com/articles/txt-record-format/: no word of them",
        matches: (value) => /\p{Cc}/u.test(value),
        examples: ["two\nlines"]
      }),
      refusedCaaBackslash("https://support.dnsimple.com/articles/caa-record-format/: backslashes may be removed"),
      refusedNullService("values.srv: content"),
      refusedApexNameServers("zone.name_servers_from: NS system records of the zone")
    ],
    absent: [
      absentAtFake(
        dnsimpleVendor,
        "cannot_store: unpaired double quote in TXT",
        "what its fake refuses, because the vendor does, or because nobody says how it is stored"
      )
    ]
  }
}
