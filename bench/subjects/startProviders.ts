import { BunContext } from "@effect/platform-bun"
import { Console, Effect, Layer, Option } from "effect"
import { catalogAdapters } from "../../src/providers/catalog/catalogAdapters.ts"
import { Providers } from "../../src/providers/Providers.ts"
import { providersLayer } from "../../src/providers/layer.ts"
import { outboundHttpLayer } from "../../src/providers/outboundHttp.ts"

/**
 * Prints two processor times in milliseconds, in a process that has loaded the modules of the service: of building the
 * providers as its start does, or with the argument `without` as if the catalog had no adapters, and of loading all
 * adapters after that.
 */
await import("../../src/main.ts")

const processorMillisOf = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = process.cpuUsage()
    yield* run
    const { system, user } = process.cpuUsage(before)
    return (system + user) / 1_000
  })

const outbound = { outboundProxy: Option.none() }
const providers =
  process.argv[2] === "without"
    ? Layer.merge(Providers.layer([]), outboundHttpLayer(outbound))
    : providersLayer({ ...outbound, providersFile: Option.none() })

await Effect.runPromise(
  Effect.gen(function* () {
    const buildMillis = yield* processorMillisOf(Effect.scoped(Layer.build(Layer.discard(providers))))
    const loadMillis = yield* processorMillisOf(
      Effect.forEach(Object.values(catalogAdapters), ({ load }) => Effect.promise(load))
    )
    yield* Console.log(JSON.stringify({ buildMillis, loadMillis }))
  }).pipe(Effect.provide(BunContext.layer))
)
