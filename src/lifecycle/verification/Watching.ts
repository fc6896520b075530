import { Context, DateTime, Duration, Effect, Either, Layer, Option, Schema } from "effect"
import { Observations } from "../../domain/Observation.ts"
import { type ChangeRecord, Plan } from "../../domain/Plan.ts"
import type { Progress, Standing } from "../../domain/Progress.ts"
import type { Clocks } from "../state/Clocks.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { type Stepped, Steps } from "../steps/Steps.ts"
import { Verification, type Verified } from "./Verification.ts"

/** Looks at a connection whose records should be served: until they are, and from then on. */
export class Watching extends Context.Tag("lifecycle/Watching")<
  Watching,
  { readonly watch: (standing: Standing) => Effect.Effect<Stepped> }
>() {
  static readonly layer = Layer.effect(
    Watching,
    Effect.gen(function* () {
      const { verify } = yield* Verification
      const { clocks } = yield* Steps

      return {
        watch: Effect.fn("Watching.watch")(function* ({ connection, progress }) {
          const verified = yield* verify(connection)
          const now = yield* DateTime.now
          return {
            event: LifecycleEvent.Checked({
              authoritative: verified.authoritative,
              inPublic: verified.public,
              repair: repairFrom(verified, DateTime.addDuration(now, clocks.plan)),
              isSure: isSure(progress, clocks, now),
              timeIsUp: isOver(progress.enteredAt, limitOf(connection.state, clocks), now)
            }),
            observations: docOf({
              records: verified.records,
              ...Option.match(toRemove(verified), { onNone: () => ({}), onSome: (toRemove) => ({ toRemove }) }),
              ...(verified.failure === undefined ? {} : { failure: verified.failure })
            })
          }
        })
      }
    })
  )
}

/** What stands in the way of what is wanted; nothing does where all is right. */
const toRemove = ({ authoritative, planned }: Verified): Option.Option<ReadonlyArray<ChangeRecord>> =>
  authoritative === "right"
    ? Option.some([])
    : Option.map(plannedIn(planned), ({ changes }) =>
        changes.flatMap(({ action, before }) => (action === "delete" && before !== undefined ? [before] : []))
      )

const docOf = Schema.encodeSync(Schema.parseJson(Observations))

const limitOf = (state: Standing["connection"]["state"], clocks: Clocks): Duration.Duration =>
  state === "awaiting_manual" ? clocks.awaitingManual : clocks.verifying

const isOver = (since: DateTime.Utc, duration: Duration.Duration, now: DateTime.Utc): boolean =>
  DateTime.greaterThanOrEqualTo(now, DateTime.addDuration(since, duration))

/** One miss may be a server that is being restarted. */
const isSure = ({ missedAt, urgent }: Progress, { secondLook }: Clocks, now: DateTime.Utc): boolean =>
  urgent || (missedAt !== undefined && isOver(missedAt, secondLook, now))

const repairFrom = ({ planned }: Verified, expiresAt: DateTime.Utc): Option.Option<Plan> =>
  Option.map(plannedIn(planned), ({ changes, digest, warnings, zone }) =>
    Plan.make({ digest, zone, basis: "public_dns", changes, warnings, expiresAt })
  )

const plannedIn = (planned: Verified["planned"]) => Option.flatMap(Option.fromNullable(planned), Either.getRight)
