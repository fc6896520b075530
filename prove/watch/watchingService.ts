import { Effect, Layer } from "effect"
import { serviceLayer } from "../../src/main.ts"
import { runProgram } from "../../src/runProgram.ts"
import { startupBanner } from "../../src/startupBanner.ts"
import { watchingConfig } from "./watchingConfig.ts"

/** The service as in `main`, with the interval between two checks in seconds. */
const program = Effect.gen(function* () {
  const config = yield* watchingConfig
  const banner = startupBanner({
    databaseUrl: config.databaseUrl,
    data: { path: config.dataDirectory, exists: true },
    needsPublicUrl: false,
    needsTrustedProxies: false
  })
  return yield* Layer.launch(Layer.provide(banner, serviceLayer(config)))
})

runProgram(program)
