import { Config, ConfigError, Either, Option } from "effect"
import { ServiceConfig } from "./Config.ts"

/**
 * The settings of a service that starts. In a container the default of `PUBLIC_URL` is never what browsers can reach; the
 * commands do not need it.
 */
export const StartConfig = Config.mapOrFail(ServiceConfig, (config) =>
  config.requiresPublicUrl && Option.isNone(config.publicUrl)
    ? Either.left(
        ConfigError.InvalidData(
          ["PUBLIC_URL"],
          "must be set in a container: the https URL under which customers' browsers reach the service"
        )
      )
    : Either.right(config)
)
