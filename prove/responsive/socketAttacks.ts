import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { type Attack, type AttackContext, createAttackConnection, expectAnswers } from "./Attack.ts"
import { attackerZone } from "./attackZones.ts"
import { computeSocketCount, formatRawRequest, holdSockets } from "./heldSockets.ts"

/** Gives the tenant of a connection this many copies of it, and returns their ids and the megabytes of all. */
const copyConnection = ({ service }: AttackContext, id: string, copies: number) =>
  service.database.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ids = Array.from({ length: copies }, (_, nth) => `${id}_${nth}`)
      yield* sql`
        insert into connections (id, application_id, tenant_id, state, domain, doc)
        select copy_id, application_id, tenant_id, state, domain, doc
        from unnest(${ids}::text[]) as copy_id, connections where id = ${id}`
      const [row] = yield* sql<{ readonly megabytes: number }>`
        select (octet_length(doc) * ${copies}::int / 1e6)::float as megabytes from connections where id = ${id}`
      return { ids, megabytes: row?.megabytes ?? 0 }
    })
  )

/** A connection whose request has 200 KB. */
const largeRecords = Array.from({ length: 50 }, (_, nth) => ({
  host: `t${nth}`,
  type: "TXT",
  value: "x".repeat(4_000)
}))

/** Attacks by connections of HTTP that stay open. */
export const socketAttacks: ReadonlyArray<Attack> = [
  {
    name: "head-streams",
    what: "2,000 times HEAD of an event stream",
    prepare: (context) =>
      Effect.gen(function* () {
        const { attacker, millis, service, size, traffic } = context
        const { id } = yield* createAttackConnection(attacker.api, attackerZone)
        const requests = [
          { method: "HEAD", path: `/v1/connections/${id}/stream`, headers: { "x-api-key": attacker.key } }
        ]
        const perSecond = size(2_000, 300) / (millis / 1_000)
        const play = Effect.map(
          traffic("flood", { url: service.attackers.url, requests, perSecond, millis, graceMillis: 2_000 }),
          (result) => ({
            answers: result.answers,
            targets: [expectAnswers("requests", result, ["200", "204", "405"])]
          })
        )
        return { play }
      })
  },
  {
    name: "pipelined-requests",
    what: "a dozen sockets that send 5,000 requests each without waiting for a response, all answered without the database",
    prepare: (context) => {
      const count = 12
      const requests = [
        formatRawRequest("GET", "/healthz", []),
        formatRawRequest("GET", "/v1/nothing", []),
        formatRawRequest("GET", "/v1/connections", ["x-api-key: dck_live_short"])
      ].map((request) => request.repeat(5_000))
      const plan = { requests, count, perSecond: 20, isResponseRead: true, hasSlowBody: false }
      return Effect.succeed({
        play: Effect.map(holdSockets(context, plan), ({ answers }) => ({
          answers,
          targets: [expectAnswers("sockets", { answers, sent: count }, ["200", "401", "404"])]
        }))
      })
    }
  },
  {
    name: "open-streams",
    what: "9,000 event streams of one connection, and one change of it",
    prepare: (context) =>
      Effect.gen(function* () {
        const { attacker, size } = context
        const { id } = yield* createAttackConnection(attacker.api, attackerZone)
        const { count: streams, descriptorLimit } = computeSocketCount(size(9_000, 600))
        const request = formatRawRequest("GET", `/v1/connections/${id}/stream`, [`x-api-key: ${attacker.key}`])
        let changeStatus = 0
        const change = attacker.api.post(`/v1/connections/${id}/authorization`, { method: "manual" }).pipe(
          Effect.map(({ status }) => (changeStatus = status)),
          Effect.ignore,
          Effect.zipLeft(Effect.sleep("2 seconds"))
        )
        const play = Effect.gen(function* () {
          const plan = { requests: [request], count: streams, perSecond: 600, isResponseRead: true, hasSlowBody: false }
          const status = yield* holdSockets(context, plan, change)
          return {
            answers: status.answers,
            figures: { descriptorLimit, streams, bytesRead: status.bytesRead },
            targets: [
              expectAnswers("streams", { answers: status.answers, sent: streams }, ["200"]),
              { kind: "gate" as const, what: "status of the change", value: changeStatus, atLeast: 200, atMost: 200 }
            ]
          }
        })
        return { play }
      })
  },
  {
    name: "tenant-streams",
    what: "4,000 event streams of as many connections of a tenant, until each has looked for changes",
    prepare: (context) =>
      Effect.gen(function* () {
        const { attacker, size } = context
        const { id } = yield* createAttackConnection(attacker.api, attackerZone)
        const { count: streams, descriptorLimit } = computeSocketCount(size(4_000, 400))
        const { ids } = yield* copyConnection(context, id, streams)
        const requests = ids.map((copy) =>
          formatRawRequest("GET", `/v1/connections/${copy}/stream`, [`x-api-key: ${attacker.key}`])
        )
        const plan = { requests, count: streams, perSecond: 600, isResponseRead: true, hasSlowBody: false }
        // Streams look for changes every 15 seconds.
        const play = Effect.map(
          holdSockets(context, plan, Effect.sleep(size(16_000, 0))),
          ({ answers, bytesRead }) => ({
            answers,
            figures: { descriptorLimit, streams, bytesRead },
            targets: [expectAnswers("streams", { answers, sent: streams }, ["200"])]
          })
        )
        return { play }
      })
  },
  {
    name: "unread-streams",
    what: "as many event streams of large connections as a tenant may open, which nobody reads, and changes of them",
    prepare: (context) =>
      Effect.gen(function* () {
        const { attacker, size } = context
        const streamed = yield* Effect.forEach(Array.from({ length: 4 }), () =>
          createAttackConnection(attacker.api, attackerZone, largeRecords)
        )
        const requests = streamed.map(({ id }) =>
          formatRawRequest("GET", `/v1/connections/${id}/stream`, [`x-api-key: ${attacker.key}`])
        )
        const count = size(400, 200)
        const changes = Effect.forEach(
          streamed,
          ({ id }) => Effect.ignore(attacker.api.post(`/v1/connections/${id}/authorization`, { method: "manual" })),
          { discard: true }
        )
        const plan = { requests, count, perSecond: 200, isResponseRead: false, hasSlowBody: false }
        const play = Effect.map(holdSockets(context, plan, changes), ({ answers }) => ({
          answers,
          targets: [expectAnswers("streams", { answers, sent: count }, ["200"])]
        }))
        return { play }
      })
  },
  {
    name: "unread-lists",
    what: "30 lists of 100 large connections that nobody reads",
    prepare: (context) =>
      Effect.gen(function* () {
        const { attacker } = context
        const { id } = yield* createAttackConnection(attacker.api, attackerZone, largeRecords)
        const { megabytes } = yield* copyConnection(context, id, 100)
        const request = formatRawRequest("GET", "/v1/connections?limit=100", [`x-api-key: ${attacker.key}`])
        const play = Effect.map(
          holdSockets(context, {
            requests: [request],
            count: 30,
            perSecond: 10,
            isResponseRead: false,
            hasSlowBody: false
          }),
          (status) => ({
            answers: status.answers,
            figures: { megabytesOfAList: megabytes },
            targets: [expectAnswers("lists", { answers: status.answers, sent: 30 }, ["200"])]
          })
        )
        return { play }
      })
  },
  {
    name: "unread-docs",
    what: "500 times the page /docs, without a key, that nobody reads",
    prepare: (context) => {
      const count = context.size(500, 200)
      return Effect.succeed({
        play: Effect.map(
          holdSockets(context, {
            requests: [formatRawRequest("GET", "/docs", [])],
            count,
            perSecond: 200,
            isResponseRead: false,
            hasSlowBody: false
          }),
          (status) => ({
            answers: status.answers,
            targets: [expectAnswers("pages", { answers: status.answers, sent: count }, ["200"])]
          })
        )
      })
    }
  }
]
