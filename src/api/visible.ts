import { Effect } from "effect"
import { ConnectionNotFound, type StoredConnection } from "../persistence/ConnectionStore.ts"
import { Caller } from "./CallerAuth.ts"

/** The connection of the path, for a caller who may see it; for all others there is none. */
export const visible: Effect.Effect<StoredConnection, ConnectionNotFound, Caller> = Effect.flatMap(
  Caller,
  ({ connection }) => Effect.mapError(connection, () => ConnectionNotFound.error)
)
