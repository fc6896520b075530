import { Array, Context, DateTime, Effect, Layer, Option } from "effect"
import type { Connection, ConnectionState } from "../../domain/Connection.ts"
import { Identifiers } from "../../domain/Identifiers.ts"
import { noProgress, type Standing } from "../../domain/Progress.ts"
import { type Advanced, CredentialStep, SessionStep } from "../../persistence/Advanced.ts"
import type { NewOAuthSession } from "../../persistence/OAuthSessionStore.ts"
import type { Clocks } from "../state/Clocks.ts"
import type { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { advance, type IllegalTransition } from "../state/LifecycleState.ts"
import { nextDue } from "../state/nextDue.ts"

/** What is written together with a step beside what follows from it. */
export interface Beside {
  readonly credential?: CredentialStep
  /** The visit to the provider that the step opens. */
  readonly opens?: NewOAuthSession
  readonly observations?: string
}

/** What a step of a phase found out, with what it saw. */
export interface Stepped extends Pick<Beside, "observations"> {
  readonly event: LifecycleEvent
}

/** Turns what happened to a connection into all that is to be written. */
export class Steps extends Context.Tag("lifecycle/Steps")<
  Steps,
  {
    readonly clocks: Clocks
    /** A connection that has only been asked for. */
    readonly begin: (connection: Connection) => Effect.Effect<Advanced>
    /** The connection after these events, with its timeline, what is due next and what becomes of its credential. */
    readonly take: (
      from: Standing,
      events: Array.NonEmptyReadonlyArray<LifecycleEvent>,
      beside?: Beside
    ) => Effect.Effect<Advanced, IllegalTransition>
  }
>() {
  static readonly layer = (clocks: Clocks) =>
    Layer.effect(
      Steps,
      Effect.map(Identifiers, ({ next }) => ({
        clocks,
        begin: Effect.fnUntraced(function* (connection) {
          const standing = { connection, progress: noProgress(connection) }
          return {
            standing,
            events: [{ id: yield* next("evt"), to: connection.state }],
            next: nextDue(standing, clocks, connection.createdAt),
            credential: CredentialStep.Keep(),
            session: SessionStep.Keep(),
            observations: Option.none()
          }
        }),
        take: Effect.fnUntraced(function* (from, events, beside = {}) {
          const now = yield* DateTime.now
          const path = [from]
          for (const event of events) path.push(yield* advance(path.at(-1) ?? from, event, now))
          const standing = path.at(-1) ?? from
          return {
            standing,
            events: yield* Effect.forEach(entries(path), (entry) =>
              Effect.map(next("evt"), (id) => ({ id, ...entry }))
            ),
            next: nextDue(standing, clocks, now),
            credential:
              beside.credential ?? (needsCredential(standing) ? CredentialStep.Keep() : CredentialStep.Wipe()),
            session: sessionAfter(from, beside),
            observations: Option.fromNullable(beside.observations)
          }
        })
      }))
    )
}

/** The states that were entered on the way. */
const entries = (path: ReadonlyArray<Standing>) =>
  Array.zip(path, path.slice(1)).flatMap(([{ connection: before }, { connection: after }]) =>
    before.state === after.state
      ? []
      : [
          {
            from: before.state,
            to: after.state,
            ...(after.failure === undefined ? {} : { failure: after.failure.code })
          }
        ]
  )

/** A visit to the provider does not outlast the stay in `authorizing`. */
const sessionAfter = ({ connection: { state } }: Standing, { opens }: Beside): SessionStep => {
  if (opens !== undefined) return SessionStep.Open({ session: opens })
  return state === "authorizing" ? SessionStep.End() : SessionStep.Keep()
}

const needsCredential = ({ connection: { failure, state } }: Standing): boolean =>
  withCredential.has(state) ||
  (state === "failed" && failure?.resumeState !== undefined && withCredential.has(failure.resumeState))

/** The states in which the service reads or writes at the provider, or waits to. */
const withCredential: ReadonlySet<ConnectionState> = new Set<ConnectionState>([
  "authorized",
  "planned",
  "applying",
  "disconnecting"
])
