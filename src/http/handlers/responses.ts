import { HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import type { Tenancy } from "../../domain/Tenancy.ts"
import type { StoredConnection } from "../../persistence/stores/ConnectionStore.ts"
import { RequestFingerprints } from "../../security/RequestFingerprints.ts"
import { etagOf } from "../entityTags.ts"

/**
 * A connection in its envelope, as it is kept, without being decoded on the way; `also` stands beside it, texts that
 * need no escape in JSON.
 */
export const connectionResponse = (
  stored: StoredConnection,
  status: number,
  headers: Record<string, string> = {},
  also: Readonly<Record<string, string>> = {}
) => {
  const beside = Object.entries(also).map(([name, text]) => `,"${name}":"${text}"`)
  return jsonResponse(`{"connection":${stored.doc}${beside.join("")}}`, status, { etag: etagOf(stored), ...headers })
}

/** A text that is JSON already. */
export const jsonResponse = (text: string, status = 200, headers: Record<string, string> = {}) =>
  HttpServerResponse.text(text, { status, contentType: "application/json", headers })

/** The headers of an answer that was given before, under the same key. */
export const replayedHeader = (replayed: boolean): Record<string, string> =>
  replayed ? { "idempotent-replayed": "true" } : {}

/** What makes a request known again, if its client gave it an `Idempotency-Key`. */
export const idempotencyOf = (
  tenancy: Tenancy,
  { key, ...request }: { readonly route: string; readonly key: string | undefined; readonly body: unknown }
) =>
  Effect.transposeMapOption(Option.fromNullable(key), (key) =>
    Effect.flatMap(RequestFingerprints, (fingerprints) => fingerprints.compute(tenancy, { ...request, key }))
  )
