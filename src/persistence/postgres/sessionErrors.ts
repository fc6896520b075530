import { Data } from "effect"
import { DatabaseError } from "pg"

/** A pooler before the database gives a session to others, or a setting does not hold in it; `message` says which. */
export class SessionNotKept extends Data.TaggedError("SessionNotKept")<{ readonly message: string }> {}

/** The server is a standby, or it takes no writes. */
export class ServerReadOnly extends Data.TaggedError("ServerReadOnly")<{ readonly message: string }> {}

/** Whether another server may open the session that this one did not. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof DatabaseError ? error.code?.startsWith("57P0") === true : !(error instanceof SessionNotKept)
