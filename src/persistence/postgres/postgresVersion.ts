import { SqlClient } from "@effect/sql"
import { Data, Effect, Schema } from "effect"
import { decodeRows } from "../stores/decodeRows.ts"

/** The server is too old for the statements of the service; `message` names its version and the oldest possible. */
export class PostgresTooOld extends Data.TaggedError("PostgresTooOld")<{ readonly message: string }> {}

const oldestMajorVersion = 15

/** A version of PostgreSQL as the server names it; `number` is that of `server_version_num`, such as 150006 for 15.6. */
interface PostgresVersion {
  readonly number: number
  readonly name: string
}

/** Whether the service works on this version. */
export const isSupported = ({ number }: Pick<PostgresVersion, "number">): boolean =>
  number >= oldestMajorVersion * 10_000

/** Fails on a server that is too old, before anything is changed there. */
export const requirePostgresVersion = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const versions = yield* decodeVersions(
    yield* sql`select current_setting('server_version_num')::int as number, current_setting('server_version') as name`
  )
  for (const version of versions) {
    if (isSupported(version)) continue
    return yield* new PostgresTooOld({
      message:
        `the database is PostgreSQL ${version.name}, and the service needs ${oldestMajorVersion} or later: ` +
        "upgrade the server, or set DATABASE_URL to another one"
    })
  }
})

const decodeVersions = decodeRows(Schema.Struct({ number: Schema.Int, name: Schema.String }))
