import { Data, Duration, Option } from "effect"
import type { FailureCode } from "../../domain/connection/Connection.ts"
import { longestWait } from "../../providers/withRetry.ts"

/** The provider asks to wait. The journal has what was written; a later run writes the rest. */
export class ApplyDelayed extends Data.TaggedError("ApplyDelayed")<{
  readonly resumesIn: Duration.Duration
  readonly detail: string
}> {}

/** A failure of a call to the provider, and the circumstances in which it came. */
interface DelayableFailure {
  readonly failure: {
    readonly code: FailureCode
    readonly detail: string
    readonly isBusy?: boolean
    readonly retryAfter?: Duration.Duration | undefined
  }
  /** Whether part of the plan may be in the zone. */
  readonly isPartlyWritten: boolean
  readonly longestDelay: Duration.Duration
}

/**
 * Decides whether a plan waits after failed retries: if the provider asks for more time than these take. A partly written
 * one also waits if the provider limits calls or is busy: half a plan is worse than a late one.
 */
export const findDelay = ({
  failure: { code, detail, isBusy = false, retryAfter = Duration.zero },
  isPartlyWritten,
  longestDelay
}: DelayableFailure): Option.Option<ApplyDelayed> => {
  const isLimited = isPartlyWritten && (isBusy || code === "provider_rate_limited")
  const resumesIn = isLimited ? Duration.max(retryAfter, shortestDelay) : retryAfter
  return (isLimited || Duration.greaterThan(retryAfter, longestWait)) && Duration.lessThan(resumesIn, longestDelay)
    ? Option.some(new ApplyDelayed({ resumesIn, detail }))
    : Option.none()
}

/** Longer than a retry takes, where the provider names no time or too short a one. */
const shortestDelay = Duration.seconds(30)
