import { type Duration, Effect, Layer, TestContext } from "effect"
import { DnsClient } from "../../src/dns/transport/DnsClient.ts"
import { Delegations } from "../../src/dns/zone/Delegations.ts"
import { Resolver } from "../../src/dns/zone/Resolver.ts"
import { ZoneReader } from "../../src/dns/zone/ZoneReader.ts"
import { ScriptedInternet } from "../support/lab/ScriptedInternet.ts"
import { timeByTurns } from "../support/timeByTurns.ts"
import type { InternetSpec } from "../support/lab/ScriptedTopology.ts"

/** Longer than a server that answers ever takes, and so is a third of it, after which a query is sent again. */
export const answerTimeout: Duration.DurationInput = "9 seconds"

/** For tests in which a server is silent, which take that long; a server that answers has that long as well. */
export const silenceTimeout: Duration.DurationInput = "1500 millis"

/** Runs an effect on a clock that stands still: only the timeouts of queries end its waits, none over all of them. */
export const withoutDeadline = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provide(effect, TestContext.TestContext)

/** A scripted internet and the services that read it through its resolver, with a timeout per server. */
export const dnsFixture = (spec: InternetSpec, timeout: Duration.DurationInput = answerTimeout) =>
  Effect.gen(function* () {
    yield* timeByTurns
    const internet = yield* ScriptedInternet.make(spec)
    const services = Layer.mergeAll(Delegations.layer, ZoneReader.layer).pipe(
      Layer.provide(Resolver.layer([internet.dial(internet.resolver)])),
      Layer.provide(DnsClient.layer({ allowed: [], dial: internet.dial, timeout }))
    )
    return yield* Effect.map(
      Effect.provide(Effect.all({ delegations: Delegations, zones: ZoneReader }), services),
      (_) => ({
        ..._,
        internet
      })
    )
  })
