import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Adds the keys that make a connection unique for its tenant, as SHA-256: its external id until it ends, and its
 * intent, which is null once the connection leaves. The second column of each index is the same for all that exclude
 * each other. Connections of older versions have neither.
 */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    alter table connections add column external_key bytea;
    alter table connections add column intent_key bytea;
    alter table connections add column allows_duplicate boolean not null default false;
    create unique index connections_external_key on connections
      (external_key, (case when state in ('expired', 'canceled', 'disconnected') then id else '' end))
      where external_key is not null;
    create unique index connections_intent_key on connections
      (intent_key, (case when allows_duplicate then id else '' end))
      where intent_key is not null and state not in ('expired', 'canceled', 'disconnected')`
)
