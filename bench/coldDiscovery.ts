import { Duration, Effect, Layer } from "effect"
import { Identifiers } from "../src/domain/Identifiers.ts"
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
 * How many round trips to name servers a discovery makes one after the other when nothing is known yet: each server
 * takes the same time to answer, and the discovery so many times as long.
 */
export const coldDiscovery: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const internet = yield* ScriptedInternet.make(typicalInternet)
    const standing = connectionRecordOf(requestedConnection("con_1", tenancyOf("bench", "tenant")))
    const anew = Effect.map(Effect.provide(DiscoverPhase, discoveryOn(internet)), ({ run: discover }) =>
      Effect.orDie(discover(standing))
    )
    // Once at full speed, so that the clock does not see the compiler at work.
    yield* Effect.flatten(anew)
    const discovery = yield* anew
    internetHosts.forEach((host) => internet.script(host, slow))
    const asked = internet.queries.length
    const [duration, { event }] = yield* Effect.timed(discovery)
    if (event._tag !== "Discovered") return yield* Effect.dieMessage(`the discovery ended in ${event._tag}`)

    const millis = Duration.toMillis(duration)
    const questions = internet.queries.length - asked
    return {
      title: "DNS: a discovery when nothing is known",
      lines: [
        `${roundToThreeDigits(millis)} ms at ${delayMillis} ms a round trip: ${roundToThreeDigits(millis / delayMillis)} in sequence, ${questions} questions in all`
      ],
      figures: { millis, delayMillis, questions },
      targets: [{ kind: "aim", what: "round trips in sequence", value: Math.floor(millis / delayMillis), atMost: 5 }]
    }
  })
)

/** Long beside the processor's own time, and shorter than the patience with which a second server is asked. */
const delayMillis = 300

/** What the resolver asks by itself to find an answer, without EDNS, costs its clients one round trip at most. */
const slow: Fault = async ({ message }, honest) => {
  if (message.udpSize !== undefined) await Bun.sleep(delayMillis)
  return honest
}

const discoveryOn = (internet: ScriptedInternet) =>
  DiscoverPhase.layer.pipe(
    Layer.provide(PlanMaker.layer(defaultStateTimeouts)),
    Layer.provide(Layer.mergeAll(FactResolver.layer, ZoneSurvey.layer, ZoneTenants.layer)),
    Layer.provide(Layer.mergeAll(scriptedDns(internet), Providers.layer([]))),
    Layer.provide(Layer.merge(storesInMemory, Identifiers.layer))
  )
