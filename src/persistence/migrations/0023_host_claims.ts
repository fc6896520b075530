import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Numbers the claims of names, so that a connection knows whether another tenant has claimed one of its names since its
 * plan was made. A clock would not do, since every process has another one. `taken_number` is the number of the claim by
 * which the tenant of the row took the name from another one.
 */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create sequence host_claims;
    alter table host_holders
      add column claim_number bigint not null default nextval('host_claims'),
      add column taken_number bigint`
)
