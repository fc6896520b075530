import { HttpServerResponse } from "@effect/platform"
import { DateTime, Effect, Option, Schema } from "effect"
import { type Connection, ConnectionAction } from "../../domain/connection/Connection.ts"
import { toObservationsDocument } from "../../domain/plan/ObservationsDocument.ts"
import { Observations, RecordObservation } from "../../domain/plan/RecordObservation.ts"
import { IdempotencyKeyReused } from "../../lifecycle/commands/commandErrors.ts"
import type { Tenancy } from "../../domain/access/Tenancy.ts"
import type { StoredObservations, TimelineRow } from "../../persistence/stores/connections/ConnectionViews.ts"
import {
  decodeConnection,
  renewDocument,
  type StoredConnection
} from "../../persistence/stores/connections/StoredConnection.ts"
import type { Providers } from "../../providers/Providers.ts"
import { listConnectionGuides } from "../../providers/guides/listConnectionGuides.ts"
import type { RequestFingerprints } from "../../security/RequestFingerprints.ts"

/** Responds with `{"connection": …}` and its ETag, without decoding. `moreFields` follow, and need no escaping. */
export const respondWithConnection = (
  stored: StoredConnection,
  { callableActions }: { readonly callableActions: ReadonlyArray<ConnectionAction> },
  status: number,
  headers: Record<string, string> = {},
  moreFields: Readonly<Record<string, string>> = {}
) => {
  const more = Object.entries(moreFields).map(([name, text]) => `,"${name}":"${text}"`)
  const json = `{"connection":${formatDocument(stored, callableActions)}${more.join("")}}`
  return respondWithJson(json, status, { etag: etagOf(stored), ...headers })
}

/** The JSON of a connection as a caller of these commands may see it. */
export const formatDocument = (
  { doc }: Pick<StoredConnection, "doc">,
  callableActions: ReadonlyArray<ConnectionAction>
): string => restrictAllowedActions(renewDocument(doc), callableActions)

/** A connection as it is now: once the time of its next check has come, the service is checking. */
export const toCurrent = (stored: StoredConnection, now: DateTime.Utc): StoredConnection => {
  const check = findField(stored.doc, nextCheckAt)
  return check === undefined || Date.parse(check.value) > DateTime.toEpochMillis(now)
    ? stored
    : { ...stored, doc: stored.doc.slice(0, check.start) + stored.doc.slice(check.end) }
}

/** The JSON of a connection for a caller who may call only these commands. */
const restrictAllowedActions = (json: string, callable: ReadonlyArray<ConnectionAction>): string => {
  const field = callable.length === ConnectionAction.literals.length ? undefined : findField(json, allowedActions)
  if (field === undefined) return json
  const allowed: ReadonlyArray<ConnectionAction> = JSON.parse(field.value)
  const restricted = JSON.stringify(allowed.filter((action) => callable.includes(action)))
  return `${json.slice(0, field.start)}"allowedActions":${restricted}${json.slice(field.end)}`
}

/** How a field begins in JSON, and the sticky pattern of the whole, whose group is the value. */
interface FieldPattern {
  readonly beginning: string
  readonly pattern: RegExp
}

const nextCheckAt: FieldPattern = { beginning: '"nextCheckAt":', pattern: /"nextCheckAt":"([^"]*)",/y }

const allowedActions: FieldPattern = { beginning: '"allowedActions":', pattern: /"allowedActions":(\[[^\]]*\])/y }

/**
 * Finds a field in JSON without decoding it. Quotes within strings are escaped, so that only the field is found, or one of
 * the metadata, which come last. A pattern alone would take a hundred times as long in a large document.
 */
const findField = (json: string, { beginning, pattern }: FieldPattern) => {
  const start = json.indexOf(beginning)
  if (start === -1) return undefined
  const metadata = json.indexOf('"metadata":{')
  if (metadata !== -1 && metadata < start) return undefined
  pattern.lastIndex = start
  const value = pattern.exec(json)?.[1]
  return value === undefined ? undefined : { start, end: pattern.lastIndex, value }
}

/** Responds with a text that is JSON already. */
export const respondWithJson = (json: string, status = 200, headers: Record<string, string> = {}) =>
  HttpServerResponse.text(json, { status, contentType: "application/json", headers })

/** The header of a response that repeats the first one under the same `Idempotency-Key`. */
export const toReplayedHeader = (isReplayed: boolean): Record<string, string> =>
  isReplayed ? { "idempotent-replayed": "true" } : {}

/** Identifies a request by its tenant, route, `Idempotency-Key` and body; none without a key. */
export const idempotencyOf = (
  fingerprints: typeof RequestFingerprints.Service,
  tenancy: Tenancy,
  { key, ...request }: { readonly route: string; readonly key: string | undefined; readonly body: unknown }
) => Effect.transposeMapOption(Option.fromNullable(key), (key) => fingerprints.compute(tenancy, { ...request, key }))

/** Answers a request without a body, with which no idempotency key can have been used for another one. */
export const withoutBody = <A, E, R>(answer: Effect.Effect<A, E | IdempotencyKeyReused, R>) =>
  Effect.catchIf(
    answer,
    (error): error is Extract<E | IdempotencyKeyReused, IdempotencyKeyReused> => error instanceof IdempotencyKeyReused,
    Effect.die
  )

/** The body of `/records`: the answers of servers, `unknown` before the first check, and how to change by hand. */
export const toObservationsJson = (
  { doc }: StoredConnection,
  observations: StoredObservations,
  providers: typeof Providers.Service
): string => {
  const connection = decodeConnection(doc)
  const body = {
    ...Option.match(observations.doc, {
      onNone: () => ({ records: toUnknownRecords(connection) }),
      onSome: decodeObservations
    }),
    ...(Option.isNone(observations.lastCheckedAt) ? {} : { lastCheckedAt: observations.lastCheckedAt.value }),
    ...(Option.isNone(observations.nextCheckAt) ? {} : { nextCheckAt: observations.nextCheckAt.value })
  }
  const guides = listConnectionGuides(connection, body, providers)
  return JSON.stringify({
    ...toObservationsDocument(encodeObservations(body), connection),
    ...(guides.length === 0 ? {} : { guides })
  })
}

export const toTimelineEntryBody = ({ failure, from, replan, ...entry }: TimelineRow) => ({
  ...entry,
  ...(from === null ? {} : { from }),
  ...(failure === null ? {} : { failure }),
  ...(replan === null ? {} : { replan })
})

const decodeObservations = Schema.decodeSync(Schema.parseJson(Observations))

const encodeObservations = Schema.encodeSync(Observations)

const toUnknownRecords = ({ effectiveIntent }: Connection) =>
  effectiveIntent.records.map((expected) => RecordObservation.make({ expected, observed: [], status: "unknown" }))

/** The ETag of a connection: its version. */
export const etagOf = ({ version }: Pick<StoredConnection, "version">): string => `"${version}"`

/** Whether `If-None-Match` names this ETag; a weak tag does too (RFC 9110 section 13.1.2). */
export const matchesIfNoneMatch = (ifNoneMatch: string, etag: string): boolean =>
  splitTags(ifNoneMatch).some((tag) => ["*", etag, `W/${etag}`].includes(tag))

/** Whether `If-Match` names this ETag; a weak tag never does (RFC 9110 section 13.1.1). */
export const matchesIfMatch = (ifMatch: string, etag: string): boolean =>
  splitTags(ifMatch).some((tag) => ["*", etag].includes(tag))

/** Whether a version is one that `If-Match` names, if the request has one. */
export const toVersionCheck = (ifMatch: string | undefined): Option.Option<(version: number) => boolean> =>
  Option.map(Option.fromNullable(ifMatch), (etags) => (version) => matchesIfMatch(etags, etagOf({ version })))

/** Splits at commas, which none of this service's tags contains. */
const splitTags = (header: string): ReadonlyArray<string> => header.split(",").map((tag) => tag.trim())
