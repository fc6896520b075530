import { HttpApiBuilder } from "@effect/platform"
import { DateTime, Effect, Option } from "effect"
import type { ApplicationId } from "../../domain/Tenancy.ts"
import { type AuditFilter, AuditStore } from "../../persistence/stores/AuditStore.ts"
import { Api } from "../contract/Api.ts"
import { defaultPageLimit, paginate } from "../contract/requestSchemas.ts"
import { ServerCaller } from "../contract/securitySchemes.ts"
import { compileHandlers } from "../server/CompiledRoutes.ts"

/** The parameters of a request for entries. */
interface AuditQuery extends Omit<AuditFilter, "after" | "before"> {
  readonly after?: DateTime.Utc
  readonly before?: DateTime.Utc
  readonly cursor?: string
  readonly limit?: number
}

/** Handles the audit log of an application, for its API keys and administrators, and that of the admin keys. An entry has less than 12 KiB, and a page thus needs no other limit. */
export const AuditHandlers = HttpApiBuilder.group(
  Api,
  "audit",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* AuditStore

    const listPage = Effect.fnUntraced(function* (
      applicationId: Option.Option<ApplicationId>,
      { after, before, cursor, limit = defaultPageLimit, ...filter }: AuditQuery
    ) {
      const { entries, readUpTo } = yield* store.list(
        applicationId,
        {
          ...filter,
          ...(after === undefined ? {} : { after: DateTime.toDateUtc(after) }),
          ...(before === undefined ? {} : { before: DateTime.toDateUtc(before) })
        },
        { limit: limit + 1, ...(cursor === undefined ? {} : { cursor }) }
      )
      const { nextCursor, page } = paginate(entries, limit)
      return {
        entries: page,
        ...Option.match(
          Option.orElse(nextCursor, () => readUpTo),
          { onNone: () => ({}), onSome: (nextCursor) => ({ nextCursor }) }
        )
      }
    })

    return yield* handlers
      .handle("list", ({ urlParams }) =>
        Effect.flatMap(ServerCaller, ({ tenancy }) => listPage(Option.some(tenancy.applicationId), urlParams))
      )
      .handle("listOfApplication", ({ path, urlParams }) => listPage(Option.some(path.applicationId), urlParams))
      .handle("listOfAdminKeys", ({ urlParams }) => listPage(Option.none(), urlParams))
      .pipe(compileHandlers)
  })
)
