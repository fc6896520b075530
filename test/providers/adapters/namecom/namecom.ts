import { Redacted } from "effect"
import { makeNamecomClient } from "../../../../src/providers/adapters/namecom/makeNamecomClient.ts"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import { unquoteText } from "../../../../src/domain/records/unquoteText.ts"
import {
  type DescribedCall,
  inZoneOf,
  keepRecord,
  refuseConflicts,
  selectPage,
  type VendorDescription
} from "../../../support/vendors/DescribedVendor.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import { readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import {
  type EnteredRecord,
  toAbsoluteName,
  toLabFields,
  toRelativeName,
  type VendorRecord,
  withPriorityBeside
} from "../../../support/vendors/VendorZones.ts"
import { absentAtFake, type DescribedAdapter, requireHeader, type VendorErrorCase } from "../DescribedAdapter.ts"
import {
  refusedApexNameServers,
  refusedEmptyText,
  refusedNullMx,
  refusedNullService,
  refusedTypes,
  refusedValues
} from "../vendorContract.ts"

/** What Name.com keeps of a record. */
export interface NamecomData {
  readonly answer: string
  readonly priority?: number
}

/** A user of the account, and its token. */
export const validLogin = { username: "crumb", token: "namecom-valid" }

const loginOf = (username: string, token: string): Credential => ({
  _tag: "username_api_key",
  username,
  apiKey: Redacted.make(token)
})

/** The header of a user with a token. */
export const basicHeader = `Basic ${btoa(`${validLogin.username}:${validLogin.token}`)}`

const types = "A AAAA ANAME CNAME MX NS SRV TXT"
const ownNameServers = ["ns1cvw.name.com", "ns2fkr.name.com", "ns3hjx.name.com", "ns4gqr.name.com"]

const error = (status: number, message: string, details?: string): VendorAnswer => ({
  status,
  body: { message, ...(details === undefined ? {} : { details }) }
})

type StoredNamecomRecord = VendorRecord<NamecomData>

const show =
  (zone: string) =>
  ({ data, id, name, ttl, type }: StoredNamecomRecord) => ({
    id: Number(id),
    domainName: zone,
    host: toRelativeName(name, zone, ""),
    fqdn: `${name}.`,
    type,
    answer: data.answer,
    ttl,
    ...(data.priority === undefined ? {} : { priority: data.priority })
  })

/** What a record that Name.com shows is in the state of its fake. */
export const readShown = ({ answer, fqdn, id, priority, ttl, type }: any): StoredNamecomRecord => ({
  id: String(id),
  name: fqdn.replace(/\.$/, ""),
  type,
  ttl,
  data: { answer, ...(priority === undefined ? {} : { priority }) }
})

/** The longest text, as strings of 255 bytes in quotes. */
const encodedLength = (text: string): number => text.length + 3 * Math.ceil(text.length / 255) - 1

const isOddText = (text: string): boolean => text === "" || / $|["\\\p{Cc}\ufffd]/u.test(text)
const isLongText = (text: string): boolean =>
  encodedLength(text) > 512 || (Buffer.byteLength(text) > 255 && !/^[ -~]*$/.test(text))

const toData: VendorDescription<NamecomData>["toData"] = ({ name, type }, { priority, value }, zone) => {
  if (!types.split(" ").includes(type)) return "Invalid Type"
  if (type === "NS" && name === zone) return "Invalid Host"
  if (type === "CNAME" && name === zone) return "a CNAME cannot stand at the domain itself"
  const text = unquoteText(value) ?? value
  if (type === "TXT" && (isOddText(text) || isLongText(text))) return "Invalid Txt Format"
  const answer = type === "TXT" || /^A+$/.test(type) ? value : value.replace(/\.$/, "")
  if (/(^| )$/.test(answer) && type !== "TXT") return "Invalid Srv Format"
  return { answer, ...(priority === undefined ? {} : { priority }) }
}

const inZone = inZoneOf<NamecomData>(() => namecomVendor)

const keep = (
  { body, zone }: DescribedCall,
  others: ReadonlyArray<StoredNamecomRecord>,
  before?: StoredNamecomRecord
): EnteredRecord<NamecomData> | VendorAnswer => {
  const shown = before === undefined ? {} : show(zone)(before)
  const { answer, host = "", priority, ttl = 300, type } = { ...shown, ...body }
  const place = { name: toAbsoluteName(host, zone), type, ttl }
  const hasPriority = (type === "MX" || type === "SRV") && priority !== undefined
  const kept = keepRecord(
    namecomVendor,
    place,
    { value: answer, ...(hasPriority ? { priority: Number(priority) } : {}) },
    zone
  )
  if (typeof kept === "string") return error(400, "Invalid Argument", `Parameter Value Error - ${kept}`)
  return refuseConflicts(namecomVendor, others, [kept], { refusesDuplicates: true }) ?? kept
}

const isRefused = (kept: EnteredRecord<NamecomData> | VendorAnswer): kept is VendorAnswer => "status" in kept

const showOne = (records: ReadonlyArray<StoredNamecomRecord>, zone: string) => records.map(show(zone))[0]

const operationsAt = (base: string, removed: VendorAnswer): VendorDescription<NamecomData>["operations"] => {
  const domain = `${base}/domains/{domainName}`
  return {
    [`GET ${domain}`]: inZone(({ zone }) => ({
      status: 200,
      body: {
        domainName: zone,
        createDate: "2026-01-01T00:00:00Z",
        expireDate: "2027-01-01T00:00:00Z",
        autorenewEnabled: true,
        locked: true,
        privacyEnabled: true,
        contacts: {},
        nameservers: ownNameServers,
        renewalPrice: 12.99
      }
    })),
    [`GET ${domain}/records`]: inZone((call, records) => {
      const { items, last, page } = selectPage(call, records.map(show(call.zone)), { perPage: 1000, size: "perPage" })
      const position = { totalCount: records.length, from: 1, to: items.length }
      return {
        status: 200,
        body: {
          records: items,
          ...(base === "/v4" ? {} : position),
          ...(page < last ? { nextPage: page + 1, lastPage: last } : {})
        }
      }
    }),
    [`POST ${domain}/records`]: inZone((call, records) => {
      const kept = keep(call, records)
      return isRefused(kept) ? kept : { status: 200, records: [...records, kept] }
    }, showOne),
    [`PUT ${domain}/records/{id}`]: inZone((call, records) => {
      const before = records.find(({ id }) => id === call.pathParameters["id"])
      if (before === undefined) return error(404, "Not Found")
      const others = records.filter((record) => record !== before)
      const kept = keep(call, others, base === "/v4" ? before : undefined)
      if (isRefused(kept)) return kept
      const after = { ...kept, id: before.id }
      return { status: 200, records: records.map((record) => (record === before ? after : record)) }
    }, showOne),
    [`DELETE ${domain}/records/{id}`]: inZone(({ pathParameters }, records) => {
      const left = records.filter(({ id }) => id !== pathParameters["id"])
      return left.length === records.length ? error(404, "Not Found") : { ...removed, records: left }
    })
  }
}

const refusal = (name: string) => ({
  description: name,
  content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } }
})
const refusals = {
  400: refusal("InvalidArgument400"),
  401: refusal("Unauthorized401"),
  403: refusal("GenericForbidden403"),
  404: refusal("NotFound404")
}
const everywhere = { responses: refusals }

/** The document leaves refusals out that its other operations have. */
const documentPatch = {
  paths: {
    "/core/v1/domains/{domainName}": { get: everywhere },
    "/core/v1/domains/{domainName}/records": { get: everywhere, post: everywhere },
    "/core/v1/domains/{domainName}/records/{id}": { put: everywhere, delete: everywhere }
  }
}

/** Name.com's API of the records of a domain. */
export const namecomVendor: VendorDescription<NamecomData> = {
  baseUrl: "https://api.name.com",
  document: () => readVendorDocument("namecom", documentPatch),
  authenticate: requireHeader("authorization", [basicHeader], () => error(401, "Unauthorized")),
  lists: ["GET /core/v1/domains/{domainName}/records"],
  ownRecords: (zone) => ownNameServers.map((answer) => ({ name: zone, type: "NS", ttl: 300, data: { answer } })),
  ttl: { minimum: 300 },
  toData,
  toEnteredFields: withPriorityBeside,
  toStoredType: ({ name, type }, zone) => (type === "ALIAS" || (type === "CNAME" && name === zone) ? "ANAME" : type),
  toFields: ({ data: { answer, priority = 0 }, type }) => {
    if (type === "TXT") return { value: unquoteText(answer) ?? answer }
    return toLabFields({ type, data: type === "MX" || type === "SRV" ? `${priority} ${answer}` : answer })
  },
  refuse: (reason, detail) => {
    if (reason === "duplicate") return error(400, "Invalid Argument", "Parameter Value Error - Duplicate Record")
    return reason.startsWith("no ") ? error(404, "Not Found") : error(400, "Invalid Argument", detail)
  },
  operations: operationsAt("/core/v1", { status: 204 })
}

const { document: _, ...undocumented } = namecomVendor

/** The version of the API before, which other clients still call. */
export const formerNamecomVendor: VendorDescription<NamecomData> = {
  ...undocumented,
  lists: [],
  operations: {
    "GET /v4/domains/{domainName}/records/{id}": inZone(({ pathParameters, zone }, records) => {
      const [found] = records.filter(({ id }) => id === pathParameters["id"])
      return found === undefined ? error(404, "Not Found") : { status: 200, body: show(zone)(found) }
    }),
    "GET /v4/domains": (_, { zones }) => ({
      status: 200,
      body: { domains: Object.keys(zones).map((domainName) => ({ domainName })) }
    }),
    ...operationsAt("/v4", { status: 200, body: {} })
  }
}

const errors: ReadonlyArray<readonly [number, string, VendorErrorCase["codes"], string?]> = [
  [400, "Invalid Argument", "apply_rejected", "Parameter Value Error - Invalid Srv Format"],
  [400, "Invalid Argument", "ZoneChanged", "Parameter Value Error - Duplicate Record"],
  [401, "Unauthorized", "credential_invalid"],
  [403, "Permission denied", "authorization_insufficient_scope"],
  [404, "Not Found", "authorization_zone_mismatch"],
  [500, "Internal Server Error", "OutcomeUnknown"]
]

/** The adapter of Name.com, and what its vendor answers. */
export const namecom: DescribedAdapter<NamecomData> = {
  id: "namecom",
  name: "Name.com",
  makeClient: makeNamecomClient,
  vendor: namecomVendor,
  credential: loginOf(validLogin.username, validLogin.token),
  wrongCredentials: [
    loginOf("other", validLogin.token),
    loginOf(validLogin.username, "wrong"),
    loginOf(`${validLogin.username}:x`, validLogin.token),
    loginOf(validLogin.username, `${validLogin.token}\n`)
  ],
  nameServers: ownNameServers,
  writes: "records",
  storesApexAlias: true,
  errors: errors.map(([status, message, codes, details]) => ({
    word: [status, details ?? message].join(" "),
    answer: error(status, message, details),
    codes
  })),
  // The document has the time instead, which would be another one in each run; the service reads both.
  limit: { ...error(429, "Rate Limit Exceeded"), headers: { "x-ratelimit-reset": "40" }, seconds: 40 },
  limitations: {
    writesInParts: "atomicity: per record",
    storesOtherwise: "names: host relative",
    refused: [
      refusedTypes("cannot_store: CAA (not a type of the API)", "A AAAA ALIAS CNAME MX NS SRV TXT", {
        CAA: '0 issue "ca.example"'
      }),
      refusedNullMx,
      refusedEmptyText,
      refusedValues("TXT", {
        about: "a text that is longer, or longer than 255 bytes with other signs than those of ASCII",
        source: "cannot_store: TXT over 512 encoded",
        matches: (value) => !isOddText(value) && isLongText(value),
        examples: ["x".repeat(508), "ä".repeat(128)]
      }),
      refusedValues("TXT", {
        about: "a text with a quote, a backslash, a control character, or a space at its end",
        source: "cannot_store: double quote or trailing space in TXT",
        matches: (value) => value !== "" && isOddText(value),
        examples: ['say "hi"', "back\\slash", "two\nlines", "one "]
      }),
      refusedNullService("cannot_store: SRV without a target"),
      refusedApexNameServers("cannot_store: NS at the apex")
    ],
    absent: [
      absentAtFake(namecomVendor, "cannot_store: double quote or trailing space in TXT", "what its fake refuses")
    ]
  }
}
