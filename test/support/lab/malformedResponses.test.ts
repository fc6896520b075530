import { describe, expect, test } from "bun:test"
import { Effect } from "effect"
import { live } from "../effectTest.ts"
import { ScriptedInternet } from "./ScriptedInternet.ts"
import { malformedResponse, malformedResponses } from "./malformedResponses.ts"
import { decode, queryFor } from "./packet.ts"
import { exchangeUdp } from "./sendQuery.ts"

const { malformed, misdirected, odd, referrals } = malformedResponses
const all = [...malformed, ...misdirected, ...odd, ...referrals]
const costly = "a chain of pointers in 64 KB"

const responseNamed = (name: string, type = "A") => {
  const response = all.find((candidate) => candidate.name === name)
  return response?.bytes(queryFor("example.com.", type)) ?? new Uint8Array()
}

describe("malformed responses", () => {
  test("have unique names", () => expect(new Set(all.map(({ name }) => name)).size).toBe(all.length))

  for (const { name, type, bytes } of malformed.filter((answer) => answer.name !== costly))
    test(`${name} cannot be read`, () =>
      expect(() => decode(bytes(queryFor("example.com.", type)))).toThrow(RangeError))

  for (const { name, type, bytes } of [...misdirected, ...odd, ...referrals])
    test(`${name} can be read`, () => expect(decode(bytes(queryFor("example.com.", type)))).toBeObject())

  test("fit into one datagram, even the chain of pointers", () => {
    expect(responseNamed(costly).length).toBeWithin(60_000, 65_507)
  })

  test("are what their names say", () => {
    expect(decode(responseNamed("another id")).id).toBe(4710)
    expect(decode(responseNamed("a label that holds a dot", "CNAME")).answers[0]?.data).toBe("a\\.b.example.com.")
    expect(decode(responseNamed("a chain of 12 CNAMEs")).answers.length).toBe(13)
    expect(decode(responseNamed("100 name servers")).additional.at(-1)?.data).toBe("11.9.0.99")
  })

  live("reach the client unchanged, from another port if scripted", () =>
    Effect.gen(function* () {
      const internet = yield* ScriptedInternet.make({
        zones: { "example.com": { nameServers: ["ns1.evil.test"], records: "" } }
      })
      const query = queryFor("example.com.", "A")
      const to = internet.dial("11.0.1.1")
      for (const answer of all) {
        internet.script("ns1.evil.test", malformedResponse(answer))
        const packet = yield* Effect.promise(() => exchangeUdp(to, query))
        expect([answer.name, Buffer.from(packet?.bytes ?? [])]).toEqual([answer.name, Buffer.from(answer.bytes(query))])
        expect([answer.name, packet?.port === to.port]).toEqual([answer.name, answer.fromAnotherPort === undefined])
      }
    })
  )
})
