import { Chunk, Duration, Effect, Option, Stream } from "effect"
import { finalStates } from "../domain/Connection.ts"
import type { Signals } from "../lifecycle/steps/Signals.ts"
import type { StoredConnection } from "../persistence/ConnectionStore.ts"
import type { ConnectionViews, TimelineRow } from "../persistence/ConnectionViews.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { recordsText, timelineEntry } from "./observed.ts"

/** Where a stream has got to: a version of the connection and an entry of its timeline. It is the id of an event. */
export interface Cursor {
  readonly version: number
  readonly entry: string
}

/** What a stream of one connection is made from. */
export interface Watch {
  /** The connection as it is now, for as long as the caller may see it. */
  readonly look: Effect.Effect<Option.Option<StoredConnection>, StoreUnavailable>
  readonly signals: typeof Signals.Service
  readonly views: typeof ConnectionViews.Service
}

/**
 * The server-sent events (HTML standard 9.2) of a connection from a cursor on: `timeline` for each state that it entered,
 * `records` for what the servers answer, `connection` for the whole, whose id goes on from there; a comment every 15
 * seconds. The stream ends with the connection, or when the caller may see it no longer.
 */
export const connectionStream = (first: StoredConnection, from: Cursor, watch: Watch): Stream.Stream<string> =>
  Stream.concat(
    Stream.make("retry: 2000\n\n"),
    Stream.paginateChunkEffect<Position, string, never, never>({ ...from, now: first }, (position) =>
      Effect.map(newsAt(position, watch), ({ next, texts }) => [Chunk.fromIterable(texts), next])
    )
  )

/** The cursor that a client sends as `Last-Event-ID`; whatever else it sends, it has seen nothing. */
export const cursorOf = (lastEventId: string | undefined): Cursor => {
  const [, version, entry = ""] = /^(\d{1,9})\.(evt_[0-9a-z]{1,60})?$/.exec(lastEventId ?? "") ?? []
  return version === undefined ? { version: 0, entry: "" } : { version: Number(version), entry }
}

const heartbeat = Duration.seconds(15)

interface Position extends Cursor {
  readonly now: StoredConnection
  /** What was told of the servers last. */
  readonly records?: string
}

interface News {
  readonly texts: ReadonlyArray<string>
  readonly next: Option.Option<Position>
}

const newsAt = (position: Position, watch: Watch): Effect.Effect<News> =>
  position.now.version > position.version ? told(position, watch) : awaited(position, watch)

/** Tells what has changed up to the connection as it is now. */
const told = (position: Position, { views }: Watch): Effect.Effect<News> =>
  Effect.gen(function* () {
    const { id, version } = position.now
    const rows = yield* views.timeline(id, { after: position.entry, limit: 1_000 })
    const records = recordsText(position.now, yield* views.observations(id))
    const entry = rows.at(-1)?.id ?? position.entry
    return {
      texts: [
        ...rows.map((row: TimelineRow) => eventOf("timeline", JSON.stringify(timelineEntry(row)))),
        ...(records === position.records ? [] : [eventOf("records", records)]),
        eventOf("connection", position.now.doc, `${version}.${entry}`)
      ],
      next: finalStates.includes(position.now.state)
        ? Option.none()
        : Option.some({ ...position, version, entry, records })
    }
  }).pipe(Effect.catchTag("StoreUnavailable", () => Effect.succeed(nothingNew(position))))

/** Waits for another version; in silence the connection is kept open by a comment. */
const awaited = (position: Position, { look, signals }: Watch): Effect.Effect<News> =>
  Effect.gen(function* () {
    const hasChanged = Effect.map(
      look,
      Option.match({ onNone: () => true, onSome: ({ version }) => version > position.version })
    )
    yield* Effect.timeoutOption(signals.until(position.now.id, heartbeat, hasChanged), heartbeat)
    const now = yield* look
    return Option.match(now, {
      onNone: () => ({ texts: [], next: Option.none() }),
      onSome: (now) =>
        now.version > position.version ? { texts: [], next: Option.some({ ...position, now }) } : nothingNew(position)
    })
  }).pipe(Effect.catchTag("StoreUnavailable", () => Effect.succeed(nothingNew(position))))

const nothingNew = (position: Position): News => ({ texts: [": \n\n"], next: Option.some(position) })

/** JSON has no line breaks of its own. */
const eventOf = (name: string, data: string, id?: string): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`
