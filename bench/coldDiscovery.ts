import { Duration, Effect, Layer } from "effect"
import { Identifiers } from "../src/domain/Identifiers.ts"
import { defaultClocks } from "../src/lifecycle/state/Clocks.ts"
import { Discovery } from "../src/lifecycle/zone/Discovery.ts"
import { Neighbours } from "../src/lifecycle/zone/Neighbours.ts"
import { Planner } from "../src/lifecycle/zone/Planner.ts"
import { Plans } from "../src/lifecycle/zone/Plans.ts"
import { Steps } from "../src/lifecycle/steps/Steps.ts"
import type { Fault } from "../test/support/lab/faults.ts"
import { ScriptedInternet } from "../test/support/lab/ScriptedInternet.ts"
import { storesInMemory, tenancyOf } from "../test/support/apiUnderTest.ts"
import { dnsOf, surveyOn } from "../test/support/discovery.ts"
import { type Report, rounded } from "./Report.ts"
import { requestedConnection, standingOf } from "./typicalConnection.ts"
import { servers, typicalInternet } from "./typicalInternet.ts"

/**
 * How many round trips to name servers a discovery makes one after the other when nothing is known yet: each server
 * takes the same time to answer, and the discovery so many times as long.
 */
export const coldDiscovery: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const internet = yield* ScriptedInternet.make(typicalInternet)
    const standing = standingOf(requestedConnection("con_1", tenancyOf("bench", "tenant")))
    const anew = Effect.map(Effect.provide(Discovery, discoveryOn(internet)), ({ discover }) =>
      Effect.orDie(discover(standing))
    )
    // Once at full speed, so that the clock does not see the compiler at work.
    yield* Effect.flatten(anew)
    const discovery = yield* anew
    servers.forEach((host) => internet.script(host, slow))
    const asked = internet.queries.length
    const [duration, { event }] = yield* Effect.timed(discovery)
    if (event._tag !== "Discovered") return yield* Effect.dieMessage(`the discovery ended in ${event._tag}`)

    const millis = Duration.toMillis(duration)
    const questions = internet.queries.length - asked
    return {
      title: "DNS: a discovery when nothing is known",
      lines: [
        `${rounded(millis)} ms at ${delayMillis} ms a round trip: ${rounded(millis / delayMillis)} in sequence, ${questions} questions in all`
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
  Discovery.layer.pipe(
    Layer.provide(Plans.layer),
    Layer.provide(Layer.merge(Neighbours.layer, surveyOn(internet))),
    Layer.provide(Layer.provide(Planner.layer, dnsOf(internet))),
    Layer.provide(Steps.layer(defaultClocks)),
    Layer.provide(Layer.merge(storesInMemory, Identifiers.layer))
  )
