import { Data, Effect } from "effect"
import { type ApiClient, retryUntilAnswered } from "./ApiClient.ts"

/** A connection as its client knows it: `id` and what the API shows of it. */
export type ConnectionJson = any

/** What a client wants connected, and the credential of the zone. `mark` is its own name for it. */
export interface DesiredConnection {
  readonly idempotencyKey: string
  readonly domain: string
  readonly records: ReadonlyArray<object>
  readonly credential: object
}

/** The API said something that ends the journey. */
export class ConnectionStepFailed extends Data.TaggedError("ConnectionStepFailed")<{
  readonly at: string
  readonly said: unknown
}> {
  override get message(): string {
    return `${this.at}: ${JSON.stringify(this.said)}`
  }
}

/** Asks for the connection, and waits for its plan at the first try; repeated until it is answered, it makes no second. */
export const createConnection = (
  api: ApiClient,
  { domain, idempotencyKey: mark, records }: DesiredConnection
): Effect.Effect<ConnectionJson, ConnectionStepFailed> => {
  const tries = ["wait=20"]
  const ask = Effect.suspend(() =>
    api.post(
      "/v1/connections",
      { intent: { domain, records } },
      { prefer: tries.pop() ?? "respond-async", "idempotency-key": mark }
    )
  )
  return Effect.flatMap(retryUntilAnswered(ask), connectionIn("create", 201))
}

/** One click: lets the service in and agrees to exactly the plan that the connection shows. */
export const authorizeAndApprove = (
  api: ApiClient,
  { id, plan }: ConnectionJson,
  { credential, idempotencyKey: mark }: DesiredConnection
) =>
  retryUntilAnswered(
    api.post(
      `/v1/connections/${id}/authorization`,
      { method: "direct_credential", credential, approvedDigest: plan.digest, acknowledge: plan.warnings },
      { "idempotency-key": mark }
    )
  ).pipe(Effect.flatMap(connectionIn("authorization", 200)))

/** Asks every so often until the connection has come so far; ends if it failed. */
export const waitForState = (
  api: ApiClient,
  id: string,
  states: ReadonlyArray<string>,
  everyMillis = 20
): Effect.Effect<ConnectionJson, ConnectionStepFailed> =>
  Effect.suspend(() => retryUntilAnswered(api.get(`/v1/connections/${id}`))).pipe(
    Effect.flatMap(connectionIn("get", 200)),
    Effect.filterOrFail(
      ({ state }) => state !== "failed" || states.includes("failed"),
      ({ failure }) => new ConnectionStepFailed({ at: id, said: failure })
    ),
    Effect.delay(everyMillis),
    Effect.repeat({ until: ({ state }) => states.includes(state) }),
    Effect.timeoutFail({ duration: "150 seconds", onTimeout: () => new ConnectionStepFailed({ at: id, said: states }) })
  )

/** From the request to a plan. */
export const createPlannedConnection = (api: ApiClient, wanted: DesiredConnection) =>
  Effect.flatMap(createConnection(api, wanted), (first) =>
    first.state === "requested" ? waitForState(api, first.id, ["awaiting_authorization"]) : Effect.succeed(first)
  )

/** The states that the connection entered, in their order; `at` in milliseconds since 1970 by the database's clock. */
export const timelineOf = (
  api: ApiClient,
  id: string
): Effect.Effect<ReadonlyArray<{ readonly to: string; readonly at: number }>> =>
  Effect.map(retryUntilAnswered(api.get(`/v1/connections/${id}/events?limit=100`)), ({ body }) =>
    body.events.map(({ occurredAt, to }: ConnectionJson) => ({ to, at: Date.parse(occurredAt) }))
  )

const connectionIn =
  (at: string, expected: number) =>
  ({ body, status }: { readonly body: any; readonly status: number }) =>
    status === expected ? Effect.succeed<ConnectionJson>(body.connection) : new ConnectionStepFailed({ at, said: body })
