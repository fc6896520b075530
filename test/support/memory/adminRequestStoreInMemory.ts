import { Clock, Effect, Layer } from "effect"
import type { IdempotentRequest } from "../../../src/domain/access/IdempotentRequest.ts"
import { AdminRequestClaim, AdminRequestStore } from "../../../src/persistence/stores/access/AdminRequestStore.ts"
import { isRetryOf } from "../../../src/persistence/stores/connections/isRetryOf.ts"
import { Tables } from "./Tables.ts"

const minute = 60_000
const day = 24 * 60 * minute

/** Responses to administrators in a map, with the same guarantees as the table of PostgreSQL. */
export const adminRequestStoreInMemory = Layer.effect(
  AdminRequestStore,
  Effect.map(Tables, ({ adminRequests }) => ({
    claim: (request) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const earlier = adminRequests.get(nameOf(request))
        const age = now - (earlier?.createdAt ?? 0)
        if (earlier === undefined || age >= day || (earlier.response === undefined && age >= minute)) {
          adminRequests.set(nameOf(request), { fingerprint: request.fingerprints[0], createdAt: now })
          return AdminRequestClaim.Claimed()
        }
        if (!(yield* isRetryOf(request, earlier.fingerprint))) return AdminRequestClaim.KeyReused()
        return earlier.response === undefined
          ? AdminRequestClaim.InProgress()
          : AdminRequestClaim.Answered({ response: earlier.response })
      }),
    complete: (request, response) =>
      Effect.sync(() => {
        const row = adminRequests.get(nameOf(request))
        if (row !== undefined) row.response = response
      }),
    release: (request) =>
      Effect.sync(() => {
        if (adminRequests.get(nameOf(request))?.response === undefined) adminRequests.delete(nameOf(request))
      })
  }))
)

const nameOf = ({ key, route }: IdempotentRequest): string => `${route} ${key}`
