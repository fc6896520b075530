import { Data, Effect } from "effect"
import { type ApiClient, retryUntilAnswered } from "./ApiClient.ts"

/** A connection as JSON of the API. */
export type ConnectionJson = any

/** The connection that a client requests, with the credential of the zone. */
export interface DesiredConnection {
  readonly idempotencyKey: string
  readonly domain: string
  readonly records: ReadonlyArray<object>
  readonly credential: object
}

/** An unexpected response of the API. */
export class ConnectionStepFailed extends Data.TaggedError("ConnectionStepFailed")<{
  readonly at: string
  readonly response: unknown
}> {
  override get message(): string {
    return `${this.at}: ${JSON.stringify(this.response)}`
  }
}

/** The states of a one-click connection in their order. */
export const oneClickStates = ["requested", "awaiting_authorization", "authorized", "applying", "verifying", "active"]

/**
 * Requests the connection and, at the first try, waits for its plan. Repeats until there is a response; the idempotency
 * key prevents a second connection.
 */
export const createConnection = (
  api: ApiClient,
  { domain, idempotencyKey, records }: DesiredConnection
): Effect.Effect<ConnectionJson, ConnectionStepFailed> => {
  const preferences = ["wait=20"]
  const request = Effect.suspend(() =>
    api.post(
      "/v1/connections",
      { intent: { domain, records }, allowDuplicate: true },
      { prefer: preferences.pop() ?? "respond-async", "idempotency-key": idempotencyKey }
    )
  )
  return Effect.flatMap(retryUntilAnswered(request), connectionIn("create", 201))
}

/** One click: authorizes the service and approves exactly the plan of the connection. */
export const authorizeAndApprove = (
  api: ApiClient,
  { id, plan }: ConnectionJson,
  { credential, idempotencyKey }: DesiredConnection
) =>
  retryUntilAnswered(
    api.post(
      `/v1/connections/${id}/authorization`,
      { method: "direct_credential", credential, approvedDigest: plan.digest, acknowledge: plan.warnings },
      { "idempotency-key": idempotencyKey }
    )
  ).pipe(Effect.flatMap(connectionIn("authorization", 200)))

/** Polls until the connection is in one of the states; fails if the connection failed. */
export const waitForState = (
  api: ApiClient,
  id: string,
  states: ReadonlyArray<string>,
  intervalMillis = 20
): Effect.Effect<ConnectionJson, ConnectionStepFailed> =>
  Effect.suspend(() => retryUntilAnswered(api.get(`/v1/connections/${id}`))).pipe(
    Effect.flatMap(connectionIn("get", 200)),
    Effect.filterOrFail(
      ({ state }) => state !== "failed" || states.includes("failed"),
      ({ failure }) => new ConnectionStepFailed({ at: id, response: failure })
    ),
    Effect.delay(intervalMillis),
    Effect.repeat({ until: ({ state }) => states.includes(state) }),
    Effect.timeoutFail({
      duration: "150 seconds",
      onTimeout: () => new ConnectionStepFailed({ at: id, response: states })
    })
  )

/** Requests a connection and waits for its plan; fails if the discovery failed. */
export const createPlannedConnection = (
  api: ApiClient,
  desired: DesiredConnection
): Effect.Effect<ConnectionJson, ConnectionStepFailed> =>
  Effect.flatMap(createConnection(api, desired), ({ failure, ...connection }) => {
    switch (connection.state) {
      case "requested":
        return waitForState(api, connection.id, ["awaiting_authorization"])
      case "failed":
        return new ConnectionStepFailed({ at: connection.id, response: failure })
      default:
        return Effect.succeed(connection)
    }
  })

/** The states of the connection in their order; `at` in milliseconds since 1970 by the database's clock. */
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
    status === expected
      ? Effect.succeed<ConnectionJson>(body.connection)
      : new ConnectionStepFailed({ at, response: body })
