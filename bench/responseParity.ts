import { Effect } from "effect"
import { type BenchDatabase, connectionIdOf } from "./BenchDatabase.ts"
import { startBenchSubject } from "./BenchSubject.ts"
import { countRoundTrips } from "./countRoundTrips.ts"
import { type EndpointName, tokenRequest } from "./httpRequests.ts"
import { typicalIntent } from "./typicalConnection.ts"

/** The responses of a subject to the same requests, and the database round trips of each. */
export interface RecordedResponses {
  readonly name: string
  readonly responses: Readonly<Record<string, unknown>>
  readonly roundTrips: Readonly<Record<EndpointName, number>>
}

/**
 * Sends a subject the same requests as all others and records its responses, without what differs from one request to
 * the next, and the database round trips of each request.
 */
export const recordResponses = (name: string, database: BenchDatabase): Effect.Effect<RecordedResponses> =>
  Effect.scoped(
    Effect.gen(function* () {
      const counted = yield* countRoundTrips(database)
      const { port } = yield* startBenchSubject(name, counted)
      const request = (endpoint: EndpointName, headers: Record<string, string> = {}) =>
        Effect.promise(() => responseTo(endpoint, port, { "x-api-key": database.key, ...headers }))
      const roundTripsTo = (endpoint: EndpointName) =>
        Effect.map(
          // The first requests open sessions and prepare statements.
          Effect.replicateEffect(roundTripsOf(request(endpoint), counted.roundTrips), 30),
          (counts) => Math.min(...counts)
        )
      return {
        name,
        responses: yield* Effect.all({
          create: request("create"),
          get: request("get"),
          "get with If-None-Match": request("get", { "if-none-match": '"1"' }),
          token: request("token")
        }),
        roundTrips: yield* Effect.all({
          create: roundTripsTo("create"),
          get: roundTripsTo("get"),
          token: roundTripsTo("token")
        })
      }
    })
  )

/** Describes the responses in which a subject differs from the first one. */
export const responseDifferences = ([first, ...others]: ReadonlyArray<RecordedResponses>): ReadonlyArray<string> =>
  others.flatMap(({ name, responses }) =>
    Object.entries(responses).flatMap(([request, response]) => {
      const expected = first?.responses[request]
      return Bun.deepEquals(response, expected)
        ? []
        : [`${name} answers ${request} differently: ${JSON.stringify({ response, expected })}`]
    })
  )

const roundTripsOf = (request: Effect.Effect<unknown>, count: () => number) =>
  Effect.suspend(() => {
    const before = count()
    return Effect.map(request, () => count() - before)
  })

const responseTo = async (endpoint: EndpointName, port: number, headers: Record<string, string>) => {
  const { body, method, path } = calls[endpoint]
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: [...response.headers].map(([name, value]) => [name, mask(value)]).filter(([name]) => name !== "date"),
    bytes: text.length,
    body: text === "" ? "" : JSON.parse(mask(text))
  }
}

const calls = {
  create: { method: "POST", path: "/v1/connections", body: { intent: typicalIntent, allowDuplicate: true } },
  get: { method: "GET", path: `/v1/connections/${connectionIdOf(1)}`, body: undefined },
  token: { method: "POST", path: `/v1/connections/${connectionIdOf(1)}/access-token`, body: tokenRequest }
}

/** Masks ids, tokens, times and the rest of the rate limit. */
const mask = (text: string): string =>
  text
    .replaceAll(/(con|req|evt)_[0-9a-z]{26}/g, "$1_…")
    .replaceAll(/dct_[0-9A-Za-z]{43}/g, "dct_…")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]{12}Z/g, "…")
    .replace(/r=\d+;t=\d+$/, "r=…;t=…")
