import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { run } from "./Server.ts"
import { drop, refused } from "./dnsFaults.ts"
import { decode, type LabMessage, queryFor } from "./packet.ts"
import { queryScripted } from "./queryScripted.ts"
import { exchangeTcp, exchangeUdp } from "./sendQuery.ts"
import { describeIfPossible } from "../describeIfPossible.ts"

const spec = {
  zones: {
    "example.com": {
      nameServers: ["ns1.alpha-dns.net", "ns2.alpha-dns.net"],
      records: `
        ; the zone of most tests
        @              A      192.0.2.1
        @              AAAA   2001:db8::1
        @          60  MX     10 mail
        @              TXT    "v=spf1 mx" " -all"
        @              CAA    0 issue "letsencrypt.org"
        mail           A      192.0.2.25
        www            CNAME  @
        away           CNAME  shop.other.com.
        _sip._tcp      SRV    1 2 5060 mail
        *.apps         A      192.0.2.30
        a.b.apps       A      192.0.2.31
        shop           NS     ns1.beta-dns.net.
        inner          NS     ns.inner
        ns.inner       A      192.0.2.53
        big            TXT    "${"c".repeat(200)}"
        big            TXT    "${"a".repeat(255)}" "${"b".repeat(255)}"`
    },
    "shop.example.com": { nameServers: ["ns1.beta-dns.net"], records: "cart A 192.0.2.40" },
    "other.com": {
      nameServers: ["ns1.other.com"],
      delegatedTo: ["ns1.other.com", "ns9.other.com"],
      records: "shop A 192.0.2.50"
    }
  }
}

const soa = (zone: string) => ({
  name: `${zone}.`,
  type: "SOA",
  ttl: 300,
  data: `ns1.${zone}. hostmaster.${zone}. 1 7200 3600 1209600 300`
})
const a = (name: string, data: string) => ({ name, type: "A", ttl: 300, data })
const ns = (name: string, data: string) => ({ name, type: "NS", ttl: 300, data })

const data: ReadonlyArray<readonly [name: string, type: string, ttl: number, data: string]> = [
  ["example.com.", "AAAA", 300, "2001:db8::1"],
  ["example.com.", "MX", 60, "10 mail.example.com."],
  ["example.com.", "TXT", 300, `"v=spf1 mx" " -all"`],
  ["example.com.", "CAA", 300, `0 issue "letsencrypt.org"`],
  ["_sip._tcp.example.com.", "SRV", 300, "1 2 5060 mail.example.com."],
  ["www.example.com.", "CNAME", 300, "example.com."]
]
const testInternet = queryScripted(spec)

const sections = ({ rcode, authoritative, answers, authority, additional }: LabMessage) => ({
  rcode,
  authoritative,
  answers,
  authority,
  additional
})

const answered = (answers: LabMessage["answers"]) => ({
  rcode: "NOERROR" as const,
  authoritative: true,
  answers,
  authority: [],
  additional: []
})

describe("a server without faults", () => {
  testInternet("answers with AA, the id and the question in its original letter case", (_, ask) =>
    Effect.gen(function* () {
      const reply = yield* ask("ns1.alpha-dns.net", "eXample.com.", "A", { recursionDesired: true, udpSize: 4096 })
      expect(reply).toEqual({
        ...answered([a("eXample.com.", "192.0.2.1")]),
        id: 4711,
        opcode: 0,
        response: true,
        truncated: false,
        recursionDesired: true,
        recursionAvailable: false,
        questions: [{ name: "eXample.com.", type: "A", class: 1 }],
        udpSize: 1232
      })
    })
  )

  for (const [name, type, ttl, text] of data)
    testInternet(`returns the data of ${type}`, (_, ask) =>
      Effect.gen(function* () {
        const reply = yield* ask("ns2.alpha-dns.net", name, type)
        expect(sections(reply)).toEqual(answered([{ name, type, ttl, data: text }]))
      })
    )

  testInternet("returns a CNAME for any type, with its target's records inside the zone", (_, ask) =>
    Effect.gen(function* () {
      const alias = { name: "www.example.com.", type: "CNAME", ttl: 300, data: "example.com." }
      const inside = yield* ask("ns1.alpha-dns.net", "www.example.com.", "A")
      expect(sections(inside)).toEqual(answered([alias, a("example.com.", "192.0.2.1")]))
      const outside = yield* ask("ns1.alpha-dns.net", "away.example.com.", "A")
      expect(sections(outside)).toEqual(answered([{ ...alias, name: "away.example.com.", data: "shop.other.com." }]))
    })
  )

  testInternet("distinguishes a name without that type from a name that does not exist", (_, ask) =>
    Effect.gen(function* () {
      const nothing = { ...answered([]), authority: [soa("example.com")] }
      const noData = yield* ask("ns1.alpha-dns.net", "mail.example.com.", "TXT")
      expect(sections(noData)).toEqual(nothing)
      const emptyNonTerminal = yield* ask("ns1.alpha-dns.net", "_tcp.example.com.", "A")
      expect(sections(emptyNonTerminal)).toEqual(nothing)
      const noName = yield* ask("ns1.alpha-dns.net", "nope.example.com.", "A")
      expect(sections(noName)).toEqual({ ...nothing, rcode: "NXDOMAIN" })
    })
  )

  testInternet("answers from a wildcard only below the closest encloser", (_, ask) =>
    Effect.gen(function* () {
      const codes = yield* Effect.forEach(["x.apps", "x.y.apps", "b.apps", "x.b.apps", "a.b.apps"], (name) =>
        Effect.map(ask("ns1.alpha-dns.net", `${name}.example.com.`, "A"), ({ rcode, answers }) => [
          name,
          rcode,
          ...answers.map((record) => `${record.name} ${record.data}`)
        ])
      )
      expect(codes).toEqual([
        ["x.apps", "NOERROR", "x.apps.example.com. 192.0.2.30"],
        ["x.y.apps", "NOERROR", "x.y.apps.example.com. 192.0.2.30"],
        ["b.apps", "NOERROR"],
        ["x.b.apps", "NXDOMAIN"],
        ["a.b.apps", "NOERROR", "a.b.apps.example.com. 192.0.2.31"]
      ])
    })
  )

  testInternet("refers to the servers of a delegation, with glue if they are below it", (_, ask) =>
    Effect.gen(function* () {
      const refers = { ...answered([]), authoritative: false }
      const apart = yield* ask("ns1.alpha-dns.net", "cart.shop.example.com.", "A")
      expect(sections(apart)).toEqual({ ...refers, authority: [ns("shop.example.com.", "ns1.beta-dns.net.")] })
      const below = yield* ask("ns1.alpha-dns.net", "inner.example.com.", "NS")
      expect(sections(below)).toEqual({
        ...refers,
        authority: [ns("inner.example.com.", "ns.inner.example.com.")],
        additional: [a("ns.inner.example.com.", "192.0.2.53")]
      })
      const signed = yield* ask("ns1.alpha-dns.net", "shop.example.com.", "DS")
      expect(sections(signed)).toEqual({ ...answered([]), authority: [soa("example.com")] })
    })
  )

  testInternet("is reachable from the root, and refuses zones that it does not have", (_, ask) =>
    Effect.gen(function* () {
      const fromRoot = yield* ask("a.root.test", "www.example.com.", "A")
      expect(sections(fromRoot)).toEqual({
        ...answered([]),
        authoritative: false,
        authority: [ns("com.", "a.gtld.test.")],
        additional: [a("a.gtld.test.", "11.0.0.2")]
      })
      const fromTld = yield* ask("a.gtld.test", "shop.other.com.", "A")
      expect(sections(fromTld)).toEqual({
        ...answered([]),
        authoritative: false,
        authority: [ns("other.com.", "ns1.other.com."), ns("other.com.", "ns9.other.com.")],
        additional: [a("ns1.other.com.", "11.0.1.4"), a("ns9.other.com.", "11.0.1.5")]
      })
      const child = yield* ask("ns1.other.com", "other.com.", "NS")
      expect(child.answers).toEqual([ns("other.com.", "ns1.other.com.")])
      const unserved = yield* ask("ns9.other.com", "other.com.", "NS")
      expect(unserved.rcode).toBe("REFUSED")
    })
  )

  testInternet("sends TC with the records that fit in 512 bytes, more with EDNS, all over TCP", (internet, ask) =>
    Effect.gen(function* () {
      const small = yield* ask("ns1.alpha-dns.net", "big.example.com.", "TXT")
      expect([small.truncated, small.answers.length]).toEqual([true, 1])
      const large = yield* ask("ns1.alpha-dns.net", "big.example.com.", "TXT", { udpSize: 1232 })
      expect([large.truncated, large.answers.length]).toEqual([false, 2])
      const tcp = yield* Effect.promise(() =>
        exchangeTcp(internet.dial("11.0.1.1"), queryFor("big.example.com.", "TXT"))
      )
      expect(decode(tcp ?? new Uint8Array()).answers).toEqual(large.answers)
    })
  )
})

describe("the resolver", () => {
  testInternet("follows referrals from the root, and CNAMEs across zones", (_, ask) =>
    Effect.gen(function* () {
      const away = yield* ask("resolver.test", "away.example.com.", "A", { recursionDesired: true })
      expect([away.recursionAvailable, away.authoritative]).toEqual([true, false])
      expect(away.answers.map(({ data }) => data)).toEqual(["shop.other.com.", "192.0.2.50"])
      const cart = yield* ask("resolver.test", "cart.shop.example.com.", "A")
      expect(cart.answers).toEqual([a("cart.shop.example.com.", "192.0.2.40")])
      const absent = yield* ask("resolver.test", "nope.example.org.", "A")
      expect([absent.rcode, absent.answers]).toEqual(["NXDOMAIN", []])
    })
  )

  testInternet("queries the next server if one fails, and answers SERVFAIL if all do", (internet, ask) =>
    Effect.gen(function* () {
      internet.script("ns1.alpha-dns.net", refused)
      const other = yield* ask("resolver.test", "example.com.", "A")
      expect(other.answers).toEqual([a("example.com.", "192.0.2.1")])
      internet.script("ns2.alpha-dns.net", drop)
      const none = yield* ask("resolver.test", "example.com.", "A")
      expect(none.rcode).toBe("SERVFAIL")
      internet.heal()
      const healed = yield* ask("resolver.test", "example.com.", "A")
      expect(healed.rcode).toBe("NOERROR")
    })
  )
})

describeIfPossible("dig", Bun.which("dig") === null ? "needs `dig`" : undefined, () => {
  testInternet("decodes the same as the test decoder", (internet) =>
    Effect.gen(function* () {
      const { host, port } = internet.dial(internet.addressOf("ns1.alpha-dns.net"))
      const read = yield* Effect.forEach(data, ([name, type]) =>
        run("dig", "+short", "+norec", "-p", String(port), `@${host}`, name, type)
      )
      expect(read.map((output) => output.trim())).toEqual(data.map(([, , , text]) => text))
    })
  )
})

describe("the internet", () => {
  testInternet("records questions and dialled addresses without a server", (internet, ask) =>
    Effect.gen(function* () {
      yield* ask("ns2.alpha-dns.net", "example.com.", "MX")
      const vanished = yield* Effect.promise(() =>
        exchangeUdp(internet.dial("169.254.169.254"), queryFor("example.com.", "A"), 20)
      )
      expect(vanished).toBeUndefined()
      expect(internet.strangers).toEqual(["169.254.169.254"])
      expect(internet.queries).toEqual([
        { server: "ns2.alpha-dns.net", name: "example.com", type: "MX", transport: "udp" }
      ])
    })
  )

  testInternet("changes a record set on all servers of the zone", (internet, ask) =>
    Effect.gen(function* () {
      internet.write("example.com", "www", "CNAME", [])
      internet.write("example.com", "www", "TXT", [`"one"`, `"two"`], 60)
      const reply = yield* ask("ns2.alpha-dns.net", "www.example.com.", "TXT")
      expect(reply.answers).toEqual([
        { name: "www.example.com.", type: "TXT", ttl: 60, data: `"one"` },
        { name: "www.example.com.", type: "TXT", ttl: 60, data: `"two"` }
      ])
      expect(internet.records("example.com").filter(({ type }) => type === "CNAME").length).toBe(1)
    })
  )
})

queryScripted({
  zones: {
    "one.com": { nameServers: ["ns.two.com"], records: "@ A 192.0.2.1" },
    "two.com": { nameServers: ["ns.one.com"], records: "@ A 192.0.2.2" }
  },
  hosts: { "ns.one.com": [], "ns.two.com": [] }
})("the resolver answers SERVFAIL where two zones need each other's name servers", (_, ask) =>
  Effect.gen(function* () {
    const reply = yield* ask("resolver.test", "one.com.", "A")
    expect(reply.rcode).toBe("SERVFAIL")
  })
)
