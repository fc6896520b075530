import { makeGoDaddyClient } from "../../../../src/providers/adapters/godaddy/makeGoDaddyClient.ts"
import {
  inZoneOf,
  keepRecord,
  refuseConflicts,
  selectPage,
  type VendorDescription
} from "../../../support/vendors/DescribedVendor.ts"
import type { VendorAnswer, VendorCall } from "../../../support/vendors/VendorCall.ts"
import { toAbsoluteName, toRelativeName, type VendorRecord } from "../../../support/vendors/VendorZones.ts"
import { absentAtFake, apiTokens, type DescribedAdapter, errorCases, requireToken } from "../DescribedAdapter.ts"
import { refusedApexAlias, refusedNullMx, refusedTypes, refusedValues } from "../vendorContract.ts"
import { goDaddyDocument } from "./goDaddyDocument.ts"

/** What GoDaddy keeps of a record; a member without a meaning for its type is absent. */
export interface GoDaddyData {
  readonly data: string
  readonly [field: string]: string | number
}

const validToken = "gd_pat_valid"
const recordsPath = "/v3/domains/zones/{zone}/dns-records"
const types = "A AAAA CAA CNAME MX SRV TXT"

const error = (status: number, name: string, message = "no"): VendorAnswer => ({
  status,
  body: { name, correlationId: "7c1f2a8e-3b94-4f0c-9d5e-0a1b2c3d4e5f", message }
})

const isService = (host: string): boolean => /^_[^.]+\._[^.]+/.test(host)
const isOddText = (value: string): boolean => value === "" || value.length > 512 || /["\\\p{Cc}\ufffd]/u.test(value)
const isWildcard = (host: string): boolean => host === "*" || host.startsWith("*.")

const toData: VendorDescription<GoDaddyData>["toData"] = ({ name, type }, { flags, value, ...fields }, zone) => {
  const host = toRelativeName(name, zone)
  if (!types.split(" ").includes(type)) return `${type} records are read-only`
  if (["TXT", "CAA"].includes(type) && isOddText(value)) return "data is not known to be stored"
  if (isWildcard(host) && !["A", "AAAA", "CNAME"].includes(type)) return "wildcards are for A, AAAA and CNAME"
  if (type === "SRV" && !isService(host)) return "service and protocol are required"
  if (["MX", "SRV"].includes(type) && value === ".") return "data is not a host name"
  const data = ["CNAME", "MX", "SRV"].includes(type) ? value.replace(/\.?$/, ".") : value
  return { data, ...fields, ...(flags === undefined ? {} : { flag: flags }) }
}

/** An SRV is shown below its service and protocol, which are members of their own. */
const show =
  (zone: string) =>
  ({ data, id, name, ttl, type }: VendorRecord<GoDaddyData>) => {
    const host = toRelativeName(name, zone)
    const [service, protocol, ...rest] = host.split(".")
    const place = type === "SRV" ? { name: rest.join(".") || "@", service, protocol } : { name: host }
    return { recordId: id, type, ttl, ...place, ...data }
  }

const inZone = inZoneOf<GoDaddyData>(() => goDaddyVendor)

const toPage = (call: VendorCall, all: ReadonlyArray<unknown>) => {
  const { items, last, page } = selectPage(call, all, { perPage: 25, size: "pageSize" })
  const link = (rel: string, target: number) => ({ rel, href: `${call.path}?page=${target}` })
  const isCounted = call.query.get("totalRequired") === "true" && all.length > 0
  return {
    items,
    ...(isCounted ? { totalItems: all.length, totalPages: last } : {}),
    links: [link("self", page), ...(page < last ? [link("next", page + 1)] : [])]
  }
}

/** GoDaddy's API of the records of a zone, version 3. */
export const goDaddyVendor: VendorDescription<GoDaddyData> = {
  baseUrl: "https://api.godaddy.com",
  document: async () => goDaddyDocument,
  authenticate: requireToken(validToken, error(401, "UNABLE_TO_AUTHENTICATE")),
  lists: [`GET ${recordsPath}`],
  ownRecords: (zone) =>
    ["ns09.domaincontrol.com", "ns10.domaincontrol.com"].map((data) => ({
      name: zone,
      type: "NS",
      ttl: 3600,
      data: { data }
    })),
  ttl: { minimum: 600, maximum: 86_400 },
  toData,
  toFields: ({ data: { data, flag, ...fields } }) => ({
    ...fields,
    ...(flag === undefined ? {} : { flags: Number(flag) }),
    value: data
  }),
  refuse: (reason, detail) => {
    if (reason.startsWith("no ")) return error(404, "NOT_FOUND", detail)
    return reason === "duplicate" ? error(422, "DUPLICATE_RECORD", detail) : error(422, "INVALID_BODY", detail)
  },
  operations: {
    [`GET ${recordsPath}`]: inZone((call, records) => {
      const [name, type] = [call.query.get("name"), call.query.get("type")]
      const found = records
        .map(show(call.zone))
        .filter((shown) => (name ?? shown.name) === shown.name && (type ?? shown.type) === shown.type)
      return { status: 200, body: toPage(call, found) }
    }),
    [`POST ${recordsPath}`]: inZone(
      ({ body, zone }, records) => {
        const { data, flag, name, protocol, service, ttl, type, ...fields } = body
        const host = [service, protocol, name === "@" ? undefined : name].filter((label) => label !== undefined)
        const place = { name: toAbsoluteName(host.join("."), zone), type, ttl }
        const given = flag === undefined ? fields : { ...fields, flags: flag }
        const kept = keepRecord(goDaddyVendor, place, { ...given, value: data }, zone)
        if (typeof kept === "string") return error(422, "INVALID_BODY", kept)
        const rules = { refusesDuplicates: true }
        return refuseConflicts(goDaddyVendor, records, [kept], rules) ?? { status: 201, records: [...records, kept] }
      },
      (records, zone) => records.map(show(zone))[0]
    ),
    [`DELETE ${recordsPath}/{recordId}`]: inZone(({ pathParameters }, records) => {
      const left = records.filter(({ id }) => id !== pathParameters["recordId"])
      return left.length === records.length ? error(404, "NOT_FOUND") : { status: 204, records: left }
    })
  }
}

const errors = errorCases(error, [
  [400, "MALFORMED", ["authorization_zone_mismatch", "provider_snapshot_failed", "apply_rejected"]],
  [401, "UNABLE_TO_AUTHENTICATE", "credential_invalid"],
  [403, "ACCESS_DENIED", "account_not_entitled"],
  [403, "FORBIDDEN", "authorization_insufficient_scope"],
  [404, "NOT_FOUND", "authorization_zone_mismatch"],
  [422, "DUPLICATE_RECORD", "ZoneChanged"],
  [422, "INVALID_BODY", ["authorization_zone_mismatch", "provider_snapshot_failed", "apply_rejected"]],
  [504, "GATEWAY_TIMEOUT", "OutcomeUnknown"]
])

const document = "https://developer.godaddy.com/openapi/domains-v3.json"

/** The adapter of GoDaddy, and what its vendor answers. */
export const goDaddy: DescribedAdapter<GoDaddyData> = {
  id: "godaddy",
  name: "GoDaddy",
  makeClient: makeGoDaddyClient,
  vendor: goDaddyVendor,
  ...apiTokens(validToken),
  nameServers: ["ns09.domaincontrol.com", "ns10.domaincontrol.com"],
  writes: "records",
  recordsOfTwoPages: 110,
  errors,
  limit: { ...error(429, "TOO_MANY_REQUESTS"), headers: { "retry-after": "30" }, seconds: 30 },
  limitations: {
    writesInParts: "atomicity: per call",
    storesOtherwise: "cannot_store: TTL below 600",
    refused: [
      refusedApexAlias("apex_alias: none"),
      refusedTypes(`${document}: SOA and NS records are read-only`, types, { NS: "ns1.hostprov.net" }),
      { ...refusedNullMx, source: `${document}: data is the mail exchange hostname` },
      {
        about: "an SRV to no target, or elsewhere than below its service and protocol",
        source: `${document}: data is the target hostname`,
        matches: ({ host, type, value }) => type === "SRV" && (value.endsWith(" .") || !isService(host)),
        code: "record_value_rejected",
        examples: [
          { host: "_sip._tcp", type: "SRV", priority: 0, value: "0 0 ." },
          { host: "sip", type: "SRV", priority: 0, value: "0 5060 sip.hostprov.net" }
        ]
      },
      refusedValues("TXT", {
        about: "an empty text, one of more than 512 bytes, and one with a quote, a backslash or a control character",
        source: `${document}: minLength 1, maxLength 512`,
        matches: (value) => isOddText(value) || Buffer.byteLength(value) > 512,
        examples: ["", 'say "hi"', "back\\slash", "x".repeat(513), "ä".repeat(257)]
      }),
      refusedValues("CAA", {
        about: "a CAA value with a quote or a backslash",
        source: `${document}: data of a CAA record`,
        matches: (value) => /"[^]*[\\"][^]*"$/.test(value),
        examples: [String.raw`0 issue "ca.example\\1"`]
      }),
      {
        about: "a wildcard of another type than A, AAAA and CNAME",
        source: `${document}: Wildcards are supported for A, AAAA, and CNAME records`,
        matches: ({ host, type }) => isWildcard(host) && !["A", "AAAA", "CNAME"].includes(type),
        code: "record_value_rejected",
        examples: [{ host: "*", type: "TXT", value: "any" }]
      }
    ],
    absent: [
      absentAtFake(
        goDaddyVendor,
        `${document}: DNSRecord`,
        "what its fake refuses by the document: types, texts, wildcards"
      )
    ]
  }
}
