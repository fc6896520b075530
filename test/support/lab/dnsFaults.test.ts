import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { delay, dropUdp, lame, notAuthoritative, rawBytes, servfail, staleZone, truncated } from "./dnsFaults.ts"
import { decode, type LabMessage, queryFor } from "./packet.ts"
import { queryScripted } from "./queryScripted.ts"
import { exchangeTcp, exchangeUdp } from "./sendQuery.ts"

const host = "ns1.alpha-dns.net"

const withFaults = queryScripted({
  zones: {
    "example.com": {
      nameServers: [host],
      records: `
        @     A    192.0.2.1
        @     MX   10 mail
        @     TXT  "one"
        @     CAA  0 issue "letsencrypt.org"
        mail  A    192.0.2.25
        www   A    192.0.2.1`
    }
  }
})

const summaryOf = ({ rcode, authoritative, answers, authority }: LabMessage) => [
  rcode,
  authoritative,
  ...answers.map(({ data }) => data),
  ...authority.map(({ name, data }) => `${name} ${data}`)
]

describe("a server with a fault", () => {
  withFaults("answers as scripted, and only for the scripted questions", (internet, ask) =>
    Effect.gen(function* () {
      internet.script(host, servfail, { name: "example.com", type: "MX" })
      internet.script(host, staleZone("example.com", "www A 198.51.100.1"), { name: "WWW.example.com" })
      internet.script(host, lame, { name: "mail.example.com" })
      internet.script(host, notAuthoritative, { type: "TXT" })
      internet.script(host, delay(5), { type: "CAA" })
      const [mx, address, www, mail, text, caa] = yield* Effect.all([
        ask(host, "example.com.", "MX"),
        ask(host, "example.com.", "A"),
        ask(host, "www.example.com.", "A"),
        ask(host, "mail.example.com.", "A"),
        ask(host, "example.com.", "TXT"),
        ask(host, "example.com.", "CAA")
      ])
      expect(summaryOf(mx)).toEqual(["SERVFAIL", false])
      expect(summaryOf(address)).toEqual(["NOERROR", true, "192.0.2.1"])
      expect(summaryOf(www)).toEqual(["NOERROR", true, "198.51.100.1"])
      expect(summaryOf(mail)).toEqual(["NOERROR", false, ". a.root.test."])
      expect(summaryOf(text)).toEqual(["NOERROR", false, `"one"`])
      expect(summaryOf(caa)).toEqual(["NOERROR", true, `0 issue "letsencrypt.org"`])
    })
  )

  withFaults("drops UDP, or truncates over UDP and closes TCP", (internet) =>
    Effect.promise(async () => {
      const [to, query] = [internet.dial(internet.addressOf(host)), queryFor("example.com.", "A")]
      internet.script(host, dropUdp)
      expect([await exchangeUdp(to, query, 20), (await exchangeTcp(to, query))?.length]).toEqual([undefined, 45])
      internet.script(host, truncated)
      expect(decode((await exchangeUdp(to, query))?.bytes ?? new Uint8Array()).truncated).toBe(true)
      expect(await exchangeTcp(to, query)).toBeUndefined()
      internet.heal(host)
      await Effect.runPromise(internet.refuseTcp(host))
      expect([await exchangeTcp(to, query), (await exchangeUdp(to, query))?.bytes.length]).toEqual([undefined, 45])
    })
  )

  withFaults("sends raw bytes", (internet) =>
    Effect.promise(async () => {
      internet.script(
        host,
        rawBytes((query) => [query.slice(0, 2), Uint8Array.of(9)])
      )
      const answer = await exchangeUdp(internet.dial(internet.addressOf(host)), queryFor("example.com.", "A"))
      expect([...(answer?.bytes ?? [])]).toEqual([0x12, 0x67])
    })
  )
})
