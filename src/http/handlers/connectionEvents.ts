import { Effect, Option } from "effect"
import { finalStates } from "../../domain/Connection.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type { ConnectionViews, TimelineRow } from "../../persistence/stores/ConnectionViews.ts"
import type { StoredConnection } from "../../persistence/stores/StoredConnection.ts"
import type { StreamUpdate } from "./EventStreams.ts"
import { observationJson, timelineEntryBody } from "./observationBody.ts"

/** Where a stream has got to: a version of the connection and an entry of its timeline. It is the id of an event. */
export interface StreamCursor {
  readonly version: number
  readonly entry: string
}

/** What a stream of one connection is made from. */
export interface StreamSource {
  /** The connection as it is now, for as long as the caller may see it. */
  readonly reread: Effect.Effect<Option.Option<StoredConnection>, StoreUnavailable>
  readonly views: typeof ConnectionViews.Service
}

/**
 * The server-sent events (HTML standard 9.2) of a connection that are new each time, from a cursor on: `timeline` for each
 * state that it entered, `records` for what the servers answer, `connection` for the whole, whose id goes on from there;
 * a comment if there is nothing new. They end with the connection, or when the caller may see it no longer.
 */
export const connectionEvents = (
  from: StreamCursor,
  { reread: look, views }: StreamSource
): Effect.Effect<StreamUpdate> => {
  let position: Position = from

  const told = (now: StoredConnection) =>
    Effect.gen(function* () {
      const rows = yield* views.listTimeline(now.id, { after: position.entry, limit: 1_000 })
      const records = observationJson(now, yield* views.findObservations(now.id))
      const entry = rows.at(-1)?.id ?? position.entry
      const texts = [
        ...rows.map((row: TimelineRow) => eventOf("timeline", JSON.stringify(timelineEntryBody(row)))),
        ...(records === position.records ? [] : [eventOf("records", records)]),
        eventOf("connection", now.doc, `${now.version}.${entry}`)
      ]
      position = { version: now.version, entry, records }
      return { text: texts.join(""), isLast: finalStates.includes(now.state) }
    })

  return look.pipe(
    Effect.flatMap(
      Option.match({
        onNone: () => Effect.succeed({ text: "", isLast: true }),
        onSome: (now) => (now.version > position.version ? told(now) : Effect.succeed(nothingNew))
      })
    ),
    Effect.catchTag("StoreUnavailable", () => Effect.succeed(nothingNew))
  )
}

/** The cursor that a client sends as `Last-Event-ID`; whatever else it sends, it has seen nothing. */
export const parseStreamCursor = (lastEventId: string | undefined): StreamCursor => {
  const [, version, entry = ""] = /^(\d{1,9})\.(evt_[0-9a-z]{1,60})?$/.exec(lastEventId ?? "") ?? []
  return version === undefined ? { version: 0, entry: "" } : { version: Number(version), entry }
}

interface Position extends StreamCursor {
  /** What was told of the servers last. */
  readonly records?: string
}

const nothingNew: StreamUpdate = { text: ": \n\n", isLast: false }

/** JSON has no line breaks of its own. */
const eventOf = (name: string, data: string, id?: string): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`
