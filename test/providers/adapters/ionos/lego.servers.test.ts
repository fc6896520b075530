import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { vendorHostsUnavailableReason } from "../../../support/vendors/VendorHosts.ts"
import { createChange, makeFakeOf, readAt, recordAt, writeAt, zone } from "../DescribedAdapter.ts"
import { makeLego } from "../lego.ts"
import { ionos, validKey } from "./ionos.ts"

/** Debian's lego against the fake at IONOS's own host. */
const makeLegoAtIonos = Effect.gen(function* () {
  const judge = yield* makeLego({
    dns: "ionos",
    host: "api.hosting.ionos.com",
    makeFake: (listener) => makeFakeOf(ionos, "", listener),
    nameServer: "ns1061.ui-dns.com",
    zone
  })
  const lego = (key = validKey) => judge.lego(`www.${zone}`, { IONOS_API_KEY: key })
  return { fake: judge.fake, lego }
})

describeIfPossible("lego", vendorHostsUnavailableReason("lego", "pebble"), () => {
  live("adds a text beside one that the adapter has written, and the adapter reads both", () =>
    Effect.gen(function* () {
      const { fake, lego } = yield* makeLegoAtIonos
      // Only what runs at IONOS's own host trusts the certificate there; the adapter works on the same state elsewhere.
      const plain = yield* makeFakeOf(ionos)
      yield* writeAt(ionos, plain, createChange(recordAt("_acme-challenge.www", "TXT", "say hi; and more")))
      fake.update(plain.state)
      expect(yield* lego()).toMatchObject({ exitCode: 0 })
      // It looks for its own text without the quotes in which IONOS shows it, and so leaves it.
      plain.update(fake.state)
      const read = yield* readAt(ionos, plain)
      const texts = read.flatMap(({ host, type, value }) => (host === "_acme-challenge.www" ? [[type, value]] : []))
      expect(texts).toEqual(["say hi; and more", expect.stringMatching(/^[\w-]{43}$/)].map((text) => ["TXT", text]))
      expect(fake.calls().map(({ method }) => method)).toEqual(["GET", "GET", "PATCH", "GET", "GET"])
    })
  )

  live("reports a key that IONOS refuses", () =>
    Effect.gen(function* () {
      const { fake, lego } = yield* makeLegoAtIonos
      const before = fake.state()
      const { exitCode, stderr } = yield* lego("wrong.key")
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining("401")])
      expect(fake.state()).toEqual(before)
    })
  )
})
