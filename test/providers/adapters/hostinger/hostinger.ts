import { makeHostingerClient } from "../../../../src/providers/adapters/hostinger/makeHostingerClient.ts"
import {
  inZoneOf,
  keepRecord,
  refuseConflicts,
  type VendorDescription
} from "../../../support/vendors/DescribedVendor.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import { readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import {
  type EnteredRecord,
  groupIntoSets,
  toAbsoluteName,
  toLabData,
  toLabFields,
  toRelativeName,
  type VendorSet
} from "../../../support/vendors/VendorZones.ts"
import { apiTokens, type DescribedAdapter, requireToken, type VendorErrorCase } from "../DescribedAdapter.ts"
import { absentTypes, refusedTypes, refusedValues } from "../vendorContract.ts"

/** What Hostinger keeps of a record, besides the name, type and TTL of its set. */
export interface HostingerData {
  readonly content: string
  readonly is_disabled: boolean
}

const validToken = "hostinger-valid"

const zonePath = "/api/dns/v1/zones/{domain}"

const error = (status: number, message: string): VendorAnswer => ({
  status,
  body: { message, correlation_id: "26a91bd9-f8c8-4a83-9df9-83e23d696fe3" }
})

/** The document leaves out the answers for a zone of somebody else and for too many calls. */
const anError = { $ref: "#/components/responses/Common.Response.ErrorResponse" }
const documentPatch = { paths: { [zonePath]: { get: { responses: { 404: anError, 429: anError } } } } }

const types = "A AAAA ALIAS CAA CNAME MX NS SRV TXT"

const isOddText = (text: string): boolean => text === "" || /["\\\p{Cc}\ufffd]/u.test(text)

const inZone = inZoneOf<HostingerData>(() => hostingerVendor)
const done = { status: 200, body: { message: "Request accepted" } }

/** A set as Hostinger shows it. */
const show = (zone: string) => (records: VendorSet<HostingerData>) => ({
  name: toRelativeName(records[0].name, zone),
  type: records[0].type,
  ttl: records[0].ttl,
  records: records.map(({ data }) => data)
})

const keyOf = ({ name, type }: Pick<EnteredRecord<HostingerData>, "name" | "type">) => `${name} ${type}`

/** The records of the sets of a request, or why one of them cannot be stored. */
const keepSets = (sets: ReadonlyArray<any>, zone: string): ReadonlyArray<EnteredRecord<HostingerData> | string> =>
  sets.flatMap(({ name, records, ttl = 14_400, type }) =>
    records.map(({ content }: any) =>
      keepRecord(hostingerVendor, { name: toAbsoluteName(name, zone), type, ttl }, { value: content }, zone)
    )
  )

/** Hostinger's API of the records of a zone. */
export const hostingerVendor: VendorDescription<HostingerData> = {
  baseUrl: "https://developers.hostinger.com",
  document: () => readVendorDocument("hostinger", documentPatch),
  authenticate: requireToken(validToken, error(401, "Unauthenticated")),
  lists: [`GET ${zonePath}`],
  ownRecords: (zone) =>
    ["ns1.dns-parking.com.", "ns2.dns-parking.com."].map((content) => ({
      name: zone,
      type: "NS",
      ttl: 86_400,
      data: { content, is_disabled: false }
    })),
  toData: ({ name, type }, { value }, zone) =>
    type === "CNAME" && name === zone ? "CNAME record is not valid" : { content: value, is_disabled: false },
  // Its page takes a CNAME at the apex, and makes an ALIAS of it.
  toStoredType: ({ name, type }, zone) => (type === "CNAME" && name === zone ? "ALIAS" : type),
  toEnteredFields: (type, fields) => ({ value: type === "TXT" ? fields.value : toLabData(type, fields) }),
  toFields: ({ data: { content }, type }) =>
    type === "TXT" ? { value: content } : toLabFields({ type, data: content }),
  refuse: (reason, detail) => (reason === "no path" ? error(404, "Not found") : error(422, detail)),
  operations: {
    [`GET ${zonePath}`]: inZoneOf<HostingerData>(() => ({ refuse: () => error(404, "Domain not found") }))(
      ({ zone }, records) => ({ status: 200, body: groupIntoSets(records).map(show(zone)) })
    ),
    [`PUT ${zonePath}`]: inZone(({ body, zone }, records) => {
      const kept = keepSets(body.zone, zone)
      const written = kept.flatMap((record) => (typeof record === "string" ? [] : record))
      const keys = new Set(written.map(keyOf))
      const ttls = new Map(written.map((record) => [keyOf(record), record.ttl]))
      // "otherwise resource records' ttl's are updated and new records are appended"
      const others = records.flatMap((record) => {
        const ttl = ttls.get(keyOf(record))
        if (ttl === undefined) return [record]
        return body.overwrite === false ? [{ ...record, ttl }] : []
      })
      const beside = others.filter((record) => !keys.has(keyOf(record)))
      return (
        kept.map((record) => (typeof record === "string" ? error(422, record) : undefined)).find((found) => found) ??
        refuseConflicts(hostingerVendor, beside, written, { refusesDuplicates: true }) ?? {
          ...done,
          records: [...others, ...written]
        }
      )
    }),
    [`DELETE ${zonePath}`]: inZone(({ body, zone }, records) => {
      const keys = new Set(body.filters.map(({ name, type }: any) => keyOf({ name: toAbsoluteName(name, zone), type })))
      return { ...done, records: records.filter((record) => !keys.has(keyOf(record))) }
    })
  }
}

const errors: ReadonlyArray<readonly [number, VendorErrorCase["codes"]]> = [
  [401, "credential_invalid"],
  [403, ["authorization_zone_mismatch", "authorization_insufficient_scope", "authorization_insufficient_scope"]],
  [404, "authorization_zone_mismatch"],
  [422, ["authorization_zone_mismatch", "provider_snapshot_failed", "apply_rejected"]],
  [500, "OutcomeUnknown"]
]

/** The adapter of Hostinger, and what its vendor answers. */
export const hostinger: DescribedAdapter<HostingerData> = {
  id: "hostinger",
  name: "Hostinger",
  makeClient: makeHostingerClient,
  vendor: hostingerVendor,
  ...apiTokens(validToken),
  nameServers: ["ns1.dns-parking.com", "ns2.dns-parking.com"],
  writes: "sets",
  storesApexAlias: true,
  errors: errors.map(([status, codes]) => ({ word: String(status), answer: error(status, "no"), codes })),
  // The document states no rate.
  limit: { ...error(429, "Too Many Attempts."), headers: { "retry-after": "42" }, seconds: 42 },
  limitations: {
    writesInParts: "atomicity: one PUT (not stated)",
    storesOtherwise: "model: set",
    refused: [
      refusedTypes("cannot_store: DS, TLSA, HTTPS", types),
      refusedValues("TXT", {
        about: "an empty text, and one with a quote, a backslash or a control character",
        source: "openapi/hostinger.openapi.json: Content of the name record",
        matches: isOddText,
        examples: ["", 'say "hi"', "back\\slash", "two\nlines"]
      })
    ],
    absent: [
      absentTypes("cannot_store: DS, TLSA, HTTPS", types),
      {
        about: "texts of which it is not known how they are shown",
        source: "openapi/hostinger.openapi.json: Content of the name record",
        matches: (record) => record.type === "TXT" && isOddText(toLabFields(record).value)
      }
    ]
  }
}
