import { type HttpClient, UrlParams } from "@effect/platform"
import { Effect, Schema } from "effect"
import { callProvider, type ProviderResponse, type ResponseMeaning } from "../../callProvider.ts"
import type { Timeouts } from "../../ProviderClient.ts"
import { makeKindLookup, type ProviderError } from "../../ProviderError.ts"
import { type AwsKey, secretsOf, signAwsRequest } from "../../signAwsRequest.ts"
import { readPages } from "../../readPages.ts"
import { longArray } from "../../JsonApi.ts"
import { makeLister } from "../../writing/makeLister.ts"
import { decodeXmlBody, encodeXml, type XmlLists } from "../../xmlBody.ts"

/** The calls of Route 53 with the key that `readKey` has for each; all fail with `ProviderError`. */
export type Route53Api = ReturnType<typeof makeRoute53Api>

export const makeRoute53Api = (
  http: HttpClient.HttpClient,
  readKey: Effect.Effect<AwsKey, ProviderError>,
  timeouts: Timeouts
) => {
  /** Sends a signed request to the only endpoint, which belongs to us-east-1; with a batch as a POST. */
  const call = <A, I>(path: string, schema: Schema.Schema<A, I>, { admits, batch }: SignedCallOptions = {}) =>
    Effect.gen(function* () {
      const key = yield* readKey
      const body = batch && encodeXml({ name: "ChangeResourceRecordSetsRequest", namespace }, batch, xmlLists)
      const url = `https://route53.amazonaws.com/2013-04-01/${path}`
      const request = yield* signAwsRequest(key, "route53", { url, ...(body && { body, contentType: "text/xml" }) })
      const options = { interpret, secrets: secretsOf(key), timeout: timeouts.call, admits }
      const response = yield* callProvider(http, request, options)
      return yield* decodeXmlBody(response, schema, xmlLists)
    })
  return {
    /** Lists the zones from a name on, in the order of names. */
    listZones: (name: string) => call(`hostedzonesbyname?dnsname=${name}.`, route53Answers.zones),
    readZone: (path: string) => call(path, route53Answers.zone),
    /** Makes the lister of the sets of a zone: those of a name are the first ones of a list that begins there. */
    makeSetLister: (path: string) => {
      const listFrom = (start?: string) =>
        readPages({
          readPage: (query = toQuery({ name: start }), admits) =>
            Effect.map(call(`${path}/rrset?${query}`, route53Answers.sets, { admits }), toPageOf(start)),
          timeout: timeouts.snapshot,
          // Three of the five calls a second that an account once had (DNSLimitations.html); the others have the rest.
          pause: "350 millis"
        })
      return makeLister({ perPage: 300, listAll: listFrom(), listAt: listFrom })
    },
    /** Makes all of the changes, or none of them. */
    writeBatch: (path: string, Changes: ReadonlyArray<object>) =>
      Effect.asVoid(call(`${path}/rrset/`, route53Answers.change, { batch: { ChangeBatch: { Changes } } }))
  }
}

const namespace = "https://route53.amazonaws.com/doc/2013-04-01/"
interface SignedCallOptions {
  readonly batch?: object
  readonly admits?: (bytes: number) => boolean
}

/** The lists in requests and answers, each named by the plural of its elements. */
export const xmlLists: XmlLists = Object.fromEntries(
  ["Change", "HostedZone", "NameServer", "ResourceRecord", "ResourceRecordSet"].map((item) => [`${item}s`, item])
)

/** The status says little: throttling (developer guide) and outdated batches are 400 too. */
const interpret = ({ status, text }: ProviderResponse): ResponseMeaning | undefined => {
  const kind = status >= 400 && (staleBatch.test(text) ? "conflict" : kindOf(/<Code>(\w+)</.exec(text)?.[1] ?? ""))
  return kind ? { kind } : undefined
}

/** A set exists that must not, or none that must, or another one; or an alias has taken the name. */
const staleBatch =
  /but it already exists|but it was not found|do not match the current values|a conflicting RRSet|conflicts with other records/

const kindOf = makeKindLookup([
  ["rate_limited", "Throttling"],
  ["busy", "PriorRequestNotComplete"],
  ["credential_refused", "InvalidClientTokenId", "SignatureDoesNotMatch", "ExpiredToken"],
  ["not_entitled", "OptInRequired", "LimitsExceeded"]
])

/** Records of one name and type, or an alias, which has a target instead of TTL (seconds) and values; all fields are kept. */
const ResourceRecordSet = Schema.Struct({
  Name: Schema.String,
  Type: Schema.String,
  TTL: Schema.optional(Schema.NumberFromString),
  ResourceRecords: Schema.optional(Schema.Array(Schema.Struct({ Value: Schema.String }))),
  AliasTarget: Schema.optional(Schema.Struct({ DNSName: Schema.String }))
}).annotations({ parseOptions: { onExcessProperty: "preserve" } })
export type ResourceRecordSet = typeof ResourceRecordSet.Type

/** Whether a set has nothing but a TTL and values. */
export const isSimpleSet: (set: ResourceRecordSet) => boolean = Schema.is(ResourceRecordSet.omit("AliasTarget"), {
  onExcessProperty: "error"
})

const HostedZone = Schema.Struct({
  Id: Schema.String.pipe(Schema.pattern(/^\/hostedzone\/\w+$/)),
  Name: Schema.String,
  Config: Schema.optional(Schema.Struct({ PrivateZone: Schema.optional(Schema.String) })),
  LinkedService: Schema.optional(Schema.Unknown)
})

/** The answers to ListHostedZonesByName, GetHostedZone, ListResourceRecordSets and ChangeResourceRecordSets. */
export const route53Answers = {
  zones: Schema.Struct({ HostedZones: Schema.Array(HostedZone) }),
  zone: Schema.Struct({
    HostedZone,
    DelegationSet: Schema.optional(Schema.Struct({ NameServers: Schema.Array(Schema.String) }))
  }),
  sets: Schema.Struct({
    ResourceRecordSets: longArray(ResourceRecordSet),
    IsTruncated: Schema.Literal("true", "false"),
    NextRecordName: Schema.optional(Schema.String),
    NextRecordType: Schema.optional(Schema.String),
    NextRecordIdentifier: Schema.optional(Schema.String)
  }),
  change: Schema.Struct({ ChangeInfo: Schema.Struct({ Status: Schema.String }) })
}

const toPageOf = (start?: string) => {
  const isWanted = (name?: string) => start === undefined || name === `${start.replace("*", "\\052")}.`
  return ({ IsTruncated, ResourceRecordSets, ...next }: typeof route53Answers.sets.Type) => {
    const { NextRecordIdentifier: identifier, NextRecordName: name, NextRecordType: type } = next
    const items = ResourceRecordSets.filter(({ Name }) => isWanted(Name))
    return { items, next: IsTruncated === "true" && isWanted(name) ? toQuery({ name, type, identifier }) : undefined }
  }
}

const toQuery = (start: UrlParams.CoercibleRecord): string =>
  UrlParams.toString(UrlParams.fromInput({ maxitems: 300, ...start }))
