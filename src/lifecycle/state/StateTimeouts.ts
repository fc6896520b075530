import { Duration } from "effect"

/** How long things may take, or wait, in the life of a connection. */
export interface StateTimeouts {
  /** The customer is at the provider to let the service in. */
  readonly authorizing: Duration.Duration
  /** A credential is kept. */
  readonly credential: Duration.Duration
  /** A plan may be approved. */
  readonly plan: Duration.Duration
  /** The customer may think about how to let the service in. */
  readonly awaitingAuthorization: Duration.Duration
  /** The customer may take to enter the records by hand. */
  readonly awaitingManual: Duration.Duration
  /** The records may take to be seen everywhere. */
  readonly verifying: Duration.Duration
  /** Between two looks at an active connection. */
  readonly recheckInterval: Duration.Duration
  /** Between seeing that an active connection lacks something and believing it. */
  readonly confirmMissAfter: Duration.Duration
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
