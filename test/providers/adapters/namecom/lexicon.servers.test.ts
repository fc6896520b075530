import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { makeVendorHosts, vendorHostsUnavailableReason } from "../../../support/vendors/VendorHosts.ts"
import { openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import { makeFakeOf, underTest, zone } from "../DescribedAdapter.ts"
import { formerNamecomVendor, namecom, validLogin } from "./namecom.ts"

/** Debian's Lexicon, unaltered, against the fake of the version before, at Name.com's own host. */
const makeLexicon = Effect.gen(function* () {
  const environment = yield* makeVendorHosts(["api.name.com"])
  const fake = yield* makeFakeOf({ vendor: formerNamecomVendor }, "", environment.listener("api.name.com"))
  const lexicon = (action: string, type: string, options: ReadonlyArray<string> = [], token = validLogin.token) =>
    environment.run(["lexicon", "namecom", "--output", "JSON", action, zone, type, ...options], {
      LEXICON_NAMECOM_AUTH_USERNAME: validLogin.username,
      LEXICON_NAMECOM_AUTH_TOKEN: token
    })
  return { fake, lexicon }
})

const withContent = (name: string, content: string) => ["--name", name, "--content", content, "--ttl", "600"]

describeIfPossible("Lexicon", vendorHostsUnavailableReason("lexicon"), () => {
  live("writes records that the adapter reads, and lists those that the adapter writes", () =>
    Effect.gen(function* () {
      const { fake, lexicon } = yield* makeLexicon
      for (const [type = "", name = "", content = "", ...more] of [
        ["A", "www", "192.0.2.1"],
        ["CNAME", "shop", "shops.example.net"],
        ["TXT", "_acme-challenge", "one"],
        ["MX", "mail", "mx.mailprov.net", "--priority", "10"]
      ])
        expect(yield* lexicon("create", type, [...withContent(name, content), ...more])).toMatchObject({ exitCode: 0 })

      // Only what runs at the vendor's host trusts the certificate there.
      const plain = yield* makeFakeOf(namecom)
      plain.update(fake.state)
      const opened = yield* openZone(underTest(namecom, plain), {})
      const snapshot = yield* opened.read
      const read = snapshot.zone.records.filter(({ ttl }) => ttl === 600)
      expect(read.map(({ host, priority, type, value }) => [host, type, priority, value])).toEqual([
        ["www", "A", undefined, "192.0.2.1"],
        ["shop", "CNAME", undefined, "shops.example.net"],
        ["_acme-challenge", "TXT", undefined, "one"],
        ["mail", "MX", 10, "mx.mailprov.net"]
      ])

      const desired = ["www 900 A 192.0.2.2", "say 900 TXT three four", "* 900 AAAA 2001:db8::1"]
      yield* sendWrites(snapshot, planFrom(snapshot, resolvedIntentOf(zone, { desired }), opened).changes, opened)
      fake.update(plain.state)
      const list = (type: string) =>
        Effect.map(lexicon("list", type), ({ stdout }) =>
          JSON.parse(stdout).flatMap(({ content, name, ttl }: any) => (ttl === 900 ? [[name, content]] : []))
        )
      expect(yield* list("A")).toEqual([[`www.${zone}`, "192.0.2.2"]])
      expect(yield* list("TXT")).toEqual([[`say.${zone}`, "three four"]])
      expect(yield* list("AAAA")).toEqual([[`*.${zone}`, "2001:db8::1"]])

      expect(yield* lexicon("update", "A", withContent("www", "192.0.2.3"))).toMatchObject({ exitCode: 0 })
      expect(yield* lexicon("delete", "TXT", withContent("_acme-challenge", "one"))).toMatchObject({ exitCode: 0 })
      plain.update(fake.state)
      const { zone: after } = yield* opened.read
      expect(after.records.flatMap(({ type, value }) => (type === "A" || type === "TXT" ? value : []))).toEqual([
        "192.0.2.3",
        "three four"
      ])
    })
  )

  live("reports a token that Name.com refuses", () =>
    Effect.gen(function* () {
      const { fake, lexicon } = yield* makeLexicon
      const before = fake.state()
      const { exitCode, stderr } = yield* lexicon("create", "A", withContent("www", "192.0.2.1"), "wrong")
      expect([exitCode === 0, stderr]).toEqual([false, expect.stringContaining("401")])
      expect(fake.state()).toEqual(before)
    })
  )
})
