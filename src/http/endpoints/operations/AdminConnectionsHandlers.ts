import { HttpApiBuilder } from "@effect/platform"
import { Effect, Either } from "effect"
import { ConnectionOperations } from "../../../administration/ConnectionOperations.ts"
import type { ConnectionState, FailureCode } from "../../../domain/connection/Connection.ts"
import { parseDomain } from "../../../domain/names/DomainName.ts"
import type { ApplicationId, TenantId } from "../../../domain/access/Tenancy.ts"
import type { InspectionFilter } from "../../../persistence/stores/connections/ConnectionInspections.ts"
import { Api } from "../Api.ts"
import { InvalidRequest } from "../../contract/errorResponses.ts"
import { toPage, toPageRequest } from "../../contract/listParameters.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"

export const AdminConnectionsHandlers = HttpApiBuilder.group(
  Api,
  "adminConnections",
  Effect.fnUntraced(function* (handlers) {
    const operations = yield* ConnectionOperations
    return yield* handlers
      .handle("list", ({ urlParams }) =>
        Effect.gen(function* () {
          const { state, stuckSeconds } = urlParams
          const filter = {
            ...(yield* toFilter(urlParams)),
            ...(state === undefined ? {} : { states: state }),
            ...(stuckSeconds === undefined ? {} : { overdueSeconds: stuckSeconds })
          }
          const { page, ...next } = toPage(yield* operations.list(filter, toPageRequest(urlParams)), urlParams)
          // Another order than that of the cursor.
          return { connections: page, ...(stuckSeconds === undefined ? next : {}) }
        })
      )
      .handle("inspect", ({ path }) =>
        Effect.map(operations.inspect(path.connectionId), (inspection) => ({ inspection }))
      )
      .handle("overview", () => Effect.map(operations.overview, (overview) => ({ overview })))
      .handle("retry", ({ path }) => answer(operations.retry(path.connectionId)))
      .handle("recheck", ({ path }) => answer(operations.recheck(path.connectionId)))
      .handle("cancel", ({ path }) => answer(operations.cancel(path.connectionId)))
      .handle("retryAll", ({ payload }) =>
        Effect.gen(function* () {
          const { dryRun = false, limit = 100 } = payload
          const filter = yield* toFilter(payload)
          return { connections: yield* operations.retryAll({ filter, limit, isDryRun: dryRun }) }
        })
      )
      .pipe(serveEndpoints)
  })
)

const answer = <A, E, R>(act: Effect.Effect<A, E, R>) => Effect.map(act, (connection) => ({ connection }))

/** What a request may restrict by. */
interface FilterParameters {
  readonly failure?: FailureCode
  readonly provider?: string
  readonly applicationId?: ApplicationId
  readonly tenantId?: TenantId
  readonly domain?: string
  readonly state?: ReadonlyArray<ConnectionState>
}

const toFilter = ({
  applicationId,
  domain,
  failure,
  provider,
  tenantId
}: FilterParameters): Either.Either<InspectionFilter, InvalidRequest> => {
  const others = {
    ...(failure === undefined ? {} : { failure }),
    ...(provider === undefined ? {} : { providerId: provider }),
    ...(applicationId === undefined ? {} : { applicationId }),
    ...(tenantId === undefined ? {} : { tenantId })
  }
  return domain === undefined
    ? Either.right(others)
    : Either.mapBoth(parseDomain(domain), {
        onLeft: (issue) => InvalidRequest.of([{ pointer: "/domain", ...issue }]),
        onRight: (domain) => ({ ...others, domain })
      })
}
