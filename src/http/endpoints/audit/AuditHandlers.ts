import { HttpApiBuilder } from "@effect/platform"
import { type DateTime, Effect, Option } from "effect"
import type { ApplicationId } from "../../../domain/access/Tenancy.ts"
import { type AuditEntryNotFound, type AuditFilter, AuditStore } from "../../../persistence/stores/audit/AuditStore.ts"
import { Api } from "../Api.ts"
import { InvalidRequest } from "../../contract/errorResponses.ts"
import { ServerCaller } from "../../contract/securitySchemes.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"
import { type PageParameters, toPage, toPageRequest } from "../../contract/listParameters.ts"

/** The parameters of a request for entries; `after` and `before` are earlier names of the moments of the page. */
interface AuditQuery extends AuditFilter, PageParameters {
  readonly after?: DateTime.Utc
  readonly before?: DateTime.Utc
}

/** Handles the audit logs. An entry has less than 12 KiB, so that a page needs no limit of bytes. */
export const AuditHandlers = HttpApiBuilder.group(
  Api,
  "audit",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* AuditStore

    const listPage = Effect.fnUntraced(function* (
      applicationId: Option.Option<ApplicationId>,
      { after, before, createdAfter = after, createdBefore = before, cursor, limit, order, ...filter }: AuditQuery
    ) {
      const { entries, readUpTo } = yield* Effect.mapError(
        store.list(applicationId, filter, toPageRequest({ createdAfter, createdBefore, cursor, limit, order })),
        (error) => (error._tag === "AuditEntryNotFound" ? toInvalidCursor(error) : error)
      )
      const { page, ...next } = toPage(entries, { limit })
      return {
        entries: page,
        ...Option.match(readUpTo, { onNone: () => ({}), onSome: (nextCursor) => ({ nextCursor }) }),
        ...next
      }
    })

    return yield* handlers
      .handle("list", ({ urlParams }) =>
        Effect.flatMap(ServerCaller, ({ tenancy }) => listPage(Option.some(tenancy.applicationId), urlParams))
      )
      .handle("listOfApplication", ({ path, urlParams }) => listPage(Option.some(path.applicationId), urlParams))
      .handle("listOfAdminKeys", ({ urlParams }) => listPage(Option.none(), urlParams))
      .pipe(serveEndpoints)
  })
)

const toInvalidCursor = ({ message }: AuditEntryNotFound) =>
  InvalidRequest.of([{ pointer: "/cursor", code: "invalid", message: `${message}: begin again without a cursor` }])
