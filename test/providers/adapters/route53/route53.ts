import { Redacted } from "effect"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import { makeRoute53Client } from "../../../../src/providers/adapters/route53/makeRoute53Client.ts"
import { awsError, type FakeAwsKey, requireSignature } from "../../../support/vendors/awsSignature.ts"
import { xmlFormat } from "../../../support/vendors/BodyFormat.ts"
import { toCanonicalData } from "../../../support/vendors/canonicalData.ts"
import { inZoneOf, keepRecord, type VendorDescription } from "../../../support/vendors/DescribedVendor.ts"
import { sessionKey } from "../../../support/vendors/FakeSts.ts"
import { readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import {
  type EnteredRecord,
  findConflict,
  groupIntoSets,
  rememberLists,
  type VendorRecord
} from "../../../support/vendors/VendorZones.ts"
import { type DescribedAdapter, errorCases } from "../DescribedAdapter.ts"
import { absentTypes, refusedApexAlias, refusedTypes, refusedValues } from "../vendorContract.ts"

/** What Route 53 keeps of a record, besides the name, type and TTL of its set. */
export interface Route53Data {
  /** With octal codes; of an alias, its target. */
  readonly value: string
  /** What else the set has, in the words of the API: a weight, a health check, the target of an alias. */
  readonly settings?: Readonly<Record<string, unknown>>
}

/** This key may do everything, and the other one may only read. */
export const validKey = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
}
const readOnlyKey = {
  accessKeyId: "AKIAREADONLY7EXAMPLE",
  secretAccessKey: "read+only/K7MDENG/bPxRfiCYEXAMPLEKEY1"
}

const accessKey = ({ accessKeyId, secretAccessKey }: FakeAwsKey): Credential => ({
  _tag: "access_key_secret",
  accessKeyId,
  secretAccessKey: Redacted.make(secretAccessKey)
})

const version = "/2013-04-01"
const zonePath = `${version}/hostedzone/{Id}`
const setsPath = `${zonePath}/rrset`
const ownNameServers = ["ns-831.awsdns-39.net", "ns-422.awsdns-52.com", "ns-1283.awsdns-32.org"]
// Also those that the stored document does not have yet.
const types = "A AAAA CAA CNAME DS HTTPS MX NAPTR NS PTR SPF SRV SSHFP SVCB TLSA TXT"
const typesSource =
  "https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/ResourceRecordTypes.html: supports the DNS record types"

/** Too many calls of an account in a second: developer guide, "Throttling for Amazon Route 53 API requests". */
export const throttled = awsError(400, "Throttling", "Rate exceeded")
const refuseBatch = (message: string) => awsError(400, "InvalidChangeBatch", `[${message}]`)

/**
 * The document has statuses of its own (480 and above) instead of those that Route 53 sends, which are in the recording
 * and in the knowledge center ("How can I avoid Route 53 API throttling errors?"). Lexicon and the adapter post to a path
 * with a slash at its end, AWS's own SDK to one without. An alias has no TTL, and no records.
 */
const patchDocument = ({ paths }: Readonly<Record<string, any>>) => {
  const errors = [400, 403, 404, 500].map((status) => [status, { description: "", content: { "text/xml": {} } }])
  const failing = { responses: Object.fromEntries(errors) }
  const closed = { additionalProperties: false }
  const simple = { required: ["TTL", "ResourceRecords"], properties: { AliasTarget: false } }
  const alias = { required: ["AliasTarget"], properties: { TTL: false, ResourceRecords: false } }
  const { post } = paths[`${setsPath}/`]
  const write = { ...post, responses: { ...post.responses, ...failing.responses } }
  return {
    paths: {
      [`${version}/hostedzonesbyname`]: { get: failing },
      [zonePath]: { get: failing },
      [setsPath]: { get: failing, post: write },
      [`${setsPath}/`]: { post: write }
    },
    components: {
      schemas: {
        AliasTarget: closed,
        Change: closed,
        ResourceId: { maxLength: null },
        ResourceRecord: closed,
        ResourceRecordSet: { ...closed, oneOf: [simple, alias] },
        RRType: { enum: null }
      }
    }
  }
}

const replaceCodes = (text: string, show: (digits: string) => string): string =>
  text.replace(/\\(\d{3})|\\\D/g, (whole, digits?: string) => (digits === undefined ? whole : show(digits)))
const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, "0")}`

/** The developer guide, "TXT record type": codes are octal, also for every byte beyond ASCII. */
const toOctal = (data: string): string =>
  replaceCodes(data, (digits) => octal(Number(digits))).replace(/[^ -~]/gu, (character) =>
    [...Buffer.from(character)].map(octal).join("")
  )
const toDecimal = (value: string): string =>
  replaceCodes(value, (digits) => `\\${String(parseInt(digits, 8)).padStart(3, "0")}`)

/** A name as lists show it: everything but letters, digits, hyphens and underscores is octal ("DNS domain name format"). */
const showName = (name: string): string =>
  `${name.replace(/[^a-z0-9_.-]/g, (character) => octal(character.charCodeAt(0)))}.`
/** A name of a request, which may have a final dot and codes. */
const readName = (shown: string): string =>
  replaceCodes(shown.replace(/\.$/, ""), (digits) => String.fromCharCode(parseInt(digits, 8))).toLowerCase()

/** The order of lists: by labels from the right, each name with its final dot, then by type. */
const orderOf = (name: string, type = "", identifier = ""): string =>
  [`${showName(name).split(".").slice(0, -1).toReversed().join(".")}.`, type, identifier].join("\u0000")

const identifierOf = ({ data }: EnteredRecord<Route53Data>) => String(data.settings?.["SetIdentifier"] ?? "")
const keyOf = (record: EnteredRecord<Route53Data>) => [record.name, record.type, identifierOf(record)].join(" ")

type Route53Set = ReadonlyArray<EnteredRecord<Route53Data>>

/** The records of a set that Route 53 shows or takes. */
const readSet = ({ Name, ResourceRecords, TTL = 0, Type, ...settings }: any): Route53Set => {
  const values: ReadonlyArray<string> = ResourceRecords?.map(({ Value }: any) => Value) ?? [
    settings.AliasTarget.DNSName
  ]
  const more = Object.keys(settings).length === 0 ? {} : { settings }
  return values.map((value) => ({ name: readName(Name), type: Type, ttl: Number(TTL), data: { value, ...more } }))
}

const showSet = (set: Route53Set) => {
  const [{ data: { settings = {} } = {}, name = "", ttl, type } = {}] = set
  const simple = { TTL: ttl, ResourceRecords: set.map(({ data }) => ({ Value: data.value })) }
  return { Name: showName(name), Type: type, ...settings, ...("AliasTarget" in settings ? {} : simple) }
}

/** The records that an answer lists or a request has, in the state of the fake. */
export const readShown = ({
  ChangeResourceRecordSetsRequest: request,
  ListResourceRecordSetsResponse: answer
}: any): ReadonlyArray<VendorRecord<Route53Data>> => {
  const changes: ReadonlyArray<any> = request?.ChangeBatch.Changes ?? []
  const sets: ReadonlyArray<object> = answer?.ResourceRecordSets ?? changes.map(({ ResourceRecordSet: set }) => set)
  return sets.flatMap(readSet).map((record) => ({ ...record, id: `${keyOf(record)} ${record.data.value}` }))
}

export const zoneIdOf = (zone: string): string => `Z${Bun.hash(zone).toString(36).toUpperCase()}`

/** A zone as Route 53 shows it, private or not, or that of another service. */
export const showZone = (name: string, more: { readonly id?: string; readonly isPrivate?: boolean } & object = {}) => {
  const { id = zoneIdOf(name), isPrivate = false, ...others } = more
  const Config = { Comment: "Test", PrivateZone: isPrivate }
  return { Id: `/hostedzone/${id}`, Name: showName(name), CallerReference: "01f9750a", Config, ...others }
}

const inZone = inZoneOf<Route53Data>(
  () => route53Vendor,
  ({ pathParameters: { Id } }, { zones }) => Object.keys(zones).find((name) => zoneIdOf(name) === Id) ?? String(Id)
)

const isText = (value: string): boolean => {
  const strings = value.match(/"(?:[^"\\]|\\[0-3][0-7]{2}|\\\D)*"/g) ?? []
  const isShort = (string: string) => string.slice(1, -1).replace(/\\(\d{3}|.)/g, "?").length <= 255
  return strings.length > 0 && strings.join(" ") === value && strings.every(isShort)
}

/** The dot at the end of a target may be missing. */
const isParsed = (type: string, value: string): boolean => {
  if (value.length > 4000 || /[^ -~]/.test(value)) return false
  if (type === "TXT" || type === "SPF") return isText(value)
  if (type === "CAA" && !/^\d+ \w+ ".*"$/.test(value)) return false
  return type === "SOA" || [value, `${value}.`].some((data) => toCanonicalData(type, toDecimal(data)) !== undefined)
}

const listSets = rememberLists<Route53Data, ReadonlyArray<{ readonly order: string; readonly set: Route53Set }>>(
  (records) =>
    groupIntoSets(records, keyOf)
      .map((set) => ({ set, order: orderOf(set[0].name, set[0].type, identifierOf(set[0])) }))
      .toSorted((one, other) => (one.order < other.order ? -1 : 1))
)

const contentOf = (set: Route53Set) => set.map(({ data, ttl }) => JSON.stringify([ttl, data])).toSorted()

/** Why Route 53 refuses a change; most messages are quoted by users of Terraform (hashicorp/terraform-provider-aws). */
const refuseChange = (action: string, set: Route53Set, sets: ReadonlyMap<string, Route53Set>, zone: string) => {
  const [first] = set
  if (first === undefined) return "no records"
  const { name, type } = first
  const [shown, identifier] = [showName(name), identifierOf(first)]
  const before = sets.get(keyOf(first))
  const about = `[name='${shown}', type='${type}'${identifier && `, set-identifier='${identifier}'`}]`
  if (action === "DELETE") {
    if (before === undefined) return `Tried to delete resource record set ${about} but it was not found`
    return Bun.deepEquals(contentOf(before), contentOf(set))
      ? undefined
      : `Tried to delete resource record set ${about} but the values provided do not match the current values`
  }
  if (action === "CREATE" && before !== undefined)
    return `Tried to create resource record set ${about} but it already exists`
  const isAlias = first.data.settings?.["AliasTarget"] !== undefined
  const kept = isAlias ? [] : set.map((record) => keepRecord(route53Vendor, record, { ...record.data }, zone))
  const fault = kept.find((record) => typeof record === "string")
  if (fault !== undefined) return fault
  const values = set.map(({ data }) => data.value)
  const twice = values.find((value, index) => values.indexOf(value) !== index)
  if (twice !== undefined) return `Duplicate Resource Record: '${twice}'`
  if (type === "CNAME" && set.length > 1) return `RRSet of type CNAME has ${set.length} values`
  const namesakes = [...sets.values()].flatMap((other) => (other[0]?.name === name ? other : []))
  const isPermitted =
    findConflict(
      namesakes.filter((other) => other.type !== type),
      first
    ) === undefined
  if (!isPermitted)
    return `RRSet of type ${type} with DNS name ${shown} is not permitted ${
      type === "CNAME"
        ? "as it conflicts with other records with the same DNS name"
        : "because a conflicting RRSet of type CNAME with the same DNS name already exists"
    } in zone ${zone}.`
  return namesakes.some((other) => other.type === type && (identifierOf(other) === "") !== (identifier === ""))
    ? `RRSet with DNS name ${shown}, type ${type} cannot be created because a non-simple RRSet exists with the same name and type.`
    : undefined
}

/** Makes all changes of a batch, or none of them. */
const changeSets = inZone(({ body, now, zone }, records) => {
  const { Changes, Comment } = body.ChangeResourceRecordSetsRequest.ChangeBatch
  const changes: ReadonlyArray<readonly [action: string, set: Route53Set]> = Changes.map(
    ({ Action, ResourceRecordSet }: any) => [Action, readSet(ResourceRecordSet)]
  )
  const counted = changes.flatMap(([action, set]) => (action === "UPSERT" ? [...set, ...set] : set))
  if (counted.length > 1000) return refuseBatch("Number of records limit of 1000 exceeded.")
  if (counted.map(({ data }) => data.value).join("").length > 32_000)
    return refuseBatch("Number of characters in all values limit of 32000 exceeded.")
  const sets = new Map(groupIntoSets(records, keyOf).map((set): [string, Route53Set] => [keyOf(set[0]), set]))
  for (const [action, set] of changes) {
    const refusal = refuseChange(action, set, sets, zone)
    if (refusal !== undefined) return refuseBatch(refusal)
    const key = set.map(keyOf)[0] ?? ""
    if (action === "DELETE") sets.delete(key)
    else sets.set(key, set)
  }
  if (!sets.has(`${zone} NS `) || !sets.has(`${zone} SOA `))
    return refuseBatch("A HostedZone must contain at least one NS record for the zone itself.")
  const ChangeInfo = {
    Id: "/change/C05247921ENZ8",
    Status: "PENDING",
    SubmittedAt: new Date(now).toISOString(),
    Comment
  }
  return { status: 200, body: { ChangeResourceRecordSetsResponse: { ChangeInfo } }, records: [...sets.values()].flat() }
})

/** Route 53's API of hosted zones and their sets, without creating and deleting zones. */
export const route53Vendor: VendorDescription<Route53Data> = {
  baseUrl: "https://route53.amazonaws.com",
  bodies: xmlFormat(
    "https://route53.amazonaws.com/doc/2013-04-01/",
    ...["Change", "HostedZone", "Message", "NameServer", "ResourceRecord", "ResourceRecordSet"]
  ),
  document: () => readVendorDocument("route53", patchDocument),
  authenticate: (headers, call, request) => {
    const requireKey = requireSignature("route53.amazonaws.com", [validKey, readOnlyKey, sessionKey])
    const isReader = headers.get("authorization")?.includes(readOnlyKey.accessKeyId) === true
    const denied = isReader && call.isWrite ? awsError(403, "AccessDenied", "User is not authorized") : undefined
    return requireKey(headers, call, request) ?? denied
  },
  // They lag for a test of more than what Route 53 does: they are strongly consistent with changes (the .NET SDK's page).
  lists: [`GET ${setsPath}`],
  ownRecords: (name) => {
    const start = `${ownNameServers[0]}. awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400`
    const servers = ownNameServers.map((server) => ({ name, type: "NS", ttl: 172_800, data: { value: `${server}.` } }))
    return [...servers, { name, type: "SOA", ttl: 900, data: { value: start } }]
  },
  ttl: { minimum: 0, maximum: 2_147_483_647 },
  keepsZoneFileData: true,
  toEnteredFields: (_, { value }) => ({ value: toOctal(value) }),
  toData: ({ name, type }, { value }, zone) => {
    const about = `RRSet of type ${type} with DNS name ${showName(name)} is not permitted`
    if (name !== zone && !name.endsWith(`.${zone}`)) return `${about} in zone ${zone}.`
    if (![...types.split(" "), "SOA"].includes(type)) return `Invalid request: '${type}' is no type of a record`
    if (type === "CNAME" && name === zone) return `${about} at apex in zone ${zone}.`
    if (type === "NS" && name.startsWith("*.")) return about
    return isParsed(type, value) ? { value } : `Invalid Resource Record: 'FATAL problem: encountered with '${value}''`
  },
  toFields: ({ data }) => ({ value: toDecimal(data.value) }),
  refuse: (reason, detail) => {
    if (reason === "no path") return awsError(404, "UnknownOperationException", detail)
    return reason === "no zone"
      ? awsError(404, "NoSuchHostedZone", `No hosted zone found with ID: ${detail}`)
      : awsError(400, "InvalidInput", detail)
  },
  operations: {
    [`GET ${version}/hostedzonesbyname`]: ({ query }, { zones }) => {
      const first = orderOf(readName(query.get("dnsname") ?? ""))
      const found = Object.keys(zones).filter((name) => orderOf(name) >= first)
      const HostedZones = found
        .toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
        .map((name) => showZone(name))
      return {
        status: 200,
        body: { ListHostedZonesByNameResponse: { HostedZones, IsTruncated: false, MaxItems: 100 } }
      }
    },
    [`GET ${zonePath}`]: inZone(({ zone }) => {
      const answer = { HostedZone: showZone(zone), DelegationSet: { NameServers: ownNameServers } }
      return { status: 200, body: { GetHostedZoneResponse: answer } }
    }),
    [`GET ${setsPath}`]: inZone(({ query, zone }, records) => {
      const { identifier, maxitems = 100, name, type } = Object.fromEntries(query)
      if (name === undefined && type !== undefined) return awsError(400, "InvalidInput", "a type needs a name")
      const first = name === undefined ? "" : orderOf(readName(name), type, identifier)
      const found = listSets(records, zone).filter(({ order }) => order >= first)
      const length = Math.min(Number(maxitems), 300)
      const next: any = found[length] === undefined ? {} : showSet(found[length].set)
      const answer = {
        ResourceRecordSets: found.slice(0, length).map(({ set }) => showSet(set)),
        IsTruncated: found.length > length,
        NextRecordName: next.Name,
        NextRecordType: next.Type,
        NextRecordIdentifier: next.SetIdentifier,
        MaxItems: length
      }
      return { status: 200, body: { ListResourceRecordSetsResponse: answer } }
    }),
    [`POST ${setsPath}`]: changeSets,
    [`POST ${setsPath}/`]: changeSets
  }
}

/** Refusals of a batch, which come in two forms. */
const refusedBatches = (
  [
    ["[Tried to create resource record set [name='www.example.com.', type='A'] but it already exists]", "ZoneChanged"],
    ["[Tried to delete resource record set [name='www.example.com.', type='A'] but it was not found]", "ZoneChanged"],
    ["[Invalid Resource Record: 'FATAL problem: InvalidCharacterString']", "apply_rejected"],
    // The recording.
    ["[Duplicate Resource Record: '\"challengetoken\"']", "apply_rejected"]
  ] as const
).flatMap(([message, codes]) => [
  { word: message, answer: awsError(400, "InvalidChangeBatch", message), codes },
  {
    word: `in the old form, ${message}`,
    answer: { status: 400, body: { InvalidChangeBatch: { Messages: [message] } } },
    codes
  }
])

/** The adapter of Route 53, and what its vendor answers. */
export const route53: DescribedAdapter<Route53Data> = {
  id: "route53",
  name: "Route 53",
  makeClient: makeRoute53Client,
  vendor: route53Vendor,
  credential: accessKey(validKey),
  wrongCredentials: [
    accessKey({ ...validKey, secretAccessKey: "wrong" }),
    accessKey({ ...validKey, accessKeyId: "AKIAUNKNOWN7EXAMPLE0" }),
    accessKey({ ...validKey, secretAccessKey: `${validKey.secretAccessKey}\n` })
  ],
  readOnlyCredential: accessKey(readOnlyKey),
  nameServers: ownNameServers,
  writes: "sets that are as they were read",
  comparesSets: true,
  refusesAliases: true,
  recordsOfTwoPages: 310,
  errors: [
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
    ...refusedBatches,
    {
      word: "200 with a list without its elements",
      answer: { status: 200, body: { ListResourceRecordSetsResponse: "" } },
      codes: ["provider_unavailable", "provider_snapshot_failed", "OutcomeUnknown"]
    }
  ],
  limit: { ...throttled, seconds: 0 },
  limitations: {
    showsWritesAtOnce:
      "https://docs.aws.amazon.com/Route53/latest/APIReference/API_ListResourceRecordSets.html: This includes records that are PENDING",
    refused: [
      refusedTypes(typesSource, types),
      refusedApexAlias("cannot_store: CNAME at the apex"),
      {
        about: "NS records at a wildcard",
        source: "https://docs.aws.amazon.com/Route53/latest/APIReference/API_ResourceRecordSet.html: Name",
        matches: ({ host, type }) => type === "NS" && host.startsWith("*"),
        code: "record_type_unsupported",
        examples: [{ host: "*.team", type: "NS", value: "ns1.example.net" }]
      },
      refusedValues("TXT", {
        about: "values of more than 4,000 characters",
        source: "openapi/route53.openapi.json: not to exceed 4,000 characters",
        matches: (value) => Buffer.byteLength(value) > 3900,
        examples: ["x".repeat(4001)]
      })
    ],
    absent: [absentTypes(typesSource, types)]
  }
}
