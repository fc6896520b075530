import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Prepares changes of intents: an index to delete the names that a connection desires no more, and the key of the
 * intent that counts while another one waits to be applied, whose key is `intent_key` then.
 */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create index connection_hosts_of_connection on connection_hosts (connection_id);
    alter table connections add column counting_intent_key bytea;
    create index connections_counting_intent_key on connections (counting_intent_key)
      where counting_intent_key is not null`
)
