import { type Context, Effect, Layer, Option } from "effect"
import { DomainChecks } from "../../../src/lifecycle/plan/DomainChecks.ts"
import { PlanMaker } from "../../../src/lifecycle/plan/PlanMaker.ts"
import { ZoneSurveyFailed } from "../../../src/lifecycle/plan/ZoneSurvey.ts"
import { WorkSlots } from "../../../src/limits/WorkSlots.ts"
import { Providers } from "../../../src/providers/Providers.ts"
import {
  offlineDns,
  apiServicesLayer,
  httpOnFreePort,
  storesInMemory,
  type TestApiSettings
} from "../../support/testApi.ts"

/** The HTTP API over in-memory stores, with some methods replaced to fail or to wait. */
export const apiWith = <A, E, R>(replacements: Layer.Layer<A, E, R>, settings: TestApiSettings = {}) =>
  httpOnFreePort(settings).pipe(
    Layer.provideMerge(apiServicesLayer),
    Layer.provide(offlineDns),
    Layer.provideMerge(replacements),
    Layer.provideMerge(storesInMemory)
  )

/** The checks of domains in `apiWithOneSlot` end once this latch is open. */
export const checksMayEnd = Effect.unsafeMakeLatch()

const timedOut = new ZoneSurveyFailed({ code: "discovery_timeout", provider: Option.none() })

/** The HTTP API with one slot, and a DNS that a check of a domain does not finish reading before `checksMayEnd`. */
export const apiWithOneSlot = httpOnFreePort().pipe(
  Layer.provide(Layer.provide(DomainChecks.layer, WorkSlots.layer({ capacity: 1 }))),
  Layer.provideMerge(apiServicesLayer),
  Layer.provide(
    Layer.merge(Layer.mock(PlanMaker, { preview: () => checksMayEnd.whenOpen(timedOut) }), Providers.layer([]))
  ),
  Layer.provideMerge(storesInMemory)
)

/** A service with some of its methods replaced. */
export const overrideService = <I, S extends object>(tag: Context.Tag<I, S>, methods: (real: S) => Partial<S>) =>
  Layer.effect(
    tag,
    Effect.map(tag, (real) => ({ ...real, ...methods(real) }))
  )
