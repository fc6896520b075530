import { makeAzureClient } from "../../../../src/providers/adapters/azure/makeAzureClient.ts"
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
  type LabFields,
  toAbsoluteName,
  toRelativeName,
  type VendorRecord
} from "../../../support/vendors/VendorZones.ts"
import {
  absentAtFake,
  apiToken,
  changedCodes,
  type DescribedAdapter,
  errorCases,
  rejectedCodes,
  requireHeader,
  sameCode,
  unavailableCodes
} from "../DescribedAdapter.ts"
import {
  refusedApexAlias,
  refusedApexNameServers,
  refusedCaaBackslash,
  refusedEmptyText,
  refusedNullMx,
  refusedTypes,
  refusedValues
} from "../vendorContract.ts"
import { azureTokens, principal, servicePrincipal, validToken } from "./azureTokens.ts"

/** What Azure keeps of a record, besides the name, type and TTL of its set. */
export interface AzureData {
  /** In the words of the API: `{"ipv4Address": …}`. */
  readonly stored: Readonly<Record<string, any>>
  /** Of the whole set. */
  readonly metadata?: Readonly<Record<string, string>>
  /** The resource of Azure to which the set points, in place of records. */
  readonly target?: string
}

const base = "https://management.azure.com"
const zonesPath =
  "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Network/dnsZones"
const zonePath = `${zonesPath}/{zoneName}`
const oneSet = `${zonePath}/{recordType}/{relativeRecordSetName}`
const types = "A AAAA CAA CNAME MX NS PTR SRV TXT"
const ownNameServers = ["com", "net", "org", "info"].map((top, index) => `ns${index + 1}-05.azure-dns.${top}`)

export const error = (status: number, code: string, message = "no"): VendorAnswer => ({
  status,
  body: { error: { code, message } }
})

const zoneIdOf = (zone: string): string =>
  `/subscriptions/${principal.subscriptionId}/resourceGroups/${principal.resourceGroup}/providers/Microsoft.Network/dnszones/${zone}`

/** The document leaves out how the address of the next page names it. */
const documentPatch: DocumentPatch = {
  paths: {
    [`${zonePath}/recordsets`]: { parameters: [{ name: "$skipToken", in: "query", schema: { type: "string" } }] }
  }
}

/** Types whose sets have one record. */
const single: ReadonlySet<string> = new Set(["CNAME", "SOA"])

const memberOf = (type: string): string =>
  type === "CAA" ? "caaRecords" : `${type}${single.has(type) ? "Record" : "Records"}`

type StoredAzureSet = ReturnType<typeof groupIntoSets<AzureData>>[number]

/** A new one after each write, because records that are written get new ids. */
const etagOf = (set: StoredAzureSet): string => Bun.hash(JSON.stringify(set)).toString(16)

const show =
  (zone: string) =>
  (set: StoredAzureSet): any => {
    const [{ data, name, ttl, type }] = set
    const stored = set.map((record) => record.data.stored)
    const host = toRelativeName(name, zone)
    return {
      id: `${zoneIdOf(zone)}/${type}/${host}`,
      name: host,
      type: `Microsoft.Network/dnszones/${type}`,
      etag: etagOf(set),
      properties: {
        fqdn: `${name}.`,
        TTL: ttl,
        ...(data.metadata === undefined ? {} : { metadata: data.metadata }),
        ...(data.target === undefined ? { [memberOf(type)]: single.has(type) ? stored[0] : stored } : {}),
        targetResource: data.target === undefined ? {} : { id: data.target },
        provisioningState: "Succeeded"
      }
    }
  }

/** The records of a set that Azure shows, in the state of its fake. */
export const readShown = ({ name, properties, type }: any, zone: string): ReadonlyArray<VendorRecord<AzureData>> => {
  const shortType = type.split("/").at(-1)
  return [properties[memberOf(shortType)] ?? []].flat().map((stored: any) => ({
    id: `${name} ${shortType} ${JSON.stringify(stored)}`,
    name: toAbsoluteName(name, zone),
    type: shortType,
    ttl: properties.TTL,
    data: { stored }
  }))
}

const toStored = (type: string, { flags, port, priority, tag, value, weight }: LabFields): AzureData["stored"] => {
  const forms: Readonly<Record<string, AzureData["stored"]>> = {
    A: { ipv4Address: value },
    AAAA: { ipv6Address: value },
    CNAME: { cname: value },
    MX: { preference: priority, exchange: value },
    NS: { nsdname: value },
    PTR: { ptrdname: value },
    SRV: { priority, weight, port, target: value },
    TXT: { value: value.match(/.{1,255}/gs) ?? [""] },
    CAA: { flags, tag, value }
  }
  return forms[type] ?? { value }
}

const toFields = (type: string, stored: AzureData["stored"]): LabFields => {
  const { preference, value, ...rest } = stored
  const names = Object.entries(rest).filter(([, field]) => typeof field === "string" && field !== rest["tag"])
  const text = type === "TXT" ? value.join("") : (value ?? names[0]?.[1])
  return { ...rest, ...(preference === undefined ? {} : { priority: preference }), value: text }
}

const isOddText = (text: string): boolean => text.length > 4096 || !/^[ -~]*$/.test(text)

/** Why Azure, or nobody who has seen it, stores a record. */
const findFault = (type: string, { value }: LabFields): string | undefined => {
  if (type === "MX" && value === ".") return "a mail server is needed"
  if (type === "TXT" && (value === "" || isOddText(value))) return "the text is not taken"
  return type === "CAA" && /["\\]/.test(value) ? "the value is not taken" : undefined
}

const noZone = error(404, "ResourceNotFound", "The Resource under resource group was not found.")
const noSet = error(404, "NotFound", "The resource record does not exist.")
const outdated = error(412, "PreconditionFailed", "The condition in the request is not met.")

const inGroup = ({ pathParameters: { resourceGroupName, subscriptionId } }: VendorCall): boolean =>
  subscriptionId === principal.subscriptionId && resourceGroupName === principal.resourceGroup

const inZone = inZoneOf<AzureData>(
  () => azureVendor,
  (call) => (inGroup(call) ? (call.pathParameters["zoneName"] ?? "") : "no such group")
)

const isNamed =
  ({ pathParameters: { recordType, relativeRecordSetName = "@" }, zone }: DescribedCall) =>
  ({ name, type }: EnteredRecord<AzureData>): boolean =>
    type === recordType && name.toLowerCase() === toAbsoluteName(relativeRecordSetName, zone).toLowerCase()

/** Whether the set is as the request says. */
const isAsExpected = ({ conditions = {} }: VendorCall, set: StoredAzureSet | undefined): boolean =>
  (conditions["if-none-match"] === undefined || set === undefined) &&
  (conditions["if-match"] === undefined || (set !== undefined && conditions["if-match"] === etagOf(set)))

/** Stores the set of a request in place of the one of its name and type, with what the request says and nothing else. */
const write = (call: DescribedCall, all: ReadonlyArray<VendorRecord<AzureData>>) => {
  const { body, pathParameters, zone } = call
  const { recordType: type = "", relativeRecordSetName = "" } = pathParameters
  const [before] = groupIntoSets(all.filter(isNamed(call)))
  if (!isAsExpected(call, before)) return outdated
  const { metadata, TTL: ttl = 0, ...properties } = body.properties
  const place = { name: toAbsoluteName(relativeRecordSetName, zone), type, ttl }
  const kept = [properties[memberOf(type)] ?? []].flat().map((stored: any) => {
    const record = keepRecord(azureVendor, place, toFields(type, stored), zone)
    return typeof record === "string" ? record : { ...record, data: { stored, ...(metadata && { metadata }) } }
  })
  const records = kept.filter((record) => typeof record !== "string")
  if (records.length < kept.length || kept.length === 0) return error(400, "BadRequest")
  const others = all.filter((record) => !isNamed(call)(record))
  const refused = refuseConflicts(azureVendor, others, records, { refusesDuplicates: true })
  return refused ?? { status: before === undefined ? 201 : 200, records: [...others, ...records] }
}

const showWritten = (records: ReadonlyArray<VendorRecord<AzureData>>, zone: string) =>
  groupIntoSets(records).map(show(zone))[0]

/** The API of DNS zones. */
export const azureVendor: VendorDescription<AzureData> = {
  baseUrl: base,
  document: () => readVendorDocument("azure", documentPatch),
  authenticate: requireHeader("authorization", [`Bearer ${validToken}`], () =>
    error(401, "InvalidAuthenticationToken", "The access token is invalid.")
  ),
  lists: [`GET ${zonePath}/recordsets`],
  ownRecords: (name) => {
    const start = { email: "azuredns-hostmaster.microsoft.com", host: `${ownNameServers[0]}.`, serialNumber: 1 }
    const servers = ownNameServers.map((server) => ({ nsdname: `${server}.` }))
    return [
      ...servers.map((stored) => ({ name, type: "NS", ttl: 172_800, data: { stored } })),
      { name, type: "SOA", ttl: 3600, data: { stored: start } }
    ]
  },
  ttl: { minimum: 1, maximum: 2_147_483_647 },
  toData: ({ name, type }, fields, zone) => {
    if (!types.split(" ").includes(type)) return `${type} is not known`
    if (type === "CNAME" && name === zone) return "a CNAME cannot stand at the apex"
    return findFault(type, fields) ?? { stored: toStored(type, fields) }
  },
  toFields: ({ data: { stored }, type }) => toFields(type, stored),
  refuse: (reason, detail) => {
    if (reason === "no zone" || reason === "no path") return noZone
    return reason === "alias" ? error(409, "Conflict", detail) : error(400, "BadRequest", detail)
  },
  operations: {
    [`GET ${zonesPath}`]: (call, { zones }) => ({
      status: 200,
      body: { value: inGroup(call) ? Object.keys(zones).map(showZone) : [] }
    }),
    [`GET ${zonePath}`]: inZone(({ zone }) => ({ status: 200, body: showZone(zone) })),
    [`GET ${zonePath}/recordsets`]: inZone(({ path, query, zone }, all) => {
      const first = Number(query.get("$skipToken") ?? 0)
      const length = Number(query.get("$top") ?? 100)
      const sets = groupIntoSets(all.toSorted(compareByName)).map(show(zone))
      const next = `${base}${path}?api-version=2018-05-01&$skipToken=${first + length}`
      const value = sets.slice(first, first + length)
      return { status: 200, body: { value, ...(first + length < sets.length ? { nextLink: next } : {}) } }
    }),
    [`GET ${zonePath}/{recordType}`]: inZone(({ pathParameters, zone }, all) => {
      const found = all.filter(({ type }) => type === pathParameters["recordType"]).toSorted(compareByName)
      return { status: 200, body: { value: groupIntoSets(found).map(show(zone)) } }
    }),
    [`GET ${oneSet}`]: inZone((call, all) => {
      const [set] = groupIntoSets(all.filter(isNamed(call)))
      return set === undefined ? noSet : { status: 200, body: show(call.zone)(set) }
    }),
    [`PUT ${oneSet}`]: inZone(write, showWritten),
    [`PATCH ${oneSet}`]: inZone((call, all) => (all.some(isNamed(call)) ? write(call, all) : noSet), showWritten),
    [`DELETE ${oneSet}`]: inZone((call, all) => {
      const [before] = groupIntoSets(all.filter(isNamed(call)))
      if (before === undefined) return { status: 204 }
      if (!isAsExpected(call, before)) return outdated
      if (before[0].name === call.zone && before[0].type === "NS") return error(400, "BadRequest", "The set is needed")
      return { status: 200, records: all.filter((record) => !isNamed(call)(record)) }
    })
  }
}

function showZone(name: string) {
  return {
    id: zoneIdOf(name),
    name,
    type: "Microsoft.Network/dnszones",
    location: "global",
    properties: { nameServers: ownNameServers.map((server) => `${server}.`), zoneType: "Public" }
  }
}

const errors = errorCases(error, [
  [400, "BadRequest", rejectedCodes],
  [401, "ExpiredAuthenticationToken", sameCode("credential_invalid")],
  [403, "AuthorizationFailed", sameCode("authorization_insufficient_scope")],
  [404, "ResourceNotFound", sameCode("authorization_zone_mismatch")],
  [409, "Conflict", changedCodes],
  [409, "ScopeLocked", sameCode("provider_zone_locked")],
  [409, "ReadOnlyDisabledSubscription", sameCode("provider_zone_locked")],
  [412, "PreconditionFailed", changedCodes],
  [500, "InternalServerError", unavailableCodes]
])

/** The adapter of Azure DNS, and what its vendor answers. */
export const azure: DescribedAdapter<AzureData> = {
  id: "azure",
  name: "Azure DNS",
  makeClient: makeAzureClient,
  vendor: azureVendor,
  tokens: azureTokens,
  credential: servicePrincipal(),
  wrongCredentials: [
    servicePrincipal({ clientSecret: "wrong" }),
    servicePrincipal({ clientId: "22222222-2222-3333-4444-555555555555" }),
    servicePrincipal({ tenantId: "22222222-2222-3333-4444-555555555555" }),
    apiToken(validToken)
  ],
  nameServers: ownNameServers,
  writes: "sets",
  comparesSets: true,
  recordsOfTwoPages: 110,
  errors,
  limit: { ...error(429, "TooManyRequests", "Too many requests"), headers: { "retry-after": "20" }, seconds: 20 },
  limitations: {
    writesInParts: "atomicity: per set",
    storesOtherwise: "ttl.min: 1",
    refused: [
      refusedTypes("openapi/azure.openapi.json: The type of DNS record in this record set", types, {
        DS: "12345 13 2 abcd",
        HTTPS: "1 .",
        TLSA: "3 1 1 abcd"
      }),
      refusedNullMx,
      refusedEmptyText,
      refusedApexAlias("cannot_store: CNAME at the apex"),
      {
        ...refusedApexNameServers("cannot_store: the NS records of the zone itself"),
        code: "record_value_rejected"
      },
      refusedValues("TXT", {
        about: "a text of more than 4,096 characters, or with others than those of ASCII",
        source: "values.txt: unquoted, 255 each",
        matches: isOddText,
        examples: ["x".repeat(4097), "grün", "two\nlines"]
      }),
      refusedCaaBackslash("values.caa: value", "a quote or a backslash in a CAA value")
    ],
    absent: [
      absentAtFake(
        azureVendor,
        "values.txt: unquoted, 255 each",
        "what its fake refuses, because the vendor does, or because nobody says how it is stored"
      )
    ]
  }
}
