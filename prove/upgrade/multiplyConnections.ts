import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { copiedName, copiedTenant } from "./copiedConnection.ts"

/**
 * Copies a connection that the service has made, with its rows in every table: each copy has an id, a domain and a tenant of
 * its own. It works on the tables of every version, since a row is copied as JSON. What is due for the `n`th copy comes
 * at `dueAt`, an expression of SQL: tomorrow unless it is given.
 */
export const multiplyConnection = (
  id: string,
  copies: { readonly from: number; readonly to: number },
  dueAt = "now() + interval '1 day' + n * interval '1 second'"
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const { changed, of, table } of tablesWith(dueAt)) {
      const [found] = yield* sql`select to_regclass(${table}) is not null as exists`
      if (found?.["exists"] !== true) continue
      yield* sql.unsafe(`
        insert into ${table} overriding system value
        select copied.* from ${table} as t, lateral (
          select generate_series(${copies.from}, ${copies.to}) as n
        ) as copies, lateral (
          select replace(replace(replace(replace(to_jsonb(t)::text,
              '${id}', ${renumbered(`'${id}'`)}),
              '${copiedName}', 'u' || lpad(n::text, 8, '0')),
              '${copiedName.split("").toReversed().join("")}', reverse('u' || lpad(n::text, 8, '0'))),
              '${copiedTenant}', 'shop-' || lpad((n % 1000)::text, 6, '0'))::jsonb
            || jsonb_build_object(${changed}) as row
        ) as changed, lateral jsonb_populate_record(null::${table}, changed.row) as copied
        where t.${of} = '${id}'`)
    }
  })

/** An id with the number of its copy in place of eight digits that are random: the order of ids stays. */
const renumbered = (id: string): string => `overlay(${id} placing lpad(n::text, 8, '0') from 15 for 8)`

interface CopiedTable {
  readonly table: string
  /** The column with the id of the connection. */
  readonly of: string
  /** The columns that differ in each copy, as arguments of `jsonb_build_object`; a version may lack some. */
  readonly changed: string
}

const tablesWith = (dueAt: string): ReadonlyArray<CopiedTable> => [
  {
    table: "connections",
    of: "id",
    // The keys are hashes of the intent.
    changed: `'intent_key', null, 'external_key', null,
      'due_at', case when t.due_at is null then null else ${dueAt} end`
  },
  { table: "connection_events", of: "connection_id", changed: `'id', ${renumbered("t.id")}` },
  { table: "connection_hosts", of: "connection_id", changed: "" },
  { table: "observations", of: "connection_id", changed: "" },
  {
    table: "watches",
    of: "connection_id",
    // The keys of the connections that are looked at equally often in a cycle follow each other (`lookSchedule`).
    changed: `'look_key', case when t.look_key < 4096 then n % 4096 when t.look_key < 6144 then 4096 + n % 2048
      else 6144 + n % 1024 end`
  },
  { table: "host_holders", of: "connection_id", changed: "" },
  {
    table: "journal",
    of: "connection_id",
    changed: `'position', nextval(pg_get_serial_sequence('journal', 'position')), 'run', t.run || '/' || n`
  },
  {
    table: "audit_entries",
    of: "connection_id",
    changed: `'id', nextval(pg_get_serial_sequence('audit_entries', 'id'))`
  }
]
