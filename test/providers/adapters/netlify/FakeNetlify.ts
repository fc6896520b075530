import { Effect, type Scope } from "effect"
import {
  type FakeVendor,
  type FakeVendorOptions,
  makeFakeVendor,
  type VendorOperation
} from "../../../support/vendors/FakeVendor.ts"
import type { VendorAnswer, VendorCall } from "../../../support/vendors/VendorCall.ts"
import { type DocumentPatch, readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import { type KeptNetlifyRecord, netlifyRecord, toKeptRecord } from "./netlifyRecords.ts"

/** The zones that one token sees. */
export interface NetlifyState {
  readonly zones: ReadonlyArray<KeptNetlifyZone>
  readonly nextId: number
  /** Lists have pages of so many items; without it, one page, as DNSControl's suite finds it for 101 records. */
  readonly pageLength?: number
  /** The types that every zone says it supports; without it, all that Netlify creates. */
  readonly types?: ReadonlyArray<string>
}

interface KeptNetlifyZone {
  readonly id: string
  readonly name: string
  readonly records: ReadonlyArray<KeptNetlifyRecord>
}

export const validNetlifyToken = "nfp_valid"

/** The name servers of every zone of the fake: Netlify gives each zone one of several such sets of NS1. */
export const netlifyNameServers = [1, 2, 3, 4].map((number) => `dns${number}.p09.nsone.net`)

/** For `injectFault`: more than 500 calls in the current minute. */
export const netlifyLimitReached: VendorAnswer = { status: 429, body: { code: 429, message: "Too Many Requests" } }

/** The zones by name with their records. */
export const netlifyState = (
  zones: Readonly<Record<string, ReadonlyArray<Parameters<typeof netlifyRecord>[0]>>>
): NetlifyState => {
  let nextId = 1
  return {
    zones: Object.entries(zones).map(([name, records]) => {
      const id = toId(nextId++)
      return {
        id,
        name,
        records: records.map((record) => netlifyRecord({ ...record, id: toId(nextId++), dns_zone_id: id }))
      }
    }),
    nextId
  }
}

/** Ids of zones and records look the same. */
export const toId = (number: number): string => `6a6c9713649${String(number).padStart(13, "0")}`

/** Netlify's API of zones and their records, without creating and deleting zones. */
export const makeFakeNetlify = (
  initial: NetlifyState,
  options?: FakeVendorOptions
): Effect.Effect<FakeVendor<NetlifyState>, never, Scope.Scope> =>
  Effect.flatMap(
    Effect.promise(() => readVendorDocument("netlify", documentPatch)),
    (document) =>
      makeFakeVendor(
        {
          baseUrl,
          initial,
          document,
          authenticate,
          operations,
          lists: ["GET /dns_zones", records],
          refuse: (status, problems) =>
            status === 404 ? notFound : unprocessable(`The request is malformed: ${problems.join("; ")}`),
          headers: rateLimitHeaders
        },
        options
      )
  )

const baseUrl = "https://api.netlify.com/api/v1"
const records = "GET /dns_zones/{zone_id}/dns_records"

const integer = { type: "integer", nullable: true }
const pageParameter = { in: "query", name: "page", schema: { type: "integer", minimum: 1 } }

/**
 * Where version 2.16 of the document is behind: lego's fixtures have `null` for what a type does not use, DNSControl's
 * test data have `weight` and `port`, and Netlify's guide to the API, "Pagination", has pages and the header `Link`.
 */
const documentPatch: DocumentPatch = {
  components: {
    schemas: {
      dnsRecord: {
        properties: {
          ...Object.fromEntries(["flag", "port", "priority", "weight"].map((name) => [name, integer])),
          ...Object.fromEntries(["site_id", "tag"].map((name) => [name, { type: "string", nullable: true }])),
          errors: { type: "array", items: { type: "string" } }
        }
      }
    }
  },
  paths: {
    "/dns_zones": {
      get: { parameters: [{ in: "query", name: "account_slug", schema: { type: "string" } }, pageParameter] }
    },
    "/dns_zones/{zone_id}/dns_records": { get: { parameters: [pageParameter] } }
  }
}

const error = (code: number, message: string): VendorAnswer => ({ status: code, body: { code, message } })
const notFound = error(404, "Not Found")
const unprocessable = (message: string): VendorAnswer => error(422, message)

const authenticate = (headers: Headers): VendorAnswer | undefined =>
  headers.get("authorization") === `Bearer ${validNetlifyToken}` ? undefined : error(401, "Access Denied")

/** 500 calls a minute, and when the minute ends, in seconds since 1970 (Netlify's guide to the API, "Rate limiting"). */
const rateLimitHeaders = ({ now, number }: VendorCall) => ({
  "x-ratelimit-limit": "500",
  "x-ratelimit-remaining": String(Math.max(0, 500 - number)),
  "x-ratelimit-reset": String(Math.ceil((now + 1) / 60_000) * 60)
})

type NetlifyOperation = VendorOperation<NetlifyState>

/** Answers 404 for a zone that the token does not see. */
const inZone =
  (
    operation: (
      call: VendorCall & { readonly body: any },
      zone: KeptNetlifyZone,
      state: NetlifyState
    ) => ReturnType<NetlifyOperation>
  ): NetlifyOperation =>
  (call, state) => {
    const zone = state.zones.find(({ id }) => id === call.pathParameters["zone_id"])
    return zone === undefined ? notFound : operation(call, zone, state)
  }

/** The state with other records in a zone. */
export const withNetlifyRecords = (
  state: NetlifyState,
  zone: KeptNetlifyZone,
  records: ReadonlyArray<KeptNetlifyRecord>
): NetlifyState => ({ ...state, zones: state.zones.map((other) => (other === zone ? { ...zone, records } : other)) })

const operations: Readonly<Record<string, NetlifyOperation>> = {
  "GET /dns_zones": (call, state) =>
    paged(
      call,
      state,
      state.zones.map((zone) => showZone(zone, state))
    ),

  "GET /dns_zones/{zone_id}": inZone((_, zone, state) => ({ status: 200, body: showZone(zone, state) })),

  [records]: inZone((call, { records }, state) => paged(call, state, records)),

  "POST /dns_zones/{zone_id}/dns_records": inZone(({ body }, zone, state) => {
    const kept = toKeptRecord(zone, body, zone.records)
    if (typeof kept === "string") return unprocessable(kept)
    const record = { ...kept, id: toId(state.nextId) }
    const next = { ...withNetlifyRecords(state, zone, [...zone.records, record]), nextId: state.nextId + 1 }
    return { status: 201, body: record, state: next }
  }),

  "GET /dns_zones/{zone_id}/dns_records/{dns_record_id}": inZone(({ pathParameters }, { records }) => {
    const record = records.find(({ id }) => id === pathParameters["dns_record_id"])
    return record === undefined ? notFound : { status: 200, body: record }
  }),

  "DELETE /dns_zones/{zone_id}/dns_records/{dns_record_id}": inZone(({ pathParameters }, zone, state) => {
    const record = zone.records.find(({ id }) => id === pathParameters["dns_record_id"])
    if (record === undefined) return notFound
    if (record.managed) return unprocessable("Record is managed by Netlify")
    const left = zone.records.filter((other) => other !== record)
    return { status: 204, state: withNetlifyRecords(state, zone, left) }
  })
}

const showZone = (
  { id, name, records }: KeptNetlifyZone,
  { types = ["A", "AAAA", "ALIAS", "CAA", "CNAME", "MX", "NS", "SPF", "SRV", "TXT"] }: NetlifyState
) => ({
  id,
  name,
  errors: [],
  supported_record_types: types,
  user_id: "5d3f1b9c0000000000000001",
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  records,
  dns_servers: netlifyNameServers,
  account_id: "5d3f1b9c0000000000000002",
  site_id: "5d3f1b9c",
  account_slug: "team",
  account_name: "Team",
  domain: name,
  ipv6_enabled: false,
  dedicated: false
})

/** A page of a list, with links to the pages after it. */
const paged = (
  { path, query }: VendorCall,
  { pageLength = Infinity }: NetlifyState,
  items: ReadonlyArray<unknown>
): VendorAnswer => {
  const page = Number(query.get("page") ?? 1)
  const last = pageLength === Infinity ? 1 : Math.max(1, Math.ceil(items.length / pageLength))
  const link = (target: number, relation: string) => `<${baseUrl}${path}?page=${target}>; rel="${relation}"`
  return {
    status: 200,
    body: last === 1 ? items : items.slice((page - 1) * pageLength, page * pageLength),
    ...(page < last ? { headers: { link: `${link(page + 1, "next")}, ${link(last, "last")}` } } : {})
  }
}
