import type { ChangeRecord } from "../../../../src/domain/plan/Plan.ts"
import { makeLinodeClient } from "../../../../src/providers/adapters/linode/makeLinodeClient.ts"
import {
  inZoneOf,
  refuseConflicts,
  selectPage,
  type VendorDescription
} from "../../../support/vendors/DescribedVendor.ts"
import { singleRecordOperations } from "../../../support/vendors/singleRecords.ts"
import type { VendorAnswer, VendorCall } from "../../../support/vendors/VendorCall.ts"
import { jsonAnswers, readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import {
  type EnteredRecord,
  toAbsoluteName,
  toRelativeName,
  type VendorRecord,
  type VendorZones,
  withoutNull
} from "../../../support/vendors/VendorZones.ts"
import { absentAtFake, apiTokens, type DescribedAdapter, errorCases, requireScope, zone } from "../DescribedAdapter.ts"
import {
  refusedApexAlias,
  refusedApexNameServers,
  refusedEmptyText,
  refusedNullService,
  refusedTypes,
  refusedValues,
  refusedWildcardNameServers
} from "../vendorContract.ts"

/** What Linode keeps of a record: a target without the dot at its end, which a null MX does not have. */
export interface LinodeData {
  readonly target: string
  readonly priority: number
  readonly weight: number
  readonly port: number
  readonly tag: string | null
}

/** This token may do everything, and `readOnlyToken` may only read. */
export const validToken = "valid".padEnd(64, "0")
const readOnlyToken = "readonly".padEnd(64, "0")

const ownNameServers = [1, 2, 3, 4, 5].map((number) => `ns${number}.linode.com`)
const types = "A AAAA CAA CNAME MX NS SRV TXT"
const ttls = [30, 120, 300, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 172_800, 345_600, 604_800, 1_209_600, 2_419_200]
const domainsPath = "/{apiVersion}/domains"
const recordsPath = `${domainsPath}/{domainId}/records`
const recordPath = `${recordsPath}/{recordId}`

/** The id of the first zone: that of the recording. */
export const zoneId = 1_065_421

/** An error in the form of the API. */
export const error = (status: number, reason: string): VendorAnswer => ({ status, body: { errors: [{ reason }] } })
const notFound = error(404, "Not found")
const noScope = "Your OAuth token is not authorized to use this endpoint."

const authenticate = requireScope({ all: `Bearer ${validToken}`, read: `Bearer ${readOnlyToken}` }, [
  error(401, "Invalid Token"),
  error(401, noScope)
])

/** The document has neither empty names and descriptions, the type in a change, nor the errors of a list. */
const readLinodeDocument = () =>
  readVendorDocument("linode", ({ paths }) => {
    const patched = JSON.parse(JSON.stringify(paths), (key, value) => (key === "minLength" && value === 1 ? 0 : value))
    const { post, put } = { ...paths[recordsPath], ...paths[recordPath] }
    const [created] = post.requestBody.content["application/json"].schema.allOf
    patched[recordPath].put.requestBody.content["application/json"].schema.properties.type = created.properties.type
    const errors = jsonAnswers(put.responses.default.content["application/json"].schema, 400, 401, 404)
    for (const path of [domainsPath, recordsPath, recordPath]) Object.assign(patched[path].get.responses, errors)
    return { paths: patched }
  })

const isNullMx = ({ data, type }: EnteredRecord<LinodeData>): boolean => type === "MX" && data.target === ""

/** Why Linode has no such record. */
const refusalOf = (type: string, host: string, priority: number, target: string): string | undefined => {
  if (!types.split(" ").includes(type)) return "type is not valid"
  if (host.length > 100) return "name must be at most 100 characters"
  if (priority > 255) return "priority must be between 0 and 255"
  if (type === "A" && !/^\d+(\.\d+){3}$/.test(target)) return "target is not an IPv4 address"
  if (type === "AAAA" && !/^[\da-f:]+(:\d+(\.\d+){3})?$/i.test(target)) return "target is not an IPv6 address"
  if (type === "TXT" && (target === "" || /[\p{Cc}\ufffd]/u.test(target))) return "nobody has seen such a text"
  if (type === "NS" && /^(\*.*)?$/.test(host)) return "name is not valid for NS"
  if (type === "MX" && target === "" && priority !== 0) return "priority must be 0 for a null MX"
  if (type === "SRV" && (priority === 0 || target === "")) return "priority and target are required"
  // Only in its pages does Linode offer an SRV below a host of the zone.
  return type === "SRV" && !/^_[a-z\d-]+\._[a-z\d-]+(\..+)?$/.test(host)
    ? "service and protocol are required"
    : undefined
}

const toData: VendorDescription<LinodeData>["toData"] = ({ name, type }, fields, zone) => {
  const { flags = 0, port = 0, priority = 0, tag = null, value, weight = 0 } = fields
  const target = /^(CNAME|MX|NS|SRV)$/.test(type) ? value.replace(/\.$/, "") : value
  const isCaa = flags === 0 && /^(issue|issuewild|iodef)$/.test(tag ?? "") && /^[^\s"\\]+$/.test(value)
  if (type === "CAA" && !isCaa) return "tag or target is not valid"
  const refusal = refusalOf(type, toRelativeName(name, zone, ""), priority, target)
  return refusal ?? { target, priority, weight, port, tag }
}

const show =
  (zone: string) =>
  ({ data, id, name, ttl, type }: VendorRecord<LinodeData>) => {
    const host = toRelativeName(name, zone, "")
    const [service = null, protocol = null] = type === "SRV" ? host.split(/\.(.*)/) : []
    return { id: Number(id), type, name: host, ...data, service, protocol, ttl_sec: ttl }
  }

/** What a record that Linode shows is in the state of its fake. */
export const readShown = (shown: any, zone: string): VendorRecord<LinodeData> => {
  const { id, name, port, priority, tag, target, ttl_sec: ttl, type, weight } = shown
  return { id: String(id), name: toAbsoluteName(name, zone), ttl, type, data: { target, priority, weight, port, tag } }
}

/** A page of a list: 100 items, unless the query says otherwise. */
const toPage = (call: VendorCall, all: ReadonlyArray<unknown>): VendorAnswer => {
  const { items, last, page } = selectPage(call, all, { perPage: 100, size: "page_size" })
  return { status: 200, body: { data: items, page, pages: last, results: all.length } }
}

const showDomain = (domain: string, index: number) => ({
  id: zoneId + index,
  type: "master",
  domain,
  status: "active",
  description: "",
  soa_email: "admin@example.net",
  group: "",
  master_ips: [],
  axfr_ips: [],
  ttl_sec: 0,
  retry_sec: 0,
  expire_sec: 0,
  refresh_sec: 0
})

/** The domains with the values by which a call filters them. */
const listDomains = ({ conditions }: VendorCall, zones: VendorZones<LinodeData>["zones"]) => {
  const filter = Object.entries(JSON.parse(conditions?.["x-filter"] ?? "{}"))
  return Object.keys(zones)
    .map(showDomain)
    .filter((domain) => filter.every(([key, value]) => domain[key as "domain"] === value))
}

const inZone = inZoneOf<LinodeData>(
  () => linodeVendor,
  ({ pathParameters }, { zones }) => Object.keys(zones)[Number(pathParameters["domainId"]) - zoneId] ?? ""
)

const showOne = ([record]: ReadonlyArray<VendorRecord<LinodeData>>, zone: string) => record && show(zone)(record)

/** A TTL is rounded up to one of the list; 0 is that of the zone. */
const roundUp = (ttl: number): number => (ttl === 0 ? 0 : (ttls.find((allowed) => allowed >= ttl) ?? Math.max(...ttls)))

const toLabel = (word: string | null): string => (word ?? "").replace(/^_?/, "_")

/** `PUT` keeps what the body does not name. The name of an SRV is made of its service and protocol. */
const one = singleRecordOperations<LinodeData>(() => linodeVendor, {
  id: "recordId",
  noRecord: notFound,
  read: ({ body, zone }, before) => {
    const named: any = { name: "", ttl_sec: 0, ...(before && show(zone)(before)), ...withoutNull(body) }
    const { name, port, priority, protocol, service, tag, target: value, ttl_sec, type, weight } = named
    const host = type === "SRV" ? [service, protocol].map(toLabel).join(".") : name
    const fields = { value, ...withoutNull({ port, priority, weight, tag: tag ?? null }) }
    return { place: { name: toAbsoluteName(host, zone), ttl: roundUp(ttl_sec), type }, fields }
  },
  refuseBeside: (record, others) => {
    const besides = others.filter(({ name, type }) => name === record.name && type === "MX")
    const isNull = record.type === "MX" && besides.length > 0 && [record, ...besides].some(isNullMx)
    return isNull ? error(400, "a null MX stands alone") : refuseConflicts(linodeVendor, others, [record])
  }
})

/** Linode's API of domains and their records, without creating and deleting domains. */
export const linodeVendor: VendorDescription<LinodeData> = {
  baseUrl: "https://api.linode.com",
  document: readLinodeDocument,
  authenticate,
  lists: [`GET ${recordsPath}`],
  // Also on answers to calls that succeed; the number is that of the recording.
  headers: () => ({ "x-ratelimit-limit": "400", "x-ratelimit-remaining": "398", "retry-after": "98" }),
  ownRecords: () => [],
  toData,
  toFields: ({ data: { target, ...data }, type }) => ({
    ...withoutNull(data),
    flags: 0,
    value: type === "MX" && target === "" ? "." : target
  }),
  refuse: (reason, detail) => (reason.startsWith("no ") ? notFound : error(400, detail)),
  operations: {
    [`GET ${domainsPath}`]: (call, { zones }) => toPage(call, listDomains(call, zones)),
    [`GET ${recordsPath}`]: inZone((call, records) => toPage(call, records.map(show(call.zone)))),
    [`POST ${recordsPath}`]: inZone(one.create({ status: 200 }), showOne),
    [`GET ${recordPath}`]: inZone(one.find((record, zone) => show(zone)(record))),
    [`PUT ${recordPath}`]: inZone(one.replace({ status: 200 }), showOne),
    [`DELETE ${recordPath}`]: inZone(one.remove({ status: 200, body: {} }))
  }
}

const errors = errorCases(error, [
  [400, "priority must be 0 for a null MX", "apply_rejected"],
  [401, "Invalid Token", "credential_invalid"],
  [401, noScope, "authorization_insufficient_scope"],
  [403, "Unauthorized", "authorization_insufficient_scope"],
  [404, "Not found", "authorization_zone_mismatch"],
  [429, "Too many requests", "provider_rate_limited"],
  [500, "Internal Server Error", "OutcomeUnknown"]
])

const hostInZone = ({ host }: ChangeRecord, domain = zone) => toRelativeName(toAbsoluteName(host, domain), zone)

const document = "openapi/linode.openapi.json"

/** The adapter of Linode, and what its vendor answers. */
export const linode: DescribedAdapter<LinodeData> = {
  id: "linode",
  name: "Linode",
  makeClient: makeLinodeClient,
  vendor: linodeVendor,
  ...apiTokens(validToken, readOnlyToken),
  nameServers: ownNameServers,
  writes: "records",
  recordsOfTwoPages: 510,
  errors,
  limit: { ...error(429, "Too many requests"), headers: { "retry-after": "7" }, seconds: 7 },
  limitations: {
    writesInParts: "atomicity: per record",
    storesOtherwise: "ttl.note: other values are rounded up",
    refused: [
      refusedApexAlias("apex_alias: none"),
      refusedTypes(`${document}: "PTR"`, types),
      refusedApexNameServers("zone.name_servers_from: apex NS are not in the list"),
      refusedWildcardNameServers("cannot_store: wildcard NS", "record_value_rejected"),
      {
        about: "a name of more than 100 characters",
        source: `${document}: "maxLength": 100`,
        matches: (record, domain) => hostInZone(record, domain).length > 100,
        code: "record_value_rejected",
        examples: [{ host: `${"l".repeat(60)}.${"m".repeat(40)}`, type: "A", value: "192.0.2.1" }]
      },
      {
        about: "a priority above 255",
        source: `${document}: "maximum": 255`,
        matches: ({ priority = 0 }) => priority > 255,
        code: "record_value_rejected",
        examples: [{ host: "mail", type: "MX", priority: 256, value: "mx1.hostprov.net" }]
      },
      {
        about: "a null MX with a priority",
        source: `${document}: Must be \`0\` for Null MX records`,
        matches: ({ priority, type, value }) => type === "MX" && value === "." && priority !== 0,
        code: "record_value_rejected",
        examples: [{ host: "nomail", type: "MX", priority: 10, value: "." }]
      },
      {
        about: "an SRV with the priority 0",
        source: "cannot_store: SRV priority 0",
        matches: ({ priority, type }) => type === "SRV" && priority === 0,
        code: "record_value_rejected",
        examples: [{ host: "_sip._tcp", type: "SRV", priority: 0, value: "20 5060 sip.hostprov.net" }]
      },
      refusedNullService("values.srv: priority (not 0), weight, port, target"),
      {
        about: "an SRV below a host of the zone, or without a service and a protocol",
        source: "cannot_store: SRV below a sub-host other than the zone (name unused)",
        matches: (record, domain) =>
          record.type === "SRV" && !/^_[a-z\d-]+\._[a-z\d-]+$/.test(hostInZone(record, domain)),
        code: "record_value_rejected",
        examples: [{ host: "_sip._tcp.shop", type: "SRV", priority: 10, value: "20 5060 sip.hostprov.net" }]
      },
      { ...refusedEmptyText, source: "values.txt: plain text" },
      refusedValues("TXT", {
        about: "a text with a control character",
        source: "values.txt: plain text",
        matches: (value) => /\p{Cc}/u.test(value),
        examples: ["two\nlines"]
      }),
      refusedValues("CAA", {
        about: "a CAA with a flag",
        source: "cannot_store: CAA flags other than 0",
        matches: (value) => !value.startsWith("0 "),
        examples: ['128 issue "ca.example"']
      }),
      refusedValues("CAA", {
        about: "a CAA with a space, a quote or a backslash, without a value, or not of issue, issuewild or iodef",
        source: "cannot_store: CAA value with spaces",
        matches: (value) => !/^\d+ (issue|issuewild|iodef) "[^\s"\\]+"$/.test(value),
        examples: ['0 issue "a; b=c"', String.raw`0 issue "a\\1"`, '0 issue ""', '0 issuemail "a.b"']
      })
    ],
    absent: [absentAtFake(linodeVendor, "values.txt: plain text")]
  }
}
