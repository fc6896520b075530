import { SqlClient } from "@effect/sql"
import { SqlError } from "@effect/sql/SqlError"
import { Chunk, Context, Duration, Effect, Layer, PubSub, Queue, type Redacted, Schedule, Stream } from "effect"
import { readSqlErrorReason } from "../StoreUnavailable.ts"
import { DatabaseClient, type DatabaseClientConfig } from "./DatabaseClient.ts"
import { makeSessionConfigs } from "./databasePool.ts"

/** The text is the id of a written connection, or of an ended process whose phases another one released. */
type ClusterEventTopic = "connection_changed" | "phases_released"

const topics: ReadonlyArray<ClusterEventTopic> = ["connection_changed", "phases_released"]

/** Events between processes, which save polling; one that misses an event polls. Without `layer` there are none. */
export class ClusterEvents extends Context.Reference<ClusterEvents>()("persistence/ClusterEvents", {
  defaultValue: (): ClusterEventsShape => ({ publish: () => Effect.void, subscribe: () => Stream.empty })
}) {
  /** Sends events by NOTIFY, in statements of their own, because commits that notify wait for each other. */
  static readonly layer = (url: Redacted.Redacted) =>
    Layer.scoped(
      ClusterEvents,
      Effect.gen(function* () {
        const outgoing = yield* Queue.sliding<ClusterEvent>(bufferSize)
        const incoming = yield* PubSub.sliding<ClusterEvent>(bufferSize)
        yield* Effect.forkScoped(Effect.forever(sendPending(outgoing)))
        // The pool of this URL has been opened by the same.
        const sessions = yield* Effect.orDie(makeSessionConfigs(url))
        yield* Effect.forkScoped(Effect.repeat(receive(sessions.next, incoming), Schedule.spaced(pollInterval)))
        return {
          publish: (topic, text) => Queue.offer(outgoing, { topic, text }),
          subscribe: (topic) =>
            Stream.fromPubSub(incoming).pipe(
              Stream.filter((event) => event.topic === topic),
              Stream.map(({ text }) => text)
            )
        }
      })
    )
}

interface ClusterEventsShape {
  readonly publish: (topic: ClusterEventTopic, text: string) => Effect.Effect<void>
  /** The texts that are published from now on, also by this process. */
  readonly subscribe: (topic: ClusterEventTopic) => Stream.Stream<string>
}

interface ClusterEvent {
  readonly topic: string
  readonly text: string
}

const bufferSize = 4_096
const maxEventsPerStatement = 500
const pollInterval = Duration.seconds(1)
const queryTimeout = Duration.seconds(5)

/** Sends in one statement the events that have gathered since the last one. */
const sendPending = (outgoing: Queue.Dequeue<ClusterEvent>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const events = Chunk.toReadonlyArray(yield* Queue.takeBetween(outgoing, 1, maxEventsPerStatement))
    yield* sql`
      select pg_notify(topic, text)
      from unnest(${events.map(({ topic }) => topic)}::text[], ${events.map(({ text }) => text)}::text[])
        as pending (topic, text)`
  }).pipe(
    Effect.catchTag("SqlError", (error) =>
      Effect.logDebug("Could not publish cluster events", readSqlErrorReason(error))
    )
  )

/** Receives events on a connection of its own, until that is lost or does not answer. */
const receive = (nextSession: () => DatabaseClientConfig, incoming: PubSub.PubSub<ClusterEvent>) =>
  Effect.gen(function* () {
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => new DatabaseClient(nextSession())),
      (client) =>
        Effect.promise(() => client.end()).pipe(Effect.interruptible, Effect.timeoutOption(Duration.seconds(1)))
    )
    client.on("notification", ({ channel, payload = "" }) => incoming.unsafeOffer({ topic: channel, text: payload }))
    yield* query(() => client.connect())
    yield* query(() => client.query(topics.map((topic) => `listen ${topic}`).join("; ")))
    yield* Effect.repeat(
      query(() => client.query("select 1")),
      Schedule.spaced(pollInterval)
    )
  }).pipe(
    Effect.scoped,
    Effect.catchAll((error) =>
      Effect.logDebug("Lost the connection that receives cluster events", readSqlErrorReason(error))
    )
  )

const query = (send: () => Promise<unknown>) =>
  Effect.tryPromise({ try: send, catch: (cause) => new SqlError({ cause, message: "the database refuses" }) }).pipe(
    Effect.timeoutFail({
      duration: queryTimeout,
      onTimeout: () => new SqlError({ cause: undefined, message: "the database does not answer" })
    })
  )
