import { Effect, type Scope } from "effect"
import {
  type FakeVendor,
  type FakeVendorOptions,
  makeFakeVendor,
  type VendorOperation
} from "../../../support/vendors/FakeVendor.ts"
import type { VendorAnswer, VendorCall } from "../../../support/vendors/VendorCall.ts"
import { readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import { type FakeHetznerSet, refusalOfSet } from "./hetznerRules.ts"
import {
  endActions,
  type FakeHetznerAction,
  type FakeHetznerZone,
  hetznerNameServers,
  type HetznerState,
  toShownAction,
  toShownSet,
  toShownZone
} from "./hetznerState.ts"

/** This token may do everything, and `readOnlyToken` may only read; all tokens of Hetzner Cloud have 64 characters. */
export const validToken = "valid".padEnd(64, "0")
export const readOnlyToken = "readonly".padEnd(64, "0")

/** Hetzner Cloud's API of zones and their sets, without creating and deleting zones. */
export const makeFakeHetzner = (
  initial: HetznerState,
  options?: FakeVendorOptions
): Effect.Effect<FakeVendor<HetznerState>, never, Scope.Scope> =>
  Effect.flatMap(
    Effect.promise(() => readVendorDocument("hetzner")),
    (document) =>
      makeFakeVendor(
        {
          baseUrl: "https://api.hetzner.cloud/v1",
          initial,
          document,
          authenticate,
          operations,
          lists: ["GET /zones/{id_or_name}/rrsets"],
          refuse: (status, problems) =>
            status === 404 ? notFound("There is no such path") : invalid(problems.join("; ")),
          headers: rateLimitHeaders
        },
        options
      )
  )

/** An error in the words of the API. */
export const hetznerError = (status: number, code: string, message: string): VendorAnswer => ({
  status,
  body: { error: { code, message, details: null } }
})
const notFound = (message: string) => hetznerError(404, "not_found", message)
const invalid = (message: string) => hetznerError(422, "invalid_input", message)

const authenticate = (headers: Headers, { method }: VendorCall): VendorAnswer | undefined => {
  const token = headers.get("authorization")?.replace(/^Bearer /, "")
  if (token === readOnlyToken && method !== "GET")
    return hetznerError(403, "token_readonly", "token is only allowed to perform GET requests")
  return token === validToken || token === readOnlyToken
    ? undefined
    : hetznerError(401, "unauthorized", "unable to authenticate")
}

/** 3,600 calls an hour; the time is when all of them are there again, one for each second (recordings). */
const rateLimitHeaders = ({ now, number }: VendorCall) => ({
  "ratelimit-limit": "3600",
  "ratelimit-remaining": String(Math.max(0, 3600 - number)),
  "ratelimit-reset": String(Math.floor(now / 1000) + Math.min(number, 3600))
})

type HetznerOperation = VendorOperation<HetznerState>

interface HetznerZoneCall extends VendorCall {
  readonly zoneName: string
  readonly zone: FakeHetznerZone
  readonly body: any
}

/** Ends the actions whose time has come, and answers 404 for a zone that the project does not have. */
const inZone =
  (operation: (call: HetznerZoneCall, state: HetznerState) => ReturnType<HetznerOperation>): HetznerOperation =>
  (call, before) => {
    const state = endActions(before, call.now)
    const idOrName = call.pathParameters["id_or_name"]
    const [zoneName, zone] =
      Object.entries(state.zones).find(([name, { id }]) => name === idOrName || String(id) === idOrName) ?? []
    if (zoneName === undefined || zone === undefined) return notFound("Zone not found")
    return operation({ ...call, zoneName, zone }, state)
  }

/** The sets of zones in secondary mode are neither shown nor changed. */
const inPrimary = (operation: (call: HetznerZoneCall, state: HetznerState) => ReturnType<HetznerOperation>) =>
  inZone((call, state) =>
    call.zone.mode === "primary"
      ? operation(call, state)
      : hetznerError(422, "incorrect_zone_mode", "This operation is not supported for this Zone's mode")
  )

/** Accepts a change of one set, unless something forbids it; `after` is the set, absent when it goes. */
const changeSet = (
  command: string,
  change: (
    before: FakeHetznerSet | undefined,
    body: any,
    call: HetznerZoneCall
  ) => FakeHetznerSet | "gone" | VendorAnswer
): HetznerOperation =>
  inPrimary((call, state) => {
    const { body, pathParameters, zone, zoneName } = call
    // A creation names its set in the body.
    const key = [pathParameters["rr_name"] ?? body.name, pathParameters["rr_type"] ?? body.type]
    const before = zone.sets.find(({ name, type }) => name === key[0] && type === key[1])
    const others = zone.sets.filter((set) => set !== before)
    if (state.actions.some((action) => action.zone === zoneName && !action.hasEnded))
      return hetznerError(409, "conflict", "The resource has changed during the request, please retry")
    if (before?.isProtected === true) return hetznerError(423, "protected", "RRSet is change protected")
    const after = change(before, body, call)
    if (after !== "gone" && "status" in after) return after
    const refusal = after === "gone" ? undefined : refusalOfSet(after, others, zoneName)
    if (refusal !== undefined) return invalid(refusal)
    if (key[0] === "@" && key[1] === "NS" && !keepsNameServers(after))
      return invalid("the assigned name servers cannot be removed")
    const action: FakeHetznerAction = {
      id: state.nextActionId,
      command,
      zone: zoneName,
      startedAt: call.now,
      endsAt: call.now + state.actionMillis,
      error: state.actionErrors[command] ?? null,
      change: (sets) => {
        const left = sets.filter(({ name, type }) => name !== key[0] || type !== key[1])
        return after === "gone" ? left : [...left, after]
      },
      hasEnded: false
    }
    return {
      status: 201,
      body: {
        action: toShownAction(action, state),
        ...(command === "create_rrset" && after !== "gone" ? { rrset: toShownSet(after, zone.id) } : {})
      },
      state: { ...state, nextActionId: state.nextActionId + 1, actions: [...state.actions, action] }
    }
  })

/** vendor-facts.json, `cannot_store`. */
const keepsNameServers = (after: FakeHetznerSet | "gone"): boolean =>
  after !== "gone" && hetznerNameServers.every((assigned) => after.records.some(({ value }) => value === assigned))

const setNotFound = notFound("RRSet not found")

const operations: Readonly<Record<string, HetznerOperation>> = {
  "GET /zones/{id_or_name}": inZone(({ zone, zoneName }) => ({
    status: 200,
    body: { zone: toShownZone(zoneName, zone) }
  })),

  "GET /zones/{id_or_name}/rrsets": inPrimary(({ query, zone }) => {
    const perPage = Math.min(Number(query.get("per_page") ?? 25), 100)
    const page = Number(query.get("page") ?? 1)
    const [name, types] = [query.get("name"), query.getAll("type")]
    const found = zone.sets
      .filter((set) => (name === null || set.name === name) && (types.length === 0 || types.includes(set.type)))
      .toSorted((a, b) => (`${a.type} ${a.name}` < `${b.type} ${b.name}` ? -1 : 1))
    const last = Math.max(1, Math.ceil(found.length / perPage))
    return {
      status: 200,
      body: {
        meta: {
          pagination: {
            last_page: last,
            next_page: page < last ? page + 1 : null,
            page,
            per_page: perPage,
            previous_page: page > 1 ? page - 1 : null,
            total_entries: found.length
          }
        },
        rrsets: found.slice((page - 1) * perPage, page * perPage).map((set) => toShownSet(set, zone.id))
      }
    }
  }),

  "GET /zones/actions/{id}": ({ now, pathParameters }, before) => {
    const state = endActions(before, now)
    const action = state.actions.find(({ id }) => String(id) === pathParameters["id"])
    return action === undefined
      ? notFound("Action not found")
      : { status: 200, body: { action: toShownAction(action, state) }, state }
  },

  "POST /zones/{id_or_name}/rrsets": changeSet("create_rrset", (before, { name, records, ttl = null, type }) =>
    before === undefined
      ? { name, type, ttl, records }
      : hetznerError(409, "uniqueness_error", "the set exists already")
  ),

  "DELETE /zones/{id_or_name}/rrsets/{rr_name}/{rr_type}": changeSet("delete_rrset", (before) =>
    before === undefined ? setNotFound : "gone"
  ),

  "POST /zones/{id_or_name}/rrsets/{rr_name}/{rr_type}/actions/add_records": changeSet(
    "add_rrset_records",
    (before, { records, ttl = null }, { pathParameters: { rr_name: name = "", rr_type: type = "" } }) => {
      // The document, `ttl` of this action.
      if (before !== undefined && ttl !== null && before.ttl !== null && ttl !== before.ttl)
        return invalid("ttl must be the same as that of the existing RRSet")
      return before === undefined
        ? { name, type, ttl, records }
        : { ...before, ttl: before.ttl ?? ttl, records: [...before.records, ...records] }
    }
  ),

  "POST /zones/{id_or_name}/rrsets/{rr_name}/{rr_type}/actions/remove_records": changeSet(
    "remove_rrset_records",
    (before, { records }) => {
      if (before === undefined) return setNotFound
      const values: ReadonlyArray<string> = records.map(({ value }: { readonly value: string }) => value)
      const left = before.records.filter(({ value }) => !values.includes(value))
      // No source says what happens to a value that the set does not have.
      if (left.length + values.length !== before.records.length) return invalid("a record is not in the RRSet")
      return left.length === 0 ? "gone" : { ...before, records: left }
    }
  ),

  "POST /zones/{id_or_name}/rrsets/{rr_name}/{rr_type}/actions/set_records": changeSet(
    "set_rrset_records",
    (before, { records }) => (before === undefined ? setNotFound : { ...before, records })
  ),

  "POST /zones/{id_or_name}/rrsets/{rr_name}/{rr_type}/actions/change_ttl": changeSet(
    "change_rrset_ttl",
    (before, { ttl }) => (before === undefined ? setNotFound : { ...before, ttl })
  )
}
