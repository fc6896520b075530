import { isInNextBatch, type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** `progress`: the internal state, null until the first transition. `observations`: the last answers, in wire form. */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      alter table connections add column progress text;
      alter table connections add column domain text;
      alter table idempotency_keys add column version integer not null default 1;
      create table observations (
        connection_id text primary key references connections (id),
        doc text not null
      )`
  }),
  MigrationStep.MoveData({
    moveBatch: (sql, after) => sql`
      with batch as (
        select id from connections where ${isInNextBatch(sql, after)}
      ), moved as (
        update connections set domain = doc::jsonb #>> '{effectiveIntent,domain}' from batch
        where connections.id = batch.id and domain is null
      )
      select max(id) as last from batch`
  }),
  MigrationStep.CreateIndex({ name: "connections_of", table: "connections", on: "(application_id, tenant_id, id)" }),
  MigrationStep.CreateIndex({
    name: "connections_domain",
    table: "connections",
    on: "(reverse(domain) text_pattern_ops)"
  })
]

export default migration
