import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { makeVendorHosts, vendorHostsUnavailableReason } from "../../../support/vendors/VendorHosts.ts"
import { openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import { makeFakeOf, recordsIn, underTest, zone } from "../DescribedAdapter.ts"
import { digitalOcean, validToken } from "./digitalOcean.ts"

/** Debian's Lexicon, unaltered, against the fake at DigitalOcean's own host. */
const makeLexicon = (records: string) =>
  Effect.gen(function* () {
    const environment = yield* makeVendorHosts(["api.digitalocean.com"])
    const fake = yield* makeFakeOf(digitalOcean, records, environment.listener("api.digitalocean.com"))
    const lexicon = (action: string, type: string, ...options: ReadonlyArray<string>) =>
      environment.run(["lexicon", "digitalocean", "--output", "JSON", action, "example.com", type, ...options], {
        LEXICON_DIGITALOCEAN_AUTH_TOKEN: validToken
      })
    const stored = () =>
      recordsIn(fake)
        .slice(4)
        .map(({ data: { data, priority }, name, ttl, type }) => [name, ttl, type, priority, data])
    return { fake, lexicon, stored }
  })

const refusal = missingVendorData ?? vendorHostsUnavailableReason("lexicon")

describeIfPossible("Lexicon", refusal, () => {
  live("creates, lists, updates and deletes a text", () =>
    Effect.gen(function* () {
      const { fake, lexicon, stored } = yield* makeLexicon("")
      const text = ["--name", "_acme-challenge", "--content", "token"]
      expect(yield* lexicon("create", "TXT", ...text, "--ttl", "600")).toMatchObject({ exitCode: 0 })
      expect(stored()).toEqual([["_acme-challenge.example.com", 600, "TXT", null, "token"]])

      const listed = yield* lexicon("list", "TXT")
      expect(JSON.parse(listed.stdout)).toEqual([
        { id: 1004, type: "TXT", name: "_acme-challenge.example.com", ttl: 600, content: "token" }
      ])

      const changed = ["--identifier", "1004", "--name", "_acme-challenge", "--content", "other", "--ttl", "60"]
      expect(yield* lexicon("update", "TXT", ...changed)).toMatchObject({ exitCode: 0 })
      expect(stored()).toEqual([["_acme-challenge.example.com", 60, "TXT", null, "other"]])

      expect(yield* lexicon("delete", "TXT", "--identifier", "1004")).toMatchObject({ exitCode: 0 })
      expect(stored()).toEqual([])
      expect(fake.calls().map(({ method }) => method)).toEqual(expect.arrayContaining(["POST", "PUT", "DELETE"]))
    })
  )

  live("writes records that the adapter reads, and reads those that the adapter writes", () =>
    Effect.gen(function* () {
      const { fake, lexicon } = yield* makeLexicon("")
      for (const [type = "", name = "", content = ""] of [
        ["A", "www", "192.0.2.1"],
        ["AAAA", "www", "2001:db8::1"],
        ["CNAME", "shop", "shops.example.net"],
        ["NS", "team", "ns1.example.net."],
        ["A", "*", "192.0.2.7"],
        ["TXT", "_acme-challenge", "one two"]
      ]) {
        const created = yield* lexicon("create", type, "--name", name, "--content", content, "--ttl", "600")
        expect(created).toMatchObject({ exitCode: 0 })
      }

      // Only what runs at the vendor's host trusts the certificate there.
      const plainFake = yield* makeFakeOf(digitalOcean)
      plainFake.update(fake.state)
      const opened = yield* openZone(underTest(digitalOcean, plainFake), {})
      const snapshot = yield* opened.read
      const written = snapshot.zone.records.filter(({ ttl }) => ttl === 600)
      expect(written).toEqual([
        { host: "www", type: "A", ttl: 600, value: "192.0.2.1" },
        { host: "www", type: "AAAA", ttl: 600, value: "2001:db8::1" },
        { host: "shop", type: "CNAME", ttl: 600, value: "shops.example.net" },
        { host: "team", type: "NS", ttl: 600, value: "ns1.example.net" },
        { host: "*", type: "A", ttl: 600, value: "192.0.2.7" },
        { host: "_acme-challenge", type: "TXT", ttl: 600, value: "one two" }
      ])

      const desired = [
        "www 900 A 192.0.2.2",
        "www 900 AAAA 2001:db8::2",
        "shop 900 CNAME shops.example.org",
        "crew 900 NS ns3.example.net",
        "*.shop 900 A 192.0.2.8",
        "say 900 TXT three four",
        "mail 900 MX 5 mail.example.net",
        "_sip._tcp 900 SRV 10 20 5060 sip.example.net"
      ]
      const { changes } = planFrom(snapshot, resolvedIntentOf(zone, { desired }), opened)
      yield* sendWrites(snapshot, changes, opened)
      fake.update(plainFake.state)
      const list = (type: string) =>
        Effect.map(lexicon("list", type), ({ stdout }) =>
          JSON.parse(stdout)
            .filter(({ ttl }: { readonly ttl: number }) => ttl === 900)
            .map(({ content, name }: Readonly<Record<string, unknown>>) => [name, content])
        )
      expect(yield* list("A")).toEqual([
        ["www.example.com", "192.0.2.2"],
        ["*.shop.example.com", "192.0.2.8"]
      ])
      expect(yield* list("AAAA")).toEqual([["www.example.com", "2001:db8::2"]])
      expect(yield* list("CNAME")).toEqual([["shop.example.com", "shops.example.org"]])
      expect(yield* list("NS")).toEqual([["crew.example.com", "ns3.example.net"]])
      expect(yield* list("TXT")).toEqual([["say.example.com", "three four"]])
      expect(yield* list("MX")).toEqual([["mail.example.com", "mail.example.net"]])
      expect(yield* list("SRV")).toEqual([["_sip._tcp.example.com", "sip.example.net"]])
    })
  )

  live("reads all pages of a zone", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 45 }, (_, index) => `host${index} A 192.0.2.1`).join("\n")
      const { lexicon } = yield* makeLexicon(many)
      expect(JSON.parse((yield* lexicon("list", "A")).stdout)).toHaveLength(45)
    })
  )

  live("reports the refusal of a record beside an alias", () =>
    Effect.gen(function* () {
      const { lexicon, stored } = yield* makeLexicon("shop 1800 CNAME shops.example.net.")
      const { exitCode, stderr } = yield* lexicon("create", "A", "--name", "shop", "--content", "192.0.2.1")
      expect(exitCode).not.toBe(0)
      expect(stderr).toContain("422 Client Error")
      expect(stored()).toEqual([["shop.example.com", 1800, "CNAME", null, "shops.example.net"]])
    })
  )
})
