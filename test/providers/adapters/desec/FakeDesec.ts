import type { Effect, Scope } from "effect"
import {
  type FakeVendor,
  type FakeVendorOptions,
  makeFakeVendor,
  type VendorOperation
} from "../../../support/vendors/FakeVendor.ts"
import type { VendorAnswer, VendorCall } from "../../../support/vendors/VendorCall.ts"
import { applyDesecChanges, type DesecDomainState, type DesecStoredSet } from "./desecBulk.ts"
import { desecShapes } from "./desecShapes.ts"

/** The domains of one account by name, and when calls came in, in milliseconds, oldest first. */
export interface DesecState {
  readonly domains: Readonly<Record<string, DesecDomainState>>
  /** By the name of the limit; without it the fake limits no rate. */
  readonly callTimes?: Readonly<Record<string, ReadonlyArray<number>>>
}

/** This token may do everything, and `readOnlyToken` has a policy without the permission to write. */
export const validToken = "desec-valid"
export const readOnlyToken = "desec-read-only"

/** A domain as deSEC creates it, with its NS set. */
export const desecDomain = (sets: ReadonlyArray<Omit<DesecStoredSet, "created">> = []): DesecDomainState => ({
  minimumTtl: 3600,
  sets: [{ subname: "", type: "NS", ttl: 3600, records: ["ns1.desec.io.", "ns2.desec.org."] }, ...sets].map(
    (set, created) => ({ ...set, created })
  ),
  nextCreated: sets.length + 1
})

/** deSEC's API of domains and their sets, without creating and deleting domains. */
export const makeFakeDesec = (
  initial: DesecState,
  options?: FakeVendorOptions
): Effect.Effect<FakeVendor<DesecState>, never, Scope.Scope> =>
  makeFakeVendor(
    {
      baseUrl,
      initial,
      document: desecShapes,
      authenticate,
      operations,
      lists: ["GET /domains/{name}/rrsets/"],
      refuse: (status, problems) => error(status, status === 404 ? "Not found." : problems.join("; "))
    },
    options
  )

const baseUrl = "https://desec.io/api/v1"

const error = (status: number, detail: string): VendorAnswer => ({ status, body: { detail } })
const notFound = error(404, "No Domain matches the given query.")

/** api/desecapi/authentication.py and permissions.py; reads need no permission. */
const authenticate = (headers: Headers, { method }: VendorCall): VendorAnswer | undefined => {
  const token = headers.get("authorization")?.match(/^Token (.+)$/)?.[1]
  if (token === undefined) return error(401, "Authentication credentials were not provided.")
  if (token === readOnlyToken && method !== "GET")
    return error(403, "You do not have permission to perform this action.")
  return token === validToken || token === readOnlyToken ? undefined : error(401, "Invalid token.")
}

type DesecOperation = (
  call: VendorCall & { readonly name: string; readonly body: any },
  domain: DesecDomainState,
  state: DesecState
) => ReturnType<VendorOperation<DesecState>>

/** Answers 404 for a domain that the account does not have, and 429 beyond the rate limits. */
const inDomain =
  (operation: DesecOperation): VendorOperation<DesecState> =>
  (call, state) => {
    const name = call.pathParameters["name"] ?? ""
    const scope = call.method === "GET" ? "read" : `write ${name}`
    const rates = call.method === "GET" ? readRates : writeRates
    const wait = findWait(state.callTimes?.[scope] ?? [], rates, call.now)
    if (state.callTimes !== undefined && wait > 0) return throttled(wait)
    const domain = state.domains[name]
    const answer: ReturnType<DesecOperation> =
      domain === undefined ? notFound : operation({ ...call, name }, domain, state)
    const { callTimes } = state
    if (callTimes === undefined) return answer
    const times = { ...callTimes, [scope]: [...(callTimes[scope] ?? []), call.now] }
    return { ...answer, state: { ...(answer.state ?? state), callTimes: times } }
  }

/** Calls and milliseconds: docs/rate-limits.rst, `dns_api_cheap` and `dns_api_per_domain_expensive`. */
type Rate = readonly [calls: number, millis: number]

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const readRates: ReadonlyArray<Rate> = [
  [10, second],
  [50, minute]
]
const writeRates: ReadonlyArray<Rate> = [
  [2, second],
  [15, minute],
  [100, hour],
  [300, 24 * hour]
]

/** A sliding window: a call is free again when the oldest one that counts is forgotten. */
const findWait = (times: ReadonlyArray<number>, rates: ReadonlyArray<Rate>, now: number): number =>
  Math.max(
    ...rates.map(([calls, millis]) => {
      const oldest = times.at(-calls)
      return oldest === undefined ? 0 : oldest + millis - now
    })
  )

/** For `injectFault` too: a limit is reached for so many milliseconds. */
export const throttled = (millis: number): VendorAnswer => {
  const seconds = Math.ceil(millis / 1_000)
  return {
    ...error(429, `Request was throttled. Expected available in ${seconds} seconds.`),
    headers: { "retry-after": String(seconds) }
  }
}

const instant = (created: number): string => new Date(Date.UTC(2025, 0, 1) + created).toISOString().replace("Z", "000Z")

const toBody = (name: string, { created, records, subname, ttl, type }: DesecStoredSet) => ({
  created: instant(created),
  domain: name,
  subname,
  name: `${subname === "" ? "" : `${subname}.`}${name}.`,
  records,
  ttl,
  type,
  touched: instant(created)
})

const withDomain = (state: DesecState, name: string, domain: DesecDomainState): DesecState => ({
  ...state,
  domains: { ...state.domains, [name]: domain }
})

const pageSize = 500

const encode = (text: string): string => Buffer.from(text).toString("base64url")

/** api/desecapi/pagination.py: newest first; beyond a page, the first request must have an empty cursor. */
const listSets: DesecOperation = ({ name, path, query }, { sets }) => {
  const found = sets
    .filter(
      ({ subname, type }) => (query.get("subname") ?? subname) === subname && (query.get("type") ?? type) === type
    )
    .toSorted((a, b) => b.created - a.created)
  const link = (label: string, cursor: string) =>
    `<${baseUrl}${path}?cursor=${encodeURIComponent(cursor)}>; rel="${label}"`
  const cursor = query.get("cursor")
  if (found.length > pageSize && cursor === null)
    return {
      ...error(
        400,
        `Pagination required. You can query up to ${pageSize} items at a time (${found.length} total). Please use the \`first\` page link (see Link header).`
      ),
      headers: { link: link("first", "") }
    }
  const [, isReverse, position] = /^(r=1&)?p=(\d+)$/.exec(Buffer.from(cursor ?? "", "base64url").toString()) ?? []
  const before = found.filter(({ created }) => isReverse !== undefined && created > Number(position))
  const after = found.filter(({ created }) => position === undefined || created < Number(position))
  const page = isReverse === undefined ? after.slice(0, pageSize) : before.slice(-pageSize)
  const [first, last] = [page[0], page.at(-1)]
  const links = [
    link("first", ""),
    ...(first !== undefined && first !== found[0] ? [link("prev", encode(`r=1&p=${first.created}`))] : []),
    ...(last !== undefined && last !== found.at(-1) ? [link("next", encode(`p=${last.created}`))] : [])
  ]
  const headers = links.length > 1 ? { link: links.join(", ") } : {}
  return { status: 200, headers, body: page.map((set) => toBody(name, set)) }
}

const operations: Readonly<Record<string, VendorOperation<DesecState>>> = {
  "GET /domains/{name}/": inDomain(({ name }, { minimumTtl, nextCreated }) => ({
    status: 200,
    body: {
      created: instant(0),
      keys: [],
      minimum_ttl: minimumTtl,
      name,
      published: instant(nextCreated),
      touched: instant(nextCreated)
    }
  })),

  "GET /domains/{name}/rrsets/": inDomain(listSets),

  "POST /domains/{name}/rrsets/": inDomain(({ body: change, name }, domain, state) => {
    const isKnown = domain.sets.some(({ subname, type }) => subname === (change.subname ?? "") && type === change.type)
    if (isKnown)
      return {
        status: 400,
        body: {
          non_field_errors: [
            "Another RRset with the same subdomain and type exists for this domain. (Try modifying it.)"
          ]
        }
      }
    const result = applyDesecChanges(name, domain, [change])
    if ("refusal" in result) return { status: 400, body: result.refusal[0] }
    const [body] = result.written.map((set) => toBody(name, set))
    return { status: 201, body, state: withDomain(state, name, result.domain) }
  }),

  "PATCH /domains/{name}/rrsets/": inDomain(({ body, name }, domain, state) => {
    const result = applyDesecChanges(name, domain, body)
    if ("refusal" in result) return { status: 400, body: result.refusal }
    const written = result.written.map((set) => toBody(name, set))
    return { status: 200, body: written, state: withDomain(state, name, result.domain) }
  }),

  "GET /domains/{name}/rrsets/{subname}/{type}/": inDomain(({ name, pathParameters }, { sets }) => {
    const { subname = "", type } = pathParameters
    const found = sets.find((set) => set.subname === subname.replace(/^@$/, "") && set.type === type)
    return found === undefined ? error(404, "Not found.") : { status: 200, body: toBody(name, found) }
  }),

  "PATCH /domains/{name}/rrsets/{subname}/{type}/": inDomain(({ body, name, pathParameters }, domain, state) => {
    const subname = (pathParameters["subname"] ?? "").replace(/^@$/, "")
    const type = pathParameters["type"] ?? ""
    if (!domain.sets.some((set) => set.subname === subname && set.type === type)) return error(404, "Not found.")
    const result = applyDesecChanges(name, domain, [{ ...body, subname, type }])
    if ("refusal" in result) return { status: 400, body: result.refusal[0] }
    const next = withDomain(state, name, result.domain)
    const [written] = result.written
    return written === undefined
      ? { status: 204, state: next }
      : { status: 200, body: toBody(name, written), state: next }
  }),

  "DELETE /domains/{name}/rrsets/{subname}/{type}/": inDomain(({ name, pathParameters }, domain, state) => {
    const { subname = "", type = "" } = pathParameters
    const result = applyDesecChanges(name, domain, [{ subname: subname.replace(/^@$/, ""), type, records: [] }])
    return "refusal" in result
      ? { status: 400, body: result.refusal[0] }
      : { status: 204, state: withDomain(state, name, result.domain) }
  })
}
