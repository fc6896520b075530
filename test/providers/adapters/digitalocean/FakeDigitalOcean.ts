import { Effect, type Scope } from "effect"
import {
  type FakeVendor,
  type FakeVendorOptions,
  makeFakeVendor,
  type VendorOperation
} from "../../../support/vendors/FakeVendor.ts"
import type { VendorAnswer, VendorCall } from "../../../support/vendors/VendorCall.ts"
import { readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import { type DigitalOceanRecord, digitalOceanRecord, toDigitalOceanRecord } from "./digitalOceanRecords.ts"

/** The zones of one account, by name, with their records in the order in which they were created. */
export interface DigitalOceanState {
  readonly zones: Readonly<Record<string, ReadonlyArray<DigitalOceanRecord>>>
  readonly nextId: number
}

/** This token may do everything, and `readOnlyToken` may only read. */
export const validToken = "dop_v1_valid"
export const readOnlyToken = "dop_v1_read_only"

/** For `injectFault`: the limit of 250 calls a minute is reached. */
export const tooManyRequests: VendorAnswer = {
  status: 429,
  headers: { "ratelimit-remaining": "0" },
  body: { id: "too_many_requests", message: "API Rate limit exceeded." }
}

/** Each zone begins with the SOA and the three name servers that DigitalOcean gives it. */
export const digitalOceanState = (
  zones: Readonly<Record<string, ReadonlyArray<Omit<Parameters<typeof digitalOceanRecord>[0], "id">>>>
): DigitalOceanState => {
  let nextId = 1000
  const entries = Object.entries(zones).map(([zone, records]) => [
    zone,
    [...ownRecords, ...records].map((record) => digitalOceanRecord({ ...record, id: nextId++ }))
  ])
  return { zones: Object.fromEntries(entries), nextId }
}

const ownRecords = [
  { type: "SOA", name: "@", data: "1800" },
  ...[1, 2, 3].map((number) => ({ type: "NS", name: "@", data: `ns${number}.digitalocean.com` }))
]

/** DigitalOcean's API of domains and their records, without creating and deleting domains. */
export const makeFakeDigitalOcean = (
  initial: DigitalOceanState,
  options?: FakeVendorOptions
): Effect.Effect<FakeVendor<DigitalOceanState>, never, Scope.Scope> =>
  Effect.flatMap(
    Effect.promise(() => readVendorDocument("digitalocean")),
    (document) =>
      makeFakeVendor(
        {
          baseUrl,
          initial,
          document,
          authenticate,
          operations,
          lists: ["GET /v2/domains/{domain_name}/records"],
          refuse: (status, problems) =>
            status === 404 ? notFound : unprocessable(`The request is malformed: ${problems.join("; ")}`),
          headers: rateLimitHeaders
        },
        options
      )
  )

const baseUrl = "https://api.digitalocean.com"

const error = (status: number, id: string, message: string): VendorAnswer => ({ status, body: { id, message } })
const notFound = error(404, "not_found", "The resource you were accessing could not be found.")
const unprocessable = (message: string): VendorAnswer => error(422, "unprocessable_entity", message)

const authenticate = (headers: Headers, { method }: VendorCall): VendorAnswer | undefined => {
  const token = headers.get("authorization")?.replace(/^Bearer /, "")
  if (token === readOnlyToken && method !== "GET")
    return error(403, "forbidden", "You are not authorized to perform this operation")
  return token === validToken || token === readOnlyToken
    ? undefined
    : error(401, "unauthorized", "Unable to authenticate you")
}

/** 5,000 calls an hour; the time is when the oldest call is forgotten, in seconds since 1970. */
const rateLimitHeaders = ({ now, number }: VendorCall) => ({
  "ratelimit-limit": "5000",
  "ratelimit-remaining": String(Math.max(0, 5000 - number)),
  "ratelimit-reset": String(Math.floor(now / 1000) + 3600)
})

type DigitalOceanOperation = VendorOperation<DigitalOceanState>

/** Answers 404 for a zone that the account does not have. */
const inZone =
  (
    operation: (
      call: VendorCall & { readonly zone: string; readonly body: any },
      records: ReadonlyArray<DigitalOceanRecord>,
      state: DigitalOceanState
    ) => ReturnType<DigitalOceanOperation>
  ): DigitalOceanOperation =>
  (call, state) => {
    const zone = call.pathParameters["domain_name"] ?? ""
    const records = state.zones[zone]
    return records === undefined ? notFound : operation({ ...call, zone }, records, state)
  }

const withRecords = (state: DigitalOceanState, zone: string, records: ReadonlyArray<DigitalOceanRecord>) => ({
  ...state,
  zones: { ...state.zones, [zone]: records }
})

/** Both `PUT` and `PATCH` keep what the body does not name. */
const updateRecord = inZone(({ body, pathParameters, zone }, records, state) => {
  const id = Number(pathParameters["domain_record_id"])
  const before = records.find((record) => record.id === id)
  if (before === undefined) return notFound
  if (body.type !== before.type) return unprocessable("Type can't be changed")
  // A target is judged again with every change, as it is stored: without its dot (issue 919 of digitalocean/doctl).
  const others = records.filter((record) => record !== before)
  const after = toDigitalOceanRecord(zone, id, { ...before, ...body }, others)
  if (typeof after === "string") return unprocessable(after)
  const changed = records.map((record) => (record === before ? after : record))
  return { status: 200, body: { domain_record: after }, state: withRecords(state, zone, changed) }
})

const operations: Readonly<Record<string, DigitalOceanOperation>> = {
  "GET /v2/domains": (call, { zones }) => ({
    status: 200,
    body: paged(
      call,
      "domains",
      Object.keys(zones).map((name) => ({ name, ttl: 1800, zone_file: null }))
    )
  }),

  "GET /v2/domains/{domain_name}": inZone(({ zone }, records) => ({
    status: 200,
    body: { domain: { name: zone, ttl: 1800, zone_file: toZoneFile(zone, records) } }
  })),

  "GET /v2/domains/{domain_name}/records": inZone((call, records) => {
    const [name, type] = [call.query.get("name"), call.query.get("type")]
    const found = records.filter(
      (record) =>
        (type === null || record.type === type) && (name === null || absoluteName(record.name, call.zone) === name)
    )
    return { status: 200, body: paged(call, "domain_records", found) }
  }),

  "POST /v2/domains/{domain_name}/records": inZone(({ body, zone }, records, state) => {
    const { nextId } = state
    const record = toDigitalOceanRecord(zone, nextId, body, records)
    if (typeof record === "string") return unprocessable(record)
    const next = { ...withRecords(state, zone, [...records, record]), nextId: nextId + 1 }
    return { status: 201, body: { domain_record: record }, state: next }
  }),

  "GET /v2/domains/{domain_name}/records/{domain_record_id}": inZone(({ pathParameters }, records) => {
    const record = records.find(({ id }) => id === Number(pathParameters["domain_record_id"]))
    return record === undefined ? notFound : { status: 200, body: { domain_record: record } }
  }),

  "PATCH /v2/domains/{domain_name}/records/{domain_record_id}": updateRecord,
  "PUT /v2/domains/{domain_name}/records/{domain_record_id}": updateRecord,

  "DELETE /v2/domains/{domain_name}/records/{domain_record_id}": inZone(({ pathParameters, zone }, records, state) => {
    const left = records.filter(({ id }) => id !== Number(pathParameters["domain_record_id"]))
    if (left.length === records.length) return notFound
    return { status: 204, state: withRecords(state, zone, left) }
  })
}

const absoluteName = (name: string, zone: string): string => (name === "@" ? zone : `${name}.${zone}`)

/** A page of a list: 20 items unless the query says otherwise, with links to the pages beside it. */
const paged = ({ path, query }: VendorCall, key: string, items: ReadonlyArray<unknown>) => {
  const perPage = Number(query.get("per_page") ?? 20)
  const page = Number(query.get("page") ?? 1)
  const last = Math.max(1, Math.ceil(items.length / perPage))
  const link = (target: number) => {
    const others = [...query].filter(([name]) => name !== "page")
    return `${baseUrl}${path}?${new URLSearchParams([...others, ["page", String(target)]])}`
  }
  const before = page > 1 ? { first: link(1), prev: link(page - 1) } : {}
  const after = page < last ? { last: link(last), next: link(page + 1) } : {}
  return {
    [key]: items.slice((page - 1) * perPage, page * perPage),
    links: last > 1 ? { pages: { ...before, ...after } } : {},
    meta: { total: items.length }
  }
}

const toZoneFile = (zone: string, records: ReadonlyArray<DigitalOceanRecord>): string =>
  [
    `$ORIGIN ${zone}.`,
    ...records.map(({ data, name, ttl, type }) => `${absoluteName(name, zone)}. ${ttl} IN ${type} ${data}`)
  ].join("\n")
