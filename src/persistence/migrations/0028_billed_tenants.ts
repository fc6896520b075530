import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The tenant whose storage a webhook event counts in, where that is another one than the tenant whom it is about. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`alter table webhook_events add column billed_tenant_id text`
)
