import { makeNetlifyClient } from "../../../../src/providers/adapters/netlify/makeNetlifyClient.ts"
import { inZoneOf, selectPage, type VendorDescription } from "../../../support/vendors/DescribedVendor.ts"
import { singleRecordOperations } from "../../../support/vendors/singleRecords.ts"
import type { VendorAnswer, VendorCall } from "../../../support/vendors/VendorCall.ts"
import { type DocumentPatch, readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import {
  type EnteredRecord,
  toLabFields,
  type VendorRecord,
  withoutNull
} from "../../../support/vendors/VendorZones.ts"
import { absentAtFake, apiTokens, type DescribedAdapter, errorCases, requireToken } from "../DescribedAdapter.ts"
import { refusedEmptyText, refusedNullMx, refusedTypes, refusedValues } from "../vendorContract.ts"

/** What Netlify keeps of a record; a member without a meaning for its type is `null`. */
export interface NetlifyData {
  readonly value: string
  readonly priority: number | null
  readonly weight: number | null
  readonly port: number | null
  readonly flag: number | null
  readonly tag: string | null
  readonly site_id: string | null
  /** It leads to a site at Netlify, which keeps it itself. */
  readonly managed: boolean
}

export const validToken = "nfp_valid"

/** The name servers of every zone of the fake: Netlify gives each zone one of several such sets of NS1. */
const ownNameServers = [1, 2, 3, 4].map((number) => `dns${number}.p09.nsone.net`)

const baseUrl = "https://api.netlify.com/api/v1"
const recordsPath = "/dns_zones/{zone_id}/dns_records"

/** As in the documentation of `netlify_dns_records_set` (rdrr.io, salim-b/yay), which adds that a NETLIFY is not altered. */
const types = "A AAAA ALIAS CAA CNAME MX NS SPF SRV TXT"
const manual = "https://rdrr.io/github/salim-b/yay/man/netlify_dns_records_set.html: Supported are the DNS record types"

/** The id of a zone. */
export const idOf = (zone: string): string => `zone-${zone}`

const error = (code: number, message: string): VendorAnswer => ({ status: code, body: { code, message } })
const notFound = error(404, "Not Found")

const integer = { type: "integer", nullable: true }
const text = { type: "string", nullable: true }
const nullable = { flag: integer, port: integer, priority: integer, weight: integer, site_id: text, tag: text }
const paged = { get: { parameters: [{ in: "query", name: "page", schema: { type: "integer", minimum: 1 } }] } }

/**
 * Where version 2.16 of the document is behind: lego's fixtures have `null` for what a type does not use, DNSControl's
 * test data have `weight` and `port`, and Netlify's guide to the API, "Pagination", has pages and the header `Link`.
 */
const documentPatch: DocumentPatch = {
  components: {
    schemas: {
      dnsRecord: {
        properties: {
          ...nullable,
          errors: { type: "array", items: { type: "string" } }
        }
      }
    }
  },
  paths: { "/dns_zones": paged, [recordsPath]: paged }
}

/** With `null` for all that is not given, as in the fixtures of lego (`providers/dns/netlify`). */
const toKept = (data: Pick<NetlifyData, "value"> & Partial<NetlifyData>): NetlifyData => ({ ...noFields, ...data })

const noFields = { priority: null, weight: null, port: null, flag: null, tag: null, site_id: null, managed: false }

/** A record that leads a host to a site at Netlify. */
export const siteRecord = (name: string, type: "NETLIFY" | "NETLIFYv6" = "NETLIFY"): EnteredRecord<NetlifyData> => ({
  name,
  type,
  ttl: 3600,
  data: toKept({ value: "my-site.netlify.app", managed: true, site_id: "5d3f1b9c" })
})

const toData: VendorDescription<NetlifyData>["toData"] = ({ name, type }, { flags = null, ...fields }, zone) => {
  const { port, priority, tag, value, weight } = fields
  if (!types.split(" ").includes(type)) return "Type is not included in the list"
  if (name !== zone && !name.endsWith(`.${zone}`)) return "Hostname is not in the zone"
  // DNSControl, pull request 1955: "cannot handle empty TXT records". JSON has no bytes that are no text.
  if (!value || value.includes("\ufffd")) return "Value can't be blank"
  if (type === "A" && !/^\d+(\.\d+){3}$/.test(value)) return "Value is not an IPv4 address"
  if (type === "AAAA" && !/^[\da-f:]*:[\da-f:.]*$/i.test(value)) return "Value is not an IPv6 address"
  if (type === "CAA" && (flags === null || tag === undefined)) return "Tag can't be blank"
  // DNSControl, auditrecords.go of Netlify: no null MX; its test data has the null target of an SRV.
  if (type === "MX" && (priority === undefined || value === ".")) return "Value is invalid"
  if (type === "SRV" && [priority, weight, port].includes(undefined)) return "Port can't be blank"
  return toKept({ ...fields, flag: flags })
}

const show = (zone: string) => (record: VendorRecord<NetlifyData>) => {
  const { data, id, name: hostname, ttl, type } = record
  return { ...data, id, type, ttl, hostname, dns_zone_id: idOf(zone), errors: [] }
}

/** Netlify's API of zones and their records, with so long pages, where every zone says that it supports these types. */
export const netlifyVendorWith = ({
  pageLength = 100,
  supportedTypes = types.split(" ")
}: { pageLength?: number; supportedTypes?: ReadonlyArray<string> } = {}): VendorDescription<NetlifyData> => {
  const inZone = inZoneOf<NetlifyData>(
    () => vendor,
    ({ pathParameters }) => (pathParameters["zone_id"] ?? "").replace(/^zone-/, "")
  )
  const one = singleRecordOperations<NetlifyData>(() => vendor, {
    id: "dns_record_id",
    noRecord: notFound,
    read: ({ body }) => {
      const { flag, hostname = "", ttl = 3600, type, value, ...others } = body
      const fields = { ...withoutNull(others), flags: flag, value }
      return { place: { name: hostname.toLowerCase(), type, ttl }, fields }
    },
    refuseChange: ({ data }) => (data.managed ? error(422, "Record is managed by Netlify") : undefined)
  })
  const create = one.create({ status: 201 })

  /** A page of a list, with links to the pages after it. */
  const toPage = (call: VendorCall, all: ReadonlyArray<unknown>): VendorAnswer => {
    const { items, last, page } = selectPage(call, all, { perPage: pageLength, size: "per_page" })
    const link = (target: number, relation: string) => `<${baseUrl}${call.path}?page=${target}>; rel="${relation}"`
    const links = page < last ? { headers: { link: `${link(page + 1, "next")}, ${link(last, "last")}` } } : {}
    return { status: 200, body: items, ...links }
  }

  const vendor: VendorDescription<NetlifyData> = {
    baseUrl,
    document: () => readVendorDocument("netlify", documentPatch),
    authenticate: requireToken(validToken, error(401, "Access Denied")),
    lists: ["GET /dns_zones", `GET ${recordsPath}`],
    ownRecords: () => [],
    toData,
    toStoredType: ({ name, type }, zone) => (type === "CNAME" && name === zone ? "ALIAS" : type),
    toFields: ({ data: { flag, value, ...fields } }) => ({ ...withoutNull({ ...fields, flags: flag }), value }),
    refuse: (reason, detail) => (reason.startsWith("no ") ? notFound : error(422, detail)),
    operations: {
      "GET /dns_zones": (call, { zones }) => {
        const ofAll = { supported_record_types: supportedTypes, dns_servers: ownNameServers }
        const shown = Object.keys(zones).map((name) => ({ ...ofAll, id: idOf(name), name }))
        return toPage(call, shown)
      },
      [`GET ${recordsPath}`]: inZone((call, records) => toPage(call, records.map(show(call.zone)))),
      [`POST ${recordsPath}`]: inZone(
        (call, records) => {
          const { hostname, type } = call.body
          const atSite = records.some((record) => record.name === hostname && record.data.managed)
          // answers.netlify.com 17430, and the answer as it is quoted at knapstad.dev.
          return atSite && ["A", "AAAA", "ALIAS", "CNAME"].includes(type)
            ? error(422, `dns_api ${call.zone} - ${hostname}/${type}: 400 - link exists, all config must be empty`)
            : create(call, records)
        },
        (records, zone) => records.map(show(zone))[0]
      ),
      [`GET ${recordsPath}/{dns_record_id}`]: inZone(one.find((record, zone) => show(zone)(record))),
      [`DELETE ${recordsPath}/{dns_record_id}`]: inZone(one.remove({ status: 204 }))
    }
  }
  return vendor
}

const errors = errorCases(error, [
  [401, "Access Denied", "credential_invalid"],
  [403, "Forbidden", "authorization_insufficient_scope"],
  [404, "Not Found", "authorization_zone_mismatch"],
  [422, "Value is invalid", "apply_rejected"],
  [429, "Too Many Requests", "provider_rate_limited"],
  [500, "Internal Server Error", "OutcomeUnknown"]
])

const vendor = netlifyVendorWith()

/** The adapter of Netlify, and what its vendor answers. */
export const netlify: DescribedAdapter<NetlifyData> = {
  id: "netlify",
  name: "Netlify",
  makeClient: makeNetlifyClient,
  vendor,
  ...apiTokens(validToken),
  nameServers: ownNameServers,
  writes: "records",
  storesApexAlias: true,
  recordsOfTwoPages: 110,
  errors,
  // Netlify has the time instead, which would be another one in each run; the service reads both.
  limit: { ...error(429, "Too Many Requests"), headers: { "x-ratelimit-reset": "40" }, seconds: 40 },
  limitations: {
    writesInParts: "atomicity: per record",
    storesOtherwise: "values.txt: plain",
    refused: [
      refusedTypes(manual, types),
      refusedNullMx,
      refusedEmptyText,
      refusedValues("CAA", {
        about: "a CAA value whose bytes are no text, which JSON cannot have",
        source: "values.caa: flag, tag, value",
        matches: (value) => toLabFields({ type: "CAA", data: value }).value.includes("\ufffd"),
        examples: [String.raw`0 issue "ca.example\255"`]
      })
    ],
    absent: [
      absentAtFake(
        vendor,
        manual,
        "types that it does not have, values without a character, and those whose bytes are no text"
      )
    ]
  }
}
