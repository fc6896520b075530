import { expect } from "bun:test"
import { Effect } from "effect"
import { live } from "../effectTest.ts"
import { ScriptedInternet } from "./ScriptedInternet.ts"
import { makeScriptedPowerDns } from "./ScriptedPowerDns.ts"

const zone = "crumb-and-co.com"

const start = Effect.gen(function* () {
  const internet = yield* ScriptedInternet.make({
    zones: { [zone]: { nameServers: ["ns1.acme-dns.net"], records: "shop 600 A 11.22.33.46\nmail 600 A 11.22.33.45" } }
  })
  const { url } = yield* makeScriptedPowerDns({ internet, zones: [zone], key: "secret" })
  const call = (method: string, path: string, { body, key = "secret" }: { body?: object; key?: string } = {}) =>
    Effect.promise(async () => {
      const init = { method, headers: { "x-api-key": key }, ...(body ? { body: JSON.stringify(body) } : {}) }
      const response = await fetch(`${url}/api/v1/servers/localhost/zones/${path}.`, init)
      return { status: response.status, text: await response.text() }
    })
  const patch = (...rrsets: ReadonlyArray<object>) => call("PATCH", zone, { body: { rrsets } })
  const zoneLines = () => internet.records(zone).map(({ data, name, ttl, type }) => `${name} ${ttl} ${type} ${data}`)
  return { call, patch, zoneLines }
})

const replace = (name: string, type: string, ...contents: ReadonlyArray<string>) => ({
  name: `${name}.${zone}.`,
  type,
  changetype: "REPLACE",
  ttl: 60,
  records: contents.map((content) => ({ content, disabled: false }))
})

const remove = (name: string, type: string) => ({ name: `${name}.${zone}.`, type, changetype: "DELETE" })

live("a scripted PowerDNS shows the record sets that its name servers serve", () =>
  Effect.gen(function* () {
    const { call } = yield* start
    const { kind, rrsets } = JSON.parse((yield* call("GET", zone)).text)
    expect(kind).toBe("Native")
    expect(rrsets).toContainEqual({
      name: `shop.${zone}.`,
      type: "A",
      ttl: 600,
      records: [{ content: "11.22.33.46", disabled: false }]
    })
  })
)

live("a scripted PowerDNS refuses a wrong key and a zone that is not its own", () =>
  Effect.gen(function* () {
    const { call } = yield* start
    expect((yield* call("GET", zone, { key: "wrong" })).status).toBe(401)
    expect((yield* call("GET", "elsewhere.com")).status).toBe(404)
  })
)

live("a scripted PowerDNS writes a CNAME after the conflicting records are deleted, and serves it", () =>
  Effect.gen(function* () {
    const { patch, zoneLines } = yield* start
    const moved = [remove("shop", "A"), replace("shop", "CNAME", "shops.platform.example.")]
    expect((yield* patch(...moved)).status).toBe(204)
    expect(zoneLines().filter((line) => line.startsWith("shop"))).toEqual([
      `shop.${zone}. 60 CNAME shops.platform.example.`
    ])
  })
)

for (const [about, ...changes] of [
  ["a CNAME beside other data", replace("shop", "CNAME", "shops.platform.example."), remove("shop", "A")],
  ["a text without quotes", replace("_verify", "TXT", "b41c")],
  ["a target without its dot", replace("www", "CNAME", zone)],
  ["a record twice", replace("shop", "A", "11.22.33.47", "11.22.33.47")],
  ["a name of another zone", { ...replace("shop", "A", "11.22.33.47"), name: "shop.elsewhere.com." }]
] as const)
  live(`a scripted PowerDNS refuses ${about}, and with it the whole call`, () =>
    Effect.gen(function* () {
      const { patch, zoneLines } = yield* start
      const before = zoneLines()
      expect((yield* patch(replace("mail", "A", "11.22.33.99"), ...changes)).status).toBe(422)
      expect(zoneLines()).toEqual(before)
    })
  )
