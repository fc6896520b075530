import { makeGoogleCloudDnsClient } from "../../../../src/providers/adapters/googleclouddns/makeGoogleCloudDnsClient.ts"
import { toCanonicalData } from "../../../support/vendors/canonicalData.ts"
import {
  type DescribedCall,
  inZoneOf,
  keepRecord,
  selectPageFrom,
  type VendorDescription
} from "../../../support/vendors/DescribedVendor.ts"
import { changeSets, type VendorSetChange } from "../../../support/vendors/recordSets.ts"
import type { VendorCall } from "../../../support/vendors/VendorCall.ts"
import { type DocumentPatch, jsonAnswers, readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import {
  compareByName,
  type EnteredRecord,
  groupIntoSets,
  newZone,
  toAbsoluteName,
  type VendorRecord,
  type VendorSet
} from "../../../support/vendors/VendorZones.ts"
import { apiToken, type DescribedAdapter, errorCases, requireToken, zone as testZone } from "../DescribedAdapter.ts"
import { absentTypes, refusedTypes } from "../vendorContract.ts"
import { googleTokens, keyFile, serviceAccount, wrongKeyFiles } from "./googleTokens.ts"

/** What Google keeps of a record, besides the name, type and TTL of its set: presentation format. */
export interface GoogleData {
  readonly value: string
  /** Of a set whose answers a policy chooses, in place of records. */
  readonly policy?: object
}

const zonesPath = "/dns/v1/projects/{project}/managedZones"
const setsPath = `${zonesPath}/{managedZone}/rrsets`
const changesPath = `${zonesPath}/{managedZone}/changes`
const types = "A AAAA ALIAS CAA CNAME DS HTTPS MX NAPTR NS PTR SPF SRV SSHFP SVCB TLSA TXT"
const ownNameServers = [1, 2, 3, 4].map((number) => `ns-cloud-c${number}.googledomains.com`)
const start = `${ownNameServers[0]}. cloud-dns-hostmaster.google.com. 1 21600 3600 259200 300`
const overview = "https://cloud.google.com/dns/docs/records-overview: Supported DNS record types"

export const error = (code: number, reason: string, message = "no") => ({
  status: code,
  body: { error: { code, message, errors: [{ message, domain: "global", reason }] } }
})

/** The document leaves out all errors. It is of version 2, with locations, and with words in capitals. */
const failing = { responses: jsonAnswers({ type: "object", required: ["error"] }, 400, 401, 403, 404, 409, 412, 429) }
const words = (property: string, ...known: ReadonlyArray<string>) => ({ properties: { [property]: { enum: known } } })
const documentPatch: DocumentPatch = {
  paths: { [zonesPath]: { get: failing }, [setsPath]: { get: failing }, [changesPath]: { post: failing } },
  components: {
    schemas: {
      Change: words("status", "pending", "done"),
      DnsKeySpec: { properties: { keyType: { enum: null }, algorithm: { enum: null } } },
      ManagedZone: words("visibility", "public", "private"),
      ManagedZoneDnsSecConfig: { properties: { state: { enum: null }, nonExistence: { enum: null } } }
    }
  }
}
const toVersion1 = (path: string) => path.replace("/v2/", "/v1/").replace("/locations/{location}", "")

/** The id of a zone, and the name that its owner gave it: paths have one of them. */
export const zoneIdOf = (zone: string): string => String(Bun.hash(zone))
export const zoneNameOf = (zone: string): string => zone.replaceAll(".", "-")

const toName = (shown: string): string => shown.replace(/\.$/, "")

const setKeyOf = ({ name, type }: Pick<EnteredRecord<GoogleData>, "name" | "type">) =>
  `${toName(name).toLowerCase()} ${type}`

const show = (set: VendorSet<GoogleData>) => {
  const [{ data, name, ttl, type }] = set
  const rrdatas = set.map((record) => record.data.value)
  const answers = data.policy === undefined ? { rrdatas } : { routingPolicy: data.policy }
  return withKind({ name: `${name}.`, type, ttl, ...answers })
}

/** A set of the zone of the tests, as Google shows it. */
export const setAt = (host: string, type: string, ttl: number, ...rrdatas: ReadonlyArray<string>) => ({
  name: `${toAbsoluteName(host, testZone)}.`,
  type,
  ttl,
  rrdatas
})

/** The records of a set that Google shows, in the state of its fake. */
export const readShown = ({ name, rrdatas, ttl, type }: any): ReadonlyArray<VendorRecord<GoogleData>> =>
  rrdatas.map((value: string) => ({ id: `${name} ${type} ${value}`, name: toName(name), type, ttl, data: { value } }))

const showZone = (name: string) => ({
  kind: "dns#managedZone",
  name: zoneNameOf(name),
  dnsName: `${name}.`,
  description: "",
  id: zoneIdOf(name),
  nameServers: ownNameServers.map((server) => `${server}.`),
  visibility: "public"
})

/** A text without quotes is a string for each word. */
const toStrings = (text: string): string => (text.startsWith('"') ? text : text.replaceAll(/\S+/g, '"$&"'))

const inProject = ({ pathParameters }: VendorCall): boolean => pathParameters["project"] === keyFile.project_id

const setChange =
  (action: VendorSetChange<GoogleData>["action"], zone: string) =>
  ({ name, rrdatas = [], ttl, type }: any) => {
    const place = { name: toName(name), type, ttl }
    const kept = rrdatas.map((value: string) => keepRecord(googleVendor, place, { value }, zone))
    return { action, key: setKeyOf(place), set: kept.filter((record: unknown) => typeof record !== "string"), kept }
  }

/** Makes the change of a request, or refuses all of it. */
const change = ({ body, zone }: DescribedCall, before: ReadonlyArray<VendorRecord<GoogleData>>) => {
  const { additions = [], deletions = [] } = body
  const [deleted, added] = [deletions.map(setChange("DELETE", zone)), additions.map(setChange("CREATE", zone))]
  const fault = [...deleted, ...added].flatMap(({ kept }) => kept).find((record) => typeof record === "string")
  if (fault !== undefined) return googleVendor.refuse("invalid", fault)
  const own = setKeyOf({ name: zone, type: "NS" })
  if (deleted.some(({ key }: any) => key === own) && !added.some(({ key }: any) => key === own))
    return error(400, "invalidZoneApex", "a zone must contain exactly one resource record set of type 'NS' at the apex")
  const after = changeSets<GoogleData>(before, [...deleted, ...added], setKeyOf, (reason, refused) => {
    const place = `entity.change.deletions[${deleted.indexOf(refused)}]`
    if (reason === "absent") return error(404, "notFound", `The '${place}' resource '${refused.key}' does not exist.`)
    return reason === "different"
      ? error(412, "conditionNotMet", `Precondition not met for '${place}'`)
      : googleVendor.refuse(reason === "alias" ? "alias" : "duplicate", refused.key)
  })
  if ("status" in after) return after
  const lists = Object.entries({ additions, deletions }).filter(([, sets]) => sets.length > 0)
  const made = Object.fromEntries(lists.map(([name, sets]) => [name, sets.map(withKind)]))
  const times = { startTime: "2026-01-01T00:00:00.000Z", id: "7", status: "pending" }
  return { status: 200, body: { kind: "dns#change", ...made, ...times }, records: after.toSorted(compareByName) }
}

const withKind = (set: object) => ({ kind: "dns#resourceRecordSet", ...set })

/** Makes an operation on the zone whose id or name the path has. */
const inZone = inZoneOf<GoogleData>(
  () => googleVendor,
  (call, { zones }) => {
    const { managedZone = "" } = call.pathParameters
    const isNamed = (zone: string) => inProject(call) && [zoneIdOf(zone), zoneNameOf(zone)].includes(managedZone)
    return Object.keys(zones).find(isNamed) ?? "no such zone"
  }
)

/** The API of Cloud DNS. */
export const googleVendor: VendorDescription<GoogleData> = {
  baseUrl: "https://dns.googleapis.com",
  document: () => readVendorDocument("google", documentPatch, toVersion1),
  authenticate: requireToken(googleTokens.token, error(401, "authError", "Invalid Credentials")),
  lists: [`GET ${setsPath}`],
  ownRecords: newZone(ownNameServers, start, { NS: 21_600, SOA: 21_600 }),
  ttl: { minimum: 0, maximum: 2_147_483_647 },
  keepsZoneFileData: true,
  toStoredType: ({ name, type }, zone) => (type === "CNAME" && name === zone ? "ALIAS" : type),
  toData: ({ name, type }, { value }, zone) => {
    if (![...types.split(" "), "SOA"].includes(type)) return `${type} is not known`
    if (name === zone ? type === "CNAME" : type === "ALIAS") return `${type} cannot stand there`
    const kept = type === "TXT" ? toStrings(value) : value
    // It shows data as they came; an ALIAS has those of a CNAME.
    const isParsed = type === "SOA" || toCanonicalData(type === "ALIAS" ? "CNAME" : type, kept) !== undefined
    return isParsed ? { value: kept } : `data of ${type} cannot be parsed`
  },
  toFields: ({ data: { value } }) => ({ value }),
  refuse: (reason, detail) => {
    if (reason === "no path" || reason === "no zone")
      return error(404, "notFound", "The 'parameters.managedZone' resource does not exist.")
    if (reason === "duplicate") return error(409, "alreadyExists", `${detail} already exists`)
    return reason === "alias"
      ? error(400, "cnameResourceRecordSetConflict", `${detail} may have either one CNAME or sets of other types`)
      : error(400, "invalid", `Invalid value: ${detail}`)
  },
  operations: {
    [`GET ${zonesPath}`]: (call, { zones }) => {
      if (!inProject(call)) return error(403, "forbidden", "Forbidden")
      const asked = call.query.get("dnsName")
      const managedZones = Object.keys(zones).filter((name) => asked === null || `${name}.` === asked)
      return { status: 200, body: { kind: "dns#managedZonesListResponse", managedZones: managedZones.map(showZone) } }
    },
    [`GET ${setsPath}`]: inZone((call, records) => {
      const { name, type } = Object.fromEntries(call.query)
      const isAsked = (record: VendorRecord<GoogleData>) =>
        (name ?? `${record.name}.`) === `${record.name}.` && (type ?? record.type) === record.type
      const sets = groupIntoSets(records.filter(isAsked).toSorted(compareByName)).map(show)
      const { items, next } = selectPageFrom(call, sets, { first: "pageToken", size: "maxResults", perPage: 100 })
      const token = next === undefined ? {} : { nextPageToken: String(next) }
      return { status: 200, body: { kind: "dns#resourceRecordSetsListResponse", rrsets: items, ...token } }
    }),
    [`POST ${changesPath}`]: inZone(change)
  }
}

/** The adapter of Google Cloud DNS, and what its vendor answers. */
export const googleCloudDns: DescribedAdapter<GoogleData> = {
  id: "googleclouddns",
  name: "Google Cloud DNS",
  makeClient: makeGoogleCloudDnsClient,
  vendor: googleVendor,
  tokens: googleTokens,
  credential: serviceAccount(keyFile),
  wrongCredentials: [...wrongKeyFiles.map(serviceAccount), apiToken(googleTokens.token)],
  nameServers: ownNameServers,
  writes: "sets that are as they were read",
  comparesSets: true,
  storesApexAlias: true,
  recordsOfTwoPages: 310,
  errors: errorCases(error, [
    [400, "invalid", "apply_rejected"],
    [401, "authError", "credential_invalid"],
    [403, "forbidden", "authorization_insufficient_scope"],
    [403, "insufficientPermissions", "authorization_insufficient_scope"],
    [403, "accessNotConfigured", "account_not_entitled"],
    [403, "rateLimitExceeded", "provider_rate_limited"],
    [403, "userRateLimitExceeded", "provider_rate_limited"],
    [403, "quotaExceeded", "provider_rate_limited"],
    [403, "dailyLimitExceeded", "provider_rate_limited"],
    [404, "notFound", "authorization_zone_mismatch"],
    [409, "alreadyExists", "ZoneChanged"],
    [412, "conditionNotMet", "ZoneChanged"],
    [400, "cnameResourceRecordSetConflict", "ZoneChanged"],
    [502, "badGateway", "OutcomeUnknown"]
  ]),
  limit: { ...error(429, "rateLimitExceeded", "Too many"), headers: { "retry-after": "20" }, seconds: 20 },
  limitations: {
    storesOtherwise: "cannot_store: CNAME at the apex",
    refused: [
      refusedTypes(overview, types),
      {
        about: "an ALIAS below the apex",
        source: "apex_alias: ALIAS at the apex only",
        matches: ({ host, type }) => type === "ALIAS" && host !== "@",
        code: "record_type_unsupported",
        examples: [{ host: "shop", type: "ALIAS", value: "shops.example.net" }]
      }
    ],
    absent: [absentTypes(overview, types)]
  }
}
