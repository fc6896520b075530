import { Effect } from "effect"
import { type BenchDatabase, connectionIdOf } from "./BenchDatabase.ts"
import { startBenchSubject } from "./BenchSubject.ts"
import { countRoundTrips } from "./countRoundTrips.ts"
import { type EndpointName, tokenRequest } from "./httpRequests.ts"
import { typicalIntent } from "./typicalConnection.ts"

/** What a subject said to each question, and how often it waited for the database to answer one request. */
export interface RecordedResponses {
  readonly name: string
  readonly answers: Readonly<Record<string, unknown>>
  readonly roundTrips: Readonly<Record<EndpointName, number>>
}

/**
 * Asks a subject the same as all others and says what it answered, with all that differs from one request to the next
 * blotted out; along with the round trips that each answer took.
 */
export const recordResponses = (name: string, database: BenchDatabase): Effect.Effect<RecordedResponses> =>
  Effect.scoped(
    Effect.gen(function* () {
      const counted = yield* countRoundTrips(database)
      const { port } = yield* startBenchSubject(name, counted)
      const ask = (endpoint: EndpointName, headers: Record<string, string> = {}) =>
        Effect.promise(() => answerTo(endpoint, port, { "x-api-key": database.key, ...headers }))
      const trips = (endpoint: EndpointName) =>
        Effect.map(
          // The first ones open sessions and prepare statements.
          Effect.replicateEffect(roundTripsOf(ask(endpoint), counted.roundTrips), 30),
          (counts) => Math.min(...counts)
        )
      return {
        name,
        answers: yield* Effect.all({
          create: ask("create"),
          get: ask("get"),
          "get with If-None-Match": ask("get", { "if-none-match": '"1"' }),
          token: ask("token")
        }),
        roundTrips: yield* Effect.all({ create: trips("create"), get: trips("get"), token: trips("token") })
      }
    })
  )

/** The answers in which a subject differs from the first one. */
export const responseDifferences = ([first, ...others]: ReadonlyArray<RecordedResponses>): ReadonlyArray<string> =>
  others.flatMap(({ answers, name }) =>
    Object.entries(answers).flatMap(([question, answer]) => {
      const expected = first?.answers[question]
      return Bun.deepEquals(answer, expected)
        ? []
        : [`${name} answers ${question} otherwise: ${JSON.stringify({ answer, expected })}`]
    })
  )

const roundTripsOf = (ask: Effect.Effect<unknown>, count: () => number) =>
  Effect.suspend(() => {
    const before = count()
    return Effect.map(ask, () => count() - before)
  })

const answerTo = async (endpoint: EndpointName, port: number, headers: Record<string, string>) => {
  const { body, method, path } = calls[endpoint]
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: [...response.headers].map(([name, value]) => [name, blotted(value)]).filter(([name]) => name !== "date"),
    bytes: text.length,
    body: text === "" ? "" : JSON.parse(blotted(text))
  }
}

const calls = {
  create: { method: "POST", path: "/v1/connections", body: { intent: typicalIntent } },
  get: { method: "GET", path: `/v1/connections/${connectionIdOf(1)}`, body: undefined },
  token: { method: "POST", path: `/v1/connections/${connectionIdOf(1)}/access-token`, body: tokenRequest }
}

/** Ids, tokens, times and what is left of the rate limit. */
const blotted = (text: string): string =>
  text
    .replaceAll(/(con|req|evt)_[0-9a-z]{26}/g, "$1_…")
    .replaceAll(/dct_[0-9A-Za-z]{43}/g, "dct_…")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]{12}Z/g, "…")
    .replace(/r=\d+;t=\d+$/, "r=…;t=…")
