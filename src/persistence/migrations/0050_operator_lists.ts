import { isInNextBatch, type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/**
 * What operators find connections by. Rows that the version before writes keep an old provider and failure until their
 * next transition. Common states are found as the newest; the others have an index.
 */
const migration: Migration = [
  MigrationStep.Change({ statements: (sql) => sql`alter table connections add column provider_id text` }),
  MigrationStep.Change({ statements: (sql) => sql`alter table connections add column failure text` }),
  MigrationStep.MoveData({
    moveBatch: (sql, after) => sql`
      with batch as (
        select id, doc::jsonb as json from connections where ${isInNextBatch(sql, after)} for no key update
      ), moved as (
        update connections as c set provider_id = json #>> '{provider,id}', failure = json #>> '{failure,code}'
        from batch where c.id = batch.id
      )
      select max(id) as last from batch`
  }),
  MigrationStep.CreateIndex({
    name: "connections_failure",
    table: "connections",
    on: "(failure, id) where failure is not null"
  }),
  MigrationStep.CreateIndex({
    name: "connections_provider",
    table: "connections",
    on: "(provider_id, id) where provider_id is not null"
  }),
  MigrationStep.CreateIndex({
    name: "connections_by_domain",
    table: "connections",
    on: "(reverse(domain) text_pattern_ops)"
  }),
  MigrationStep.CreateIndex({
    name: "connections_state",
    table: "connections",
    on: "(state, id) where state not in ('active', 'expired', 'canceled', 'disconnected')"
  })
]

export default migration
