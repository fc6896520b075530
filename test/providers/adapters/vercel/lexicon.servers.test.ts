import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { makeVendorHosts, vendorHostsUnavailableReason } from "../../../support/vendors/VendorHosts.ts"
import { openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import { makeFakeOf, underTest, zone } from "../DescribedAdapter.ts"
import { validToken, vercel } from "./vercel.ts"

/** Debian's Lexicon, unaltered, against the fake at Vercel's own host. */
const makeLexicon = Effect.gen(function* () {
  const environment = yield* makeVendorHosts(["api.vercel.com"])
  const fake = yield* makeFakeOf(vercel, "", environment.listener("api.vercel.com"))
  const lexicon = (action: string, type: string, options: ReadonlyArray<string> = [], token = validToken) =>
    environment.run(["lexicon", "vercel", "--output", "JSON", action, zone, type, ...options], {
      LEXICON_VERCEL_AUTH_TOKEN: token
    })
  return { fake, lexicon }
})

const withContent = (name: string, content: string) => ["--name", name, "--content", content, "--ttl", "600"]

describeIfPossible("Lexicon", vendorHostsUnavailableReason("lexicon"), () => {
  live("writes records that the adapter reads, and lists those that the adapter writes", () =>
    Effect.gen(function* () {
      const { fake, lexicon } = yield* makeLexicon
      for (const [type = "", name = "", content = ""] of [
        ["A", "www", "192.0.2.1"],
        ["CNAME", "shop", "shops.example.net"],
        ["TXT", "_acme-challenge", "one"],
        ["AAAA", "*", "2001:db8::1"]
      ])
        expect(yield* lexicon("create", type, withContent(name, content))).toMatchObject({ exitCode: 0 })

      // Only what runs at the vendor's host trusts the certificate there.
      const plain = yield* makeFakeOf(vercel)
      plain.update(fake.state)
      const opened = yield* openZone(underTest(vercel, plain), {})
      const snapshot = yield* opened.read
      expect(snapshot.zone.records.map(({ host, type, value }) => `${host} ${type} ${value}`).toSorted()).toEqual([
        "* AAAA 2001:db8::1",
        "_acme-challenge TXT one",
        "shop CNAME shops.example.net",
        "www A 192.0.2.1"
      ])

      const desired = ["www 900 A 192.0.2.2", "say 900 TXT three four", "mail 900 MX 10 mail.example.net"]
      yield* sendWrites(snapshot, planFrom(snapshot, resolvedIntentOf(zone, { desired }), opened).changes, opened)
      fake.update(plain.state)
      const list = (type: string) =>
        Effect.map(lexicon("list", type), ({ stdout }) =>
          JSON.parse(stdout).flatMap(({ content, name, ttl }: any) => (ttl === 900 ? [[name, content]] : []))
        )
      expect(yield* list("A")).toEqual([[`www.${zone}`, "192.0.2.2"]])
      expect(yield* list("TXT")).toEqual([[`say.${zone}`, "three four"]])
      expect(yield* list("MX")).toEqual([[`mail.${zone}`, "mail.example.net."]])

      expect(yield* lexicon("delete", "TXT", withContent("_acme-challenge", "one"))).toMatchObject({ exitCode: 0 })
      plain.update(fake.state)
      const { zone: after } = yield* opened.read
      expect(after.records.flatMap(({ type, value }) => (type === "TXT" ? value : []))).toEqual(["three four"])
    })
  )

  live("reports a token that Vercel refuses", () =>
    Effect.gen(function* () {
      const { fake, lexicon } = yield* makeLexicon
      const before = fake.state()
      const { exitCode, stderr } = yield* lexicon("create", "A", withContent("www", "192.0.2.1"), "wrong")
      expect([exitCode === 0, stderr]).toEqual([false, expect.stringContaining("403")])
      expect(fake.state()).toEqual(before)
    })
  )
})
