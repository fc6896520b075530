import { expect } from "bun:test"
import { Effect } from "effect"
import { Lab } from "./Lab.ts"
import { run } from "./Server.ts"
import type { LabTsigKey } from "./TsigKey.ts"
import { describeLab } from "./describeLab.ts"

const dig = (server: string, ...question: ReadonlyArray<string>) =>
  Effect.map(run("dig", "+short", "+time=2", "+tries=1", `@${server}`, ...question), (output) =>
    output.trim().split("\n").toSorted()
  )

const tsigOption = ({ name, algorithm, secret }: LabTsigKey) => `${algorithm}:${name}:${secret}`

/** Sends an update and returns the output of nsupdate, which is empty on success. */
const nsupdate = (server: { address: string; key: LabTsigKey }, ...lines: ReadonlyArray<string>) => {
  const script = `printf '%s\\n' "$@" | nsupdate -y "$0" 2>&1 || true`
  return run("sh", "-c", script, tsigOption(server.key), `server ${server.address}`, ...lines, "send")
}

describeLab("the lab", (live) => {
  const expectedAnswers: ReadonlyArray<readonly [name: string, type: string, ...data: ReadonlyArray<string>]> = [
    ["example.com", "MX", "10 mx1.mailprov.net."],
    ["www.example.com", "A", "192.0.2.10", "example.com."],
    ["blog.example.com", "A", "198.51.100.80", "web.hostprov.net."],
    ["x.apps.example.com", "A", "192.0.2.30"],
    ["_dmarc.example.com", "TXT", `"v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com"`],
    ["cart.shop.example.com", "A", "192.0.2.50"],
    ["www.glued.com", "A", "192.0.2.20"],
    ["www.bindzone.com", "A", "192.0.2.20"],
    ["www.knotzone.com", "A", "192.0.2.20"],
    ["ns1.pdnsprov.net", "A", "127.10.1.1"]
  ]
  for (const [name, type, ...data] of expectedAnswers)
    live(`resolves ${name} ${type} from the root`, () =>
      Effect.gen(function* () {
        const { resolver } = yield* Lab
        expect(yield* dig(resolver, name, type)).toEqual(data)
      })
    )

  live("has a signed zone with DS records at its parent", () =>
    Effect.gen(function* () {
      const { resolver } = yield* Lab
      const signers = yield* dig(resolver, "signed.com", "DS")
      const keys = yield* dig(resolver, "signed.com", "DNSKEY")
      expect(signers.map((signer) => signer.split(" ")[2])).toEqual(["2", "4"])
      expect(keys).toEqual([expect.stringMatching(/^257 3 13 /)])
    })
  )

  live("has a zone at two providers, one of them outdated", () =>
    Effect.gen(function* () {
      const { bind, pdns } = yield* Lab
      const [first = ""] = pdns.addresses
      const answers = yield* Effect.all([dig(first, "mixed.com", "A"), dig(bind.address, "mixed.com", "A")])
      expect(answers).toEqual([["192.0.2.20"], ["192.0.2.99"]])
    })
  )

  live("changes a PowerDNS zone through its API", () =>
    Effect.gen(function* () {
      const { pdns } = yield* Lab
      const [, second = ""] = pdns.addresses
      yield* pdns.patch("example.com", [
        { name: "blog.example.com.", type: "CNAME", changetype: "DELETE" },
        { name: "blog.example.com.", type: "A", changetype: "REPLACE", ttl: 60, records: [{ content: "192.0.2.77" }] }
      ])
      expect(yield* dig(second, "blog.example.com", "A")).toEqual(["192.0.2.77"])
    })
  )

  live("delegates a new zone, and changes a delegation", () =>
    Effect.gen(function* () {
      const { resolver, pdns, delegate } = yield* Lab
      yield* pdns.createZone("new.com", "@ NS ns1.pdnsprov.net.\n@ A 192.0.2.60")
      yield* delegate("new.com", ["ns1.pdnsprov.net", "ns2.pdnsprov.net"])
      expect(yield* dig(resolver, "new.com", "A")).toEqual(["192.0.2.60"])
      yield* delegate("mixed.com", ["ns1.bindprov.net"])
      expect(yield* dig(resolver, "mixed.com", "A")).toEqual(["192.0.2.99"])
    })
  )

  for (const [provider, zone] of [
    ["bind", "bindzone.com"],
    ["knot", "knotzone.com"]
  ] as const)
    live(
      `${provider} transfers and updates ${zone} only with the key, checks prerequisites, and keeps updates over a restart`,
      () =>
        Effect.gen(function* () {
          const server = (yield* Lab)[provider]
          const transfer = ["+onesoa", zone, "AXFR"]
          expect(yield* dig(server.address, ...transfer)).toEqual(["; Transfer failed."])
          const before = yield* dig(server.address, "-y", tsigOption(server.key), ...transfer)
          expect(before).toContain("10 mx1.mailprov.net.")

          const current = `prereq yxrrset www.${zone} A 192.0.2.20`
          expect(yield* nsupdate(server, current, `add new.${zone} 60 TXT "one"`)).toBe("")
          const stale = `prereq yxrrset www.${zone} A 192.0.2.21`
          expect(yield* nsupdate(server, stale, `del new.${zone}`)).toBe("update failed: NXRRSET\n")

          yield* server.update(zone, [
            [{ name: `www.${zone}.`, type: "A", changetype: "DELETE" }],
            [
              {
                name: `www.${zone}.`,
                type: "CNAME",
                changetype: "REPLACE",
                ttl: 60,
                records: [{ content: "web.test." }]
              }
            ]
          ])
          yield* server.stop
          yield* server.start
          expect(yield* dig(server.address, `new.${zone}`, "TXT")).toEqual([`"one"`])
          expect(yield* dig(server.address, `www.${zone}`, "A")).toEqual(["web.test."])
        })
    )
})
