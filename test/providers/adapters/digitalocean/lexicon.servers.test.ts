import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { makeVendorHosts, vendorHostsUnavailableReason } from "../../../support/vendors/VendorHosts.ts"
import { digitalOceanState, makeFakeDigitalOcean, validToken } from "./FakeDigitalOcean.ts"

/** Debian's Lexicon, unaltered, against the fake at DigitalOcean's own host. */
const makeLexicon = (hosts: ReadonlyArray<{ readonly type: string; readonly name: string; readonly data: string }>) =>
  Effect.gen(function* () {
    const environment = yield* makeVendorHosts(["api.digitalocean.com"])
    const fake = yield* makeFakeDigitalOcean(
      digitalOceanState({ "example.com": hosts }),
      environment.listener("api.digitalocean.com")
    )
    const lexicon = (action: string, type: string, ...options: ReadonlyArray<string>) =>
      environment.run(["lexicon", "digitalocean", "--output", "JSON", action, "example.com", type, ...options], {
        LEXICON_DIGITALOCEAN_AUTH_TOKEN: validToken
      })
    const records = () =>
      (fake.state().zones["example.com"] ?? [])
        .slice(4)
        .map(({ data, name, priority, ttl, type }) => [name, ttl, type, priority, data])
    return { fake, lexicon, records }
  })

const refusal = missingVendorData ?? vendorHostsUnavailableReason("lexicon")

describeIfPossible("Lexicon", refusal, () => {
  live("creates, lists, updates and deletes a text", () =>
    Effect.gen(function* () {
      const { fake, lexicon, records } = yield* makeLexicon([])
      const text = ["--name", "_acme-challenge", "--content", "token"]
      expect(yield* lexicon("create", "TXT", ...text, "--ttl", "600")).toMatchObject({ exitCode: 0 })
      expect(records()).toEqual([["_acme-challenge", 600, "TXT", null, "token"]])

      const listed = yield* lexicon("list", "TXT")
      expect(JSON.parse(listed.stdout)).toEqual([
        { id: 1004, type: "TXT", name: "_acme-challenge.example.com", ttl: 600, content: "token" }
      ])

      const changed = ["--identifier", "1004", "--name", "_acme-challenge", "--content", "other", "--ttl", "60"]
      expect(yield* lexicon("update", "TXT", ...changed)).toMatchObject({ exitCode: 0 })
      expect(records()).toEqual([["_acme-challenge", 60, "TXT", null, "other"]])

      expect(yield* lexicon("delete", "TXT", "--identifier", "1004")).toMatchObject({ exitCode: 0 })
      expect(records()).toEqual([])
      expect(fake.calls().map(({ method }) => method)).toEqual(expect.arrayContaining(["POST", "PUT", "DELETE"]))
    })
  )

  live("creates addresses, an alias, a delegation and a wildcard", () =>
    Effect.gen(function* () {
      const { lexicon, records } = yield* makeLexicon([])
      yield* lexicon("create", "A", "--name", "www", "--content", "192.0.2.1", "--ttl", "600")
      yield* lexicon("create", "AAAA", "--name", "www", "--content", "2001:db8::1", "--ttl", "600")
      yield* lexicon("create", "CNAME", "--name", "shop", "--content", "shops.example.net", "--ttl", "600")
      yield* lexicon("create", "NS", "--name", "team", "--content", "ns1.example.net.", "--ttl", "600")
      yield* lexicon("create", "A", "--name", "*", "--content", "192.0.2.7", "--ttl", "600")
      expect(records()).toEqual([
        ["www", 600, "A", null, "192.0.2.1"],
        ["www", 600, "AAAA", null, "2001:db8::1"],
        ["shop", 600, "CNAME", null, "shops.example.net"],
        ["team", 600, "NS", null, "ns1.example.net"],
        ["*", 600, "A", null, "192.0.2.7"]
      ])
    })
  )

  live("reads all pages of a zone", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 45 }, (_, index) => ({ type: "A", name: `host${index}`, data: "192.0.2.1" }))
      const { lexicon } = yield* makeLexicon(many)
      expect(JSON.parse((yield* lexicon("list", "A")).stdout)).toHaveLength(45)
    })
  )

  live("reports the refusal of a record beside an alias", () =>
    Effect.gen(function* () {
      const { lexicon, records } = yield* makeLexicon([{ type: "CNAME", name: "shop", data: "shops.example.net" }])
      const { exitCode, stderr } = yield* lexicon("create", "A", "--name", "shop", "--content", "192.0.2.1")
      expect(exitCode).not.toBe(0)
      expect(stderr).toContain("422 Client Error")
      expect(records()).toEqual([["shop", 1800, "CNAME", null, "shops.example.net"]])
    })
  )
})
