import { Duration, Effect, Option } from "effect"
import type { Tenancy } from "../../../domain/access/Tenancy.ts"
import { Connections } from "../../../lifecycle/commands/Connections.ts"
import type { StoredConnection } from "../../../persistence/stores/connections/StoredConnection.ts"
import { Drain } from "../../pipeline/Drain.ts"
import { releasePermit } from "../../../limits/ConcurrencyLimiter.ts"
import { Exchange } from "../../pipeline/Exchange.ts"
import { OpenStreams } from "../../../limits/OpenStreams.ts"

/**
 * Waits for the plan as long as `Prefer: wait=N` says, or until a drain begins; returns the connection and the headers
 * that report it. It does not wait beyond the limits of waiting requests: a preference need not be met.
 */
export const makeWaitForPlan = Effect.gen(function* () {
  const connections = yield* Connections
  const drain = yield* Drain
  const streams = yield* OpenStreams

  return (tenancy: Tenancy, stored: StoredConnection, prefer: string | undefined) => {
    const atOnce: WaitResult = { stored, headers: {} }
    const preferredWait = parsePreferredWait(prefer)
    if (Option.isNone(preferredWait)) return Effect.succeed(atOnce)
    const wait = (atMost: Duration.Duration) => connections.awaitPlan(tenancy, stored.id, atMost)
    return Effect.acquireUseRelease(
      Effect.zipRight(Effect.map(Exchange, releasePermit), Effect.option(streams.open({ id: stored.id, tenancy }))),
      (release) =>
        Option.isNone(release)
          ? Effect.succeed(atOnce)
          : Effect.map(drain.orElseOnDrain(wait(preferredWait.value), wait(Duration.zero)), (current): WaitResult => ({
              stored: current,
              headers: { "preference-applied": `wait=${Duration.toSeconds(preferredWait.value)}` }
            })),
      (release) => Effect.sync(() => Option.getOrUndefined(release)?.())
    )
  }
})

interface WaitResult {
  readonly stored: StoredConnection
  readonly headers: Readonly<Record<string, string>>
}

const maxWaitSeconds = 30

/** Parses `Prefer: wait=N` (RFC 7240 section 4.3); none for anything else. */
const parsePreferredWait = (prefer: string | undefined): Option.Option<Duration.Duration> =>
  Option.fromNullable(/(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(prefer ?? "")?.[1]).pipe(
    Option.map((seconds) => Duration.seconds(Math.min(Number(seconds), maxWaitSeconds)))
  )
