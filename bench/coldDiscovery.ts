import { Duration, Effect, Layer } from "effect"
import { Identifiers } from "../src/domain/values/Identifiers.ts"
import { ControlRules } from "../src/lifecycle/control/ControlRules.ts"
import { DiscoverPhase } from "../src/lifecycle/phases/DiscoverPhase.ts"
import { FactResolver } from "../src/lifecycle/plan/FactResolver.ts"
import { PlanMaker } from "../src/lifecycle/plan/PlanMaker.ts"
import { ZoneSurvey } from "../src/lifecycle/plan/ZoneSurvey.ts"
import { ZoneTenants } from "../src/lifecycle/plan/ZoneTenants.ts"
import { defaultStateTimeouts } from "../src/lifecycle/state/StateTimeouts.ts"
import { Providers } from "../src/providers/Providers.ts"
import { ScriptedInternet } from "../test/support/lab/ScriptedInternet.ts"
import type { Fault } from "../test/support/lab/dnsFaults.ts"
import { scriptedDns } from "../test/support/scriptedDns.ts"
import { storesInMemory, tenancyOf } from "../test/support/testApi.ts"
import { type Report, roundToThreeDigits } from "./Report.ts"
import { connectionRecordOf, requestedConnection } from "./typicalConnection.ts"
import { internetHosts, typicalInternet } from "./typicalInternet.ts"

/**
 * Counts the round trips to name servers that a discovery with empty caches makes in sequence: every server answers
 * with the same delay, and the duration divided by the delay is the count.
 */
export const coldDiscovery: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const internet = yield* ScriptedInternet.make(typicalInternet)
    const current = connectionRecordOf(requestedConnection("con_1", tenancyOf("bench", "tenant")))
    const withEmptyCaches = Effect.map(Effect.provide(DiscoverPhase, discoveryOn(internet)), ({ run: discover }) =>
      Effect.orDie(discover(current))
    )
    // Warms up the compiler, so that it is not measured.
    yield* Effect.flatten(withEmptyCaches)
    const discovery = yield* withEmptyCaches
    internetHosts.forEach((host) => internet.script(host, slow))
    const questionsBefore = internet.queries.length
    const [duration, { event }] = yield* Effect.timed(discovery)
    if (event._tag !== "Discovered") return yield* Effect.dieMessage(`the discovery ended in ${event._tag}`)

    const millis = Duration.toMillis(duration)
    const questions = internet.queries.length - questionsBefore
    return {
      title: "DNS: a discovery with empty caches",
      lines: [
        `${roundToThreeDigits(millis)} ms at ${delayMillis} ms a round trip: ${roundToThreeDigits(millis / delayMillis)} in sequence, ${questions} questions in all`
      ],
      figures: { millis, delayMillis, questions },
      targets: [{ kind: "aim", what: "round trips in sequence", value: Math.floor(millis / delayMillis), atMost: 5 }]
    }
  })
)

/** Long compared to processor time, and shorter than the timeout after which the client queries a second server. */
const delayMillis = 300

/** The resolver's own queries, which are without EDNS, are not delayed: they cost its clients at most one round trip. */
const slow: Fault = async ({ message }, correct) => {
  if (message.udpSize !== undefined) await Bun.sleep(delayMillis)
  return correct
}

const discoveryOn = (internet: ScriptedInternet) =>
  DiscoverPhase.layer.pipe(
    Layer.provide(PlanMaker.layer(defaultStateTimeouts)),
    Layer.provide(
      Layer.mergeAll(FactResolver.layer, ZoneSurvey.layer, ZoneTenants.layer, ControlRules.layerWithoutDatabase)
    ),
    Layer.provide(Layer.mergeAll(scriptedDns(internet), Providers.layer([]))),
    Layer.provide(Layer.merge(storesInMemory, Identifiers.layer))
  )
