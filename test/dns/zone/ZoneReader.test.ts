import { describe, expect } from "bun:test"
import { Effect, Either, Layer } from "effect"
import { DnsClient } from "../../../src/dns/transport/DnsClient.ts"
import { makeFailedQuery, type Query } from "../../../src/dns/transport/Query.ts"
import type { Message, Question } from "../../../src/dns/wire/Message.ts"
import { ZoneReader } from "../../../src/dns/zone/ZoneReader.ts"
import { DomainName, HostName } from "../../../src/domain/names/DomainName.ts"
import { isBasicType, queryableTypes } from "../../../src/domain/records/dnsTypes.ts"
import { effect, live } from "../../support/effectTest.ts"
import type { InternetSpec } from "../../support/lab/ScriptedTopology.ts"
import { type Reply, replyOf } from "../../support/lab/Zone.ts"
import { drop, type Fault, lame, refused, servfail, truncated } from "../../support/lab/dnsFaults.ts"
import { silenceTimeout } from "../dnsFixture.ts"
import {
  type ExpectedQueries,
  expectZone,
  firstServer,
  onAllServers,
  readZoneOf,
  record,
  secondServer,
  zoneOf
} from "../zoneReaderFixture.ts"

/** The queries for a wildcard that must be answered, as `name type`. */
const atWildcard = queryableTypes.filter(isBasicType).map((type) => `*.example.com ${type}`)

/** The way in which BIND and PowerDNS fail on a CNAME loop. */
const failsToFollow: Fault = ({ question }, correct) =>
  question.type !== "CNAME" && correct.answers.some(({ type }) => type === "CNAME") ? replyOf("SERVFAIL") : correct

const dropsAllButWww: Fault = ({ question }, correct) => (question.name === "www.example.com." ? correct : [])

/** Redirects everything below `old.example.com` to `new.example.org`. */
const redirectsOld: Fault = ({ question: { name } }, correct) =>
  name.endsWith(".old.example.com.")
    ? replyOf("NOERROR", {
        authoritative: true,
        answers: [
          { name: "old.example.com.", type: "DNAME", ttl: 300, data: "new.example.org." },
          { name, type: "CNAME", ttl: 300, data: name.replace("old.example.com.", "new.example.org.") }
        ]
      })
    : correct

describe("the records of a zone", () => {
  expectZone(
    "are read unchanged at each requested host and type",
    `@            600 A     192.0.2.1
     @                A     192.0.2.2
     @                MX    10 mail
     @                TXT   "v=spf1 " "-all"
     @                TXT   "a second one"
     _sip._tcp     60 SRV   1 2 443 sip.example.org.
     mail             A     192.0.2.3`,
    { "@": ["A", "MX", "TXT", "CAA"], "_sip._tcp": ["SRV"], nobody: ["A", "TXT"], mail: ["TXT"] },
    [
      record("@", "A", "192.0.2.1", { ttl: 600 }),
      record("@", "A", "192.0.2.2"),
      record("@", "MX", "mail.example.com", { priority: 10 }),
      record("@", "TXT", "a second one"),
      record("@", "TXT", "v=spf1 -all"),
      record("_sip._tcp", "SRV", "2 443 sip.example.org", { priority: 1, ttl: 60 })
    ]
  )

  expectZone(
    "contain an alias once, without the records of its target",
    `www  3600 CNAME @
     @         A     192.0.2.1
     away      CNAME shop.other.com.`,
    { www: ["A", "AAAA", "TXT", "CNAME"], away: ["A"] },
    [record("www", "CNAME", "example.com", { ttl: 3600 }), record("away", "CNAME", "shop.other.com")]
  )

  expectZone(
    "contain each link of a CNAME loop at its own host",
    `one CNAME two
     two CNAME one
     own CNAME own`,
    { one: ["A"], two: ["A", "TXT"], own: ["A"] },
    [
      record("one", "CNAME", "two.example.com"),
      record("two", "CNAME", "one.example.com"),
      record("own", "CNAME", "own.example.com")
    ]
  )

  expectZone(
    "are relative to a domain below the apex",
    `app        A   192.0.2.1
     www.app    A   192.0.2.2
     @          A   192.0.2.9`,
    { "@": ["A"], www: ["A"] },
    [record("@", "A", "192.0.2.1"), record("www", "A", "192.0.2.2")],
    { domain: "app.example.com" }
  )
})

describe("an alias without a target", () => {
  const loop = `one    CNAME  two
     two    CNAME  one
     own    CNAME  own`
  const aliases = [record("one", "CNAME", "two.example.com"), record("own", "CNAME", "own.example.com")]

  expectZone(
    "is read on its own",
    loop,
    { one: ["A", "CNAME", "TXT"], own: ["A", "CNAME"] },
    aliases,
    onAllServers(failsToFollow)
  )

  live("makes everything else unknown while it is unknown itself", () =>
    Effect.gen(function* () {
      const { result } = yield* readZoneOf(
        zoneOf(loop),
        { one: ["A"], own: ["A", "CNAME"] },
        onAllServers(failsToFollow)
      )
      expect<unknown>(result).toEqual(Either.left({ _tag: "ZoneReadTimedOut", unanswered: ["one.example.com A"] }))
    })
  )
})

describe("a delegated name", () => {
  const shop = `shop NS ns1.other.net.
     shop NS ns2.other.net.
     @    A  192.0.2.1`
  const cut = [record("shop", "NS", "ns1.other.net"), record("shop", "NS", "ns2.other.net")]

  expectZone("appears as NS records at the zone cut, read at the cut", shop, { shop: ["A", "NS"] }, cut)

  expectZone(
    "appears as NS records at the zone cut, read below the cut",
    shop,
    { "a.b.shop": ["A", "TXT"], "*.shop": ["A"] },
    cut
  )

  expectZone(
    "includes the addresses of its own name servers, and no other records below it",
    `shop      NS ns1.shop
     ns1.shop  A  192.0.2.53
     www.shop  A  192.0.2.1`,
    { "ns1.shop": ["A", "AAAA"], "www.shop": ["A"] },
    [record("ns1.shop", "A", "192.0.2.53"), record("shop", "NS", "ns1.shop.example.com")]
  )

  live("is recognized if the same servers host the child zone", () =>
    Effect.gen(function* () {
      const spec: InternetSpec = {
        zones: {
          "example.com": { nameServers: [firstServer, secondServer], records: "" },
          "shop.example.com": { nameServers: [firstServer, secondServer], records: "cart A 192.0.2.50" }
        }
      }
      const { result } = yield* readZoneOf(spec, { "cart.shop": ["A"] })
      expect(Either.map(result, ({ zone }) => zone.records)).toEqual(
        Either.right([
          record("cart.shop", "A", "192.0.2.50"),
          record("shop", "NS", firstServer),
          record("shop", "NS", secondServer)
        ])
      )
    })
  )

  expectZone(
    "with a DNAME appears as the DNAME, without synthesized aliases",
    "@ A 192.0.2.1",
    { "www.old": ["A"], "@": ["A"] },
    [record("old", "DNAME", "new.example.org"), record("@", "A", "192.0.2.1")],
    {
      prepare: (internet) => [firstServer, secondServer].forEach((server) => internet.script(server, redirectsOld))
    }
  )
})

describe("a query that no server answers", () => {
  for (const [what, fault] of Object.entries({ drop, servfail, refused, lame, truncated }))
    live(`leaves its RRset unknown and fails the read: ${what}`, () =>
      Effect.gen(function* () {
        const options = {
          ...onAllServers(fault, { name: "www.example.com", type: "TXT" }),
          timeout: silenceTimeout
        }
        const { result } = yield* readZoneOf(zoneOf("www A 192.0.2.1"), { www: ["A", "TXT"] }, options)
        expect<unknown>(result).toEqual(Either.left({ _tag: "ZoneReadTimedOut", unanswered: ["www.example.com TXT"] }))
      })
    )

  live("for a wildcard leaves the hosts below it unknown", () =>
    Effect.gen(function* () {
      const { result } = yield* readZoneOf(
        zoneOf("www A 192.0.2.1"),
        { www: ["A"] },
        { ...onAllServers(dropsAllButWww), timeout: silenceTimeout }
      )
      expect<unknown>(result).toEqual(
        Either.left({ _tag: "ZoneReadTimedOut", unanswered: ["www.example.com A", ...atWildcard] })
      )
    })
  )

  live("is every query if no server is known", () =>
    Effect.gen(function* () {
      const { result } = yield* readZoneOf(zoneOf(""), { "@": ["A"] }, { nameServers: [] })
      expect<unknown>(result).toEqual(Either.left({ _tag: "ZoneReadTimedOut", unanswered: ["example.com A"] }))
    })
  )
})

live("an alias below the apex is queried for two types at each server, and an address for all requested types", () =>
  Effect.gen(function* () {
    const types = ["A", "AAAA", "CNAME", "TXT", "CAA"] as const
    const { internet } = yield* readZoneOf(zoneOf("www CNAME shops.example.net.\nshop A 192.0.2.1"), {
      www: types,
      shop: types
    })
    const queriedTypesOf = (host: string) =>
      internet.queries
        .filter(({ name, server }) => server === firstServer && name.replace(/\.$/, "") === `${host}.example.com`)
        .map(({ type }) => type)
        .toSorted()
    expect([queriedTypesOf("www"), queriedTypesOf("shop")]).toEqual([["A", "AAAA"], types.toSorted()])
  })
)

live("a read that needs too many queries sends none, and its RRsets are unknown", () =>
  Effect.gen(function* () {
    const hosts = Array.from({ length: 200 }, (_, index) => `${"a.".repeat(109)}z${index}`)
    const { internet, result } = yield* readZoneOf(
      zoneOf(""),
      Object.fromEntries(hosts.map((host): [string, ExpectedQueries[string]] => [host, ["A", "TXT"]]))
    )
    const unanswered = hosts.flatMap((host) => [`${host}.example.com A`, `${host}.example.com TXT`])
    expect<unknown>(result).toEqual(Either.left({ _tag: "ZoneReadTimedOut", unanswered }))
    expect(internet.queries).toEqual([])
  })
)

live("a server that timed out gets one more query, and no others if that times out too", () =>
  Effect.gen(function* () {
    const { internet, result } = yield* readZoneOf(
      zoneOf("www A 192.0.2.1"),
      { www: ["A", "TXT", "MX"] },
      {
        timeout: silenceTimeout,
        nameServers: [
          { name: firstServer, addresses: ["11.0.1.1"] },
          { name: secondServer, addresses: ["11.0.1.2"], wasUnreachable: true }
        ],
        prepare: (internet) => internet.script(secondServer, drop)
      }
    )
    expect(Either.map(result, ({ zone }) => zone.records)).toEqual(Either.right([record("www", "A", "192.0.2.1")]))
    const queries = internet.queries
      .filter(({ server }) => server === secondServer)
      .map(({ name, type }) => `${name} ${type}`)
    expect([...new Set(queries)]).toEqual(["www.example.com A"])
  })
)

live("a server that timed out and answers again gets all queries", () =>
  Effect.gen(function* () {
    const nameServers = [{ name: secondServer, addresses: ["11.0.1.2"], wasUnreachable: true }]
    const { result } = yield* readZoneOf(
      zoneOf("www A 192.0.2.1\n@ MX 10 mx.example.org."),
      { www: ["A"], "@": ["MX"] },
      { nameServers }
    )
    expect(Either.getOrThrow(result).zone.records).toHaveLength(2)
  })
)

effect("a read sends at most 128 concurrent queries to all its servers, in its second round too", () =>
  Effect.gen(function* () {
    let underWay = 0
    let most = 0
    const ask =
      (_: string, { name, type }: Question): Query<Message> =>
      (over) => {
        underWay += 1
        most = Math.max(most, underWay)
        const answers = type === "A" ? [{ name, type, ttl: 60, value: "192.0.2.1" }] : []
        const timer = setTimeout(() => {
          underWay -= 1
          over(Either.right({ rcode: 0, aa: true, tc: false, ra: false, answers, authorities: [], additionals: [] }))
        }, 1)
        return () => clearTimeout(timer)
      }
    const domain = DomainName.make("example.com")
    const delegation = {
      zone: domain,
      nameServers: [firstServer, secondServer].map((name) => ({ name, addresses: [`${name} address`] })),
      parentNameServers: [firstServer, secondServer],
      childNameServers: [firstServer, secondServer],
      hasParentChildMismatch: false,
      isSigned: false
    }
    // Hosts with the same records as a wildcard are queried again, and names below them as well.
    const hosts = Array.from({ length: 50 }, (_, nth) => ({
      host: HostName.make(`h${nth}.z${nth}`),
      types: ["A"] as const
    }))
    const client = Layer.succeed(DnsClient, { query: ask, resolve: () => makeFailedQuery("refused") })
    const { read } = yield* Effect.provide(ZoneReader, Layer.provide(ZoneReader.layer, client))
    yield* read({ domain, delegation, hosts })
    expect(most).toBe(128)
  })
)

const manyTypes = ["A", "AAAA", "CNAME", "MX", "TXT"] as const

live("a missing name is queried for two types only", () =>
  Effect.gen(function* () {
    const { internet, result } = yield* readZoneOf(zoneOf("www A 192.0.2.1"), { new: manyTypes })
    expect(Either.map(result, ({ zone }) => zone.records)).toEqual(Either.right([]))
    const queries = internet.queries.filter(({ name, server }) => server === firstServer && name === "new.example.com")
    expect(queries.map(({ type }) => type).toSorted()).toEqual(["A", "AAAA"])
  })
)

live("a server that denies a name for one type only is queried for all types", () =>
  Effect.gen(function* () {
    const { prepare } = onAllServers(() => replyOf("NXDOMAIN", { authoritative: true }), {
      name: "www.example.com",
      type: "AAAA"
    })
    const { result } = yield* readZoneOf(zoneOf("www A 192.0.2.1\nwww TXT hello"), { www: manyTypes }, { prepare })
    expect(Either.map(result, ({ zone }) => zone.records.map(({ type }) => type).toSorted())).toEqual(
      Either.right(["A", "TXT"])
    )
  })
)

/** Denies a name for its addresses only, as some load balancers do, with these records in place of the SOA of the zone. */
const deniesAddresses =
  (authority: Reply["authority"]): Fault =>
  ({ question: { name, type } }, correct) =>
    name === "www.example.com." && (type === "A" || type === "AAAA")
      ? replyOf("NXDOMAIN", { authoritative: true, authority })
      : correct

const soaOf = (name: string) => ({
  name,
  type: "SOA",
  ttl: 300,
  data: "ns1.example.com. hostmaster.example.com. 1 7200 3600 1209600 300"
})

for (const [what, authority] of Object.entries({ "no SOA": [], "the SOA of another zone": [soaOf("com.")] }))
  live(`a name that is denied with ${what} is queried for all types`, () =>
    Effect.gen(function* () {
      const { result } = yield* readZoneOf(
        zoneOf("www TXT hello"),
        { www: manyTypes },
        onAllServers(deniesAddresses(authority))
      )
      expect(Either.map(result, ({ zone }) => zone.records)).toEqual(Either.right([record("www", "TXT", "hello")]))
    })
  )
