import { connectionIdOf } from "./BenchDatabase.ts"
import { typicalIntent } from "./typicalConnection.ts"

/** Raw HTTP requests for an endpoint, and the status that all of them must get. */
export interface RequestSet {
  readonly requests: ReadonlyArray<Uint8Array>
  readonly status: number
}

/** The measured endpoints. */
export const endpointNames = ["create", "get", "token"] as const
export type EndpointName = (typeof endpointNames)[number]

/** Builds requests for an endpoint, spread at random over this number of connections. */
export const requestsFor = (endpoint: EndpointName, key: string, connections: number): RequestSet => {
  const ids = Array.from({ length: Math.min(20_000, connections) }, () =>
    connectionIdOf(1 + Math.floor(Math.random() * connections))
  )
  switch (endpoint) {
    case "create":
      return {
        status: 201,
        requests: [rawRequest("POST", "/v1/connections", key, { intent: typicalIntent, allowDuplicate: true })]
      }
    case "get":
      return { status: 200, requests: ids.map((id) => rawRequest("GET", `/v1/connections/${id}`, key)) }
    case "token":
      return {
        status: 201,
        requests: ids.map((id) => rawRequest("POST", `/v1/connections/${id}/access-token`, key, tokenRequest))
      }
  }
}

export const tokenRequest = { origin: "https://shop.example.com" }

const rawRequest = (method: string, path: string, key: string, body?: unknown): Uint8Array => {
  const json = body === undefined ? "" : JSON.stringify(body)
  const bodyHeaders =
    body === undefined ? [] : ["content-type: application/json", `content-length: ${Buffer.byteLength(json)}`]
  return Buffer.from(
    [`${method} ${path} HTTP/1.1`, "host: 127.0.0.1", `x-api-key: ${key}`, ...bodyHeaders, "", json].join("\r\n")
  )
}
