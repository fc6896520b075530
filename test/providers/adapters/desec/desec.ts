import { makeDesecClient } from "../../../../src/providers/adapters/desec/makeDesecClient.ts"
import { canonicalTypes, toCanonicalData } from "../../../support/vendors/canonicalData.ts"
import {
  type DescribedCall,
  inZoneOf,
  refuseConflicts,
  type VendorDescription,
  type ZoneAnswer
} from "../../../support/vendors/DescribedVendor.ts"
import type { RateLimit } from "../../../support/vendors/rateLimit.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import {
  groupIntoSets,
  toAbsoluteName,
  toRelativeName,
  type VendorRecord
} from "../../../support/vendors/VendorZones.ts"
import { absentAtFake, apiTokens, type DescribedAdapter, errorCases, requireScope } from "../DescribedAdapter.ts"
import { refusedApexAlias, refusedTypes } from "../vendorContract.ts"
import { desecDocument } from "./desecDocument.ts"

/** What deSEC keeps of a record, besides the name, type and TTL of its set: the canonical form of its data. */
export interface DesecData {
  readonly content: string
}

export const validToken = "desec-valid"
/** It has a policy without the permission to write. */
const readOnlyToken = "desec-read-only"

const baseUrl = "https://desec.io/api/v1"
const setsPath = "/domains/{name}/rrsets/"
const oneSet = `${setsPath}{subname}/{type}/`
const ownNameServers = ["ns1.desec.io", "ns2.desec.org"]
const source = "desec-io/desec-stack: api/desecapi"

const error = (status: number, detail: string): VendorAnswer => ({ status, body: { detail } })
const notFound = error(404, "Not found.")
const refused = (...problems: ReadonlyArray<string>) => (problems.length === 0 ? {} : { non_field_errors: problems })

/** A limit is reached for so many milliseconds. */
export const throttled = (millis: number): VendorAnswer => {
  const seconds = String(Math.ceil(millis / 1_000))
  const answer = error(429, `Request was throttled. Expected available in ${seconds} seconds.`)
  return { ...answer, headers: { "retry-after": seconds } }
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/** docs/rate-limits.rst, `dns_api_cheap` and `dns_api_per_domain_expensive`. */
export const desecRates: RateLimit = {
  countAs: ({ isWrite, pathParameters: { name } }) =>
    isWrite
      ? { kind: `write ${name}`, rates: { 2: second, 15: minute, 100: hour, 300: 24 * hour } }
      : { kind: "read", rates: { 10: second, 50: minute } },
  refuse: throttled
}

type DesecRecords = ReadonlyArray<VendorRecord<DesecData>>

/** The sets of these records as deSEC shows them. A set was created when the id of its first record says. */
const showSets = (records: DesecRecords, zone: string) =>
  groupIntoSets(records).map((set) => {
    const [{ id, name, ttl, type }] = set
    const created = new Date(Number(id)).toISOString()
    const place = { domain: zone, subname: toRelativeName(name, zone, ""), name: `${name}.`, ttl, type }
    // The records of a set have no order.
    return { ...place, records: set.map(({ data }) => data.content).toReversed(), created, touched: created }
  })

/** PowerDNS takes nothing but letters, digits and hyphens in the targets of these types. */
const typesWithServer = /^(MX|NS|SRV)$/
const serverAtEnd = /(^| )([a-z\d]([a-z\d-]*[a-z\d])?\.)+$/i
const subnamePattern = /^$|^(?=.{1,178}$)([*]|(([*][.])?([a-z0-9_-]{1,63}[.])*[a-z0-9_-]{1,63}))$/

/** api/desecapi/dns.py, and `validate_type` and `canonical_presentation_format` in api/desecapi/models/records.py. */
const toData: VendorDescription<DesecData>["toData"] = ({ name, type }, { value }, zone) => {
  if (!canonicalTypes.includes(type)) return `The ${type} RR set type is currently unsupported.`
  if (!subnamePattern.test(toRelativeName(name, zone, ""))) return "Subname can only use a-z, 0-9, ., -, and _."
  if (type === "NS" && zone.endsWith(".dedyn.io")) return "Cannot modify NS records for this domain."
  if (name === zone && /^(CNAME|DS)$/.test(type)) return `${type} RRset cannot have empty subname.`
  const content = toCanonicalData(type, value)
  const hasServer = serverAtEnd.test(content ?? "") || (type !== "NS" && content?.endsWith(" .") === true)
  const isMalformed = content === undefined || (typesWithServer.test(type) && !hasServer)
  return isMalformed ? "Cannot parse record contents." : { content }
}

/** api/api/settings.py, `MAXIMUM_TTL`. */
const maximumTtl = 86_400

const conflictWith = (what: string): VendorAnswer => {
  const detail = `RRset with conflicting type present: ${what}. (No other RRsets are allowed alongside CNAME.)`
  return { status: 400, body: [refused(detail)] }
}

/**
 * Makes all the changes or none of them, by the rules of `RRsetListSerializer` and `RRsetSerializer` in
 * api/desecapi/serializers/records.py and of `clean_records` in api/desecapi/models/records.py.
 */
const makeChanges = (
  minimumTtl: number,
  { body: changes, zone }: { readonly body: ReadonlyArray<any>; readonly zone: string },
  before: DesecRecords
): ZoneAnswer<DesecData> => {
  const asked = changes.map(({ records, subname = "", ttl, type }, index) => {
    const name = toAbsoluteName(subname, zone)
    const isNamed = (record: DesecRecords[number]) => record.name === name && record.type === type
    const set = before.filter(isNamed)
    const place = { ...set[0], name, type, ttl: ttl ?? set[0]?.ttl ?? 0 }
    const kept: ReadonlyArray<DesecData | string> =
      records?.map((value: string) => toData(place, { value }, zone)) ?? set.map(({ data }) => data)
    const isKnown = set.length > 0 || (records !== undefined && (ttl !== undefined || kept.length === 0))
    const first = changes.findIndex((other) => (other.subname ?? "") === subname && other.type === type)
    const problems = [
      ...kept.filter((data) => typeof data === "string"),
      ...(isKnown ? [] : ["This field is required."]),
      ...(ttl < minimumTtl || ttl > maximumTtl ? [`Ensure this value is from ${minimumTtl} to ${maximumTtl}.`] : []),
      ...(first === index ? [] : [`Same subname and type as in position(s) ${first}, but must be unique.`])
    ]
    return { isNamed, problems, records: kept.flatMap((data) => (typeof data === "string" ? [] : { ...place, data })) }
  })
  if (asked.some(({ problems }) => problems.length > 0))
    return { status: 400, body: asked.map(({ problems }) => refused(...problems)) }
  const left = before.filter((record) => !asked.some(({ isNamed }) => isNamed(record)))
  const written = asked.flatMap(({ records }) => records)
  const refuseBeside = (what: string, others: DesecRecords) =>
    refuseConflicts({ refuse: () => conflictWith(what) }, others, written, { refusesDuplicates: true })
  return refuseBeside("0", []) ?? refuseBeside("database", left) ?? { status: 200, records: [...left, ...written] }
}

const pageSize = 500

/** api/desecapi/pagination.py: newest first; beyond a page, the first request must have an empty cursor. */
const listSets = ({ path, query, zone }: DescribedCall, records: DesecRecords): VendorAnswer => {
  const [subname, type] = ["subname", "type"].map((field) => query.get(field))
  const found = showSets(records, zone)
    .filter((set) => (subname ?? set.subname) === set.subname && (type ?? set.type) === set.type)
    .toSorted((one, other) => Date.parse(other.created) - Date.parse(one.created))
  // A cursor is the time of the set before the page.
  const link = (label: string, start: number) => {
    const position = Buffer.from(found[start - 1]?.created ?? "").toString("base64url")
    return `<${baseUrl}${path}?cursor=${position}>; rel="${label}"`
  }
  const cursor = query.get("cursor")
  if (found.length > pageSize && cursor === null) {
    const detail = `Pagination required. You can query up to ${pageSize} items at a time (${found.length} total).`
    return { ...error(400, detail), headers: { link: link("first", 0) } }
  }
  const time = Buffer.from(cursor ?? "", "base64url").toString()
  const start = found.filter(({ created }) => time !== "" && created >= time).length
  const links = [
    ...(start > 0 ? [link("prev", Math.max(0, start - pageSize))] : []),
    ...(start + pageSize < found.length ? [link("next", start + pageSize)] : [])
  ]
  const headers = links.length > 0 ? { link: [link("first", 0), ...links].join(", ") } : {}
  return { status: 200, headers, body: found.slice(start, start + pageSize) }
}

/** The set that a path names, with `@` for the apex. */
const findSet = (records: DesecRecords, { pathParameters: { subname = "", type }, zone }: DescribedCall) =>
  showSets(records, zone).find((set) => set.name === `${toAbsoluteName(subname, zone)}.` && set.type === type)

const inZone = inZoneOf<DesecData>(() => desec.vendor)
const showOne = (records: DesecRecords, zone: string) => showSets(records, zone)[0]

/** deSEC's API of domains and their sets, where each domain has this minimum. */
export const desecVendorWith = (minimumTtl: number): VendorDescription<DesecData> => {
  /** Changes one set; its problems are in no list. */
  const changeOne = ({ body, pathParameters, zone }: DescribedCall, before: DesecRecords, status = 200) => {
    const change = { ...body, ...pathParameters }
    const { records, ...answer } = makeChanges(minimumTtl, { body: [change], zone }, before)
    if (records === undefined) return { ...answer, body: [answer.body].flat()[0] }
    return { records, status: change.records?.length === 0 ? 204 : status }
  }

  return {
    baseUrl,
    document: async () => desecDocument,
    // api/desecapi/authentication.py and permissions.py; reads need no permission.
    authenticate: requireScope({ all: `Token ${validToken}`, read: `Token ${readOnlyToken}` }, [
      error(401, "Invalid token."),
      error(403, "You do not have permission to perform this action.")
    ]),
    lists: [`GET ${setsPath}`],
    ownRecords: (name) =>
      ownNameServers.map((server) => ({ name, type: "NS", ttl: 3600, data: { content: `${server}.` } })),
    ttl: { minimum: minimumTtl, maximum: maximumTtl },
    keepsZoneFileData: true,
    toData,
    toFields: ({ data }) => ({ value: data.content }),
    refuse: (reason, detail) => {
      if (reason === "no zone") return error(404, "No Domain matches the given query.")
      return reason === "no path" ? notFound : error(400, detail)
    },
    operations: {
      "GET /domains/{name}/": inZone(({ zone: name }) => {
        const time = "2025-01-01T00:00:00.000000Z"
        const body = { created: time, keys: [], minimum_ttl: minimumTtl, name, published: time, touched: time }
        return { status: 200, body }
      }),
      [`GET ${setsPath}`]: inZone(listSets),
      [`POST ${setsPath}`]: inZone((call, all) => {
        const isKnown = findSet(all, { ...call, pathParameters: call.body }) !== undefined
        return isKnown ? error(400, "Another RRset with the same subdomain exists.") : changeOne(call, all, 201)
      }, showOne),
      [`PATCH ${setsPath}`]: inZone((call, all) => makeChanges(minimumTtl, call, all), showSets),
      [`GET ${oneSet}`]: inZone((call, all) => {
        const body = findSet(all, call)
        return body === undefined ? notFound : { status: 200, body }
      }),
      [`PATCH ${oneSet}`]: inZone((call, all) => (findSet(all, call) ? changeOne(call, all) : notFound), showOne),
      [`DELETE ${oneSet}`]: inZone((call, all) => changeOne({ ...call, body: { records: [] } }, all), showOne)
    }
  }
}

const vendor = desecVendorWith(3600)

/** The adapter of deSEC, and what its vendor answers. */
export const desec: DescribedAdapter<DesecData> = {
  id: "desec",
  name: "deSEC",
  makeClient: makeDesecClient,
  vendor,
  ...apiTokens(validToken, readOnlyToken),
  nameServers: ownNameServers,
  writes: "sets",
  refusesAliases: true,
  recordsOfTwoPages: 600,
  errors: errorCases(error, [
    [400, "IP address 192.0.2.1 not allowed.", "apply_rejected"],
    [401, "Invalid token.", "credential_invalid"],
    [403, "You do not have permission to perform this action.", "authorization_insufficient_scope"],
    [404, "No Domain matches the given query.", "authorization_zone_mismatch"],
    [409, "Conflict: duplicate key value violates unique constraint", "ZoneChanged"],
    [500, "Internal Server Error. We're on it!", "OutcomeUnknown"]
  ]),
  limit: { ...throttled(hour), seconds: 3_600 },
  limitations: {
    storesOtherwise: "ttl.min: minimum_ttl of the domain",
    refused: [
      refusedTypes(`${source}/models/records.py, RR_SET_TYPES_MANAGEABLE`, canonicalTypes.join(" "), {
        ALIAS: "web.hostprov.net",
        IPSECKEY: "10 0 2 . abcd"
      }),
      refusedApexAlias("apex_alias: none"),
      {
        about: "an underscore in the target of MX, NS or SRV",
        source: `${source}/dns.py; for CNAME allowed since its pull request 702`,
        matches: ({ type, value }) => /^(MX|NS|SRV)$/.test(type) && value.includes("_"),
        code: "record_value_rejected",
        examples: [{ host: "_sip._tcp", type: "SRV", priority: 10, value: "20 5060 sip_1.example.net" }]
      },
      {
        about: "a host of more than 178 characters",
        source: `${source}/models/records.py, subname`,
        matches: ({ host }) => host.length > 178,
        code: "record_value_rejected",
        examples: [{ host: `${`${"l".repeat(59)}.`.repeat(3)}a`, type: "A", value: "192.0.2.1" }]
      }
    ],
    absent: [absentAtFake(vendor, `${source}/dns.py`, "types and data that its parsers refuse")]
  }
}
