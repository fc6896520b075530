import { Data } from "effect"

/** The private PostgreSQL cannot run; `message` says why and what the operator can do. */
export class EmbeddedPostgresUnavailable extends Data.TaggedError("EmbeddedPostgresUnavailable")<{
  readonly reason: "program_missing" | "directory_unusable" | "wrong_version" | "start_failed"
  readonly message: string
}> {
  static readonly startFailed = (message: string) =>
    new EmbeddedPostgresUnavailable({ reason: "start_failed", message })

  static readonly directoryUnusable = (message: string) =>
    new EmbeddedPostgresUnavailable({ reason: "directory_unusable", message })
}
