import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { createConnection, waitForState, authorizeAndApprove } from "../prove/connectionSteps.ts"
import type { ProofDatabase } from "../prove/ProofDatabase.ts"
import type { ApiClient } from "../prove/ApiClient.ts"
import { slotsPerCycle } from "../src/domain/connection/lookSchedule.ts"
import { connectionIdOf } from "./BenchDatabase.ts"

/** The domain of the active connection that is copied, and of all copies: a check of each asks real name servers. */
export const grownDomain = "grown.com"

/** What the zone answers at the names that copies are asked for, beside the records of their original. */
export const grownLines = `
  *.s  CNAME  web.hostprov.net.
  *.v  TXT    "platform-verification=4711"`

/** Connects the domain through the service, as a customer does; returns the id of the active connection. */
export const connectOnce = (api: ApiClient, credential: object) =>
  Effect.gen(function* () {
    const desired = {
      idempotencyKey: grownDomain,
      domain: grownDomain,
      records: [
        { host: "shop", type: "CNAME", value: "web.hostprov.net" },
        { host: "_verify", type: "TXT", value: "platform-verification=4711" }
      ],
      credential
    }
    const created = yield* createConnection(api, desired)
    const planned = yield* waitForState(api, created.id, ["awaiting_authorization"])
    yield* authorizeAndApprove(api, planned, desired)
    yield* waitForState(api, created.id, ["active"])
    return String(created.id)
  })

/**
 * Copies a connection with all that a check reads and writes, from the `from`th to the `to`th; a million take minutes. None
 * is due for a year.
 */
export const copyActiveConnection = (database: ProofDatabase, id: string, from: number, to: number) =>
  database.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const { changed, of, table } of listCopiedTables(id)) {
        const columns = yield* sql<{ readonly name: string }>`
          select column_name as name from information_schema.columns
          where table_schema = 'public' and table_name = ${table} order by ordinal_position`
        if (columns.length === 0) continue
        const values = columns.map(({ name }) => changed[name] ?? `t.${name}`)
        // A statement without parameters may take as long as it takes.
        yield* sql.unsafe(`
          insert into ${table} (${columns.map(({ name }) => name).join(", ")})
          select ${values.join(", ")} from ${table} as t, generate_series(${from}, ${to}) as n where t.${of} = '${id}'`)
      }
      yield* sql.unsafe("vacuum analyze")
      yield* sql.unsafe("checkpoint")
    })
  )

const copiedId = `'con_' || lpad(n::text, ${connectionIdOf(1).length - "con_".length}, '0')`

const timeAgo = (interval: string) =>
  `to_char(now() at time zone 'UTC' - interval '${interval}', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** What is copied, and the columns that differ in each copy, as SQL. */
const listCopiedTables = (
  id: string
): ReadonlyArray<{
  readonly table: string
  readonly of: string
  readonly changed: Readonly<Record<string, string>>
}> => [
  {
    table: "connections",
    of: "id",
    changed: {
      id: copiedId,
      doc: `replace(t.doc, '${id}', ${copiedId})`,
      intent_key: "null",
      external_key: "null",
      due_at: "now() + interval '1 year'",
      // Old, and all of its servers were asked a day ago: where they are asked sooner, a look has found another answer.
      progress: `(t.progress::jsonb || jsonb_build_object(
        'enteredAt', ${timeAgo("30 days")}, 'verifiedAt', ${timeAgo("1 day")}))::text`
    }
  },
  { table: "connection_hosts", of: "connection_id", changed: { connection_id: copiedId } },
  { table: "observations", of: "connection_id", changed: { connection_id: copiedId } },
  {
    table: "watches",
    of: "connection_id",
    changed: {
      connection_id: copiedId,
      // Of those that are looked at once in a cycle (`lookSchedule`).
      look_key: `n % ${slotsPerCycle}`,
      // As if each had a zone of its own: no copy shares its questions, and none finds its delegation again within the bench.
      answers: `replace(replace(t.answers, 'shop.${grownDomain}', 'n' || n || '.s.${grownDomain}'),
        '_verify.${grownDomain}', 'n' || n || '.v.${grownDomain}')`,
      servers_until: "now() + interval '1 day'"
    }
  }
]
