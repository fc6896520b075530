import { SqlClient } from "@effect/sql"
import { SqlError } from "@effect/sql/SqlError"
import { Chunk, Context, Duration, Effect, Layer, PubSub, Queue, Redacted, Schedule, Stream } from "effect"
import { Client } from "pg"
import { sqlErrorReason } from "../StoreUnavailable.ts"

/** What may be told: the id of a connection that was written, the run of a phase that is over. */
export type ClusterEventTopic = "connection_changed" | "phase_over"

const topics: ReadonlyArray<ClusterEventTopic> = ["connection_changed", "phase_over"]

/**
 * What the processes on one database tell each other to spare a look into the tables. A word is heard soon or never:
 * who misses one finds out by looking. Unless `layer` is provided there are no others.
 */
export class ClusterEvents extends Context.Reference<ClusterEvents>()("persistence/ClusterEvents", {
  defaultValue: (): ClusterEventsShape => ({ publish: () => Effect.void, subscribe: () => Stream.empty })
}) {
  /** By NOTIFY, at once but never within another statement: commits that notify wait for each other. */
  static readonly layer = (url: Redacted.Redacted) =>
    Layer.scoped(
      ClusterEvents,
      Effect.gen(function* () {
        const outgoing = yield* Queue.sliding<Word>(bufferedWords)
        const incoming = yield* PubSub.sliding<Word>(bufferedWords)
        yield* Effect.forkScoped(Effect.forever(tell(outgoing)))
        yield* Effect.forkScoped(Effect.repeat(listen(url, incoming), Schedule.spaced(lookEvery)))
        return {
          publish: (topic, text) => Queue.offer(outgoing, { topic, text }),
          subscribe: (topic) =>
            Stream.fromPubSub(incoming).pipe(
              Stream.filter((word) => word.topic === topic),
              Stream.map(({ text }) => text)
            )
        }
      })
    )
}

interface ClusterEventsShape {
  readonly publish: (topic: ClusterEventTopic, text: string) => Effect.Effect<void>
  /** What is said from now on, by this process too. */
  readonly subscribe: (topic: ClusterEventTopic) => Stream.Stream<string>
}

interface Word {
  readonly topic: string
  readonly text: string
}

const bufferedWords = 4_096
const wordsAtOnce = 500
const lookEvery = Duration.seconds(1)
const patience = Duration.seconds(5)

/** Tells what has gathered since it told the last, in one statement. */
const tell = (outgoing: Queue.Dequeue<Word>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const words = Chunk.toReadonlyArray(yield* Queue.takeBetween(outgoing, 1, wordsAtOnce))
    yield* sql`
      select pg_notify(topic, word)
      from unnest(${words.map(({ topic }) => topic)}::text[], ${words.map(({ text }) => text)}::text[])
        as told (topic, word)`
  }).pipe(Effect.catchTag("SqlError", (error) => Effect.logDebug("Could not tell the others", sqlErrorReason(error))))

/** Listens on a connection of its own, until that is lost or does not answer. */
const listen = (url: Redacted.Redacted, incoming: PubSub.PubSub<Word>) =>
  Effect.gen(function* () {
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => new Client({ connectionString: Redacted.value(url), connectionTimeoutMillis: 2_000 })),
      (open) => Effect.promise(() => open.end()).pipe(Effect.interruptible, Effect.timeoutOption(Duration.seconds(1)))
    )
    // A connection that is lost tells so; it shows at the next question too, and nobody listening would end the process.
    client.on("error", () => {})
    client.on("notification", ({ channel, payload = "" }) => incoming.unsafeOffer({ topic: channel, text: payload }))
    yield* asking(() => client.connect())
    yield* asking(() => client.query(topics.map((topic) => `listen ${topic}`).join("; ")))
    yield* Effect.repeat(
      asking(() => client.query("select 1")),
      Schedule.spaced(lookEvery)
    )
  }).pipe(
    Effect.scoped,
    Effect.catchAll((error) => Effect.logDebug("Does not hear the others", sqlErrorReason(error)))
  )

const asking = (ask: () => Promise<unknown>) =>
  Effect.tryPromise({ try: ask, catch: (cause) => new SqlError({ cause, message: "it refuses" }) }).pipe(
    Effect.timeoutFail({
      duration: patience,
      onTimeout: () => new SqlError({ cause: undefined, message: "it does not answer" })
    })
  )
