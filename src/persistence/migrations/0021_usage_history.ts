import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/**
 * Counts what a tenant stores besides documents. Each statement adds a row to `usage_changes`, so that no two writes wait
 * for one row; they are summed up in `tenant_usage` every minute.
 */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      alter table tenant_usage add column history_bytes bigint not null default 0;
      create table usage_changes (
        application_id text not null,
        tenant_id text not null,
        bytes bigint not null
      )`
  }),
  MigrationStep.MoveData({
    moveBatch: (sql, after) => sql`
      with batch as (
        select id, application_id, tenant_id, 400 + pg_column_size(details) as bytes from audit_entries where audit_entries.id > ${after === "" ? "0" : after}::bigint order by audit_entries.id limit 1000
      ), moved as (
        insert into usage_changes (application_id, tenant_id, bytes)
        select application_id, tenant_id, sum(bytes) from batch where tenant_id is not null group by 1, 2
      )
      select max(id)::text as last from batch`
  }),
  MigrationStep.MoveData({
    moveBatch: (sql, after) => sql`
      with batch as (
        select id, application_id, tenant_id, 1000 + octet_length(data) as bytes from webhook_events where webhook_events.id > ${after} order by webhook_events.id limit 1000
      ), moved as (
        insert into usage_changes (application_id, tenant_id, bytes)
        select application_id, tenant_id, sum(bytes) from batch where tenant_id is not null group by 1, 2
      )
      select max(id) as last from batch`
  }),
  MigrationStep.MoveData({
    moveBatch: (sql, after) => sql`
      with batch as (
        select connection_events.id, application_id, tenant_id, 200 as bytes from connection_events
        join connections on connections.id = connection_id where connection_events.id > ${after} order by connection_events.id limit 1000
      ), moved as (
        insert into usage_changes (application_id, tenant_id, bytes)
        select application_id, tenant_id, sum(bytes) from batch where tenant_id is not null group by 1, 2
      )
      select max(id) as last from batch`
  }),
  MigrationStep.MoveData({
    moveBatch: (sql, after) => sql`
      with batch as (
        select position, application_id, tenant_id, 400 + octet_length(change) as bytes from journal
        join connections on connections.id = connection_id where journal.position > ${after === "" ? "0" : after}::bigint order by journal.position limit 1000
      ), moved as (
        insert into usage_changes (application_id, tenant_id, bytes)
        select application_id, tenant_id, sum(bytes) from batch where tenant_id is not null group by 1, 2
      )
      select max(position)::text as last from batch`
  })
]

export default migration
