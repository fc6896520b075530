import { makeAzureClient } from "../../../../src/providers/adapters/azure/makeAzureClient.ts"
import {
  addRecords,
  inZoneOf,
  keepRecord,
  selectPageFrom,
  type VendorDescription
} from "../../../support/vendors/DescribedVendor.ts"
import { onSet, type SetOperation } from "../../../support/vendors/recordSets.ts"
import type { VendorCall } from "../../../support/vendors/VendorCall.ts"
import { readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import {
  compareByName,
  groupIntoSets,
  type LabFields,
  toAbsoluteName,
  toRelativeName,
  type VendorRecord,
  type VendorSet
} from "../../../support/vendors/VendorZones.ts"
import { absentAtFake, apiToken, type DescribedAdapter, errorCases, requireToken } from "../DescribedAdapter.ts"
import {
  refusedApexAlias,
  refusedApexNameServers,
  refusedCaaBackslash,
  refusedEmptyText,
  refusedNullMx,
  refusedTypes,
  refusedValues
} from "../vendorContract.ts"
import { azureTokens, principal, servicePrincipal } from "./azureTokens.ts"

/** What Azure keeps of a record, besides the name, type and TTL of its set. */
export interface AzureData {
  /** In the words of the API: `{"ipv4Address": …}`. */
  readonly stored: Readonly<Record<string, any>>
  /** Of the whole set. */
  readonly metadata?: Readonly<Record<string, string>>
  /** The resource of Azure to which the set points, in place of records. */
  readonly target?: string
}

/** The words of the API for the fields of a record, where they are its own. */
const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  A: { value: "ipv4Address" },
  AAAA: { value: "ipv6Address" },
  CAA: {},
  CNAME: { value: "cname" },
  MX: { priority: "preference", value: "exchange" },
  NS: { value: "nsdname" },
  PTR: { value: "ptrdname" },
  SRV: { value: "target" },
  TXT: {}
}
const types = Object.keys(words).join(" ")

const baseUrl = "https://management.azure.com"
const group = "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}"
const zonesPath = `${group}/providers/Microsoft.Network/dnsZones`
const zonePath = `${zonesPath}/{zoneName}`
const oneSet = `${zonePath}/{recordType}/{relativeRecordSetName}`
const ownNameServers = ["com", "net", "org", "info"].map((top, index) => `ns${index + 1}-05.azure-dns.${top}`)

const error = (status: number, code: string, message = "no") => ({ status, body: { error: { code, message } } })
const noSet = error(404, "NotFound", "The resource record does not exist.")
const outdated = error(412, "PreconditionFailed", "The condition in the request is not met.")

/** The document leaves out how the address of the next page names it. */
const paging = { parameters: [{ name: "$skipToken", in: "query", schema: { type: "string" } }] }
const documentPatch = { paths: { [`${zonePath}/recordsets`]: paging } }

const zoneIdOf = (zone: string): string =>
  `/subscriptions/${principal.subscriptionId}/resourceGroups/${principal.resourceGroup}/providers/Microsoft.Network/dnszones/${zone}`

const showZone = (name: string) => ({
  id: zoneIdOf(name),
  name,
  type: "Microsoft.Network/dnszones",
  location: "global",
  properties: { nameServers: ownNameServers.map((server) => `${server}.`), zoneType: "Public" }
})

/** The member that has the records of a set; sets of some types have one record. */
const memberOf = (type: string): string =>
  type === "CAA" ? "caaRecords" : `${type}${["CNAME", "SOA"].includes(type) ? "Record" : "Records"}`

const storedIn = (type: string, properties: any): ReadonlyArray<AzureData["stored"]> =>
  [properties[memberOf(type)] ?? []].flat()

/** A new one after each write, because records that are written get new ids. */
const etagOf = (set: VendorSet<AzureData>): string => Bun.hash(JSON.stringify(set)).toString(16)

const show =
  (zone: string) =>
  (set: VendorSet<AzureData>): any => {
    const [{ data, name, ttl, type }] = set
    const stored = set.map((record) => record.data.stored)
    const records = memberOf(type).endsWith("s") ? stored : stored[0]
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
        ...(data.target === undefined ? { [memberOf(type)]: records } : {}),
        targetResource: data.target === undefined ? {} : { id: data.target },
        provisioningState: "Succeeded"
      }
    }
  }

/** The records of a set that Azure shows, in the state of its fake. */
export const readShown = (shown: any, zone: string): ReadonlyArray<VendorRecord<AzureData>> => {
  const type = shown.type.split("/").at(-1)
  return storedIn(type, shown.properties).map((stored) => ({
    id: `${shown.name} ${type} ${JSON.stringify(stored)}`,
    name: toAbsoluteName(shown.name, zone),
    type,
    ttl: shown.properties.TTL,
    data: { stored }
  }))
}

const rename = (members: object, names: Iterable<readonly [string, string]>) => {
  const named = new Map(names)
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [named.get(name) ?? name, value]))
}

const toStored = (type: string, fields: LabFields): AzureData["stored"] =>
  type === "TXT" ? { value: fields.value.match(/.{1,255}/gs) } : rename(fields, Object.entries(words[type] ?? {}))

const toFields = (type: string, stored: AzureData["stored"]): LabFields => {
  const own = Object.entries(words[type] ?? {}).map(([field, word]) => [word, field] as const)
  const { value, ...others } = rename(stored, own)
  return { ...others, value: [value].flat().join("") }
}

const isOddText = (text: string): boolean => text.length > 4096 || !/^[ -~]*$/.test(text)

const inGroup = ({ pathParameters: { resourceGroupName, subscriptionId } }: VendorCall): boolean =>
  subscriptionId === principal.subscriptionId && resourceGroupName === principal.resourceGroup

const inZone = inZoneOf<AzureData>(
  () => azureVendor,
  (call) => (inGroup(call) ? (call.pathParameters["zoneName"] ?? "") : "no such group")
)

const inSet = (operation: SetOperation<AzureData>) =>
  inZone(onSet({ name: "relativeRecordSetName", type: "recordType" })(operation), (records, zone) =>
    groupIntoSets(records).map(show(zone)).at(0)
  )

/** Whether the set is not as the request says. */
const isOutdated = ({ conditions = {} }: VendorCall, set: VendorSet<AzureData> | undefined): boolean => {
  const { "if-match": expected, "if-none-match": absent } = conditions
  if (set === undefined) return expected !== undefined
  return absent !== undefined || (expected !== undefined && expected !== etagOf(set))
}

/** Stores the set of a request in place of the one of its name and type, with what the request says and nothing else. */
const write: SetOperation<AzureData> = (call, before, others) => {
  if (isOutdated(call, before)) return outdated
  const { body, place, zone } = call
  const { metadata, TTL: ttl = 0, ...properties } = body.properties
  const kept = storedIn(place.type, properties).map((stored) => {
    const record = keepRecord(azureVendor, { ...place, ttl }, toFields(place.type, stored), zone)
    return typeof record === "string" ? record : { ...record, data: { stored, ...(metadata && { metadata }) } }
  })
  if (kept.length === 0) return error(400, "BadRequest")
  const answer = { status: before === undefined ? 201 : 200 }
  return addRecords(azureVendor, others, kept, { answer, refusesDuplicates: true })
}

const remove: SetOperation<AzureData> = (call, before, others) => {
  if (before === undefined) return { status: 204 }
  if (isOutdated(call, before)) return outdated
  const isOwn = before[0].name === call.zone && before[0].type === "NS"
  return isOwn ? error(400, "BadRequest", "The set is needed") : { status: 200, records: others }
}

/** All sets, or those of a type. */
const list = inZone(({ path, pathParameters: { recordType }, query, zone }, all) => {
  const found = all.filter(({ type }) => type === (recordType ?? type)).toSorted(compareByName)
  const sets = groupIntoSets(found).map(show(zone))
  const { items, next } = selectPageFrom({ query }, sets, { first: "$skipToken", size: "$top", perPage: 100 })
  const nextLink = `${baseUrl}${path}?api-version=2018-05-01&$skipToken=${next}`
  return { status: 200, body: { value: items, ...(next === undefined ? {} : { nextLink }) } }
})

/** The API of DNS zones. */
export const azureVendor: VendorDescription<AzureData> = {
  baseUrl,
  document: () => readVendorDocument("azure", documentPatch),
  authenticate: requireToken(azureTokens.token, error(401, "InvalidAuthenticationToken", "The token is invalid.")),
  lists: [`GET ${zonePath}/recordsets`],
  ownRecords: (name) => {
    const servers = ownNameServers.map((server) => ({ stored: { nsdname: `${server}.` } }))
    const start = { stored: { host: `${ownNameServers[0]}.`, serialNumber: 1 } }
    return [
      ...servers.map((data) => ({ name, type: "NS", ttl: 172_800, data })),
      { name, type: "SOA", ttl: 3600, data: start }
    ]
  },
  ttl: { minimum: 1, maximum: 2_147_483_647 },
  // What Azure refuses, or nobody has seen it store.
  toData: ({ name, type }, fields, zone) => {
    const { value } = fields
    if (!(type in words)) return `${type} is not known`
    if (type === "CNAME" && name === zone) return "a CNAME cannot stand at the apex"
    if (type === "MX" && value === ".") return "a mail server is needed"
    if (type === "TXT" && (value === "" || isOddText(value))) return "the text is not taken"
    return type === "CAA" && /["\\]/.test(value) ? "the value is not taken" : { stored: toStored(type, fields) }
  },
  toFields: ({ data: { stored }, type }) => toFields(type, stored),
  refuse: (reason, detail) => {
    if (reason === "no zone" || reason === "no path") return error(404, "ResourceNotFound", "No such resource")
    return reason === "alias" ? error(409, "Conflict", detail) : error(400, "BadRequest", detail)
  },
  operations: {
    [`GET ${zonesPath}`]: (call, { zones }) => ({
      status: 200,
      body: { value: inGroup(call) ? Object.keys(zones).map(showZone) : [] }
    }),
    [`GET ${zonePath}`]: inZone(({ zone }) => ({ status: 200, body: showZone(zone) })),
    [`GET ${zonePath}/recordsets`]: list,
    [`GET ${zonePath}/{recordType}`]: list,
    [`PUT ${oneSet}`]: inSet(write),
    [`PATCH ${oneSet}`]: inSet((call, set, others) => (set === undefined ? noSet : write(call, set, others))),
    [`DELETE ${oneSet}`]: inSet(remove)
  }
}

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
    apiToken(azureTokens.token)
  ],
  nameServers: ownNameServers,
  writes: "sets",
  comparesSets: true,
  recordsOfTwoPages: 110,
  errors: errorCases(error, [
    [400, "BadRequest", "apply_rejected"],
    [401, "ExpiredAuthenticationToken", "credential_invalid"],
    [403, "AuthorizationFailed", "authorization_insufficient_scope"],
    [404, "ResourceNotFound", "authorization_zone_mismatch"],
    [409, "Conflict", "ZoneChanged"],
    [409, "ScopeLocked", "provider_zone_locked"],
    [409, "ReadOnlyDisabledSubscription", "provider_zone_locked"],
    [412, "PreconditionFailed", "ZoneChanged"],
    [500, "InternalServerError", "OutcomeUnknown"]
  ]),
  limit: { ...error(429, "TooManyRequests", "Too many requests"), headers: { "retry-after": "20" }, seconds: 20 },
  limitations: {
    writesInParts: "atomicity: per set",
    storesOtherwise: "ttl.min: 1",
    refused: [
      refusedTypes("openapi/azure.openapi.json: The type of DNS record in this record set", types),
      refusedNullMx,
      refusedEmptyText,
      refusedApexAlias("cannot_store: CNAME at the apex"),
      refusedApexNameServers("cannot_store: the NS records of the zone itself", "record_value_rejected"),
      refusedValues("TXT", {
        about: "a text of more than 4,096 characters, or with others than those of ASCII",
        source: "values.txt: unquoted, 255 each",
        matches: isOddText,
        examples: ["x".repeat(4097), "grün", "two\nlines"]
      }),
      refusedCaaBackslash("values.caa: value", "a quote or a backslash in a CAA value")
    ],
    absent: [absentAtFake(azureVendor, "values.txt: unquoted, 255 each")]
  }
}
