import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { makeVendorHosts, vendorHostsUnavailableReason } from "../../../support/vendors/VendorHosts.ts"
import { openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import { makeFakeOf, recordsIn, underTest, zone } from "../DescribedAdapter.ts"
import { ovh, unlimitedKey, validKey } from "./ovh.ts"
import { application } from "./signedOvhCalls.ts"

/** Debian's Lexicon, unaltered, which signs its calls itself, against the fake at OVHcloud's own host. */
const makeLexicon = Effect.gen(function* () {
  const environment = yield* makeVendorHosts(["eu.api.ovh.com"])
  const fake = yield* makeFakeOf(ovh, "", environment.listener("eu.api.ovh.com"))
  const lexicon = (action: string, type: string, options: ReadonlyArray<string> = [], key = unlimitedKey) =>
    environment.run(["lexicon", "ovh", "--output", "JSON", action, zone, type, ...options], {
      LEXICON_OVH_AUTH_ENTRYPOINT: "ovh-eu",
      LEXICON_OVH_AUTH_APPLICATION_KEY: application.key,
      LEXICON_OVH_AUTH_APPLICATION_SECRET: application.secret,
      LEXICON_OVH_AUTH_CONSUMER_KEY: key
    })
  const stored = () =>
    recordsIn(fake).flatMap(({ data, name, ttl, type }) =>
      type === "NS" && name === zone ? [] : [[name, ttl, type, data.value]]
    )
  return { fake, lexicon, stored }
})

const withContent = (name: string, content: string) => ["--name", name, "--content", content, "--ttl", "600"]

describeIfPossible("Lexicon", vendorHostsUnavailableReason("lexicon"), () => {
  live("writes records that the adapter reads, and lists those that the adapter writes", () =>
    Effect.gen(function* () {
      const { fake, lexicon, stored } = yield* makeLexicon
      for (const [type = "", name = "", content = ""] of [
        ["A", "www", "192.0.2.1"],
        ["CNAME", "shop", "shops.example.net."],
        ["TXT", "_acme-challenge", "one"],
        ["A", "*", "192.0.2.7"]
      ])
        expect(yield* lexicon("create", type, withContent(name, content))).toMatchObject({ exitCode: 0 })

      // Only what runs at the vendor's host trusts the certificate there.
      const plain = yield* makeFakeOf(ovh)
      plain.update(fake.state)
      const opened = yield* openZone(underTest(ovh, plain), {})
      const snapshot = yield* opened.read
      const read = snapshot.zone.records.filter(({ ttl }) => ttl === 600)
      expect(read.map(({ host, type, value }) => `${host} ${type} ${value}`)).toEqual([
        "www A 192.0.2.1",
        "shop CNAME shops.example.net",
        "_acme-challenge TXT one",
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
      expect(yield* list("TXT")).toEqual([[`say.${zone}`, '"three four"']])
      expect(yield* list("MX")).toEqual([[`mail.${zone}`, "5 mail.example.net."]])

      expect(yield* lexicon("delete", "TXT", withContent("_acme-challenge", "one"))).toMatchObject({ exitCode: 0 })
      expect(stored().map(([name]) => name)).not.toContain(`_acme-challenge.${zone}`)
    })
  )

  live("reports a key whose rights are those of another zone's records only", () =>
    Effect.gen(function* () {
      const { fake, lexicon } = yield* makeLexicon
      const before = fake.state()
      const { exitCode, stderr } = yield* lexicon("create", "A", withContent("www", "192.0.2.1"), validKey)
      expect(exitCode).not.toBe(0)
      expect(stderr).toContain("403")
      expect(fake.state()).toEqual(before)
    })
  )
})
