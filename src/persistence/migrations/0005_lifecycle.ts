import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * `progress` is the internal state of a connection, null until its first transition. `domain` finds the connections of
 * one zone. `observations` holds the last answers of the name servers, in wire form.
 */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    alter table connections add column progress text;
    alter table connections add column domain text;
    update connections set domain = doc::jsonb #>> '{effectiveIntent,domain}';
    create index connections_of on connections (application_id, tenant_id, id);
    create index connections_domain on connections (reverse(domain) text_pattern_ops);
    alter table idempotency_keys add column version integer not null default 1;
    create table observations (
      connection_id text primary key references connections (id),
      doc text not null
    )`
)
