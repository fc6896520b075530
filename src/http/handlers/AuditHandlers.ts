import { HttpApiBuilder } from "@effect/platform"
import { DateTime, Effect, Option } from "effect"
import { AuditStore } from "../../persistence/stores/AuditStore.ts"
import { Api } from "../contract/Api.ts"
import { defaultPageLimit, paginate } from "../contract/requestSchemas.ts"
import { ServerCaller } from "../contract/securitySchemes.ts"
import { compileHandlers } from "../server/CompiledRoutes.ts"

/** Handles the audit log of the application of an API key. An entry has less than 4 KiB, and a page thus needs no other limit. */
export const AuditHandlers = HttpApiBuilder.group(
  Api,
  "audit",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* AuditStore

    return yield* handlers
      .handle("list", ({ urlParams }) =>
        Effect.gen(function* () {
          const { after, before, cursor, limit = defaultPageLimit, ...filter } = urlParams
          const { tenancy } = yield* ServerCaller
          const rows = yield* store.list(
            tenancy.applicationId,
            {
              ...filter,
              ...(after === undefined ? {} : { after: DateTime.toDateUtc(after) }),
              ...(before === undefined ? {} : { before: DateTime.toDateUtc(before) })
            },
            { limit: limit + 1, ...(cursor === undefined ? {} : { cursor }) }
          )
          const { nextCursor, page } = paginate(rows, limit)
          return {
            entries: page,
            ...Option.match(nextCursor, { onNone: () => ({}), onSome: (nextCursor) => ({ nextCursor }) })
          }
        })
      )
      .pipe(compileHandlers)
  })
)
