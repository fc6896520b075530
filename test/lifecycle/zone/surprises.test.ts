import { expect } from "bun:test"
import { Effect } from "effect"
import { losingTheCall } from "../../support/scriptedZone.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { inWords, zoneOf } from "../../support/zones.ts"
import { commands, created, elapse, inAcme, planIn, state, zoneWith } from "./acme.ts"

const rest = ["@ 300 A 192.0.2.1", "@ 300 MX 10 mail.example.com", "mail 300 A 192.0.2.2"]

inAcme("a zone that changed after a run that came to nothing is planned anew, and nothing is written", (acme) =>
  Effect.gen(function* () {
    const id = yield* created([{ host: "shop", type: "A", value: "192.0.2.9" }])
    yield* commands(id).letIn()
    yield* acme.play(losingTheCall, losingTheCall)
    yield* commands(id).approve()
    expect(yield* state(id)).toBe("failed: apply_timeout → authorized")
    yield* commands(id).retry
    expect(yield* state(id)).toBe("planned")
    yield* acme.become(zoneWith("shop 300 A 198.51.100.7"))
    yield* elapse("5 minutes")
    yield* commands(id).approve()
    expect(yield* state(id)).toBe("planned")
    expect(acme.made().map(inWords)).toEqual([])
  })
)

inAcme("a connection that is canceled keeps no credential, whatever it had failed with", (acme) =>
  Effect.gen(function* () {
    const id = yield* created()
    const held = Effect.map(Tables, ({ credentials }) => credentials.size)
    yield* acme.refuse("provider_snapshot_failed")
    yield* commands(id).letIn()
    expect([yield* state(id), yield* held]).toEqual(["failed: provider_snapshot_failed → authorized", 1])
    yield* commands(id).cancel
    expect([yield* state(id), yield* held]).toEqual(["canceled: provider_snapshot_failed → authorized", 0])
  })
)

inAcme("by hand can be chosen after a credential that did not open the zone", (acme) =>
  Effect.gen(function* () {
    const id = yield* created()
    yield* acme.refuse("credential_invalid")
    yield* commands(id).letIn()
    yield* commands(id).connectByHand
    expect(yield* state(id)).toBe("awaiting_manual")
  })
)

inAcme("who entered all by hand is told to take all of it out, also after one record was mended", (acme) =>
  Effect.gen(function* () {
    const id = yield* created([
      { host: "a", type: "TXT", value: "one" },
      { host: "b", type: "TXT", value: "two" }
    ])
    const all = [...rest, "a 3600 TXT one", "b 3600 TXT two"]
    yield* commands(id).connectByHand
    yield* acme.become(zoneOf(...all))
    yield* commands(id).recheck
    yield* elapse("1 minute")
    yield* acme.become(zoneOf(...all.slice(0, -1)))
    yield* commands(id).recheck
    expect(yield* state(id)).toBe("degraded")
    yield* acme.become(zoneOf(...all))
    yield* commands(id).recheck
    yield* elapse("1 minute")
    yield* commands(id).disconnect
    expect(yield* state(id)).toBe("disconnected")
    expect((yield* planIn(id))?.toSorted()).toEqual(["delete! | a 3600 TXT one", "delete! | b 3600 TXT two"])
  })
)
