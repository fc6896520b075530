import { Array } from "effect"
import { makeHetznerClient } from "../../../../src/providers/adapters/hetzner/makeHetznerClient.ts"
import { areQuotedStrings, isZoneFileData, toCanonicalData } from "../../../support/vendors/canonicalData.ts"
import {
  addRecords,
  inZoneOf,
  keepRecord,
  selectPage,
  type VendorDescription
} from "../../../support/vendors/DescribedVendor.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import { readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import {
  endActions,
  type EnteredRecord,
  groupIntoSets,
  newZone,
  rememberLists,
  startAction,
  toAbsoluteName,
  toRelativeName,
  type VendorAction,
  type VendorSet
} from "../../../support/vendors/VendorZones.ts"
import { apiTokens, type DescribedAdapter, errorCases, requireScope } from "../DescribedAdapter.ts"
import { absentTypes, refusedApexAlias, refusedTypes } from "../vendorContract.ts"

/** What Hetzner keeps of a record, besides the name, type and TTL of its set; a TTL of 0 is the zone's own. */
export interface HetznerData {
  /** As in a zone file; a target without a dot at its end is relative to the zone. */
  readonly value: string
  readonly comment?: string
  /** Somebody has protected the set. */
  readonly isProtected?: true
}

interface HetznerOptions {
  /** How long an action runs, by the clock of the fake; with 0 it has ended when somebody asks. */
  readonly actionMillis?: number
  /** The errors in which actions of these commands end; without one, they succeed. */
  readonly actionErrors?: Readonly<Record<string, object | null>>
  /** Whether the zone is the customer's own, or a copy. */
  readonly mode?: "primary" | "secondary"
}

/** This token may do everything, and `readOnlyToken` may only read; all tokens of Hetzner Cloud have 64 characters. */
export const validToken = "valid".padEnd(64, "0")
const readOnlyToken = "readonly".padEnd(64, "0")

const sets = "/zones/{id_or_name}/rrsets"
const oneSet = `${sets}/{rr_name}/{rr_type}`
const zoneId = 53_091
// The document, `type` of a set.
const types = "A AAAA CAA CNAME DS HINFO HTTPS MX NS PTR RP SOA SRV SVCB TLSA TXT"
const typesSource = "openapi/hetzner.openapi.json: rr_type"
// The recording `authenticate`.
const ownNameServers = ["hydrogen.ns.hetzner.com", "oxygen.ns.hetzner.com", "helium.ns.hetzner.de"]
const assigned = ownNameServers.map((name) => `${name}.`)
const start = "hydrogen.ns.hetzner.com. dns.hetzner.com. 2026011546 86400 10800 3600000 3600"

/** An error in the words of the API. */
export const error = (status: number, code: string, message = "no"): VendorAnswer => ({
  status,
  body: { error: { code, message, details: null } }
})
const notFound = (what: string) => error(404, "not_found", `${what} not found`)
const invalid = (message: string) => error(422, "invalid_input", message)

type SetPlace = Omit<EnteredRecord<HetznerData>, "data">
type SetRecords = ReadonlyArray<EnteredRecord<HetznerData>>

const toTime = (millis: number): string => new Date(millis).toISOString().replace(/\.\d+Z$/, "Z")

/** By type and name. */
const sortSets = rememberLists<HetznerData, ReadonlyArray<VendorSet<HetznerData>>>((records, zone) => {
  const keyOf = ([{ name, type }]: VendorSet<HetznerData>) => `${type} ${toRelativeName(name, zone)}`
  return groupIntoSets(records).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
})

const showZone = (name: string, mode: string, records: SetRecords) => {
  const checked = { delegation_last_check: toTime(0), delegation_status: "valid" }
  const more = { labels: {}, protection: { delete: false }, created: toTime(0), registrar: "hetzner" }
  const servers = { primary_nameservers: [], authoritative_nameservers: { assigned, delegated: assigned, ...checked } }
  return { id: zoneId, name, mode, status: "ok", ttl: 86_400, ...more, ...servers, record_count: records.length }
}

const showSet = (zone: string, place: SetPlace, set: SetRecords) => {
  const [name, ttl] = [toRelativeName(place.name, zone), place.ttl === 0 ? null : place.ttl]
  const records = set.map(({ data: { comment = "", value } }) => ({ value, comment }))
  const protection = { change: set.some(({ data }) => data.isProtected) }
  const shown = { id: `${name}/${place.type}`, name, type: place.type, zone: zoneId, ttl, labels: {}, protection }
  return { ...shown, records: records.toSorted((a, b) => (a.value < b.value ? -1 : 1)) }
}

const showAction = ({ command, endsAt, error, hasEnded, id, startedAt }: VendorAction<HetznerData>) => ({
  id: Number(id),
  command,
  resources: [{ id: zoneId, type: "zone" }],
  started: toTime(startedAt),
  ...(!hasEnded
    ? { status: "running", progress: 0, finished: null, error: null }
    : {
        status: error === undefined ? "success" : "error",
        progress: 100,
        finished: toTime(endsAt),
        error: error ?? null
      })
})

/**
 * hcloud-go, `zoneutil.FormatTXTRecord`: quoted strings of at most 255 bytes, joined by blanks, with a backslash before
 * quotes. Codes are not in it; the fake takes them for bytes that are no text, as zone files have them.
 */
const isText = (value: string): boolean =>
  areQuotedStrings(value, String.raw`["\\]|0[0-2]\d|03[01]|127|1[3-9]\d|12[89]|2\d\d`)

const inZone = inZoneOf<HetznerData>(
  () => hetzner.vendor,
  ({ pathParameters: { id_or_name = "" } }, { zones }) =>
    id_or_name === String(zoneId) ? (Object.keys(zones)[0] ?? "") : id_or_name
)

/** Without a TTL, a set has the zone's own. */
interface SetContent {
  readonly ttl: number | null
  readonly records: ReadonlyArray<HetznerData>
}

/** What a set has of its own after a request, or why that is refused. */
type HetznerSetChange = (before: SetContent, body: any) => Partial<SetContent> | VendorAnswer

/** By operation: the command, and what it does. */
const setChanges: Readonly<Record<string, readonly [command: string, change: HetznerSetChange]>> = {
  [`POST ${sets}`]: [
    "create_rrset",
    ({ records }, body) => (records.length > 0 ? error(409, "uniqueness_error", "the set exists already") : body)
  ],
  [`DELETE ${oneSet}`]: ["delete_rrset", () => ({ records: [] })],
  [`POST ${oneSet}/actions/add_records`]: [
    "add_rrset_records",
    // The document, `ttl` of this action.
    ({ records: kept, ttl: own }, { records, ttl }) =>
      own !== null && (ttl ?? own) !== own
        ? invalid("another ttl")
        : { ttl: own ?? ttl, records: [...kept, ...records] }
  ],
  [`POST ${oneSet}/actions/remove_records`]: [
    "remove_rrset_records",
    ({ records }, body) => {
      const left = records.filter(({ value }) => !body.records.some((gone: HetznerData) => gone.value === value))
      // No source says what happens to a value that the set does not have.
      return left.length + body.records.length === records.length ? { records: left } : invalid("no such record")
    }
  ],
  [`POST ${oneSet}/actions/set_records`]: ["set_rrset_records", (_, { records }) => ({ records })],
  [`POST ${oneSet}/actions/change_ttl`]: ["change_rrset_ttl", (_, { ttl }) => ({ ttl })]
}

/** Accepts the change of one set, unless something forbids it. */
const accept = (command: string, change: HetznerSetChange, { actionErrors = {}, actionMillis = 0 }: HetznerOptions) =>
  inZone(({ body, now, pathParameters, zone }, all, state) => {
    // A creation names its set in the body.
    const { rr_name: host = body.name, rr_type: type = body.type } = pathParameters
    const name = toAbsoluteName(host, zone)
    const [before, others] = Array.partition(all, (record) => record.name !== name || record.type !== type)
    if (state.actions?.some(({ hasEnded }) => !hasEnded) === true) return error(409, "conflict", "please retry")
    if (before.some(({ data }) => data.isProtected)) return error(423, "protected", "RRSet is change protected")
    if (before.length === 0 && !/^(create|add)/.test(command)) return notFound("RRSet")
    const content = { ttl: before[0]?.ttl || null, records: before.map(({ data }) => data) }
    const changed = change(content, body)
    if ("status" in changed) return changed
    const { records, ttl } = { ...content, ...changed }
    const values = records.map(({ value }) => value)
    // vendor-facts.json, `cannot_store`.
    const isLost = type === "NS" && name === zone && !assigned.every((server) => values.includes(server))
    if (isLost || type === "SOA" || new Set(values).size < values.length) return invalid("not allowed, or not distinct")
    const place = { name, type, ttl: ttl ?? 0 }
    const kept = records.map((data) => keepRecord(hetzner.vendor, place, data, zone))
    const { records: next, ...answer } = addRecords(hetzner.vendor, others, kept)
    if (next === undefined) return answer
    const after = next.slice(others.length)
    const started = startAction(state, {
      command,
      zone,
      startedAt: now,
      endsAt: now + actionMillis,
      ...(command in actionErrors ? { error: actionErrors[command] ?? null } : {}),
      change: (current) => [...current.filter((record) => record.name !== name || record.type !== type), ...after]
    })
    const created = command === "create_rrset" ? { rrset: showSet(zone, place, after) } : {}
    return { status: 201, body: { action: showAction(started.action), ...created }, state: started.state }
  })

/** Hetzner Cloud's API of zones and their sets, without creating and deleting zones. */
const describeVendor = (options: HetznerOptions): VendorDescription<HetznerData> => ({
  baseUrl: "https://api.hetzner.cloud/v1",
  document: () => readVendorDocument("hetzner"),
  authenticate: requireScope({ all: `Bearer ${validToken}`, read: `Bearer ${readOnlyToken}` }, [
    error(401, "unauthorized", "unable to authenticate"),
    error(403, "token_readonly", "only allowed to GET")
  ]),
  // 3,600 calls an hour; the time is when all of them are there again, one for each second (recordings).
  headers: ({ now, number }) => ({
    "ratelimit-limit": "3600",
    "ratelimit-remaining": String(Math.max(0, 3600 - number)),
    "ratelimit-reset": String(Math.floor(now / 1000) + Math.min(number, 3600))
  }),
  lists: [`GET ${sets}`],
  ownRecords: newZone(ownNameServers, start, { NS: 0, SOA: 0 }),
  keepsZoneFileData: true,
  toEnteredFields: (type, { value }) => ({ value: (type === "TXT" && toCanonicalData(type, value)) || value }),
  toData: ({ name, type }, data: HetznerData, zone) => {
    // The document, `name` of a set.
    if (name !== name.toLowerCase() || name.includes("..") || `.${name}`.endsWith(`.${zone}.${zone}`)) return "name"
    const isTaken = type === "TXT" ? isText(data.value) : isZoneFileData(type, data.value)
    return isTaken ? data : `${data.value} is not a valid value of ${type}`
  },
  toFields: ({ data }) => data,
  refuse: (reason, detail) => (reason === "no zone" || reason === "no path" ? notFound("Zone") : invalid(detail)),
  operations: {
    "GET /zones/{id_or_name}": inZone(({ zone }, records) => ({
      status: 200,
      body: { zone: showZone(zone, options.mode ?? "primary", records) }
    })),
    [`GET ${sets}`]: inZone((call, records) => {
      const { query, zone } = call
      const [name, asked] = [query.get("name"), query.getAll("type")]
      const found = sortSets(records, zone).filter(
        ([first]) =>
          (name === null || toRelativeName(first.name, zone) === name) &&
          (asked.length === 0 || asked.includes(first.type))
      )
      const { items, last, length, page } = selectPage(call, found, { size: "per_page", perPage: 25, most: 100 })
      const [previous_page, next_page] = [page > 1 ? page - 1 : null, page < last ? page + 1 : null]
      const counts = { page, per_page: length, last_page: last, total_entries: found.length }
      const rrsets = items.map((set) => showSet(zone, set[0], set))
      return { status: 200, body: { meta: { pagination: { ...counts, previous_page, next_page } }, rrsets } }
    }),
    "GET /zones/actions/{id}": ({ now, pathParameters }, before) => {
      const state = endActions(before, now)
      const action = state.actions?.find(({ id }) => id === pathParameters["id"])
      return action === undefined ? notFound("Action") : { status: 200, body: { action: showAction(action) }, state }
    },
    ...Object.fromEntries(
      Object.entries(setChanges).map(([operation, [command, change]]) => [operation, accept(command, change, options)])
    )
  }
})

const errors = errorCases(error, [
  [401, "unauthorized", "credential_invalid"],
  [403, "forbidden", "authorization_insufficient_scope"],
  [403, "token_readonly", "authorization_insufficient_scope"],
  [404, "not_found", ["authorization_zone_mismatch", "authorization_zone_mismatch", "ZoneChanged"]],
  [409, "uniqueness_error", "ZoneChanged"],
  [429, "rate_limit_exceeded", "provider_rate_limited"],
  [422, "invalid_input", "apply_rejected"],
  [403, "resource_limit_exceeded", "apply_rejected"],
  [423, "resource_locked", "provider_zone_locked"],
  [403, "protected", "provider_zone_locked"],
  [422, "incorrect_zone_mode", "provider_zone_locked"],
  [503, "maintenance", "OutcomeUnknown"],
  [500, "server_error", "OutcomeUnknown"]
])

/** The adapter of Hetzner, and what its vendor answers. */
export const hetznerWith = (options: HetznerOptions): DescribedAdapter<HetznerData> => ({
  id: "hetzner",
  name: "Hetzner",
  makeClient: makeHetznerClient,
  vendor: describeVendor(options),
  ...apiTokens(validToken, readOnlyToken),
  nameServers: ownNameServers,
  writes: "sets",
  recordsOfTwoPages: 110,
  errors,
  // One call is back after a second, and all of them when the header says.
  limit: { ...error(429, "rate_limit_exceeded"), headers: { "ratelimit-reset": "1767229200" }, seconds: 10 },
  limitations: {
    writesInParts: "atomicity: per action on one set",
    refused: [
      refusedApexAlias("apex_alias: none"),
      refusedTypes(typesSource, types, { LOC: "52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m" })
    ],
    absent: [
      absentTypes(typesSource, types, "types that the document does not have"),
      { about: "a TTL of less than 60 seconds", source: "ttl.min: 60", matches: ({ ttl }) => ttl > 0 && ttl < 60 }
    ]
  }
})

export const hetzner = hetznerWith({})
