import { Effect, type Scope } from "effect"
import {
  type FakeVendor,
  type FakeVendorOptions,
  makeFakeVendor,
  type VendorOperation
} from "../../../support/vendors/FakeVendor.ts"
import type { VendorAnswer, VendorCall } from "../../../support/vendors/VendorCall.ts"
import { readVendorDocument } from "../../../support/vendors/VendorDocument.ts"

/** A set as Hostinger shows it: its name is relative to the zone, `@` at the apex. */
export interface HostingerStoredSet {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly records: ReadonlyArray<{ readonly content: string; readonly is_disabled: boolean }>
}

/** The zones of one account by name. */
export interface HostingerState {
  readonly zones: Readonly<Record<string, ReadonlyArray<HostingerStoredSet>>>
}

/** The only token of the account. */
export const validToken = "hostinger-valid"

/** A set whose records are all enabled. */
export const hostingerSet = (name: string, type: string, ttl: number, ...contents: ReadonlyArray<string>) => ({
  name,
  type,
  ttl,
  records: contents.map((content) => ({ content, is_disabled: false }))
})

/** Each zone begins with the name servers that Hostinger gives it. */
export const hostingerState = (zones: Readonly<Record<string, ReadonlyArray<HostingerStoredSet>>>): HostingerState => ({
  zones: Object.fromEntries(
    Object.entries(zones).map(([zone, sets]) => [
      zone,
      [hostingerSet("@", "NS", 86_400, "ns1.dns-parking.com.", "ns2.dns-parking.com."), ...sets]
    ])
  )
})

/** Hostinger's API of the records of a zone. */
export const makeFakeHostinger = (
  initial: HostingerState,
  options?: FakeVendorOptions
): Effect.Effect<FakeVendor<HostingerState>, never, Scope.Scope> =>
  Effect.flatMap(
    Effect.promise(() => readVendorDocument("hostinger", documentPatch)),
    (document) =>
      makeFakeVendor(
        {
          baseUrl: "https://developers.hostinger.com",
          initial,
          document,
          authenticate: (headers) =>
            headers.get("authorization") === `Bearer ${validToken}` ? undefined : error(401, "Unauthenticated"),
          operations,
          lists: [`GET ${zonePath}`],
          refuse: (status, problems) =>
            error(status === 400 ? 422 : 404, status === 400 ? problems.join("; ") : "Not found")
        },
        options
      )
  )

const zonePath = "/api/dns/v1/zones/{domain}"

/** The document leaves out the answers for a zone of somebody else and for too many calls. */
const anError = { $ref: "#/components/responses/Common.Response.ErrorResponse" }
const documentPatch = { paths: { [zonePath]: { get: { responses: { 404: anError, 429: anError } } } } }

const correlation = "26a91bd9-f8c8-4a83-9df9-83e23d696fe3"
const error = (status: number, message: string): VendorAnswer => ({
  status,
  body: { message, correlation_id: correlation }
})

/** For `injectFault`: too many calls; the document states no rate. */
export const tooManyRequests: VendorAnswer = { ...error(429, "Too Many Attempts."), headers: { "retry-after": "42" } }

type HostingerOperation = VendorOperation<HostingerState>

const inZone =
  (
    operation: (
      call: VendorCall & { readonly body: any },
      sets: ReadonlyArray<HostingerStoredSet>
    ) => VendorAnswer | ReadonlyArray<HostingerStoredSet>
  ): HostingerOperation =>
  (call, state) => {
    const zone = call.pathParameters["domain"] ?? ""
    const sets = state.zones[zone]
    if (sets === undefined) return error(call.method === "GET" ? 404 : 422, "Domain not found")
    const outcome = operation(call, sets)
    return "status" in outcome
      ? outcome
      : {
          status: 200,
          body: { message: "Request accepted" },
          state: { ...state, zones: { ...state.zones, [zone]: outcome } }
        }
  }

const keyOf = ({ name, type }: Pick<HostingerStoredSet, "name" | "type">): string => `${name} ${type}`

const operations: Readonly<Record<string, HostingerOperation>> = {
  [`GET ${zonePath}`]: inZone((_, sets) => ({ status: 200, body: sets })),

  [`PUT ${zonePath}`]: inZone(({ body }, sets) => {
    const written: ReadonlyArray<HostingerStoredSet> = body.zone.map((set: any) =>
      hostingerSet(set.name, set.type, set.ttl ?? 14_400, ...set.records.map(({ content }: any) => content))
    )
    const keys = new Set(written.map(keyOf))
    const before = new Map(sets.map((set) => [keyOf(set), set]))
    // "otherwise resource records' ttl's are updated and new records are appended"
    const added = written.map((set) =>
      body.overwrite === false ? { ...set, records: [...(before.get(keyOf(set))?.records ?? []), ...set.records] } : set
    )
    const next = [...sets.filter((set) => !keys.has(keyOf(set))), ...added]
    const problem = added.map((set) => problemOf(set, next)).find((found) => found !== undefined)
    return problem === undefined ? next : error(422, problem)
  }),

  [`DELETE ${zonePath}`]: inZone(({ body }, sets) => {
    const keys = new Set<string>(body.filters.map(keyOf))
    return sets.filter((set) => !keys.has(keyOf(set)))
  })
}

/** Why a set cannot be stored beside the others. */
const problemOf = ({ name, records, type }: HostingerStoredSet, all: ReadonlyArray<HostingerStoredSet>) => {
  const namesakes = all.filter((set) => set.name === name)
  if (namesakes.length > 1 && namesakes.some((set) => set.type === "CNAME"))
    return "CNAME record conflicts with another record"
  if (type === "CNAME" && (records.length > 1 || name === "@")) return "CNAME record is not valid"
  return new Set(records.map(({ content }) => content)).size < records.length ? "Duplicate record" : undefined
}
