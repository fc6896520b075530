import { Duration } from "effect"
import { Leases } from "../../src/lifecycle/commit/Leases.ts"

/** Leases for tests on the real clock that mean something else: a busy machine does not lose them. */
export const steadyLeases = Leases.layer({
  length: Duration.minutes(10),
  margin: Duration.seconds(1),
  renewEvery: Duration.minutes(1),
  retryEvery: Duration.millis(100)
})
