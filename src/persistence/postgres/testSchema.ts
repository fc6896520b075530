import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { retryAtStart } from "./retryAtStart.ts"

/** The PostgreSQL schema of test mode. */
export const testSchema = "domain_connection_test"

/** Creates the schema of test mode; processes that do so at the same time do not fail. */
export const testSchemaLayer = Layer.effectDiscard(
  retryAtStart(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`
        do $$ begin
          create schema if not exists domain_connection_test;
        exception when unique_violation or duplicate_schema then null;
        end $$`
    )
  )
)

/** Whether test mode has been used on this database. */
export const hasTestSchema = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`select to_regnamespace(${testSchema}) is not null as exists`
).pipe(Effect.map(([row]) => row?.["exists"] === true))
