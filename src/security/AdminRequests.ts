import { Context, Data, Effect, Layer, Option, Redacted, Schema } from "effect"
import type { IdempotentRequest } from "../domain/access/IdempotentRequest.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { AdminRequestClaim, AdminRequestStore } from "../persistence/stores/access/AdminRequestStore.ts"
import { MasterKeys } from "./MasterKeys.ts"
import { identifyOwner } from "./identifyOwner.ts"
import { makeSealer } from "./makeSealer.ts"

export type AdminRequestOutcome = Data.TaggedEnum<{
  /** The response, which holds secrets. */
  Answered: { readonly response: Redacted.Redacted; readonly isReplayed: boolean }
  /** The first request with the key is still running. */
  InProgress: {}
  /** The key was used with another body. */
  KeyReused: {}
}>
export const AdminRequestOutcome = Data.taggedEnum<AdminRequestOutcome>()

/** Carries out requests of administrators once for each idempotency key, and keeps their responses, sealed, for a day. */
export class AdminRequests extends Context.Tag("security/AdminRequests")<
  AdminRequests,
  {
    /** Without a key the request is carried out each time. */
    readonly once: <E, R>(
      request: Option.Option<IdempotentRequest>,
      respond: Effect.Effect<Redacted.Redacted, E, R>
    ) => Effect.Effect<AdminRequestOutcome, E | StoreUnavailable, R>
  }
>() {
  static readonly layer = Layer.effect(
    AdminRequests,
    Effect.gen(function* () {
      const store = yield* AdminRequestStore
      const { open, seal } = makeSealer(yield* MasterKeys, Schema.Redacted(Schema.String), identifyOwner.adminAnswer)

      const carryOut = <E, R>(request: IdempotentRequest, respond: Effect.Effect<Redacted.Redacted, E, R>) =>
        Effect.gen(function* () {
          const response = yield* respond
          yield* store.complete(request, yield* seal(request, response))
          return AdminRequestOutcome.Answered({ response, isReplayed: false })
        }).pipe(Effect.tapErrorCause(() => Effect.ignoreLogged(store.release(request))))

      return {
        once: (request, respond) =>
          Option.match(request, {
            onNone: () =>
              Effect.map(respond, (response) => AdminRequestOutcome.Answered({ response, isReplayed: false })),
            onSome: (request) =>
              // A client that goes away must not leave a claim that keeps it from trying again.
              Effect.uninterruptible(
                Effect.flatMap(
                  store.claim(request),
                  AdminRequestClaim.$match({
                    Claimed: () => carryOut(request, respond),
                    Answered: ({ response }) =>
                      Effect.map(Effect.catchTag(open(request, response), "UnsealError", Effect.die), (response) =>
                        AdminRequestOutcome.Answered({ response, isReplayed: true })
                      ),
                    InProgress: () => Effect.succeed(AdminRequestOutcome.InProgress()),
                    KeyReused: () => Effect.succeed(AdminRequestOutcome.KeyReused())
                  })
                )
              )
          })
      }
    })
  )
}
