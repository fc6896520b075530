import { Effect, type Scope } from "effect"
import {
  type FakeVendor,
  type FakeVendorOptions,
  makeFakeVendor,
  type VendorOperation
} from "../../../support/vendors/FakeVendor.ts"
import type { VendorAnswer, VendorCall } from "../../../support/vendors/VendorCall.ts"
import { readCloudflareDocument } from "./cloudflareDocument.ts"
import { applyBatch, changeRecord, type CloudflareZoneContent, createRecord, deleteRecord } from "./cloudflareWrites.ts"
import { type CloudflareError, toId } from "./storedCloudflareRecords.ts"

/** A zone of an account. */
export interface FakeCloudflareZone extends CloudflareZoneContent {
  readonly id: string
  readonly status: "initializing" | "pending" | "active" | "moved"
  readonly type: "full" | "partial" | "secondary" | "internal"
  readonly nameServers: ReadonlyArray<string>
  /** Whether the zone has the setting by which every alias is flattened (`flatten_all_cnames`). */
  readonly flattensAll: boolean
}

export interface CloudflareState {
  readonly zones: ReadonlyArray<FakeCloudflareZone>
  readonly nextId: number
  /** What the API makes of a larger `per_page`; without it, the page has the size that was asked for. */
  readonly maxPageSize?: number
}

/** This token may do everything, and `readOnlyToken` may only read. */
export const validToken = "v".repeat(40)
export const readOnlyToken = "r".repeat(40)

export const assignedNameServers = ["blakely.ns.cloudflare.com", "vin.ns.cloudflare.com"]

/** The state of an account with these zones; what is not said is that of a zone in use. */
export const cloudflareState = (
  zones: Readonly<Record<string, Partial<Omit<FakeCloudflareZone, "name">>>>
): CloudflareState => ({
  zones: Object.entries(zones).map(([name, zone], index) => ({
    id: toId(0xabc0 + index),
    name,
    status: "active",
    type: "full",
    nameServers: assignedNameServers,
    plan: "pro",
    flattensAll: false,
    records: [],
    ...zone
  })),
  nextId: 1
})

/** For `injectFault`: more than 1,200 calls in five minutes (Cloudflare's documents, "Rate limits"). */
export const tooManyRequests: VendorAnswer = {
  status: 429,
  headers: { "retry-after": "120" },
  body: {
    success: false,
    errors: [{ code: 971, message: "Please wait and consider throttling your request speed" }],
    messages: [],
    result: null
  }
}

/** Cloudflare's API of zones and records, without creating and deleting zones. */
export const makeFakeCloudflare = (
  initial: CloudflareState,
  options?: FakeVendorOptions
): Effect.Effect<FakeVendor<CloudflareState>, never, Scope.Scope> =>
  Effect.flatMap(Effect.promise(readCloudflareDocument), (document) =>
    makeFakeVendor(
      {
        baseUrl: "https://api.cloudflare.com/client/v4",
        initial,
        document,
        authenticate,
        operations,
        lists: ["GET /zones", "GET /zones/{zone_id}/dns_records"],
        refuse: (status, problems) =>
          status === 404
            ? noSuchObject
            : fail(400, { code: 9207, message: `Request body is invalid. ${problems.join("; ")}` }),
        headers: ({ number }) => ({
          ratelimit: `"default";r=${Math.max(0, 1200 - number)};t=300`,
          "ratelimit-policy": '"default";q=1200;w=300'
        })
      },
      options
    )
  )

/** An answer that refuses. */
export const fail = (status: number, ...errors: ReadonlyArray<CloudflareError>): VendorAnswer => ({
  status,
  body: { result: null, success: false, errors, messages: [] }
})

const succeed = (result: unknown, more: object = {}): VendorAnswer => ({
  status: 200,
  body: { result, success: true, errors: [], messages: [], ...more }
})

const noSuchObject = fail(404, {
  code: 7003,
  message: "Could not route to /zones, perhaps your object identifier is invalid?"
})

/** The codes of vendor-facts.json, `errors`, and 10000 for what a token does not permit. */
const authenticate = (headers: Headers, { method }: VendorCall): VendorAnswer | undefined => {
  const [, token = ""] = /^Bearer (.*)$/.exec(headers.get("authorization") ?? "") ?? []
  if (!/^[\w-]{40}$/.test(token)) {
    const cause = { code: 6111, message: "Invalid format for Authorization header" }
    return fail(400, { code: 6003, message: "Invalid request headers", error_chain: [cause] })
  }
  if (token === readOnlyToken && method !== "GET") return fail(403, { code: 10_000, message: "Authentication error" })
  return token === validToken || token === readOnlyToken
    ? undefined
    : fail(403, { code: 9109, message: "Invalid access token" })
}

type CloudflareOperation = VendorOperation<CloudflareState>

type ZoneOperation = (
  call: VendorCall & { readonly zone: FakeCloudflareZone; readonly body: any },
  state: CloudflareState
) => ReturnType<CloudflareOperation>

/** Answers 404 for a zone that the token gives no access to. */
const inZone =
  (operation: ZoneOperation): CloudflareOperation =>
  (call, state) => {
    const zone = state.zones.find(({ id }) => id === call.pathParameters["zone_id"])
    return zone === undefined ? noSuchObject : operation({ ...call, zone }, state)
  }

/** Answers with what a write returns, and keeps the zone as it leaves it. */
const writing = (write: (call: Parameters<ZoneOperation>[0], nextId: number) => ReturnType<typeof createRecord>) =>
  inZone((call, state) => {
    const outcome = write(call, state.nextId)
    if ("code" in outcome) return fail(outcome.code === 81_044 ? 404 : 400, outcome)
    const zones = state.zones.map((zone) => (zone === call.zone ? { ...zone, records: outcome.records } : zone))
    return { ...succeed(outcome.result), state: { ...state, zones, nextId: outcome.nextId } }
  })

const idIn = ({ pathParameters }: VendorCall): string => pathParameters["dns_record_id"] ?? ""

const operations: Readonly<Record<string, CloudflareOperation>> = {
  "GET /zones": (call, { zones }) => {
    const [name, status] = [call.query.get("name"), call.query.get("status")]
    const found = zones.filter(
      (zone) => (name === null || zone.name === name) && (status === null || zone.status === status)
    )
    return paged(call, 20, found.map(toZoneAnswer))
  },

  "GET /zones/{zone_id}/dns_settings": inZone(({ zone }) =>
    succeed({ flatten_all_cnames: zone.flattensAll, foundation_dns: false, ns_ttl: 86_400, zone_mode: "standard" })
  ),

  "GET /zones/{zone_id}/dns_records": inZone((call, { maxPageSize }) => {
    const filters = ["name", "type", "content"].flatMap((field) => {
      const value = call.query.get(field)
      return value === null ? [] : [[field, value] as const]
    })
    const found = call.zone.records.filter((record) =>
      filters.every(([field, value]) => record[field as "name" | "type" | "content"] === value)
    )
    return paged(call, 100, found, maxPageSize)
  }),

  "GET /zones/{zone_id}/dns_records/{dns_record_id}": inZone((call) => {
    const record = call.zone.records.find(({ id }) => id === idIn(call))
    return record === undefined ? fail(404, { code: 81_044, message: "Record does not exist." }) : succeed(record)
  }),

  "POST /zones/{zone_id}/dns_records": writing(({ body, zone }, nextId) => createRecord(zone, nextId, body)),

  "PUT /zones/{zone_id}/dns_records/{dns_record_id}": writing((call, nextId) =>
    changeRecord(call.zone, nextId, { ...call.body, id: idIn(call) }, "replace")
  ),

  "PATCH /zones/{zone_id}/dns_records/{dns_record_id}": writing((call, nextId) =>
    changeRecord(call.zone, nextId, { ...call.body, id: idIn(call) }, "merge")
  ),

  "DELETE /zones/{zone_id}/dns_records/{dns_record_id}": writing((call, nextId) => {
    const outcome = deleteRecord(call.zone, nextId, { id: idIn(call) })
    return "code" in outcome ? outcome : { ...outcome, result: { id: idIn(call) } }
  }),

  "POST /zones/{zone_id}/dns_records/batch": writing(({ body, zone }, nextId) => applyBatch(zone, nextId, body))
}

const toZoneAnswer = ({ id, name, nameServers, plan, status, type }: FakeCloudflareZone) => ({
  id,
  name,
  status,
  paused: false,
  type,
  development_mode: 0,
  name_servers: nameServers,
  original_name_servers: null,
  original_registrar: null,
  original_dnshost: null,
  modified_on: "2026-01-01T00:00:00.000000Z",
  created_on: "2026-01-01T00:00:00.000000Z",
  activated_on: "2026-01-01T00:00:00.000000Z",
  vanity_name_servers: [],
  vanity_name_servers_ips: null,
  meta: { step: 4, custom_certificate_quota: 0, page_rule_quota: 3, phishing_detected: false },
  owner: { type: "user" },
  account: { id: toId(1), name: "Example Account" },
  permissions: ["#dns_records:edit", "#dns_records:read", "#zone:read"],
  plan: { id: toId(2), name: plan, legacy_id: plan }
})

const paged = (
  { query }: VendorCall,
  defaultSize: number,
  items: ReadonlyArray<unknown>,
  maxSize = Infinity
): VendorAnswer => {
  const page = Number(query.get("page") ?? 1)
  const size = Math.min(Number(query.get("per_page") ?? defaultSize), maxSize)
  const result = items.slice((page - 1) * size, page * size)
  const total_pages = Math.max(1, Math.ceil(items.length / size))
  const counts = { count: result.length, total_count: items.length }
  return succeed(result, { result_info: { page, per_page: size, ...counts, total_pages } })
}
