import { Command, Options } from "@effect/cli"
import { Console, Data, Effect, type Layer, Option, Schema } from "effect"
import { ApplicationId, tenancyIdRule } from "../domain/access/Tenancy.ts"
import { AuditEntry } from "../domain/access/AuditEntry.ts"
import { AuditStore } from "../persistence/stores/audit/AuditStore.ts"
import { type EnvironmentOption, environment as environmentOf, validate } from "./options.ts"

const exportEntries = Command.make(
  "export",
  {
    applicationId: Options.text("application").pipe(
      validate(ApplicationId, `--application takes ${tenancyIdRule}`),
      Options.withDescription("Whose entries to export; without it those of the admin keys, which belong to none."),
      Options.optional
    ),
    after: Options.text("after").pipe(
      validate(Schema.String.pipe(Schema.pattern(/^aud_\d{1,18}$/)), "--after takes the id of an entry"),
      Options.withDescription("The id of the last entry of an earlier export, which this one continues."),
      Options.optional
    ),
    environment: environmentOf("the entries are")
  },
  ({ after, applicationId }) =>
    Effect.gen(function* () {
      const store = yield* AuditStore
      const createdBefore = yield* store.completeUntil
      yield* Console.error(`The entries are complete up to ${createdBefore.toISOString()}; --after the last goes on.`)
      let cursor = Option.getOrUndefined(after)
      do {
        const page = { order: "asc", limit: pageSize, createdBefore } as const
        const { entries, readUpTo } = yield* store.list(
          applicationId,
          {},
          cursor === undefined ? page : { ...page, after: cursor }
        )
        for (const entry of entries) yield* Console.log(encodeEntry(entry))
        cursor = entries.length === pageSize ? entries.at(-1)?.id : Option.getOrUndefined(readUpTo)
      } while (cursor !== undefined)
    }).pipe(
      Effect.catchTag("AuditEntryNotFound", ({ id, message }) => {
        const next = Option.contains(after, id) ? `export again without --after ${id}` : "export again"
        return Effect.fail(new ExportInterrupted({ message: `${message}: ${next}` }))
      })
    )
).pipe(
  Command.withDescription(
    "Print the entries of an application, the oldest first, a JSON document in each line. To go on later, name the id of the last one."
  )
)

class ExportInterrupted extends Data.TaggedError("ExportInterrupted")<{ readonly message: string }> {}

const pageSize = 1_000

const encodeEntry = Schema.encodeSync(Schema.parseJson(AuditEntry))

/** `audit export`: prints the audit log for another system to keep. */
export const makeAuditCommand = <E, R>(auditOf: (option: EnvironmentOption) => Layer.Layer<AuditStore, E, R>) =>
  Command.make("audit").pipe(
    Command.withDescription("The audit log."),
    Command.withSubcommands([Command.provide(exportEntries, auditOf)])
  )
