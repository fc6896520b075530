import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Finds the webhook events of one connection, and the connections that ended first, to erase them. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create index webhook_events_of_connection on webhook_events (connection_id) where connection_id is not null;
    create index connections_ended on connections (updated_at)
      where state in ('expired', 'canceled', 'disconnected')`
)
