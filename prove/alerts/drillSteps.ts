import { Effect, type Scope } from "effect"
import type { ApiClient } from "../ApiClient.ts"
import { createConnection, createPlannedConnection, type ConnectionJson } from "../connectionSteps.ts"

/** Repeats a request or a step for as long as the scope is open, whatever comes of it. */
export const keepDoing = (
  step: Effect.Effect<unknown, unknown>,
  millis: number
): Effect.Effect<void, never, Scope.Scope> =>
  step.pipe(
    Effect.sandbox,
    Effect.ignore,
    Effect.zipRight(Effect.sleep(millis)),
    Effect.forever,
    Effect.forkScoped,
    Effect.asVoid
  )

/** A connection of a domain of the lab, up to its plan. */
export const plannedConnection = (api: ApiClient, domain: string): Effect.Effect<ConnectionJson> =>
  Effect.orDie(createPlannedConnection(api, desiredConnection(domain)))

/** The same without waiting for anything. */
export const requestedConnection = (api: ApiClient, domain: string): Effect.Effect<ConnectionJson> =>
  Effect.orDie(createConnection({ ...api, post: (path, body) => api.post(path, body) }, desiredConnection(domain)))

/** Approves the plan with a credential, as a customer does in one click. */
export const enterCredential = (api: ApiClient, { id, plan }: ConnectionJson, apiToken: string) =>
  api.post(`/v1/connections/${id}/authorization`, {
    method: "direct_credential",
    credential: { apiToken },
    approvedDigest: plan.digest,
    acknowledge: plan.warnings
  })

const desiredConnection = (domain: string) => ({
  idempotencyKey: domain,
  domain,
  records: [{ host: "shop", type: "CNAME", value: "web.hostprov.net" }],
  credential: {}
})
