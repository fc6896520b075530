import { HttpServerResponse } from "@effect/platform"
import { Effect, Redacted, Schema } from "effect"
import { ApplicationId, TenantId } from "../../../domain/access/Tenancy.ts"
import { IdempotencyInProgress, IdempotencyKeyReused } from "../../../lifecycle/commands/commandErrors.ts"
import type { StoreUnavailable } from "../../../persistence/StoreUnavailable.ts"
import { AdminRequestOutcome, AdminRequests } from "../../../security/AdminRequests.ts"
import { RequestFingerprints } from "../../../security/RequestFingerprints.ts"
import { idempotencyOf, respondWithJson, toReplayedHeader } from "../responses.ts"

/** A request of an administrator that takes effect only once, if it has an idempotency key. */
interface AdminRequest {
  /** The method and the path. */
  readonly route: string
  readonly key: string | undefined
  readonly body: unknown
}

/** Makes the function that answers 201 to a request, and with the same body to each repetition of it under its idempotency key. */
export const makeIdempotentAnswer = Effect.gen(function* () {
  const requests = yield* AdminRequests
  const fingerprints = yield* RequestFingerprints

  return <A, I, E, R>(
    request: AdminRequest,
    schema: Schema.Schema<A, I>,
    create: Effect.Effect<A, E, R>,
    headers: Record<string, string> = {}
  ): Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    E | IdempotencyInProgress | IdempotencyKeyReused | StoreUnavailable,
    R
  > =>
    Effect.gen(function* () {
      const idempotency = yield* idempotencyOf(fingerprints, administrationTenancy, request)
      const encode = Schema.encodeSync(Schema.parseJson(schema))
      const respond = Effect.map(create, (created) => Redacted.make(encode(created)))
      return yield* Effect.flatMap(
        requests.once(idempotency, respond),
        AdminRequestOutcome.$match({
          Answered: ({ isReplayed, response }) =>
            Effect.succeed(
              respondWithJson(Redacted.value(response), 201, { ...headers, ...toReplayedHeader(isReplayed) })
            ),
          InProgress: () => Effect.fail(IdempotencyInProgress.error),
          KeyReused: () => Effect.fail(IdempotencyKeyReused.error)
        })
      )
    })
})

/** The tenancy under which administrators' requests are fingerprinted. No tenant has routes of administrators. */
export const administrationTenancy = {
  applicationId: ApplicationId.make("administration"),
  tenantId: TenantId.make("administration")
}
