import * as Sse from "@effect/experimental/Sse"
import { DateTime, Effect, Option } from "effect"
import { type ConnectionAction, finalStates } from "../../../domain/connection/Connection.ts"
import type { StoreUnavailable } from "../../../persistence/StoreUnavailable.ts"
import type { ConnectionNotFound } from "../../../persistence/stores/connections/ConnectionStore.ts"
import type { ConnectionViews, TimelineRow } from "../../../persistence/stores/connections/ConnectionViews.ts"
import type { StoredConnection } from "../../../persistence/stores/connections/StoredConnection.ts"
import type { Providers } from "../../../providers/Providers.ts"
import { sha256 } from "../../../security/secrets.ts"
import type { SharedText, StreamUpdate } from "./EventStreams.ts"
import { formatDocument, toCurrent, toObservationsJson, toTimelineEntryBody } from "../responses.ts"

/** How far a client has read a stream: a version and an entry of the timeline. Events carry it as id. */
interface StreamCursor {
  readonly version: number
  readonly entry: string
}

interface StreamSource {
  /** The commands that the caller may call. */
  readonly callableActions: ReadonlyArray<ConnectionAction>
  /** The current version of the connection; none once it is gone. */
  readonly findVersion: Effect.Effect<Option.Option<number>, StoreUnavailable>
  /** Reads the connection, once its version is a new one. */
  readonly find: Effect.Effect<StoredConnection, ConnectionNotFound | StoreUnavailable>
  /** Reads what `readNewEvents` reads. */
  readonly readNewEvents: (current: StoredConnection, entry: string) => Effect.Effect<NewEvents, StoreUnavailable>
  /** Whether the caller may still read the connection. */
  readonly hasAccess: Effect.Effect<boolean, StoreUnavailable>
}

/** The timeline after an entry, and the event of the observed records. */
export interface NewEvents {
  readonly entries: ReadonlyArray<TimelineRow>
  readonly records: SharedText
}

interface NewEventSources {
  readonly providers: typeof Providers.Service
  readonly views: typeof ConnectionViews.Service
}

export const readNewEvents = (
  { providers, views }: NewEventSources,
  current: StoredConnection,
  entry: string
): Effect.Effect<NewEvents, StoreUnavailable> =>
  Effect.gen(function* () {
    const entries = yield* views.listTimeline(current.id, { after: entry, limit: 1_000 })
    const observations = yield* views.findObservations(current.id)
    return { entries, records: shareRecords(toObservationsJson(current, observations, providers)) }
  })

/**
 * Reads the new server-sent events (HTML standard 9.2) at each run, after a cursor: `timeline` for each entered state,
 * `records`, and `connection`, whose id is the new cursor; a comment if nothing is new. The last update reports the end
 * of the connection, or of the caller's access.
 */
export const readConnectionEvents = (
  cursor: StreamCursor,
  { callableActions, find, findVersion, hasAccess, readNewEvents }: StreamSource
): Effect.Effect<StreamUpdate> => {
  let position: StreamPosition = cursor

  const readEvents = Effect.gen(function* () {
    const current = yield* find
    const { entries, records } = yield* readNewEvents(current, position.entry)
    const entry = entries.at(-1)?.id ?? position.entry
    const now = toCurrent(current, yield* DateTime.now)
    // The client chooses the cursor, so streams share only what does not depend on it.
    const texts = [
      entries.map((row) => encodeEvent("timeline", JSON.stringify(toTimelineEntryBody(row)))).join(""),
      ...(records.key === position.recordsKey ? [] : [records]),
      `id: ${current.version}.${entry}\n`,
      shareConnection(now, callableActions)
    ].filter((text) => text !== "")
    const update = { texts, isLast: finalStates.includes(current.state) }
    return { update, next: { version: current.version, entry, recordsKey: records.key } }
  })

  return Effect.gen(function* () {
    const version = yield* findVersion
    if (Option.isNone(version)) return endOfAccess
    const found = version.value > position.version ? yield* readEvents : undefined
    // Checked last, so that no event is sent that was written after the access had ended.
    if (!(yield* hasAccess)) return endOfAccess
    if (found === undefined) return heartbeat
    position = found.next
    return found.update
  }).pipe(
    Effect.catchTags({
      ConnectionNotFound: () => Effect.succeed(endOfAccess),
      StoreUnavailable: () => Effect.succeed(heartbeat)
    })
  )
}

/** Parses the cursor that a client sends as `Last-Event-ID`; anything else means the beginning. */
export const parseStreamCursor = (lastEventId: string | undefined): StreamCursor => {
  const [, version, entry = ""] = /^(\d{1,9})\.(evt_[0-9a-z]{1,60})?$/.exec(lastEventId ?? "") ?? []
  return version === undefined ? { version: 0, entry: "" } : { version: Number(version), entry }
}

interface StreamPosition extends StreamCursor {
  readonly recordsKey?: string
}

const heartbeat: StreamUpdate = { texts: [": \n\n"], isLast: false }

const endOfAccess: StreamUpdate = { texts: [], isLast: true }

/** The key cannot be forged: with an equal key a tenant would get another's observations. */
const shareRecords = (records: string): SharedText => ({
  key: Buffer.from(sha256(records)).toString("base64"),
  write: () => encodeEvent("records", records)
})

/** Documents of one version differ only in the time of the next check, so that equal lengths mean equal texts. */
const shareConnection = (current: StoredConnection, callableActions: ReadonlyArray<ConnectionAction>): SharedText => ({
  key: [current.id, current.version, current.doc.length, ...callableActions].join(" "),
  write: () => encodeEvent("connection", formatDocument(current, callableActions))
})

const encodeEvent = (event: string, data: string): string =>
  Sse.encoder.write({ _tag: "Event", event, data, id: undefined })
