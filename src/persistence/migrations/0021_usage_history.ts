import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Counts what a tenant stores besides the documents of its connections: events, audit entries, the journal and webhooks. A
 * statement that writes or deletes any adds a row to `usage_changes`, so that no two writes wait for the same row; the
 * rows are summed up in `tenant_usage` every minute.
 */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    alter table tenant_usage add column history_bytes bigint not null default 0;
    create table usage_changes (
      application_id text not null,
      tenant_id text not null,
      bytes bigint not null
    );
    insert into usage_changes (application_id, tenant_id, bytes)
    select application_id, tenant_id, sum(400 + pg_column_size(details)) from audit_entries
    where tenant_id is not null group by 1, 2
    union all
    select application_id, tenant_id, sum(1000 + octet_length(data)) from webhook_events
    where tenant_id is not null group by 1, 2
    union all
    select application_id, tenant_id, 200 * count(*) from connection_events join connections as c on c.id = connection_id
    group by 1, 2
    union all
    select application_id, tenant_id, sum(400 + octet_length(change)) from journal join connections as c on c.id = connection_id
    group by 1, 2`
)
