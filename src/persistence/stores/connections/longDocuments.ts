import type { SqlClient } from "@effect/sql"
import { Array, Effect } from "effect"
import type { ConnectionId } from "../../../domain/connection/Connection.ts"
import { StoredConnection } from "./StoredConnection.ts"
import { decodeRows } from "../decodeRows.ts"

/** The document, null if long: it would delay the answers to other tenants in the statement. Read it by itself. */
export const shortDocSql = (column: string): string =>
  `case when octet_length(${column}) <= ${maxSharedBytes} then ${column} end`

/** Most documents have a few kilobytes. */
const maxSharedBytes = 64 * 1024

/** Makes the function that reads a connection whose document was long; none if it was deleted meanwhile. */
export const makeConnectionReader = (sql: SqlClient.SqlClient) => (id: ConnectionId) =>
  Effect.map(
    Effect.flatMap(
      Effect.uninterruptible(sql`select id, state, doc, version from connections where id = ${id}`),
      decodeStored
    ),
    Array.head
  )

const decodeStored = decodeRows(StoredConnection)
