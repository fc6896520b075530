import { Data, Effect, Schedule } from "effect"
import { get, jsonOf, post } from "./testApi.ts"

/** The connection did not come to a state that was waited for. */
export class StateNotReached extends Data.TaggedError("StateNotReached")<{
  readonly message: string
  readonly state: string
}> {}

/** Asks for a connection; when its discovery has ended, gives it and what a client can do with it. */
export const createTestConnection = (key: string, intent: object) =>
  Effect.gen(function* () {
    const asked = yield* post("/v1/connections", key, { intent }, { prefer: "wait=20" })
    const { connection } = yield* jsonOf(asked)
    const path = `/v1/connections/${connection.id}`
    const now = Effect.map(Effect.flatMap(get(path, key), jsonOf), ({ connection }) => connection)
    /** Sends a command; gives the status and the body of the answer. */
    const say = (command: string, body: object = {}) =>
      Effect.flatMap(post(`${path}/${command}`, key, body), (answer) =>
        Effect.map(jsonOf(answer), (said) => ({ status: answer.status, said }))
      )
    return {
      asked: connection,
      id: String(connection.id),
      now,
      say,
      /** Sends a command that has to be obeyed; gives the connection. */
      command: (command: string, body: object = {}) =>
        Effect.flatMap(say(command, body), ({ said, status }) =>
          status === 200 ? Effect.succeed(said.connection) : Effect.dieMessage(`${command}: ${JSON.stringify(said)}`)
        ),
      /** The connection once it is in one of these states, for fifteen seconds. */
      until: (...states: ReadonlyArray<string>) =>
        now.pipe(
          Effect.filterOrFail(
            ({ state }) => states.includes(state),
            ({ failure, state }) =>
              new StateNotReached({
                state,
                message: `${state}, not ${states.join(" or ")}: ${JSON.stringify(failure)}`
              })
          ),
          Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 300, while: ({ state }) => state !== "failed" })
        )
    }
  })
