import { Data, Effect, Schedule } from "effect"
import { get, jsonOf, post } from "./testApi.ts"

/** The connection did not reach an expected state in time. */
export class StateNotReached extends Data.TaggedError("StateNotReached")<{
  readonly message: string
  readonly state: string
}> {}

interface PlanToApprove {
  readonly digest: string
  readonly warnings: ReadonlyArray<string>
}

/** The body of an approval that acknowledges every warning of the plan. */
export const approvalOf = ({ digest, warnings }: PlanToApprove) => ({ digest, acknowledge: warnings })

/** The same as fields of an authorization, which approves the plan in advance. */
export const approvedInAdvance = ({ digest, warnings }: PlanToApprove) => ({
  approvedDigest: digest,
  acknowledge: warnings
})

/** Requests a connection over HTTP, waits for its discovery, and returns it with what a client can do with it. */
export const createTestConnection = (key: string, intent: object) =>
  Effect.gen(function* () {
    const response = yield* post("/v1/connections", key, { intent }, { prefer: "wait=20" })
    const body = yield* jsonOf(response)
    const answered = body.connection
    // With another status, the answer says why.
    if (answered === undefined) return yield* Effect.dieMessage(`POST /v1/connections: ${JSON.stringify(body)}`)
    const path = `/v1/connections/${answered.id}`
    const read = Effect.map(Effect.flatMap(get(path, key), jsonOf), ({ connection }) => connection)
    const poll = Schedule.union(Schedule.exponential("25 millis", 1.3), Schedule.spaced("250 millis"))
    const connection =
      answered.state === "requested"
        ? yield* Effect.repeat(read, { until: ({ state }): boolean => state !== "requested", schedule: poll })
        : answered
    /** Sends a command and returns the status and the body of the response. */
    const send = (command: string, body: object = {}) =>
      Effect.flatMap(post(`${path}/${command}`, key, body), (response) =>
        Effect.map(jsonOf(response), (responseBody) => ({ status: response.status, body: responseBody }))
      )
    return {
      /** The connection after its discovery. */
      created: connection,
      id: String(connection.id),
      read,
      send,
      /** Sends a command that must succeed and returns the connection. */
      command: (command: string, body: object = {}) =>
        Effect.flatMap(send(command, body), ({ body: response, status }) =>
          status === 200
            ? Effect.succeed(response.connection)
            : Effect.dieMessage(`${command}: ${JSON.stringify(response)}`)
        ),
      /** Waits up to ten minutes for one of these states and returns the connection. */
      waitForState: (...states: ReadonlyArray<string>) =>
        read.pipe(
          Effect.filterOrFail(
            ({ state }) => states.includes(state),
            ({ failure, state }) =>
              new StateNotReached({
                state,
                message: `${state}, not ${states.join(" or ")}: ${JSON.stringify(failure)}`
              })
          ),
          Effect.retry({ schedule: poll, times: 1_200, while: ({ state }) => state !== "failed" })
        )
    }
  })
