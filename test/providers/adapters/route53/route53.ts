import { makeRoute53Client } from "../../../../src/providers/adapters/route53/makeRoute53Client.ts"
import { awsCredentials, awsError, fakeKeys, requireSignature } from "../../../support/vendors/awsSignature.ts"
import { xmlFormat } from "../../../support/vendors/BodyFormat.ts"
import { areQuotedStrings, isZoneFileData, replaceCodes } from "../../../support/vendors/canonicalData.ts"
import { inZoneOf, keepRecord, type VendorDescription } from "../../../support/vendors/DescribedVendor.ts"
import { changeSets, type VendorSetChange, type SetRefusal } from "../../../support/vendors/recordSets.ts"
import { readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import { type EnteredRecord, groupIntoSets, newZone, rememberLists } from "../../../support/vendors/VendorZones.ts"
import { type DescribedAdapter, errorCases, undocumented } from "../DescribedAdapter.ts"
import {
  absentTypes,
  refusedApexAlias,
  refusedTypes,
  refusedValues,
  refusedWildcardNameServers
} from "../vendorContract.ts"

/** What Route 53 keeps of a record, besides the name, type and TTL of its set. */
export interface Route53Data {
  /** With octal codes; of an alias, its target. */
  readonly value: string
  /** What else the set has, in the words of the API: a weight, a health check, the target of an alias. */
  readonly settings?: Readonly<Record<string, any>>
}

type FakeRoute53Set = ReadonlyArray<EnteredRecord<Route53Data>>

const zonesPath = "/2013-04-01/hostedzonesbyname"
const zonePath = "/2013-04-01/hostedzone/{Id}"
const setsPath = `${zonePath}/rrset`
const ownNameServers = ["ns-831.awsdns-39.net", "ns-422.awsdns-52.com", "ns-1283.awsdns-32.org"]
const start = `${ownNameServers[0]}. awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400`
// Also those that the stored document does not have yet.
const types = "A AAAA CAA CNAME DS HTTPS MX NAPTR NS PTR SPF SRV SSHFP SVCB TLSA TXT"
const docs = "https://docs.aws.amazon.com/Route53/latest"
const typesSource = `${docs}/DeveloperGuide/ResourceRecordTypes.html: supports the DNS record types`

const items = "Change HostedZone Message NameServer ResourceRecord ResourceRecordSet"
export const route53Bodies = xmlFormat("https://route53.amazonaws.com/doc/2013-04-01/", items)

/** Too many calls of an account in a second: developer guide, "Throttling for Amazon Route 53 API requests". */
export const throttled = awsError(400, "Throttling", "Rate exceeded")
const answer = (name: string, content: object) => ({ status: 200, body: { [name]: content } })
const refuseBatch = (message: string) => awsError(400, "InvalidChangeBatch", `[${message}]`)
const refuseFormerly = (status: number, word: string) => ({
  status,
  body: { InvalidChangeBatch: { Messages: [word] } }
})

/**
 * The document has statuses of its own (480 and above) instead of those that Route 53 sends, which are in the recording
 * and in the knowledge center ("How can I avoid Route 53 API throttling errors?"). Lexicon and the adapter post to a path
 * with a slash at its end, AWS's own SDK to one without. An alias has no TTL, and no records.
 */
const patchDocument = ({ paths }: Readonly<Record<string, any>>) => {
  const failing = { responses: { default: { description: "", content: { "text/xml": {} } } } }
  const { post } = paths[`${setsPath}/`]
  const sets = { get: failing, post: { ...post, responses: { ...post.responses, ...failing.responses } } }
  const closed = { additionalProperties: false }
  const simple = { required: ["TTL", "ResourceRecords"], properties: { AliasTarget: false } }
  const alias = { required: ["AliasTarget"], properties: { TTL: false, ResourceRecords: false } }
  const written = { Change: closed, ResourceRecord: closed, ResourceRecordSet: { ...closed, oneOf: [simple, alias] } }
  const schemas = { ...written, AliasTarget: closed, ResourceId: { maxLength: null }, RRType: { enum: null } }
  const zones = { [zonesPath]: { get: failing }, [zonePath]: { get: failing } }
  return { paths: { ...zones, [setsPath]: sets, [`${setsPath}/`]: { post: failing } }, components: { schemas } }
}

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, "0")}`

/** The developer guide, "TXT record type": codes are octal, also for every byte beyond ASCII. */
const toOctal = (data: string): string =>
  replaceCodes(data, 10, octal).replace(/[^ -~]/gu, (text) => [...Buffer.from(text)].map(octal).join(""))
const toDecimal = (value: string): string => replaceCodes(value, 8, (byte) => `\\${String(byte).padStart(3, "0")}`)

/** A name as lists show it: everything but letters, digits, hyphens and underscores is octal ("DNS domain name format"). */
const showName = (name: string): string =>
  `${name.replace(/[^a-z0-9_.-]/g, (character) => octal(character.charCodeAt(0)))}.`
/** A name of a request, which may have a final dot and codes. */
const readName = (shown: string): string =>
  replaceCodes(shown.replace(/\.$/, ""), 8, (byte) => String.fromCharCode(byte)).toLowerCase()

/** The order of lists: by labels from the right, each name with its final dot, then by type. */
const orderOf = (name: string, type = "", identifier = ""): string =>
  [`${showName(name).split(".").slice(0, -1).toReversed().join(".")}.`, type, identifier].join("\u0000")

const keyOf = ({ data, name, type }: EnteredRecord<Route53Data>) =>
  orderOf(name, type, data.settings?.["SetIdentifier"])

/** The records of a set that Route 53 shows or takes. */
export const readSet = ({ Name, ResourceRecords, TTL = 0, Type, ...settings }: any) => {
  const records: ReadonlyArray<any> = ResourceRecords ?? [{ Value: settings["AliasTarget"].DNSName }]
  const place = { name: readName(Name), type: Type, ttl: Number(TTL) }
  const more = Object.keys(settings).length === 0 ? {} : { settings }
  const stored = records.map(({ Value: value }) => ({ ...place, data: { value, ...more } }))
  return stored.map((record) => ({ ...record, id: keyOf(record) + record.data.value }))
}

const showSet = (set: FakeRoute53Set) => {
  const [{ data: { settings = {} } = {}, name = "", ttl, type } = {}] = set
  const simple = { TTL: ttl, ResourceRecords: set.map(({ data }) => ({ Value: data.value })) }
  return { Name: showName(name), Type: type, ...settings, ...(settings["AliasTarget"] === undefined ? simple : {}) }
}

export const zoneIdOf = (zone: string): string => `Z${Bun.hash(zone).toString(36).toUpperCase()}`

/** A zone as Route 53 shows it, which may be private or that of another service. */
export const showZone = (name: string, { id = zoneIdOf(name), PrivateZone = false, ...others }: any = {}) => {
  const Config = { Comment: "Test", PrivateZone }
  return { Id: `/hostedzone/${id}`, Name: showName(name), CallerReference: "01f9750a", Config, ...others }
}

export const answerZones = (HostedZones: ReadonlyArray<object>) =>
  answer("ListHostedZonesByNameResponse", { HostedZones, IsTruncated: false, MaxItems: 100 })
export const answerZone = (HostedZone: object, NameServers = ownNameServers) =>
  answer("GetHostedZoneResponse", { HostedZone, DelegationSet: { NameServers } })

const inZone = inZoneOf<Route53Data>(
  () => route53Vendor,
  ({ pathParameters: { Id } }, { zones }) => Object.keys(zones).find((name) => zoneIdOf(name) === Id) ?? String(Id)
)

const isParsed = (type: string, value: string): boolean => {
  if (value.length > 4000 || /[^ -~]/.test(value)) return false
  if (type === "TXT" || type === "SPF") return areQuotedStrings(value, String.raw`[0-3][0-7]{2}|\D`)
  if (type === "CAA" && !/^\d+ \w+ ".*"$/.test(value)) return false
  return isZoneFileData(type, toDecimal(value))
}

const listSets = rememberLists<Route53Data, ReadonlyArray<{ key: string; set: FakeRoute53Set }>>((records) =>
  groupIntoSets(records, keyOf)
    .map((set) => ({ key: keyOf(set[0]), set }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
)

/** Users of Terraform quote these (hashicorp/terraform, hashicorp/terraform-provider-aws); one is in the recording. */
const refuseChange = (reason: SetRefusal, { set }: Pick<VendorSetChange<Route53Data>, "set">, zone: string) => {
  const [{ data, name = "", type } = {}] = set
  const about = `resource record set [name='${showName(name)}', type='${type}']`
  const beside = type === "CNAME" ? "as it conflicts with other records" : "because a conflicting RRSet of type CNAME"
  return refuseBatch(
    {
      absent: `Tried to delete ${about} but it was not found`,
      different: `Tried to delete ${about} but the values provided do not match the current values`,
      present: `Tried to create ${about} but it already exists`,
      duplicate: `Duplicate Resource Record: '${data?.value}'`,
      alias: `RRSet of type ${type} with DNS name ${showName(name)} is not permitted ${beside} with the same DNS name in zone ${zone}.`
    }[reason]
  )
}

/** Makes all changes of a batch, or none of them. */
const makeBatch = inZone(({ body, now, zone }, before) => {
  const { Changes, Comment } = body.ChangeResourceRecordSetsRequest.ChangeBatch
  const changes: ReadonlyArray<VendorSetChange<Route53Data>> = Changes.map((change: any) => {
    const set = readSet(change.ResourceRecordSet)
    return { action: change.Action, key: set.map(keyOf)[0], set }
  })
  const counted = changes.flatMap(({ action, set }) => (action === "UPSERT" ? [...set, ...set] : set))
  if (counted.length > 1000) return refuseBatch("Number of records limit of 1000 exceeded.")
  if (counted.map(({ data }) => data.value).join("").length > 32_000)
    return refuseBatch("Number of characters in all values limit of 32000 exceeded.")
  const kept = counted.map((record) => keepRecord(route53Vendor, record, record.data, zone))
  const fault = kept.find((record) => typeof record === "string")
  if (fault !== undefined) return refuseBatch(fault)
  const records = changeSets(before, changes, keyOf, (reason, change) => refuseChange(reason, change, zone))
  if ("status" in records) return records
  if (!["NS", "SOA"].every((type) => records.some((record) => record.name === zone && record.type === type)))
    return refuseBatch("A HostedZone must contain at least one NS record for the zone itself.")
  const ChangeInfo = { Id: "/change/C0524", Status: "PENDING", SubmittedAt: new Date(now).toISOString(), Comment }
  return { ...answer("ChangeResourceRecordSetsResponse", { ChangeInfo }), records }
})

/** Route 53's API of hosted zones and their sets, without creating and deleting zones. */
export const route53Vendor: VendorDescription<Route53Data> = {
  baseUrl: "https://route53.amazonaws.com",
  bodies: route53Bodies,
  document: () => readVendorDocument("route53", patchDocument),
  authenticate: requireSignature("route53.amazonaws.com", [fakeKeys.valid, fakeKeys.readOnly, fakeKeys.session]),
  // They lag for a test of more than what Route 53 does: they are strongly consistent with changes (the .NET SDK's page).
  lists: [`GET ${setsPath}`],
  ownRecords: newZone(ownNameServers, start, { NS: 172_800, SOA: 900 }),
  ttl: { minimum: 0, maximum: 2_147_483_647 },
  keepsZoneFileData: true,
  toEnteredFields: (_, { value }) => ({ value: toOctal(value) }),
  toData: ({ name, type }, { settings, value }: Route53Data, zone) => {
    const about = `RRSet of type ${type} with DNS name ${showName(name)} is not permitted`
    if (name !== zone && !name.endsWith(`.${zone}`)) return `${about} in zone ${zone}.`
    if (![...types.split(" "), "SOA"].includes(type)) return `Invalid request: '${type}' is no type of a record`
    if (type === "CNAME" && name === zone) return `${about} at apex in zone ${zone}.`
    if (type === "NS" && name.startsWith("*.")) return about
    const isTaken = settings?.["AliasTarget"] !== undefined || isParsed(type, value)
    return isTaken ? { value } : `Invalid Resource Record: 'FATAL problem: encountered with '${value}''`
  },
  toFields: ({ data }) => ({ value: toDecimal(data.value) }),
  refuse: (reason, detail) => {
    if (reason === "no zone") return awsError(404, "NoSuchHostedZone", `No hosted zone found with ID: ${detail}`)
    return reason === "no path" ? awsError(404, "UnknownOperationException") : awsError(400, "InvalidInput", detail)
  },
  operations: {
    [`GET ${zonesPath}`]: ({ query }, { zones }) => {
      const first = orderOf(readName(query.get("dnsname") ?? ""))
      return answerZones(Object.keys(zones).flatMap((name) => (orderOf(name) < first ? [] : showZone(name))))
    },
    [`GET ${zonePath}`]: inZone(({ zone }) => answerZone(showZone(zone))),
    [`GET ${setsPath}`]: inZone(({ query, zone }, records) => {
      const { identifier, maxitems = 100, name, type } = Object.fromEntries(query)
      if (name === undefined && type !== undefined) return awsError(400, "InvalidInput", "a type needs a name")
      const first = name === undefined ? "" : orderOf(readName(name), type, identifier)
      const found = listSets(records, zone).filter(({ key }) => key >= first)
      const MaxItems = Math.min(Number(maxitems), 300)
      const ResourceRecordSets = found.slice(0, MaxItems).map(({ set }) => showSet(set))
      const { data, name: at, type: of } = found[MaxItems]?.set[0] ?? {}
      const IsTruncated = data !== undefined
      const next = at && { NextRecordName: showName(at), NextRecordType: of }
      const more = { ...next, NextRecordIdentifier: data?.settings?.["SetIdentifier"], MaxItems }
      return answer("ListResourceRecordSetsResponse", { ResourceRecordSets, IsTruncated, ...more })
    }),
    [`POST ${setsPath}`]: makeBatch,
    [`POST ${setsPath}/`]: makeBatch
  }
}

/** Refusals of a batch; the last one was recorded. */
const refusals = [
  [400, "Tried to create resource record set [name='www.example.com.', type='A'] but it already exists", "ZoneChanged"],
  [400, "Tried to delete resource record set [name='www.example.com.', type='A'] but it was not found", "ZoneChanged"],
  [400, "Invalid Resource Record: 'FATAL problem: InvalidCharacterString'", "apply_rejected"],
  [400, "Duplicate Resource Record: '\"challengetoken\"'", "apply_rejected"]
] as const

const errors = [
  ...errorCases(awsError, [
    [400, "Throttling", "provider_rate_limited"],
    [400, "PriorRequestNotComplete", "provider_unavailable"],
    [404, "NoSuchHostedZone", "authorization_zone_mismatch"],
    [403, "AccessDenied", "authorization_insufficient_scope"],
    [403, "InvalidClientTokenId", "credential_invalid"],
    [403, "SignatureDoesNotMatch", "credential_invalid"],
    [403, "ExpiredToken", "credential_invalid"],
    [400, "LimitsExceeded", "account_not_entitled"],
    [400, "InvalidInput", "apply_rejected"],
    [503, "ServiceUnavailable", "OutcomeUnknown"]
  ]),
  ...errorCases((_, message) => refuseBatch(message), refusals),
  ...errorCases(
    refuseFormerly,
    refusals.map(([status, message, code]) => [status, `${message} (former)`, code])
  ),
  ...errorCases((_, name) => answer(name, {}), [[200, "ListResourceRecordSetsResponse", undocumented]])
]

/** The adapter of Route 53, and what its vendor answers. */
export const route53: DescribedAdapter<Route53Data> = {
  id: "route53",
  name: "Route 53",
  makeClient: makeRoute53Client,
  vendor: route53Vendor,
  ...awsCredentials,
  nameServers: ownNameServers,
  writes: "sets that are as they were read",
  comparesSets: true,
  refusesAliases: true,
  recordsOfTwoPages: 310,
  errors,
  limit: { ...throttled, seconds: 0 },
  limitations: {
    showsWritesAtOnce: `${docs}/APIReference/API_ListResourceRecordSets.html: This includes records that are PENDING`,
    refused: [
      refusedTypes(typesSource, types),
      refusedApexAlias("cannot_store: CNAME at the apex"),
      refusedWildcardNameServers(`${docs}/APIReference/API_ResourceRecordSet.html: Name`, "record_type_unsupported"),
      refusedValues("TXT", {
        about: "values of more than 4,000 characters",
        source: "openapi/route53.openapi.json: not to exceed 4,000 characters",
        matches: (value) => toOctal(value).length > 3900,
        examples: ["x".repeat(3970), "ä".repeat(500)]
      })
    ],
    absent: [absentTypes(typesSource, types)]
  }
}
