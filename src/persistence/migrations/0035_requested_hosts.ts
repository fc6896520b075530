import { isInNextBatch, type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** The remembered names of a host: its reversed name, and that of each name above it with a dot at its end. */
const remembered = `lateral (
  select reversed_name as remembered union all
  select left(reversed_name, at) from generate_series(strpos(reversed_name, '.') + 1, length(reversed_name)) as at
  where substr(reversed_name, at, 1) = '.'
) as names`

const digest = "sha256(convert_to(application_id || ' ' || remembered, 'UTF8'))"

/**
 * Which tenants ever asked for a host, as a digest, which stays when the connection is erased. Filled from all connections
 * and from `former_hosts`, which only the version before fills.
 */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      create table requested_hosts (
        application_id text not null,
        host_digest bytea not null,
        tenant_id text not null,
        primary key (application_id, host_digest, tenant_id)
      )`
  }),
  MigrationStep.MoveData({
    moveBatch: (sql, after) => sql`
      with batch as (
        select id, application_id, tenant_id, domain, doc::jsonb as doc from connections
        where ${isInNextBatch(sql, after)}
      ), hosts as (
        select application_id, tenant_id, case host when '@' then '' else host || '.' end || domain as name
        from batch, lateral (
          select jsonb_array_elements(doc #> '{effectiveIntent,records}') ->> 'host' as host union all
          select jsonb_array_elements(doc #> '{pendingIntent,effectiveIntent,records}') ->> 'host'
        ) as records
      ), moved as (
        insert into requested_hosts (application_id, host_digest, tenant_id)
        select distinct application_id, ${sql.literal(digest)}, tenant_id
        from (select application_id, tenant_id, reverse(name) as reversed_name from hosts) as hosts, ${sql.literal(remembered)}
        order by 1, 2, 3
        on conflict do nothing
      )
      select max(id) as last from batch`
  }),
  MigrationStep.MoveData({
    moveBatch: (sql, after) => sql`
      with batch as (
        select application_id, reversed_name, tenant_id, taken_number from host_holders
        where (application_id, reversed_name) > (split_part(${after}, ' ', 1), split_part(${after}, ' ', 2))
        order by application_id, reversed_name limit 500
      ), moved as (
        insert into requested_hosts (application_id, host_digest, tenant_id)
        select distinct application_id, ${sql.literal(digest)}, tenant from (
          select application_id, reversed_name, tenant_id as tenant from batch union all
          select application_id, reversed_name, '' from batch where taken_number is not null
        ) as hosts, ${sql.literal(remembered)} order by 1, 2, 3
        on conflict do nothing
      )
      select application_id || ' ' || reversed_name as last from batch
      order by application_id desc, reversed_name desc limit 1`
  }),
  MigrationStep.MoveData({
    moveBatch: (sql) => sql`
      with batch as (
        delete from former_hosts where ctid = any(array(select ctid from former_hosts limit 500)) returning *
      ), moved as (
        insert into requested_hosts (application_id, host_digest, tenant_id)
        select distinct application_id, ${sql.literal(digest)}, tenant_id from batch, ${sql.literal(remembered)}
        order by 1, 2, 3
        on conflict do nothing
      )
      select max(reversed_name) as last from batch`
  }),
  MigrationStep.CreateIndex({
    name: "host_holders_of_connection",
    table: "host_holders",
    on: "(connection_id)"
  }),
  MigrationStep.CreateIndex({
    name: "webhook_events_billed",
    table: "webhook_events",
    on: "(application_id, billed_tenant_id) where billed_tenant_id is not null"
  })
]

export default migration
