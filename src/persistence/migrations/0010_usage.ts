import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/**
 * Adds the sources of a tenant's quotas: indexes on live connections, in all and by registered domain, and the bytes of
 * ended ones, which never change. The index by domain is one expression, so that no other index serves its statement.
 * Older connections have no registered domain, and count for their tenant only.
 */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      alter table connections add column registered_domain text;
      create table tenant_usage (
        application_id text not null,
        tenant_id text not null,
        ended_bytes bigint not null,
        primary key (application_id, tenant_id)
      )`
  }),
  MigrationStep.CreateIndex({
    name: "connections_living",
    table: "connections",
    on: "(application_id, tenant_id, state) where state not in ('expired', 'canceled', 'disconnected')"
  }),
  MigrationStep.CreateIndex({
    name: "connections_in_domain",
    table: "connections",
    on: "((application_id || '/' || tenant_id || '/' || registered_domain)) where state not in ('expired', 'canceled', 'disconnected')"
  }),
  MigrationStep.MoveData({
    moveBatch: (sql, after) => sql`
      with batch as (
        select id, application_id, tenant_id, state, doc from connections
        where id > ${after} order by id limit 500
      ), moved as (
        insert into tenant_usage (application_id, tenant_id, ended_bytes)
        select application_id, tenant_id, sum(octet_length(doc)) from batch
        where state in ('expired', 'canceled', 'disconnected') group by application_id, tenant_id
        on conflict (application_id, tenant_id) do update set ended_bytes = tenant_usage.ended_bytes + excluded.ended_bytes
      )
      select max(id) as last from batch`
  })
]

export default migration
