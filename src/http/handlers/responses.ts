import { HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import type { Tenancy } from "../../domain/Tenancy.ts"
import type { StoredConnection } from "../../persistence/stores/StoredConnection.ts"
import { RequestFingerprints } from "../../security/RequestFingerprints.ts"
import { etagOf } from "../entityTags.ts"

/**
 * Responds with `{"connection": …}` and its ETag. The stored JSON is sent without being decoded; `moreFields` follow it, with
 * texts that need no escaping in JSON.
 */
export const connectionResponse = (
  stored: StoredConnection,
  status: number,
  headers: Record<string, string> = {},
  moreFields: Readonly<Record<string, string>> = {}
) => {
  const more = Object.entries(moreFields).map(([name, text]) => `,"${name}":"${text}"`)
  return jsonResponse(`{"connection":${stored.doc}${more.join("")}}`, status, { etag: etagOf(stored), ...headers })
}

/** Responds with a text that is JSON already. */
export const jsonResponse = (json: string, status = 200, headers: Record<string, string> = {}) =>
  HttpServerResponse.text(json, { status, contentType: "application/json", headers })

/** The header of a response that repeats the first one under the same `Idempotency-Key`. */
export const replayedHeader = (replayed: boolean): Record<string, string> =>
  replayed ? { "idempotent-replayed": "true" } : {}

/** Identifies a request by its tenant, route, `Idempotency-Key` and body; none without a key. */
export const idempotencyOf = (
  tenancy: Tenancy,
  { key, ...request }: { readonly route: string; readonly key: string | undefined; readonly body: unknown }
) =>
  Effect.transposeMapOption(Option.fromNullable(key), (key) =>
    Effect.flatMap(RequestFingerprints, (fingerprints) => fingerprints.compute(tenancy, { ...request, key }))
  )
