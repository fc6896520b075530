import { describe, expect } from "bun:test"
import { Effect, Either } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { live } from "../../support/effectTest.ts"
import { replyOf } from "../../support/lab/Zone.ts"
import { drop, type Fault, lame, refused, servfail, staleZone, truncated } from "../../support/lab/dnsFaults.ts"
import { malformedResponse, malformedResponses } from "../../support/lab/malformedResponses.ts"
import { questionTypeOf } from "../questionTypeOf.ts"
import { silenceTimeout } from "../dnsFixture.ts"
import { type ExpectedQueries, firstServer, readZoneOf, record, secondServer, zoneOf } from "../zoneReaderFixture.ts"

const refersToItself: Fault = () =>
  replyOf("NOERROR", { authority: [{ name: "example.com.", type: "NS", ttl: 300, data: `${secondServer}.` }] })

describe("several servers", () => {
  const records = `www A 192.0.2.1
     www TXT "same"`
  const queries: ExpectedQueries = { www: ["A", "TXT"] }
  const a = record("www", "A", "192.0.2.1")
  const text = record("www", "TXT", "same")

  /** The result if the second server has this fault. */
  const readWithFault = (fault: Fault, options: Parameters<typeof readZoneOf>[2] = {}) =>
    Effect.map(
      readZoneOf(zoneOf(records), queries, { ...options, prepare: (internet) => internet.script(secondServer, fault) }),
      ({ result }) => Either.getOrThrow(result)
    )

  live("that agree yield one set of records", () =>
    Effect.gen(function* () {
      const { result } = yield* readZoneOf(zoneOf(records), queries)
      expect(Either.getOrThrow(result)).toEqual({
        zone: { name: DomainName.make("example.com"), basis: "public_dns", records: [a, text] },
        hasDisagreement: false,
        isComplete: true,
        wildcardRRsets: [],
        recordsOutside: [],
        unanswered: []
      })
    })
  )

  live("that disagree yield the records of both", () =>
    Effect.gen(function* () {
      const old = record("www", "A", "192.0.2.99")
      expect(yield* readWithFault(staleZone("example.com", 'www A 192.0.2.99\nwww TXT "same"'))).toEqual({
        zone: { name: DomainName.make("example.com"), basis: "public_dns", records: [a, text, old] },
        hasDisagreement: true,
        isComplete: true,
        wildcardRRsets: [],
        recordsOutside: [],
        unanswered: []
      })
    })
  )

  live("disagree if one of them has no records", () =>
    Effect.map(readWithFault(staleZone("example.com", "")), ({ hasDisagreement, zone }) =>
      expect({ hasDisagreement, records: zone.records }).toEqual({ hasDisagreement: true, records: [a, text] })
    )
  )

  live("that differ in the TTL agree, with the lowest TTL", () =>
    Effect.gen(function* () {
      const { hasDisagreement, zone } = yield* readWithFault(
        staleZone("example.com", 'www 60 A 192.0.2.1\nwww 900 TXT "same"')
      )
      expect({ hasDisagreement, records: zone.records }).toEqual({
        hasDisagreement: false,
        records: [{ ...a, ttl: 60 }, text]
      })
    })
  )

  for (const [what, fault] of [
    ["is silent", drop],
    ["fails", servfail],
    ["refuses", refused],
    ["is lame", lame],
    ["refers to itself", refersToItself],
    ["truncates and talks no TCP", truncated]
  ] as const)
    live(`of which one ${what} yield the records of the other without a disagreement, but not all there may be`, () =>
      Effect.map(
        readWithFault(fault, fault === drop ? { timeout: silenceTimeout } : {}),
        ({ hasDisagreement, isComplete, zone }) =>
          expect({ hasDisagreement, isComplete, records: zone.records }).toEqual({
            hasDisagreement: false,
            isComplete: false,
            records: [a, text]
          })
      )
    )

  live(
    "of which one has a private address yield the records of the other, and the private address gets no packet",
    () =>
      Effect.gen(function* () {
        const nameServers = [
          { name: firstServer, addresses: ["11.0.1.1"] },
          { name: secondServer, addresses: ["169.254.169.254", "127.0.0.1"] }
        ]
        const { internet, result } = yield* readZoneOf(zoneOf(records), queries, { nameServers })
        expect(Either.map(result, ({ zone }) => zone.records)).toEqual(Either.right([a, text]))
        expect(internet.strangers).toEqual([])
        expect(new Set(internet.queries.map(({ server }) => server))).toEqual(new Set([firstServer]))
      })
  )

  live("are queried at another address if one times out", () =>
    Effect.gen(function* () {
      const nameServers = [{ name: firstServer, addresses: ["11.9.9.9", "11.0.1.1"] }]
      const { result } = yield* readZoneOf(zoneOf(records), queries, { nameServers })
      expect(Either.map(result, ({ zone }) => zone.records)).toEqual(Either.right([a, text]))
    })
  )
})

describe("a hostile server", () => {
  live("adds nothing to the records of the correct server", () =>
    Effect.gen(function* () {
      const answers = [...malformedResponses.malformed, ...malformedResponses.misdirected].filter(
        (_) => !_.fromAnotherPort
      )
      const hosts = answers.map((answer, index) => ({ answer, host: `h${index}`, type: questionTypeOf(answer) }))
      const { result } = yield* readZoneOf(
        zoneOf(hosts.map(({ host }) => `${host} A 192.0.2.1`).join("\n")),
        Object.fromEntries(hosts.map(({ host, type }) => [host, type === "A" ? ["A"] : ["A", type]])),
        {
          timeout: silenceTimeout,
          prepare: (internet) =>
            hosts.forEach(({ answer, host, type }) =>
              internet.script(secondServer, malformedResponse(answer), { name: `${host}.example.com`, type })
            )
        }
      )
      const { hasDisagreement, zone } = Either.getOrThrow(result)
      expect({ hasDisagreement, records: zone.records }).toEqual({
        hasDisagreement: false,
        records: hosts.map(({ host }) => record(host, "A", "192.0.2.1"))
      })
    })
  )

  live("cannot pass one label off as two names, nor cause a partial value", () =>
    Effect.gen(function* () {
      const values = yield* Effect.forEach(malformedResponses.odd, (answer) =>
        Effect.map(
          readZoneOf(
            zoneOf(""),
            { www: ["A"] },
            { prepare: (internet) => internet.script(firstServer, malformedResponse(answer)) }
          ),
          ({ result }) =>
            Either.getOrThrow(result).zone.records.map(
              ({ host, ttl, type, value }) => `${host} ${type} ${value} ${ttl}`
            )
        )
      )
      expect(values.map(([first]) => first)).toEqual([
        "www CNAME a\\046b.www.example.com 300",
        "www CNAME a\\000b.www.example.com 300",
        "www CNAME a\\013b.www.example.com 300",
        // Also the response for the random label, and therefore that of a wildcard.
        "* A 8.8.8.8 0",
        "www CNAME www.example.com 300",
        "www CNAME ca.www.example.com 300",
        "www CNAME ca.www.example.com 300"
      ])
    })
  )
})
