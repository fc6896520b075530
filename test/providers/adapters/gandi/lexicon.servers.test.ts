import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { makeVendorHosts, vendorHostsUnavailableReason } from "../../../support/vendors/VendorHosts.ts"
import { openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import { makeFakeOf, recordsIn, underTest, zone } from "../DescribedAdapter.ts"
import { gandi, validToken } from "./gandi.ts"

/** Debian's Lexicon, unaltered, against the fake at Gandi's own host. */
const makeLexicon = Effect.gen(function* () {
  const environment = yield* makeVendorHosts(["api.gandi.net"])
  const fake = yield* makeFakeOf(gandi, "", environment.listener("api.gandi.net"))
  const lexicon = (action: string, type: string, options: ReadonlyArray<string> = [], token = validToken) =>
    environment.run(["lexicon", "gandi", "--output", "JSON", action, zone, type, ...options], {
      LEXICON_GANDI_AUTH_TOKEN: token,
      LEXICON_GANDI_API_PROTOCOL: "rest"
    })
  const stored = () =>
    recordsIn(fake).flatMap(({ data, name, ttl, type }) =>
      type === "NS" && name === zone ? [] : [[name, ttl, type, data.value]]
    )
  return { fake, lexicon, stored }
})

const withContent = (name: string, content: string) => ["--name", name, "--content", content, "--ttl", "600"]

describeIfPossible("Lexicon", vendorHostsUnavailableReason("lexicon"), () => {
  live("creates, adds and deletes texts", () =>
    Effect.gen(function* () {
      const { lexicon, stored } = yield* makeLexicon
      const [one, other] = ["one", "other"].map((text) => withContent("_acme-challenge", text))
      expect(yield* lexicon("create", "TXT", one)).toMatchObject({ exitCode: 0 })
      expect(yield* lexicon("create", "TXT", other)).toMatchObject({ exitCode: 0 })
      const name = `_acme-challenge.${zone}`
      expect(stored()).toEqual([
        [name, 600, "TXT", '"one"'],
        [name, 600, "TXT", '"other"']
      ])
      expect(yield* lexicon("delete", "TXT", one)).toMatchObject({ exitCode: 0 })
      expect(stored().map(([, , , value]) => value)).toEqual(['"other"'])
      expect(yield* lexicon("delete", "TXT", other)).toMatchObject({ exitCode: 0 })
      expect(stored()).toEqual([])
    })
  )

  live("writes records that the adapter reads, and lists those that the adapter writes", () =>
    Effect.gen(function* () {
      const { fake, lexicon } = yield* makeLexicon
      for (const [type = "", name = "", content = ""] of [
        ["A", "www", "192.0.2.1"],
        ["AAAA", "www", "2001:db8::1"],
        ["CNAME", "shop", "shops.example.net."],
        ["A", "*", "192.0.2.7"]
      ])
        expect(yield* lexicon("create", type, withContent(name, content))).toMatchObject({ exitCode: 0 })

      // Only what runs at the vendor's host trusts the certificate there.
      const plain = yield* makeFakeOf(gandi)
      plain.update(fake.state)
      const opened = yield* openZone(underTest(gandi, plain), {})
      const snapshot = yield* opened.read
      const read = snapshot.zone.records.filter(({ ttl }) => ttl === 600)
      expect(read.map(({ host, type, value }) => `${host} ${type} ${value}`)).toEqual([
        "www A 192.0.2.1",
        "www AAAA 2001:db8::1",
        "shop CNAME shops.example.net",
        "* A 192.0.2.7"
      ])

      const desired = ["www 900 A 192.0.2.2", "say 900 TXT three four", "mail 900 MX 5 mail.example.net"]
      yield* sendWrites(snapshot, planFrom(snapshot, resolvedIntentOf(zone, { desired }), opened).changes, opened)
      fake.update(plain.state)
      const list = (type: string) =>
        Effect.map(lexicon("list", type), ({ stdout }) =>
          JSON.parse(stdout).flatMap(({ content, name, ttl }: any) => (ttl === 900 ? [[name, content]] : []))
        )
      expect(yield* list("A")).toEqual([[`www.${zone}`, "192.0.2.2"]])
      expect(yield* list("TXT")).toEqual([[`say.${zone}`, "three four"]])
      expect(yield* list("MX")).toEqual([[`mail.${zone}`, "5 mail.example.net."]])
    })
  )

  live("reports a token that Gandi refuses", () =>
    Effect.gen(function* () {
      const { fake, lexicon } = yield* makeLexicon
      const before = fake.state()
      const { exitCode, stderr } = yield* lexicon("create", "A", withContent("www", "192.0.2.1"), "wrong")
      expect(exitCode).not.toBe(0)
      expect(stderr).toContain("401")
      expect(fake.state()).toEqual(before)
    })
  )
})
