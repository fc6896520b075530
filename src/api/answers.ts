import { HttpServerResponse } from "@effect/platform"
import { Array, Option } from "effect"
import type { StoredConnection } from "../persistence/ConnectionStore.ts"

/**
 * A connection in its envelope, as it is kept, without being decoded on the way; `also` stands beside it, texts that
 * need no escape in JSON.
 */
export const answered = (
  stored: StoredConnection,
  status: number,
  headers: Record<string, string> = {},
  also: Readonly<Record<string, string>> = {}
) => {
  const beside = Object.entries(also).map(([name, text]) => `,"${name}":"${text}"`)
  return asJson(`{"connection":${stored.doc}${beside.join("")}}`, status, { etag: etagOf(stored), ...headers })
}

/** A text that is JSON already. */
export const asJson = (text: string, status = 200, headers: Record<string, string> = {}) =>
  HttpServerResponse.text(text, { status, contentType: "application/json", headers })

/** The ETag of a connection is its version. */
export const etagOf = ({ version }: Pick<StoredConnection, "version">): string => `"${version}"`

/** The headers of an answer that was given before, under the same key. */
export const replayedHeader = (replayed: boolean): Record<string, string> =>
  replayed ? { "idempotent-replayed": "true" } : {}

/** A part of a list that may go on: asked for with one more than it shows. */
export const partOf = <A extends { readonly id: string }>(found: ReadonlyArray<A>, limit: number) => {
  const shown = found.slice(0, limit)
  return { shown, nextCursor: found.length > limit ? Option.map(Array.last(shown), ({ id }) => id) : Option.none() }
}

export const defaultLimit = 50
