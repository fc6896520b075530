import { expect } from "bun:test"
import { Effect } from "effect"
import { Tables } from "../../support/memory/Tables.ts"

/** The expected error response; `details` are a JSON pointer, a code, and what else the detail has beside its message. */
export interface ExpectedError {
  readonly status: number
  readonly code: string
  readonly details?: ReadonlyArray<
    readonly [
      pointer: string,
      code: string,
      more?: { readonly suggestion?: string | undefined; readonly conflictsWith?: string }
    ]
  >
  /** The commands that a `state_conflict` names; by default any. */
  readonly allowedActions?: ReadonlyArray<string>
  /** When the service checks again by itself, as a `state_conflict` says it. */
  readonly nextCheckAt?: string
}

/** Asserts that a request gets this error in the shape of the contract and writes no row. */
export const expectErrorWithoutWrites = <E, R>(request: Effect.Effect<Response, E, R>, refusal: ExpectedError) =>
  Effect.flatMap(withoutWrites(request), (response) => expectError(response, refusal))

/** Runs a request and asserts that it creates no connection, idempotency record or token. */
export const withoutWrites = <A, E, R>(request: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* rowCounts
    const response = yield* request
    expect(yield* rowCounts).toEqual(before)
    return response
  })

/** The number of rows in each table that requests write to. */
export const rowCounts = Effect.map(Tables, ({ connections, idempotency, tokens }) => ({
  connections: connections.size,
  idempotency: idempotency.size,
  tokens: tokens.size
}))

/** Asserts that a response is this error, in the shape of the contract and below 8 KB; returns its message. */
export const expectError = (
  response: Response,
  { allowedActions, code, details, nextCheckAt, status }: ExpectedError
): Effect.Effect<string> =>
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
            documentationUrl: `/docs/errors#${code}`,
            ...(code === "state_conflict" ? { allowedActions: allowedActions ?? expect.any(Array) } : {}),
            ...(nextCheckAt === undefined ? {} : { nextCheckAt }),
            ...(details === undefined
              ? {}
              : {
                  details: details.map(([pointer, detail, more]) => ({
                    pointer,
                    code: detail,
                    message: sentence,
                    ...more
                  }))
                })
          }
        }
      })
      expect(text.length).toBeLessThan(8_192)
      if (countedCodes.has(code)) expect(body.error.message).toMatch(countOfProblems)
      return body.error.message
    }
  )

/** Readable: one line, without a schema or a stack. */
const sentence = expect.stringMatching(/^(?!.*(└|readonly|Expected|Error:|\{ ))[^\n]{1,300}$/)

/** The codes of requests that have problems in several places. */
const countedCodes: ReadonlySet<string> = new Set(["invalid_request", "unprocessable"])

/** How the message of such an error begins. */
const countOfProblems = /^\d+ (problem|(or more )?problems) in (intent|the request)[^:]*: /
