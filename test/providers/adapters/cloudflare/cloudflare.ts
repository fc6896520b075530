import { makeCloudflareClient } from "../../../../src/providers/adapters/cloudflare/makeCloudflareClient.ts"
import { inZoneOf, selectPage, type VendorDescription } from "../../../support/vendors/DescribedVendor.ts"
import type { VendorOperation } from "../../../support/vendors/FakeVendor.ts"
import { singleRecordOperations } from "../../../support/vendors/singleRecords.ts"
import type { VendorAnswer, VendorCall } from "../../../support/vendors/VendorCall.ts"
import type { EnteredRecord, VendorRecord, VendorZones } from "../../../support/vendors/VendorZones.ts"
import {
  absentAtFake,
  apiToken,
  type DescribedAdapter,
  errorCases,
  type VendorErrorCase,
  zone as testZone
} from "../DescribedAdapter.ts"
import { refusedEmptyText, refusedTypes, refusedValues } from "../vendorContract.ts"
import { readCloudflareDocument } from "./cloudflareDocument.ts"
import {
  type CloudflareData,
  instant,
  isProxiable,
  noExtras,
  readZoneFileData,
  show,
  showId,
  targetTypes,
  toContent
} from "./storedCloudflareRecords.ts"

/** The zone of an account, apart from its records. */
export interface FakeCloudflareZone {
  readonly id: string
  readonly status: "initializing" | "pending" | "active" | "moved"
  readonly type: "full" | "partial" | "secondary" | "internal"
  readonly nameServers: ReadonlyArray<string>
  readonly plan: "free" | "pro" | "enterprise"
  /** Whether the zone has the setting by which every alias is flattened (`flatten_all_cnames`). */
  readonly flattensAll: boolean
  /** What the API makes of a larger `per_page`. */
  readonly largestPage?: number
  /** The name servers of a zone of the same name in another account. */
  readonly elsewhere?: ReadonlyArray<string>
}

/** This token may do everything, and `readOnlyToken` may only read. */
export const validToken = "v".repeat(40)
const readOnlyToken = "r".repeat(40)

export const ownNameServers = ["blakely.ns.cloudflare.com", "vin.ns.cloudflare.com"]

export const zoneInUse: FakeCloudflareZone = {
  id: "457dd20dded351b97830cb528f507819",
  status: "active",
  type: "full",
  nameServers: ownNameServers,
  plan: "pro",
  flattensAll: false
}

/** The document also has DNSKEY, which no plan contains, and LOC, whose numbers have many spellings. */
const writtenTypes = "A AAAA CAA CERT CNAME DS HTTPS MX NAPTR NS PTR SMIMEA SRV SSHFP SVCB TLSA TXT URI"
const types = [...writtenTypes.split(" "), "DNSKEY", "LOC"]

export const recordsPath = "/zones/{zone_id}/dns_records"
export const listRecords = `GET ${recordsPath}`
export const readSettings = "GET /zones/{zone_id}/dns_settings"
const onePath = `${recordsPath}/{dns_record_id}`

/** An error by its code and message, as in `81044 Record does not exist.` */
export const error = (status: number, word: string, more: object = {}): VendorAnswer => ({
  status,
  body: { result: null, success: false, errors: [{ ...toEntry(word), ...more }], messages: [] }
})

const toEntry = (word: string) => ({ code: parseInt(word), message: word.replace(/^\d+ /, "") })

export const succeed = (result: unknown, more: object = {}): VendorAnswer => ({
  status: 200,
  body: { result, success: true, errors: [], messages: [], ...more }
})

const noRecord = error(404, "81044 Record does not exist.")

/** The codes of vendor-facts.json, `errors`, and 10000 for what a token does not permit. */
const authenticate = (headers: Headers, { method }: VendorCall): VendorAnswer | undefined => {
  const [, token = ""] = /^Bearer (.*)$/.exec(headers.get("authorization") ?? "") ?? []
  if (!/^[\w-]{40}$/.test(token)) {
    const error_chain = [toEntry("6111 Invalid format for Authorization header")]
    return error(400, "6003 Invalid request headers", { error_chain })
  }
  if (token === readOnlyToken && method !== "GET") return error(403, "10000 Authentication error")
  return token === validToken || token === readOnlyToken ? undefined : error(403, "9109 Invalid access token")
}

const ofNobody = { original_name_servers: null, original_registrar: null, original_dnshost: null }
const times = { modified_on: instant, created_on: instant, activated_on: instant }

const showZone = ({ id, nameServers, plan, status, type }: FakeCloudflareZone, name: string) => ({
  ...ofNobody,
  ...times,
  id,
  name,
  status,
  type,
  name_servers: nameServers,
  vanity_name_servers: [],
  development_mode: 0,
  owner: { type: "user" },
  meta: { step: 4, custom_certificate_quota: 0, page_rule_quota: 3, phishing_detected: false },
  account: { id: showId("1"), name: "Example Account" },
  plan: { id: showId("2"), name: plan, legacy_id: plan }
})

const toPage = (call: VendorCall, all: ReadonlyArray<unknown>, perPage: number, most = Infinity): VendorAnswer => {
  const { items, last, length, page } = selectPage(call, all, { perPage, size: "per_page", most })
  const counts = { count: items.length, total_count: all.length, total_pages: last }
  return succeed(items, { result_info: { page, per_page: length, ...counts } })
}

/** The rules of the document's "Create DNS Record", and the codes of vendor-facts.json, `duplicates`. */
const refuseBeside = (
  { data: { content, priority }, name, type }: EnteredRecord<CloudflareData>,
  others: ReadonlyArray<EnteredRecord<CloudflareData>>
): VendorAnswer | undefined => {
  const namesakes = others.filter((other) => other.name === name)
  const isSame = (other: (typeof others)[number]) =>
    other.type === type && other.data.content === content && other.data.priority === priority
  // Texts and mail servers stand beside an alias: it may be proxied or flattened.
  const isBeside = (types: ReadonlyArray<string>) => namesakes.some((other) => types.includes(other.type))
  const isAddress = type === "A" || type === "AAAA"
  if (namesakes.some(isSame)) return error(400, "81058 An identical record already exists.")
  if (type === "CNAME" && isBeside(["A", "AAAA", "CNAME"]))
    return error(400, "81053 An A, AAAA, or CNAME record with that host already exists.")
  return isAddress && isBeside(["CNAME"])
    ? error(400, "81054 A CNAME record with that host already exists.")
    : undefined
}

/** How many records a zone may have by its plan; on the Enterprise plan, that is agreed upon with Cloudflare. */
const quotas: Readonly<Record<string, number>> = { free: 200, enterprise: Infinity }

/** In this order a batch is made, as one transaction (npm cloudflare 7.3.0, `records.batch`). */
const batchOrder = {
  deletes: `DELETE ${onePath}`,
  patches: `PATCH ${onePath}`,
  puts: `PUT ${onePath}`,
  posts: `POST ${recordsPath}`
}

type CloudflareOperation = VendorOperation<VendorZones<CloudflareData>>

/** Cloudflare's API of a zone and its records, without creating and deleting zones. */
const describeCloudflare = (zone: FakeCloudflareZone): VendorDescription<CloudflareData> => {
  const inZone = inZoneOf<CloudflareData>(
    () => vendor,
    ({ pathParameters }, { zones }) => Object.keys(zones).find(() => pathParameters["zone_id"] === zone.id) ?? ""
  )
  const minimum = zone.plan === "enterprise" ? 30 : 60
  const one = singleRecordOperations<CloudflareData>(() => vendor, {
    id: "dns_record_id",
    showId,
    noRecord,
    /** `PUT` clears what the body does not name; a proxied record has an automatic TTL (vendor-facts.json, `ttl.note`). */
    read: ({ body, method, zone: apex }, before) => {
      const kept = method === "PATCH" && before !== undefined ? { ...before, ...before.data } : undefined
      const { data: _, id: __, name, ttl = 1, type, ...fields } = { ...kept, ...body }
      const settings = { ...noExtras(type).settings, ...kept?.settings, ...body.settings }
      const place = { name: name === "@" ? apex : name.toLowerCase(), type, ttl: fields.proxied === true ? 1 : ttl }
      const content = toContent(type, { ...fields, data: body.data })
      const priority = type === "SRV" && body.data ? { priority: body.data.priority } : {}
      return { place, fields: { ...fields, ...priority, settings, content } }
    },
    refuseChange: ({ data: { meta } }) =>
      meta.read_only === true ? error(400, "1043 This record is managed by Cloudflare.") : undefined,
    refuseBeside: (record, others) =>
      refuseBeside(record, others) ??
      (others.length < (quotas[zone.plan] ?? 3500)
        ? undefined
        : error(400, "81045 The record quota has been exceeded."))
  })
  const showOne = ([record]: ReadonlyArray<VendorRecord<CloudflareData>>) =>
    succeed(record === undefined ? null : show(record)).body
  const operations: Readonly<Record<string, CloudflareOperation>> = {
    "GET /zones": (call, { zones }) => {
      const { elsewhere } = zone
      const others = elsewhere === undefined ? [] : [{ ...zone, id: showId("3"), nameServers: elsewhere }]
      const all = Object.keys(zones).flatMap((name) => [...others, zone].map((each) => showZone(each, name)))
      const found = all.filter(({ name, status }) => isAsked(call, { name, status }))
      return toPage(call, found, 20)
    },
    [readSettings]: inZone(() =>
      succeed({ flatten_all_cnames: zone.flattensAll, foundation_dns: false, ns_ttl: 86_400, zone_mode: "standard" })
    ),
    [listRecords]: inZone((call, records) => {
      const found = records.filter(({ data: { content }, name, type }) => isAsked(call, { content, name, type }))
      return toPage(call, found.map(show), 100, zone.largestPage)
    }),
    [`GET ${onePath}`]: inZone(one.find((record) => succeed(show(record)).body)),
    [batchOrder.posts]: inZone(one.create(succeed(null)), showOne),
    [batchOrder.puts]: inZone(one.replace(succeed(null)), showOne),
    [batchOrder.patches]: inZone(one.replace(succeed(null)), showOne),
    [batchOrder.deletes]: inZone((call, records) =>
      one.remove(succeed({ id: call.pathParameters["dns_record_id"] }))(call, records)
    ),
    [`POST ${recordsPath}/batch`]: (call, state) => {
      const limit = zone.plan === "free" ? 200 : 3500
      const changes = Object.entries(batchOrder).flatMap(([key, operation]) =>
        ((call.body as any)[key] ?? []).map(({ id, ...body }: any) => ({ key, operation, id, body }))
      )
      if (changes.length > limit) return error(400, `1004 A batch may have at most ${limit} changes.`)
      const result: Record<string, ReadonlyArray<unknown>> = {}
      let current = state
      for (const { body, id, key, operation } of changes) {
        const [method = ""] = operation.split(" ")
        const one = { ...call, body, method, pathParameters: { ...call.pathParameters, dns_record_id: id } }
        const removed = Object.values(current.zones)
          .flat()
          .filter((record) => showId(record.id) === id)
        const answer: ReturnType<CloudflareOperation> = operations[operation]?.(one, current) ?? noRecord
        if (answer.state === undefined) return answer
        const written = key === "deletes" ? removed.map(show)[0] : (answer.body as any).result
        result[key] = [...(result[key] ?? []), written]
        current = answer.state
      }
      return { ...succeed(result), state: current }
    }
  }
  const vendor: VendorDescription<CloudflareData> = {
    baseUrl: "https://api.cloudflare.com/client/v4",
    document: readCloudflareDocument,
    authenticate,
    lists: ["GET /zones", listRecords],
    headers: ({ number }) => ({
      ratelimit: `"default";r=${Math.max(0, 1200 - number)};t=300`,
      "ratelimit-policy": '"default";q=1200;w=300'
    }),
    // NS of the apex and SOA are not in the list.
    ownRecords: () => [],
    keepsZoneFileData: true,
    toData: ({ name, ttl, type }, fields: any, apex) => {
      const kept = "content" in fields ? fields : readZoneFileData(type, fields.value)
      const { content, priority, proxied } = kept
      if (name !== apex && !name.endsWith(`.${apex}`)) return "9000 DNS name is not in the zone."
      if (!types.includes(type)) return `9004 ${type} is no type of record.`
      if (ttl !== 1 && (ttl < minimum || ttl > 86_400))
        return `9021 Invalid TTL. Must be between ${minimum} and 86400 seconds, or 1 for Automatic.`
      if (proxied === true && !isProxiable(type, content)) return "9041 This DNS record cannot be proxied."
      if (type === "TXT" && content.replaceAll('"', "").trim() === "") return "9009 TXT content must not be empty."
      if (type === "MX" && priority === undefined) return "9101 priority is a required field."
      return { ...noExtras(type), ...kept }
    },
    toFields: ({ data: { content, priority }, type }) => {
      const data = targetTypes.includes(type) ? content.replace(/\.?$/, ".") : content
      return { value: priority === undefined ? data : `${priority} ${data}` }
    },
    refuse: (reason, detail) => {
      if (reason.startsWith("no "))
        return error(404, "7003 Could not route to /zones, perhaps your object identifier is invalid?")
      if (reason === "malformed") return error(400, `9207 Request body is invalid. ${detail}`)
      return error(400, "1004 DNS Validation Error", { error_chain: [toEntry(detail)] })
    },
    operations
  }
  return vendor
}

/** Whether what a list shows has what the query names. */
const isAsked = ({ query }: VendorCall, shown: Readonly<Record<string, string>>): boolean =>
  Object.entries(shown).every(([name, value]) => (query.get(name) ?? value) === value)

const errors: ReadonlyArray<VendorErrorCase> = [
  ...errorCases(error, [
    [400, "6003 Invalid request headers", "credential_invalid"],
    [403, "9109 Invalid access token", "credential_invalid"],
    // octodns/octodns-cloudflare issue 60: a valid token without the permission to read zones.
    [403, "9109 Unauthorized to access requested resource", "authorization_insufficient_scope"],
    // cloudflare/terraform-provider-cloudflare issue 1533: in a zone, a permission that the token lacks.
    [
      403,
      "10000 Authentication error",
      ["credential_invalid", "authorization_insufficient_scope", "authorization_insufficient_scope"]
    ],
    [429, "971 Please wait", "provider_rate_limited"],
    [403, "971 Please wait", "provider_rate_limited"],
    [404, "7003 Could not route to /zones", "authorization_zone_mismatch"],
    // cloudflare/node-cloudflare issue 99.
    [403, "1038 You cannot use this API for domains with this TLD.", "account_not_entitled"],
    // js-org/js.org issue 2873.
    [400, "81045 The record quota has been exceeded.", "account_not_entitled"],
    [404, "81044 Record does not exist.", "ZoneChanged"],
    [400, "81053 An A, AAAA, or CNAME record with that host already exists.", "ZoneChanged"],
    [400, "81054 A CNAME record with that host already exists.", "ZoneChanged"],
    [400, "81057 The record already exists.", "ZoneChanged"],
    [400, "81058 An identical record already exists.", "ZoneChanged"],
    [400, "1004 DNS Validation Error", "apply_rejected"],
    // A failure with the status of a success.
    [200, "1004 DNS Validation Error", "apply_rejected"]
  ]),
  { word: "500 without a body", answer: { status: 500 }, codes: "OutcomeUnknown" }
]

/** The adapter of Cloudflare, and what its vendor answers about a zone. */
export const cloudflareWith = (zone: Partial<FakeCloudflareZone>): DescribedAdapter<CloudflareData> => {
  const vendor = describeCloudflare({ ...zoneInUse, ...zone })
  return {
    id: "cloudflare",
    name: "Cloudflare",
    makeClient: makeCloudflareClient,
    vendor,
    credential: apiToken(validToken),
    readOnlyCredential: apiToken(readOnlyToken),
    wrongCredentials: ["w".repeat(40), "too short", "not ASCII: ü"].map(apiToken),
    nameServers: ownNameServers,
    writes: "records",
    storesApexAlias: true,
    errors,
    // More than 1,200 calls in five minutes (Cloudflare's documents, "Rate limits").
    limit: {
      ...error(429, "971 Please wait and consider throttling"),
      headers: { "retry-after": "120" },
      seconds: 120
    },
    limitations: {
      refused: [
        refusedTypes("openapi/cloudflare.openapi.json: dns-records_type", writtenTypes, {
          AFSDB: "1 afs.example.net",
          LOC: "52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m"
        }),
        refusedValues("TLSA", {
          about: "data that are not in the form of their type",
          source: "openapi/cloudflare.openapi.json: Components of a TLSA record.",
          matches: (value) => value.startsWith("\\#"),
          examples: ["\\# 5 03010100ab"]
        }),
        refusedEmptyText
      ],
      absent: [
        absentAtFake(
          vendor,
          "openapi/cloudflare.openapi.json: dns-records_type",
          "types that the document does not have, and texts without a character"
        ),
        {
          about: "NS records of the apex, which are not listed",
          source: "traps: NS of the apex and SOA are not in the list",
          matches: ({ name, type }) => type === "NS" && name === `${testZone}.`
        }
      ]
    }
  }
}

export const cloudflare = cloudflareWith({})
