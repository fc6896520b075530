import { expect } from "bun:test"
import { Effect } from "effect"
import { allKeyScopes } from "../../../src/domain/access/Tenancy.ts"
import { withLayer } from "../../support/effectTest.ts"
import {
  apiInMemory,
  get,
  issueAdminKey,
  issueKey,
  jsonOf,
  patch,
  post,
  send,
  tenancyOf
} from "../../support/testApi.ts"
import { sendAsAdmin } from "../support/adminRequests.ts"
import { createConnectionPath } from "../support/connectionRequests.ts"
import { expectErrorWithoutWrites } from "../support/expectError.ts"

/** A list of the API: its path, the field of its entries, and those of their time and id. */
interface ListOfApi {
  readonly path: string
  readonly field: string
  readonly newestFirst?: boolean
  readonly time?: string
  readonly id?: string
  readonly hasPages?: boolean
}

const admin = "/v1/admin/applications"

const lists: ReadonlyArray<ListOfApi> = [
  { path: "/v1/connections", field: "connections" },
  { path: "{connection}/events", field: "events", time: "occurredAt" },
  { path: "/v1/audit", field: "entries", time: "occurredAt", newestFirst: true },
  { path: `${admin}/{application}/audit`, field: "entries", time: "occurredAt", newestFirst: true },
  { path: "/v1/admin/audit", field: "entries", time: "occurredAt", newestFirst: true },
  { path: "/v1/webhook-endpoints", field: "endpoints", hasPages: false },
  { path: "{endpoint}/deliveries", field: "deliveries", id: "eventId", newestFirst: true },
  { path: `${admin}/{application}/webhook-endpoints`, field: "endpoints", hasPages: false },
  { path: `${admin}/{application}/api-keys`, field: "apiKeys" },
  { path: `${admin}/{application}/ask-secrets`, field: "askSecrets" },
  { path: admin, field: "applications" },
  { path: `${admin}/{application}/tenants`, field: "tenants" }
]

/** An application with three of everything that is listed, and the functions that ask for it. */
const fill = Effect.fnUntraced(function* (application: string) {
  const { key } = yield* issueKey(tenancyOf(application, "shop"), allKeyScopes)
  const adminKey = yield* issueAdminKey
  const created = Effect.flatMap(post("/v1/webhook-endpoints", key, { url: "https://hooks.example.com/" }), jsonOf)
  const endpoint = `/v1/webhook-endpoints/${(yield* created).endpoint.id}`
  yield* Effect.replicateEffect(created, 2)
  for (const name of ["one", "two"]) {
    yield* issueKey(tenancyOf(name, "shop"))
    yield* issueKey(tenancyOf(application, `shop-${name}`))
  }
  for (const _ of [1, 2, 3]) {
    yield* sendAsAdmin(`${admin}/${application}/ask-secrets`, { body: {} })
    yield* sendAsAdmin(`${admin}/${application}/api-keys`, { body: { tenantId: "shop" } })
    yield* createConnectionPath(key)
    yield* post(`${endpoint}/test`, key, undefined)
  }
  const connection = yield* createConnectionPath(key)
  yield* post(`${connection}/cancel`, key, undefined)
  const read = (list: ListOfApi, query = "") => {
    const subjects = { connection, endpoint, application }
    const path = list.path.replace(/\{(\w+)\}/, (_, name: keyof typeof subjects) => subjects[name]) + query
    return path.startsWith("/v1/admin") ? send(path, { headers: { "x-admin-key": adminKey } }) : get(path, key)
  }
  return { read }
})

withLayer("every list with times", apiInMemory(), (live) => {
  live("takes createdAfter, which includes its moment, createdBefore, which does not, and order", () =>
    Effect.gen(function* () {
      const { read } = yield* fill("windows")
      for (const list of lists) {
        const { field, hasPages = true, id = "id", newestFirst = false, time = "createdAt" } = list
        const entriesOf = (query: string) =>
          Effect.map(
            Effect.flatMap(read(list, hasPages ? `${query}&limit=100` : query), jsonOf),
            (body): ReadonlyArray<any> => body[field]
          )
        const all = yield* entriesOf(hasPages ? "?" : "")
        expect([list.path, all.length > 1]).toEqual([list.path, true])
        const oldestFirst = newestFirst ? all.toReversed() : all
        expect(all.map((entry) => entry[id]).toSorted()).toEqual(oldestFirst.map((entry) => entry[id]))
        expect([list.path, yield* entriesOf("?order=asc")]).toEqual([list.path, oldestFirst])
        expect([list.path, yield* entriesOf("?order=desc")]).toEqual([list.path, oldestFirst.toReversed()])
        const moment = oldestFirst.at(-1)[time]
        const [late, early] = [
          oldestFirst.filter((entry) => entry[time] >= moment),
          oldestFirst.filter((entry) => entry[time] < moment)
        ]
        expect([list.path, yield* entriesOf(`?order=asc&createdAfter=${moment}`)]).toEqual([list.path, late])
        expect([list.path, yield* entriesOf(`?order=asc&createdBefore=${moment}`)]).toEqual([list.path, early])
      }
    })
  )

  live("continues at its cursor in either order", () =>
    Effect.gen(function* () {
      const { read } = yield* fill("cursors")
      for (const list of lists.filter(({ hasPages = true }) => hasPages))
        for (const order of ["asc", "desc"]) {
          const { [list.field]: all } = yield* Effect.flatMap(read(list, `?order=${order}&limit=100`), jsonOf)
          const found: Array<unknown> = []
          for (let cursor = ""; ;) {
            const page = yield* Effect.flatMap(read(list, `?order=${order}&limit=2${cursor}`), jsonOf)
            found.push(...page[list.field])
            if (page.nextCursor === undefined) break
            cursor = `&cursor=${page.nextCursor}`
          }
          expect([list.path, found]).toEqual([list.path, all])
        }
    })
  )

  live("refuses what is no moment and no order", () =>
    Effect.gen(function* () {
      const { read } = yield* fill("refusals")
      for (const list of lists)
        for (const [name, value] of [
          ["createdAfter", "yesterday"],
          ["createdBefore", "soon"],
          ["order", "newest"]
        ] as const)
          yield* expectErrorWithoutWrites(read(list, `?${name}=${value}`), {
            status: 400,
            code: "invalid_request",
            details: [[`/${name}`, "invalid"]]
          })
    })
  )

  live("of the audit log takes the earlier names of the two moments, too", () =>
    Effect.gen(function* () {
      const { read } = yield* fill("former")
      for (const list of lists.filter(({ field }) => field === "entries")) {
        const { entries } = yield* Effect.flatMap(read(list), jsonOf)
        const moment = entries[0].occurredAt
        for (const [former, present] of [
          ["after", "createdAfter"],
          ["before", "createdBefore"]
        ])
          expect(yield* Effect.flatMap(read(list, `?${former}=${moment}`), jsonOf)).toEqual(
            yield* Effect.flatMap(read(list, `?${present}=${moment}`), jsonOf)
          )
      }
    })
  )

  live("of deliveries takes several statuses, separated by commas", () =>
    Effect.gen(function* () {
      const { read } = yield* fill("statuses")
      const list = { path: "{endpoint}/deliveries", field: "deliveries" }
      const { deliveries } = yield* Effect.flatMap(read(list), jsonOf)
      expect(yield* Effect.flatMap(read(list, "?status=pending,failed"), jsonOf)).toEqual({ deliveries })
      expect(yield* Effect.flatMap(read(list, "?status=delivered,failed"), jsonOf)).toEqual({ deliveries: [] })
    })
  )
})

withLayer("the name of an API key", apiInMemory(), (live) => {
  const keysPath = `${admin}/named/api-keys`

  live("is given at its creation, shown in lists, and kept by its successor", () =>
    Effect.gen(function* () {
      yield* issueKey(tenancyOf("named", "shop"))
      const create = (fields: object) => sendAsAdmin(keysPath, { body: { tenantId: "shop", ...fields } })
      const created = yield* jsonOf(yield* create({ name: "Billing, Zürich" }))
      const { apiKey: unnamed } = yield* jsonOf(yield* create({}))
      expect([created.apiKey.name, "name" in unnamed]).toEqual(["Billing, Zürich", false])
      const rotated = yield* Effect.flatMap(
        sendAsAdmin(`${keysPath}/${created.apiKey.id}/rotate`, { body: { overlapSeconds: 60 } }),
        jsonOf
      )
      expect(rotated.apiKey.name).toBe("Billing, Zürich")
      const { apiKeys } = yield* Effect.flatMap(sendAsAdmin(keysPath), jsonOf)
      expect(apiKeys.map(({ name }: { readonly name?: string }) => name)).toEqual([
        undefined,
        "Billing, Zürich",
        undefined,
        "Billing, Zürich"
      ])
      const path = yield* createConnectionPath(created.key)
      yield* patch(path, created.key, { metadata: { plan: "pro" } })
      const { entries } = yield* Effect.flatMap(sendAsAdmin(`${admin}/named/audit?action=connection.changed`), jsonOf)
      expect(entries).toMatchObject([
        { actor: { type: "api_key", id: created.apiKey.id, name: "Billing, Zürich" }, settings: ["metadata"] }
      ])
    })
  )

  live("has 1 to 100 characters in one line", () =>
    Effect.gen(function* () {
      yield* issueKey(tenancyOf("named", "shop"))
      for (const name of ["", "a\nb", "x".repeat(101)])
        yield* expectErrorWithoutWrites(sendAsAdmin(keysPath, { body: { tenantId: "shop", name } }), {
          status: 400,
          code: "invalid_request",
          details: [["/name", "invalid"]]
        })
    })
  )
})
