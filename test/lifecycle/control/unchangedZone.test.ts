import { expect } from "bun:test"
import { Console, Effect, FastCheck as fc, Layer, Option } from "effect"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { effect } from "../../support/effectTest.ts"
import { lifecycleInMemory } from "../../support/lifecycleInMemory.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"
import { storesInMemory } from "../../support/testApi.ts"
import {
  commandsFor,
  readConnection,
  scriptedProvider,
  tenancy,
  waitUntilIdle,
  withoutLogs,
  zoneWith
} from "../phases/scriptedProvider.ts"

const senders = "ip4:203.0.113.0/24"

const policies = {
  "@": [
    `v=spf1 ${senders} ~all`,
    "v=spf1 mx -all",
    "v=spf1 include:inner.example.com ~all",
    `v=spf1 mx ${senders} ?all`
  ],
  _dmarc: ["v=DMARC1; p=none", "v=DMARC1; p=none; rua=mailto:d@example.com", "v=DMARC1; p=reject; pct=50"],
  inner: [`v=spf1 ${senders} ~all`, "v=spf1 mx -all"]
}

/** Some policies, each at its host; zones and intents draw them from the same ones. */
const drawnPolicies = fc
  .tuple(
    ...Object.entries(policies).map(([host, values]) =>
      fc.option(fc.record({ host: fc.constant(host), value: fc.constantFrom(...values) }))
    )
  )
  .map((drawn) => drawn.filter((policy) => policy !== null))

/** A zone with records of a former customer and policies, and an intent for these and more. */
const pairs = fc
  .record({
    standing: drawnPolicies,
    wanted: drawnPolicies,
    isOptional: fc.boolean(),
    validateDmarc: fc.boolean(),
    others: fc.subarray(["left", "www"])
  })
  // Policies alone are an intent too, unless all of it is optional.
  .filter(({ isOptional, others, wanted }) => others.length > 0 || (wanted.length > 0 && !isOptional))

effect("no intent becomes active in a zone that nobody changes, whatever records it has", () =>
  Effect.gen(function* () {
    const ends = yield* Effect.forEach(fc.sample(pairs, propertyRuns(200)), (pair) =>
      Effect.suspend(() => {
        const acme = scriptedProvider()
        const { isOptional, others, standing, validateDmarc, wanted } = pair
        const play = Effect.gen(function* () {
          yield* acme.become(
            zoneWith(
              ...others.map((host) => `${host} 300 CNAME shops.example.net`),
              ...standing.map(({ host, value }) => `${host} 300 TXT ${value}`)
            )
          )
          const records = [
            ...others.map((host) => ({ host, type: "CNAME" as const, value: "shops.example.net" })),
            ...wanted.map(({ host, value }) => ({ host, type: "TXT" as const, value, optional: isOptional }))
          ]
          const connections = yield* Connections
          const { stored } = yield* connections.create(
            tenancy,
            { domain: "example.com", records, existingRecordPolicy: { validateDmarc, validateCAA: true } },
            Option.none(),
            { allowDuplicate: true }
          )
          yield* waitUntilIdle
          const { state } = yield* readConnection(stored.id)
          if (state === "awaiting_authorization") yield* commandsFor(stored.id).chooseManual
          if (state !== "failed") yield* commandsFor(stored.id).recheck
          const { control, state: end } = yield* readConnection(stored.id)
          expect([end === "active", control?.by]).toEqual([false, undefined])
          return end
        })
        return Effect.provide(play, Layer.merge(lifecycleInMemory(acme.layer, storesInMemory, "required"), withoutLogs))
      }).pipe(Effect.tapErrorCause(() => Console.error(JSON.stringify(pair))))
    )
    // The property says something only if records were looked for, and found.
    expect(ends).toContain("awaiting_manual")
    expect(ends).toContain("verifying")
  })
)
