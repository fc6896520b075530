import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The tables of a database as lines of text: columns in their order, indexes, constraints, triggers, sequences, functions. */
export const describeSchema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly line: string }>`
    with tables as (
      select c.oid, c.relname from pg_class c where relnamespace = current_schema()::regnamespace and relkind in ('r', 'S')
        and relname <> 'migration_progress'
    ), described (line) as (
      select 'column ' || relname || ' ' || row_number() over (partition by relname order by attnum) || ' ' || attname || ' ' ||
        format_type(atttypid, atttypmod) || case when attnotnull then ' not null' else '' end || ' ' || attidentity::text || ' ' ||
        coalesce(collname, '') || ' ' || coalesce(pg_get_expr(adbin, adrelid), '')
      from tables join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
        left join pg_attrdef on adrelid = attrelid and adnum = attnum left join pg_collation n on n.oid = attcollation
      where relname not in (select relname from pg_class where relkind = 'S')
      union all
      select 'index ' || pg_get_indexdef(indexrelid) || case when indisvalid then '' else ' invalid' end
      from pg_index join tables on indrelid = tables.oid
      union all
      select 'constraint ' || relname || ' ' || conname || ' ' || pg_get_constraintdef(c.oid) || ' ' || convalidated
      from pg_constraint c join tables on conrelid = tables.oid
      union all
      select 'trigger ' || pg_get_triggerdef(t.oid) from pg_trigger t join tables on tgrelid = tables.oid where not tgisinternal
      union all
      select 'sequence ' || relname from pg_class where relkind = 'S' and relnamespace = current_schema()::regnamespace
      union all
      select 'function ' || pg_get_functiondef(oid) from pg_proc where pronamespace = current_schema()::regnamespace
    )
    select line from described order by line collate "C"`
  return rows.map(({ line }) => line.trimEnd()).join("\n")
})
