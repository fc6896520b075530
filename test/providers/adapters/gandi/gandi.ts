import { makeGandiClient } from "../../../../src/providers/adapters/gandi/makeGandiClient.ts"
import {
  addRecords,
  type DescribedCall,
  inZoneOf,
  keepRecord,
  selectPage,
  type VendorDescription
} from "../../../support/vendors/DescribedVendor.ts"
import { onSet, type SetOperation } from "../../../support/vendors/recordSets.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import {
  groupIntoSets,
  toAbsoluteName,
  toRelativeName,
  type VendorRecord,
  type VendorSet
} from "../../../support/vendors/VendorZones.ts"
import { apiTokens, type DescribedAdapter, requireHeader, type VendorErrorCase } from "../DescribedAdapter.ts"
import { absentTypes, refusedTypes } from "../vendorContract.ts"

/** What Gandi keeps of a record, besides the name, type and TTL of its set: a value as in a zone file. */
export interface GandiData {
  readonly value: string
}

/** A personal access token of the account. */
export const validToken = "gandi-valid"

const base = "https://api.gandi.net/v5/livedns"
const records = "/domains/{fqdn}/records"
const oneSet = `${records}/{rrset_name}/{rrset_type}`
const types = "A AAAA ALIAS CAA CNAME MX NS SPF SRV TXT"
const ownNameServers = ["ns-1-a.gandi.net", "ns-2-b.gandi.net", "ns-3-c.gandi.net"]

const error = (status: number, message: string, object = "HTTPError", cause = message): VendorAnswer => ({
  status,
  body: { code: status, message, object, cause }
})

const noSet = ({ pathParameters: { rrset_name, rrset_type } }: DescribedCall) =>
  error(404, `Can't find the DNS record ${rrset_name}/${rrset_type} in the zone`, "dns-record", "Not Found")

const show = (zone: string) => (set: VendorSet<GandiData>) => {
  const host = toRelativeName(set[0].name, zone)
  return {
    rrset_type: set[0].type,
    rrset_ttl: set[0].ttl,
    rrset_name: host,
    rrset_href: `${base}/domains/${zone}/records/${encodeURIComponent(host)}/${set[0].type}`,
    rrset_values: set.map(({ data }) => data.value)
  }
}

/** The records of a set that Gandi shows, in the state of its fake. */
export const readShown = (shown: any, zone: string): ReadonlyArray<VendorRecord<GandiData>> =>
  shown.rrset_values.map((value: string) => ({
    id: `${shown.rrset_name} ${shown.rrset_type} ${value}`,
    name: toAbsoluteName(shown.rrset_name, zone),
    type: shown.rrset_type,
    ttl: shown.rrset_ttl,
    data: { value }
  }))

const inZone = inZoneOf<GandiData>(() => gandiVendor)

/** The name of a set in a path is that of its records, also in its letter case. */
const inSet = (operation: SetOperation<GandiData>) =>
  inZone(onSet({ name: "rrset_name", type: "rrset_type", comparesCase: true })(operation))

const created = { status: 201, body: { message: "DNS Record Created" } }

/** Stores the set of a request in place of the one of its name and type. */
const write: SetOperation<GandiData> = ({ body, place, zone }, _, others) => {
  const { rrset_ttl: ttl = 10_800, rrset_values } = body
  const kept = rrset_values.map((value: string) => keepRecord(gandiVendor, { ...place, ttl }, { value }, zone))
  return addRecords(gandiVendor, others, kept, { answer: created, refusesDuplicates: true })
}

/** The API of LiveDNS. */
export const gandiVendor: VendorDescription<GandiData> = {
  baseUrl: base,
  // Lexicon still sends the scheme of the keys before.
  authenticate: requireHeader("authorization", [`Bearer ${validToken}`, `Apikey ${validToken}`], () =>
    error(401, "The server could not verify that you authorized to access the document you requested.")
  ),
  lists: [`GET ${records}`],
  ownRecords: (zone) =>
    ownNameServers.map((name) => ({ name: zone, type: "NS", ttl: 10_800, data: { value: `${name}.` } })),
  ttl: { minimum: 300, maximum: 2_592_000 },
  toData: ({ name, type }, { value }, zone) => {
    if (!types.split(" ").includes(type)) return `${type} is not known`
    if (type === "CNAME" && name === zone) return "a CNAME cannot stand at the apex"
    return { value: type === "TXT" && !value.startsWith('"') ? `"${value}"` : value }
  },
  toStoredType: ({ name, type }, zone) => (type === "CNAME" && name === zone ? "ALIAS" : type),
  keepsZoneFileData: true,
  toFields: ({ data }) => data,
  refuse: (reason, detail) => {
    if (reason === "no zone" || reason === "no path")
      return error(404, "The resource could not be found.", "HTTPNotFound", "Not Found")
    return error(reason === "malformed" || reason === "invalid" ? 400 : 409, detail)
  },
  operations: {
    "GET /domains/{fqdn}": inZone(({ zone }) => ({
      status: 200,
      body: {
        domain_keys_href: `${base}/domains/${zone}/keys`,
        fqdn: zone,
        automatic_snapshots: true,
        domain_records_href: `${base}/domains/${zone}/records`,
        domain_href: `${base}/domains/${zone}`
      }
    })),
    "GET /domains/{fqdn}/nameservers": inZone(() => ({ status: 200, body: ownNameServers })),
    [`GET ${records}`]: inZone((call, all) => {
      const sets = groupIntoSets(all).map(show(call.zone))
      return { status: 200, body: selectPage(call, sets, { perPage: 100, size: "per_page" }).items }
    }),
    [`GET ${oneSet}`]: inSet((call, set) =>
      set === undefined ? noSet(call) : { status: 200, body: show(call.zone)(set) }
    ),
    [`POST ${oneSet}`]: inSet((call, set, others) =>
      set === undefined ? write(call, set, others) : error(409, "A DNS Record already exists")
    ),
    [`PUT ${oneSet}`]: inSet(write),
    [`DELETE ${oneSet}`]: inSet((call, set, others) =>
      set === undefined ? noSet(call) : { status: 204, records: others }
    ),
    [`DELETE ${records}/{rrset_name}`]: inZone((call, all) => {
      const named = toAbsoluteName(call.pathParameters["rrset_name"] ?? "", call.zone)
      const left = all.filter(({ name }) => name !== named)
      return left.length === all.length ? noSet(call) : { status: 204, records: left }
    })
  }
}

const errors: ReadonlyArray<readonly [number, string, VendorErrorCase["codes"], string?]> = [
  [400, "Bad Request", "apply_rejected"],
  [401, "Unauthorized", "credential_invalid"],
  [403, "Access was denied to this resource.", "authorization_insufficient_scope"],
  [403, "The token has expired", "authorization_expired"],
  [404, "The resource could not be found.", "authorization_zone_mismatch"],
  [404, "Can't find the DNS record", "ZoneChanged", "dns-record"],
  [409, "A DNS Record already exists", "ZoneChanged"],
  [500, "Internal Server Error", "OutcomeUnknown"]
]

/** The adapter of Gandi, and what its vendor answers. */
export const gandi: DescribedAdapter<GandiData> = {
  id: "gandi",
  name: "Gandi",
  makeClient: makeGandiClient,
  vendor: gandiVendor,
  ...apiTokens(validToken),
  nameServers: ownNameServers,
  writes: "sets",
  storesApexAlias: true,
  recordsOfTwoPages: 120,
  errors: errors.map(([status, message, codes, object]) => ({
    word: `${status} ${message}`,
    answer: error(status, message, object),
    codes
  })),
  limit: { ...error(429, "Too Many Requests"), headers: { "retry-after": "20" }, seconds: 20 },
  limitations: {
    writesInParts: "atomicity: per set",
    storesOtherwise: "model: set",
    refused: [refusedTypes("cannot_store: DS below the apex", types)],
    absent: [absentTypes("cannot_store: DS below the apex", types, "types that others have not written there")]
  }
}
