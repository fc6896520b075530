import { type Context, Effect, Layer, Option } from "effect"
import { httpLayer } from "../../../src/http/layer.ts"
import { offlineDns, apiServicesLayer, storesInMemory, noRateLimits } from "../../support/testApi.ts"

/** The HTTP API over in-memory stores, with some methods replaced to fail or to wait. */
export const apiWith = <A, E, R>(replacements: Layer.Layer<A, E, R>, rates: typeof noRateLimits = noRateLimits) =>
  httpLayer({ host: "127.0.0.1", port: 0, publicUrl: Option.none(), ...rates }).pipe(
    Layer.provideMerge(apiServicesLayer),
    Layer.provide(offlineDns),
    Layer.provideMerge(replacements),
    Layer.provideMerge(storesInMemory)
  )

/** A service with some of its methods replaced. */
export const overrideService = <I, S extends object>(tag: Context.Tag<I, S>, methods: (real: S) => Partial<S>) =>
  Layer.effect(
    tag,
    Effect.map(tag, (real) => ({ ...real, ...methods(real) }))
  )
