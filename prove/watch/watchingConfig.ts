import { Config, Duration } from "effect"
import { ServiceConfig } from "../../src/settings/Config.ts"

/**
 * The settings of a watching service. The interval between two checks is in seconds, which no setting of an operator can
 * express, so that a run takes minutes.
 */
export const watchingConfig = Config.map(
  Config.all({ service: ServiceConfig, seconds: Config.integer("RECHECK_SECONDS") }),
  ({ seconds, service }): ServiceConfig => ({
    ...service,
    stateTimeouts: { ...service.stateTimeouts, recheckInterval: Duration.seconds(seconds) }
  })
)
