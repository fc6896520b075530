import { Duration } from "effect"

/** How long each part of a connection's life may last, and the intervals between its checks. */
export interface StateTimeouts {
  /** How long the customer may stay at the provider to authorize the service. */
  readonly authorizing: Duration.Duration
  /** How long a credential is kept. */
  readonly credential: Duration.Duration
  /** How long a plan can be approved. */
  readonly plan: Duration.Duration
  /** How long the customer may take to choose an authorization method. */
  readonly awaitingAuthorization: Duration.Duration
  /** How long the customer may take to enter the records by hand. */
  readonly awaitingManual: Duration.Duration
  /** How long the records may take until all servers answer them. */
  readonly verifying: Duration.Duration
  /** The longest time between two checks of an active connection. */
  readonly recheckInterval: Duration.Duration
  /** How long after a first miss an active connection is checked again, to confirm the miss. */
  readonly confirmMissAfter: Duration.Duration
}

/** The timeouts of a lifecycle. */
export interface LifecycleTimeouts extends StateTimeouts {
  /** How often all servers of an active connection are asked whose single servers are looked at; without it none are. */
  readonly verifyInterval?: Duration.Duration
}

export const defaultStateTimeouts: StateTimeouts = {
  authorizing: Duration.minutes(15),
  credential: Duration.minutes(60),
  plan: Duration.minutes(15),
  awaitingAuthorization: Duration.days(7),
  awaitingManual: Duration.hours(72),
  verifying: Duration.hours(24),
  recheckInterval: Duration.hours(1),
  confirmMissAfter: Duration.minutes(5)
}

/** Looks at single servers are worth it where there are several in a day. */
export const withLooks = (timeouts: StateTimeouts): LifecycleTimeouts =>
  Duration.greaterThan(timeouts.recheckInterval, Duration.hours(12))
    ? timeouts
    : { ...timeouts, verifyInterval: Duration.days(1) }
