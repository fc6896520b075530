import { isInNextBatch, type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/**
 * The names at which each connection may have records, and the name of each journalled change, so that a plan reads only
 * the zone tenants at the names that it concerns. Names are reversed, character by character, so that one index finds a
 * name and all names below it. A change without a name was journalled by an older version that still ran.
 */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      create table connection_hosts (
        reversed_name text collate "C" not null,
        connection_id text not null references connections (id),
        primary key (reversed_name, connection_id)
      )`
  }),
  MigrationStep.Change({
    statements: (sql) => sql`
      alter table journal add column reversed_name text collate "C"`
  }),
  MigrationStep.MoveData({
    moveBatch: (sql, after) => sql`
      with batch as (
        select id, domain, state, doc from connections where ${isInNextBatch(sql, after)}
      ), moved as (
        insert into connection_hosts (reversed_name, connection_id)
        select distinct reverse(case host when '@' then '' else host || '.' end || domain), id
        from batch, jsonb_array_elements(doc::jsonb #> '{effectiveIntent,records}') as record, lateral (
          select record ->> 'host' as host
        ) as hosts
        where state not in ('expired', 'canceled', 'disconnected')
        on conflict do nothing
      )
      select max(id) as last from batch`
  }),
  MigrationStep.DropIndex({ name: "connections_domain" }),
  MigrationStep.MoveData({
    moveBatch: (sql, after) => sql`
      with batch as (
        select position, coalesce(change::jsonb #>> '{after,host}', change::jsonb #>> '{before,host}') as host from journal
        where position > ${after === "" ? "0" : after}::bigint order by position limit 500
      ), moved as (
        update journal set reversed_name = reverse(case host when '@' then '' else host || '.' end || domain) from batch
        where journal.position = batch.position
      )
      select max(position)::text as last from batch`
  }),
  MigrationStep.CreateIndex({ name: "journal_at", table: "journal", on: "(zone, reversed_name)" })
]

export default migration
