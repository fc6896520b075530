import { expect } from "bun:test"
import { Effect } from "effect"
import { Tables } from "../../support/memory/Tables.ts"

/** What an error answer says; `details` are pairs of JSON pointer and code. */
export interface ExpectedError {
  readonly status: number
  readonly code: string
  readonly details?: ReadonlyArray<readonly [pointer: string, code: string]>
}

/** Asserts that a request is refused in the one shape of the contract and leaves no trace in any table. */
export const expectErrorWithoutWrites = <E, R>(request: Effect.Effect<Response, E, R>, refusal: ExpectedError) =>
  Effect.flatMap(withoutWrites(request), (response) => expectError(response, refusal))

/** Runs a request and asserts that no connection, idempotency record or token came of it. */
export const withoutWrites = <A, E, R>(request: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* rowCounts
    const answer = yield* request
    expect(yield* rowCounts).toEqual(before)
    return answer
  })

/** How many rows there are of what requests make. */
export const rowCounts = Effect.map(Tables, ({ connections, idempotency, tokens }) => ({
  connections: connections.size,
  idempotency: idempotency.size,
  tokens: tokens.size
}))

/** Asserts that an answer is this error, in the one shape of the contract and no longer than 8 KB; gives its sentence. */
export const expectError = (response: Response, { code, details, status }: ExpectedError): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => response.text()),
    (text) => {
      const body = JSON.parse(text)
      expect({ status: response.status, type: response.headers.get("content-type"), body }).toEqual({
        status,
        type: "application/json",
        body: {
          error: {
            code,
            message: sentence,
            status,
            requestId: response.headers.get("x-request-id"),
            ...(details === undefined
              ? {}
              : { details: details.map(([pointer, detail]) => ({ pointer, code: detail, message: sentence })) })
          }
        }
      })
      expect(text.length).toBeLessThan(8_192)
      return body.error.message
    }
  )

/** For people: one line, no schema, no stack. */
const sentence = expect.stringMatching(/^(?!.*(└|readonly|Expected|Error:|\{ ))[^\n]{1,300}$/)
