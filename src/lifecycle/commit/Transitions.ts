import { Array, Context, DateTime, Effect, Layer, Option } from "effect"
import type { Connection, ConnectionState } from "../../domain/Connection.ts"
import { type ConnectionRecord, initialProgress } from "../../domain/ConnectionRecord.ts"
import { Identifiers } from "../../domain/Identifiers.ts"
import { CredentialChange, type NewOAuthSession, SessionChange, type Transition } from "../../domain/Transition.ts"
import type { LifecycleEvent } from "../state/LifecycleEvent.ts"
import type { StateTimeouts } from "../state/StateTimeouts.ts"
import { advance, type IllegalTransition } from "../state/advance.ts"
import { nextDue } from "../state/nextDue.ts"

/** What is written together with a step beside what follows from it. */
export interface SideEffects {
  readonly credential?: CredentialChange
  /** The visit to the provider that the step opens. */
  readonly oauthSession?: NewOAuthSession
  readonly observations?: string
}

/** What a step of a phase found out, with what it saw. */
export interface StepResult extends Pick<SideEffects, "observations"> {
  readonly event: LifecycleEvent
}

/** Turns what happened to a connection into all that is to be written. */
export class Transitions extends Context.Tag("lifecycle/Transitions")<
  Transitions,
  {
    readonly timeouts: StateTimeouts
    /** A connection that has only been asked for. */
    readonly start: (connection: Connection) => Effect.Effect<Transition>
    /** The connection after these events, with its timeline, what is due next and what becomes of its credential. */
    readonly apply: (
      from: ConnectionRecord,
      events: Array.NonEmptyReadonlyArray<LifecycleEvent>,
      beside?: SideEffects
    ) => Effect.Effect<Transition, IllegalTransition>
  }
>() {
  static readonly layer = (clocks: StateTimeouts) =>
    Layer.effect(
      Transitions,
      Effect.map(Identifiers, ({ next }) => ({
        timeouts: clocks,
        start: Effect.fnUntraced(function* (connection) {
          const standing = { connection, progress: initialProgress(connection) }
          return {
            after: standing,
            events: [{ id: yield* next("evt"), to: connection.state }],
            next: nextDue(standing, clocks, connection.createdAt),
            credential: CredentialChange.Keep(),
            session: SessionChange.Keep(),
            observations: Option.none()
          }
        }),
        apply: Effect.fnUntraced(function* (from, events, beside = {}) {
          const now = yield* DateTime.now
          const path = [from]
          for (const event of events) path.push(yield* advance(path.at(-1) ?? from, event, now))
          const standing = path.at(-1) ?? from
          return {
            after: standing,
            events: yield* Effect.forEach(entries(path), (entry) =>
              Effect.map(next("evt"), (id) => ({ id, ...entry }))
            ),
            next: nextDue(standing, clocks, now),
            credential:
              beside.credential ?? (needsCredential(standing) ? CredentialChange.Keep() : CredentialChange.Delete()),
            session: sessionAfter(from, beside),
            observations: Option.fromNullable(beside.observations)
          }
        })
      }))
    )
}

/** The states that were entered on the way. */
const entries = (path: ReadonlyArray<ConnectionRecord>) =>
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
const sessionAfter = (
  { connection: { state } }: ConnectionRecord,
  { oauthSession: opens }: SideEffects
): SessionChange => {
  if (opens !== undefined) return SessionChange.Replace({ session: opens })
  return state === "authorizing" ? SessionChange.Delete() : SessionChange.Keep()
}

const needsCredential = ({ connection: { failure, state } }: ConnectionRecord): boolean =>
  withCredential.has(state) ||
  (state === "failed" && failure?.resumeState !== undefined && withCredential.has(failure.resumeState))

/** The states in which the service reads or writes at the provider, or waits to. */
const withCredential: ReadonlySet<ConnectionState> = new Set<ConnectionState>([
  "authorized",
  "planned",
  "applying",
  "disconnecting"
])
