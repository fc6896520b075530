import { makeVercelClient } from "../../../../src/providers/adapters/vercel/makeVercelClient.ts"
import { inZoneOf, type VendorDescription } from "../../../support/vendors/DescribedVendor.ts"
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
  apiTokens,
  absentAtFake,
  type DescribedAdapter,
  requireToken,
  type VendorErrorCase
} from "../DescribedAdapter.ts"
import {
  refusedApexNameServers,
  refusedEmptyText,
  refusedNullMx,
  refusedNullService,
  refusedTypes,
  refusedValues
} from "../vendorContract.ts"
import { readVercelDocument } from "./vercelDocument.ts"

/** What Vercel keeps of a record: of an SRV, `value` has its weight, port and target. */
export interface VercelData {
  readonly value: string
  readonly mxPriority?: number
  readonly priority?: number
  /** Without one, the account itself; Vercel is `system`. */
  readonly creator?: string
  /** In milliseconds since 1970; without it, three records are created in each one. */
  readonly created?: number
}

export const validToken = "vercel-valid"

const types = "A AAAA ALIAS CAA CNAME MX NS SRV TXT"
const ownNameServers = ["ns1.vercel-dns.com", "ns2.vercel-dns.com"]

export const error = (status: number, code: string, message = "no", more: object = {}): VendorAnswer => ({
  status,
  body: { error: { code, message, ...more } }
})

type StoredVercelRecord = VendorRecord<VercelData>

/** A record with an id of the recording is the newest one. */
const createdOf = ({ data, id }: StoredVercelRecord): number =>
  data.created ?? (/^\d+$/.test(id) ? Date.UTC(2026, 0, 1) + Math.floor(Number(id) / 3) : Number.MAX_SAFE_INTEGER)

const show = (zone: string) => (record: StoredVercelRecord) => {
  const { data, id, name, ttl, type } = record
  const { creator = "a-customer", created: _, ...shown } = data
  const created = createdOf(record)
  const times = { created, updated: created, createdAt: created, updatedAt: created }
  return { id, slug: "", name: toRelativeName(name, zone, ""), type, ...shown, creator, ...times, ttl }
}

/** What a record that Vercel shows is in the state of its fake. */
export const readShown = (zone: string, { created, creator, id, name, ttl, type, value }: any): StoredVercelRecord => ({
  id,
  name: toAbsoluteName(name, zone),
  type,
  ttl,
  data: { value, creator, created }
})

const isStorableCaa = (value: string): boolean =>
  /^\d+ \w+ "[^\s;"\\\ufffd]+(; ?cansignhttpexchanges=yes)?"$/.test(value)

const isNamelessCaa = (value: string): boolean => /"\s*(;|")/.test(value)

const toData: VendorDescription<VercelData>["toData"] = ({ name, type }, { priority, value }, zone) => {
  if (!types.split(" ").includes(type)) return "`type` should be one of the types"
  if (type === "NS" && name === zone) return "NS records cannot stand at the apex"
  if (type === "CNAME" && name === zone) return "a CNAME cannot stand at the apex"
  if (type === "CAA" && !isStorableCaa(value)) return "the CAA value is invalid"
  if (value === "" || (type === "TXT" && /[\p{Cc}\ufffd]/u.test(value))) return "the value is invalid"
  const shown = /^(ALIAS|CNAME|MX|NS|SRV)$/.test(type) ? value.replace(/\.?$/, ".") : value
  if (type !== "TXT" && /(^| )\.$/.test(shown)) return "the target is invalid"
  if (type === "MX") return { value: shown, mxPriority: priority ?? 0 }
  return { value: shown, ...(type === "SRV" ? { priority: priority ?? 0 } : {}) }
}

const listing = "GET /v4/domains/{domain}/records"

/** Lists a zone in pages with so many records at most. */
const listAtMost = (most: number) =>
  inZone(({ query, zone }, records) => {
    const until = Number(query.get("until") ?? Infinity)
    const limit = Math.min(Number(query.get("limit") ?? 20), most)
    const page = records
      .toReversed()
      .toSorted((one, other) => createdOf(other) - createdOf(one))
      .filter((record) => createdOf(record) < until)
      .slice(0, limit)
    const times = page.map(createdOf)
    const pagination = { count: page.length, next: times.at(-1) ?? null, prev: times[0] ?? null }
    return { status: 200, body: { records: page.map(show(zone)), pagination } }
  })

const inZone = inZoneOf<VercelData>(() => vercelVendor)

const noRecord = error(404, "not_found", "The DNS record was not found")

const one = singleRecordOperations<VercelData>(() => vercelVendor, {
  id: "recordId",
  noRecord,
  refusesDuplicates: true,
  read: ({ body, zone }, before) => {
    const { mxPriority, name, srv, ttl = 60, type = before?.type, value } = body
    const fields =
      srv === undefined ? { value, priority: mxPriority } : withPriorityBeside("SRV", { ...srv, value: srv.target })
    return { place: { name: toAbsoluteName(name, zone), type, ttl }, fields }
  },
  isBeside: ({ data }) => data.creator !== "system",
  refuseChange: ({ data, type }, { body }) => {
    if (data.creator === "system") return error(403, "forbidden", "The record is of the system")
    return (body?.type ?? type) === type ? undefined : error(400, "bad_request", "type")
  }
})

/** For a path that has no zone: the one that has the record. */
const inZoneOfRecord = inZoneOf<VercelData>(
  () => ({ refuse: () => noRecord }),
  ({ pathParameters }, { zones }) =>
    Object.keys(zones).find((name) => zones[name]?.some(({ id }) => id === pathParameters["recordId"])) ?? ""
)

/** What Vercel says of every domain of the account. */
const anyDomain = {
  id: "a-domain",
  serviceType: "zeit.world",
  suffix: false,
  verified: true,
  teamId: null,
  userId: "a-customer",
  creator: { username: "crumb", email: "crumb@example.com", id: "a-customer" },
  boughtAt: null,
  createdAt: 1_767_225_600_000,
  expiresAt: null
}

/** Vercel's API of the records of a domain. */
export const vercelVendor: VendorDescription<VercelData> = {
  baseUrl: "https://api.vercel.com",
  document: readVercelDocument,
  authenticate: requireToken(validToken, error(403, "forbidden", "Not authorized", { invalidToken: true })),
  lists: ["GET /v4/domains/{domain}/records"],
  // Its list has no name servers of the zone.
  ownRecords: () => [],
  ttl: { minimum: 60, maximum: 2_147_483_647 },
  toData,
  toEnteredFields: withPriorityBeside,
  toStoredType: ({ name, type }, zone) => (type === "CNAME" && name === zone ? "ALIAS" : type),
  toFields: ({ data: { mxPriority = 0, priority = 0, value }, type }) => {
    if (type === "TXT") return { value }
    return toLabFields({
      type,
      data: type === "MX" ? `${mxPriority} ${value}` : type === "SRV" ? `${priority} ${value}` : value
    })
  },
  refuse: (reason, detail) => {
    if (reason === "no zone") return error(404, "not_found", `Domain name \`${detail}\` not found`, { name: detail })
    if (reason.startsWith("no ")) return error(404, "not_found", detail)
    return reason === "alias" || reason === "duplicate"
      ? error(409, "conflict", `${detail} conflicts`)
      : error(400, "bad_request", detail)
  },
  operations: {
    "GET /v2/teams": () => ({ status: 200, body: { teams: [], pagination: { count: 0, next: null, prev: null } } }),
    "GET /v5/domains/{domain}": inZone(({ zone }) => ({
      status: 200,
      body: { domain: { ...anyDomain, name: zone, nameservers: ownNameServers, intendedNameservers: ownNameServers } }
    })),
    [listing]: listAtMost(100),
    "POST /v2/domains/{domain}/records": inZone(one.create({ status: 200 }), ([created]) => ({ uid: created?.id })),
    "PATCH /v1/domains/records/{recordId}": inZoneOfRecord(one.replace({ status: 200 }), ([after], domain) => {
      const { data, id = "", name = "", ttl, type } = after ?? {}
      const shown = { creator: "a-customer", domain, id, name: toRelativeName(name, domain, "") }
      return { ...shown, recordType: type, ttl, type: "record", value: data?.value ?? "" }
    }),
    "DELETE /v2/domains/{domain}/records/{recordId}": inZone(one.remove({ status: 200, body: {} }))
  }
}

const outOfScope = 'Not authorized: Trying to access resource under scope "others". You must use another token.'

const errors: ReadonlyArray<readonly [number, string, string, VendorErrorCase["codes"]]> = [
  [400, "bad_request", "Invalid request", "apply_rejected"],
  [402, "payment_required", "A payment is missing", "account_not_entitled"],
  [403, "forbidden", "Not authorized", "credential_invalid"],
  [403, "forbidden", "You don't have permission", "authorization_insufficient_scope"],
  [403, "forbidden", outOfScope, "authorization_zone_mismatch"],
  [404, "not_found", "Domain name not found", "authorization_zone_mismatch"],
  [409, "conflict", "A record conflicts", "ZoneChanged"],
  [500, "internal_server_error", "An unexpected error", "OutcomeUnknown"]
]

/** The adapter of Vercel, and what its vendor answers. */
export const vercel: DescribedAdapter<VercelData> = {
  id: "vercel",
  name: "Vercel",
  makeClient: makeVercelClient,
  vendor: vercelVendor,
  ...apiTokens(validToken),
  nameServers: ownNameServers,
  writes: "records",
  storesApexAlias: true,
  recordsOfTwoPages: 120,
  errors: errors.map(([status, code, message, codes]) => ({
    word: `${status} ${message.slice(0, 40)}`,
    answer: error(status, code, message),
    codes
  })),
  // Vercel has the time instead, which would be another one in each run; the service reads both.
  limit: { ...error(429, "rate_limited"), headers: { "x-ratelimit-reset": "40" }, seconds: 40 },
  limitations: {
    writesInParts: "atomicity: per record",
    storesOtherwise: "names: relative",
    refused: [
      refusedTypes("openapi/vercel.openapi.json: The type of record, it could be one of", types),
      refusedNullMx,
      refusedEmptyText,
      refusedValues("TXT", {
        about: "a text with a control character",
        source: "values.txt: plain",
        matches: (value) => /\p{Cc}/u.test(value),
        examples: ["two\nlines"]
      }),
      refusedValues("CAA", {
        about: "a CAA value with other parameters",
        source: "cannot_store: CAA parameters other than cansignhttpexchanges",
        matches: (value) => !isStorableCaa(value) && !isNamelessCaa(value),
        examples: ['0 issue "ca.example; policy=ev"']
      }),
      refusedValues("CAA", {
        about: "a CAA value without a name",
        source: "cannot_store: CAA without a target",
        matches: isNamelessCaa,
        examples: ['0 issue ";"']
      }),
      refusedNullService("values.targets: no trailing dot"),
      refusedApexNameServers("cannot_store: NS at the apex")
    ],
    absent: [absentAtFake(vercelVendor, "cannot_store: empty TXT", "what its fake refuses")]
  }
}

/** The vendor where a page has so many records at most, whatever was asked for. */
export const withPagesOf = (most: number): VendorDescription<VercelData> => ({
  ...vercelVendor,
  operations: { ...vercelVendor.operations, [listing]: listAtMost(most) }
})
