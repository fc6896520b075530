import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Counts the test events that an application sent lately without reading its other events. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create index webhook_events_tests on webhook_events (application_id, created_at) where type = 'endpoint.test'`
)
