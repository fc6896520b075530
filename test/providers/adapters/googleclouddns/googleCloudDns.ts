import { makeGoogleCloudDnsClient } from "../../../../src/providers/adapters/googleclouddns/makeGoogleCloudDnsClient.ts"
import { toCanonicalData } from "../../../support/vendors/canonicalData.ts"
import {
  type DescribedCall,
  inZoneOf,
  keepRecord,
  refuseConflicts,
  type VendorDescription
} from "../../../support/vendors/DescribedVendor.ts"
import type { VendorAnswer, VendorCall } from "../../../support/vendors/VendorCall.ts"
import { type DocumentPatch, readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import {
  compareByName,
  type EnteredRecord,
  groupIntoSets,
  type VendorRecord
} from "../../../support/vendors/VendorZones.ts"
import {
  apiToken,
  changedCodes,
  type DescribedAdapter,
  errorCases,
  rejectedCodes,
  requireHeader,
  sameCode,
  unavailableCodes
} from "../DescribedAdapter.ts"
import { refusedTypes } from "../vendorContract.ts"
import { googleTokens, keyFile, serviceAccount, validToken, wrongKeyFiles } from "./googleTokens.ts"

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
const recordsOverview = "https://cloud.google.com/dns/docs/records-overview"

export const error = (code: number, reason: string, message = "no"): VendorAnswer => ({
  status: code,
  body: { error: { code, message, errors: [{ message, domain: "global", reason }] } }
})

/** The document leaves out all errors. It is of version 2, with locations, and with words in capitals. */
const anError = {
  description: "an error",
  content: { "application/json": { schema: { type: "object", required: ["error"] } } }
}
const withErrors = (method: string) => ({
  [method]: { responses: Object.fromEntries([400, 401, 403, 404, 409, 412, 429].map((status) => [status, anError])) }
})
const words = (property: string, ...known: ReadonlyArray<string>) => ({ properties: { [property]: { enum: known } } })
const documentPatch: DocumentPatch = {
  paths: { [zonesPath]: withErrors("get"), [setsPath]: withErrors("get"), [changesPath]: withErrors("post") },
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

type StoredGoogleSet = ReturnType<typeof groupIntoSets<GoogleData>>[number]

const show = (set: StoredGoogleSet) => ({
  kind: "dns#resourceRecordSet",
  name: `${set[0].name}.`,
  type: set[0].type,
  ttl: set[0].ttl,
  ...(set[0].data.policy === undefined
    ? { rrdatas: set.map(({ data }) => data.value) }
    : { routingPolicy: set[0].data.policy })
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

/** A page of a list, whose token is the number of its first item. */
const selectPage = <Item>({ query }: Pick<DescribedCall, "query">, items: ReadonlyArray<Item>) => {
  const [first, length] = [Number(query.get("pageToken") ?? 0), Number(query.get("maxResults") ?? 100)]
  const next = first + length < items.length ? { nextPageToken: String(first + length) } : {}
  return { items: items.slice(first, first + length), next }
}

/** A text without quotes is a string for each word. */
const toStrings = (text: string): string => (text.startsWith('"') ? text : text.replaceAll(/\S+/g, '"$&"'))

const inProject = ({ pathParameters }: VendorCall): boolean => pathParameters["project"] === keyFile.project_id

const refuseInvalid = (detail: string) => error(400, "invalid", `Invalid value for ${detail}`)

/** Makes the change of a request, or refuses all of it. */
const change = ({ body, zone }: DescribedCall, before: ReadonlyArray<VendorRecord<GoogleData>>) => {
  const { additions = [], deletions = [] } = body
  const sets = new Map(groupIntoSets(before).map((set) => [setKeyOf(set[0]), set]))
  for (const [index, deletion] of deletions.entries()) {
    const place = `entity.change.deletions[${index}]`
    const set = sets.get(setKeyOf(deletion))
    if (set === undefined)
      return error(404, "notFound", `The '${place}' resource named '${deletion.name}' does not exist.`)
    const rrdatas = set.map(({ data }) => data.value)
    if (set[0].ttl !== deletion.ttl || rrdatas.toSorted().join("\n") !== deletion.rrdatas?.toSorted().join("\n"))
      return error(412, "conditionNotMet", `Precondition not met for '${place}'`)
    sets.delete(setKeyOf(deletion))
  }
  let records: ReadonlyArray<EnteredRecord<GoogleData>> = [...sets.values()].flat()
  for (const [index, { name, rrdatas, ttl, type }] of additions.entries()) {
    const place = `entity.change.additions[${index}]`
    if (sets.has(setKeyOf({ name, type }))) return error(409, "alreadyExists", `The resource '${place}' already exists`)
    const added: ReadonlyArray<EnteredRecord<GoogleData> | string> = rrdatas.map((value: string) =>
      keepRecord(googleVendor, { name: toName(name), type, ttl }, { value }, zone)
    )
    for (const record of added) {
      if (typeof record === "string") return refuseInvalid(`'${place}': ${record}`)
      const refused = refuseConflicts(googleVendor, records, [record], { refusesDuplicates: true })
      if (refused !== undefined) return refused
      records = [...records, record]
    }
  }
  if (!hasApexNs(records, zone) && hasApexNs(before, zone))
    return error(400, "invalidZoneApex", "a zone must contain exactly one resource record set of type 'NS' at the apex")
  return {
    status: 200,
    body: {
      kind: "dns#change",
      ...(additions.length === 0 ? {} : { additions: additions.map(withKind) }),
      ...(deletions.length === 0 ? {} : { deletions: deletions.map(withKind) }),
      startTime: "2026-01-01T00:00:00.000Z",
      id: "7",
      status: "pending"
    },
    records: [...records].toSorted(compareByName)
  }
}

const withKind = (set: object) => ({ kind: "dns#resourceRecordSet", ...set })

const hasApexNs = (records: ReadonlyArray<EnteredRecord<GoogleData>>, zone: string): boolean =>
  records.some(({ name, type }) => name === zone && type === "NS")

const noZone = error(404, "notFound", "The 'parameters.managedZone' resource does not exist.")

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
  authenticate: requireHeader("authorization", [`Bearer ${validToken}`], () =>
    error(401, "authError", "Request had invalid authentication credentials.")
  ),
  lists: [`GET ${setsPath}`],
  ownRecords: (name) => {
    const start = `${ownNameServers[0]}. cloud-dns-hostmaster.google.com. 1 21600 3600 259200 300`
    const servers = ownNameServers.map((server) => ["NS", `${server}.`] as const)
    return [...servers, ["SOA", start] as const].map(([type, value]) => ({ name, type, ttl: 21_600, data: { value } }))
  },
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
    if (reason === "no path" || reason === "no zone") return noZone
    if (reason === "duplicate") return error(409, "alreadyExists", `${detail} already exists`)
    return reason === "alias"
      ? error(400, "cnameResourceRecordSetConflict", `${detail} may have either one CNAME or sets of other types`)
      : refuseInvalid(detail)
  },
  operations: {
    [`GET ${zonesPath}`]: (call, { zones }) => {
      if (!inProject(call)) return error(403, "forbidden", "Forbidden")
      const asked = call.query.get("dnsName")
      const managedZones = Object.keys(zones).filter((name) => asked === null || `${name}.` === asked)
      return { status: 200, body: { kind: "dns#managedZonesListResponse", managedZones: managedZones.map(showZone) } }
    },
    [`GET ${setsPath}`]: inZone((call, records) => {
      const [name, type] = ["name", "type"].map((parameter) => call.query.get(parameter))
      const found = records.filter(
        (record) => (name == null || `${record.name}.` === name) && (type == null || record.type === type)
      )
      const { items, next } = selectPage(call, groupIntoSets(found.toSorted(compareByName)).map(show))
      return { status: 200, body: { kind: "dns#resourceRecordSetsListResponse", rrsets: items, ...next } }
    }),
    [`POST ${changesPath}`]: inZone(change)
  }
}

const errors = errorCases(error, [
  [400, "invalid", rejectedCodes],
  [401, "authError", sameCode("credential_invalid")],
  [403, "forbidden", sameCode("authorization_insufficient_scope")],
  [403, "insufficientPermissions", sameCode("authorization_insufficient_scope")],
  [403, "accessNotConfigured", sameCode("account_not_entitled")],
  [403, "rateLimitExceeded", sameCode("provider_rate_limited")],
  [403, "userRateLimitExceeded", sameCode("provider_rate_limited")],
  [403, "quotaExceeded", sameCode("provider_rate_limited")],
  [403, "dailyLimitExceeded", sameCode("provider_rate_limited")],
  [404, "notFound", sameCode("authorization_zone_mismatch")],
  [409, "alreadyExists", changedCodes],
  [412, "conditionNotMet", changedCodes],
  [400, "cnameResourceRecordSetConflict", changedCodes],
  [502, "badGateway", unavailableCodes]
])

/** The adapter of Google Cloud DNS, and what its vendor answers. */
export const googleCloudDns: DescribedAdapter<GoogleData> = {
  id: "googleclouddns",
  name: "Google Cloud DNS",
  makeClient: makeGoogleCloudDnsClient,
  vendor: googleVendor,
  tokens: googleTokens,
  credential: serviceAccount(keyFile),
  wrongCredentials: [...wrongKeyFiles.map(serviceAccount), apiToken(validToken)],
  nameServers: ownNameServers,
  writes: "sets that are as they were read",
  comparesSets: true,
  storesApexAlias: true,
  recordsOfTwoPages: 310,
  errors,
  limit: { ...error(429, "rateLimitExceeded", "Too many"), headers: { "retry-after": "20" }, seconds: 20 },
  limitations: {
    storesOtherwise: "cannot_store: CNAME at the apex",
    refused: [
      refusedTypes(`${recordsOverview}: Supported DNS record types`, types, {
        LOC: "52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m",
        URI: '10 1 "https://web.hostprov.net/"'
      }),
      {
        about: "an ALIAS below the apex",
        source: "apex_alias: ALIAS at the apex only",
        matches: ({ host, type }) => type === "ALIAS" && host !== "@",
        code: "record_type_unsupported",
        examples: [{ host: "shop", type: "ALIAS", value: "shops.example.net" }]
      }
    ],
    absent: [
      {
        about: "types that it does not have",
        source: `${recordsOverview}: Supported DNS record types`,
        matches: ({ type }) => !types.split(" ").includes(type)
      }
    ]
  }
}
