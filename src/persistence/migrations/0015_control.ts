import { isInNextBatch, type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/**
 * The tenant that holds each name of an application: a connection becomes active only while it holds all of its names. Of
 * the active ones, the oldest holds a name. `connection_hosts` has those of every connection with a plan.
 */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      create table host_holders (
        application_id text not null,
        reversed_name text collate "C" not null,
        tenant_id text not null,
        connection_id text not null,
        primary key (application_id, reversed_name)
      )`
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
        where state not in ('requested', 'expired', 'canceled', 'disconnected')
        on conflict do nothing
      )
      select max(id) as last from batch`
  }),
  MigrationStep.MoveData({
    moveBatch: (sql, after) => sql`
      with batch as (
        select distinct reversed_name from connection_hosts where reversed_name > ${after} order by reversed_name limit 500
      ), moved as (
        insert into host_holders (application_id, reversed_name, tenant_id, connection_id)
        select distinct on (application_id, reversed_name) application_id, reversed_name, tenant_id, id
        from batch join connection_hosts using (reversed_name) join connections on id = connection_id
        where state in ('active', 'degraded')
        order by application_id, reversed_name, created_at, id
        on conflict do nothing
      )
      select max(reversed_name) as last from batch`
  })
]

export default migration
