import { describe, expect } from "bun:test"
import { Effect, Either } from "effect"
import { queryableTypes, type RecordTypeName } from "../../../src/domain/records/dnsTypes.ts"
import { live } from "../../support/effectTest.ts"
import { replyOf } from "../../support/lab/Zone.ts"
import { drop, type Fault, lame, refused, servfail } from "../../support/lab/dnsFaults.ts"
import { silenceTimeout } from "../dnsFixture.ts"
import { firstServer, onAllServers, readZoneOf, record, secondServer, zoneOf } from "../zoneReaderFixture.ts"

const notImplemented: Fault = () => replyOf("NOTIMP")

/** The types that old servers and load balancers do not know. */
const laterTypes = ["AAAA", "SRV", "CAA", "HTTPS", "SVCB", "TLSA", "DS", "NAPTR", "SPF"] as const

/** The names of types that the lab knows by their numbers only. */
const labNames: Readonly<Record<string, string>> = { TLSA: "TYPE52", NAPTR: "TYPE35", SPF: "TYPE99" }

const records = `www A   192.0.2.1
     @   TXT "hello"
     *.x A   192.0.2.2`

const found = [record("www", "A", "192.0.2.1"), record("@", "TXT", "hello"), record("*.x", "A", "192.0.2.2")]

/** Reads all types at a host with an address, and at one that a wildcard answers for; `type` has the fault everywhere. */
const readWith = (fault: Fault, type: RecordTypeName, required: ReadonlyArray<RecordTypeName> = []) =>
  Effect.map(
    readZoneOf(
      zoneOf(records),
      { www: queryableTypes, "@": ["TXT"], "a.x": ["A"] },
      {
        ...onAllServers(fault, { type: labNames[type] ?? type }),
        ...(fault === drop ? { timeout: silenceTimeout } : {}),
        required: { www: required }
      }
    ),
    ({ result }) => result
  )

describe("a type that no server knows", () => {
  for (const type of laterTypes)
    live(`has no records where each says that it does not implement ${type}`, () =>
      Effect.map(readWith(notImplemented, type, [type]), (result) =>
        expect<unknown>(
          Either.map(result, ({ isComplete, unanswered, zone }) => [isComplete, unanswered, zone.records])
        ).toEqual(Either.right([true, [], expect.arrayContaining(found)]))
      )
    )

  // The same code reads every type: these stand for the others.
  for (const type of ["AAAA", "CAA", "HTTPS"] as const)
    for (const [what, fault, reason] of [
      ["fails", servfail, "server_failure"],
      ["refuses", refused, "refused"],
      ["answers with a referral upwards", lame, "lame"],
      ["is silent", drop, "timed_out"]
    ] as const)
      live(`is unknown where each ${what} for ${type}, and all others are known`, () =>
        Effect.map(readWith(fault, type), (result) => {
          expect(Either.map(result, ({ isComplete, zone }) => [isComplete, zone.records])).toEqual(
            Either.right([true, expect.arrayContaining(found)])
          )
          const unanswered = Either.match(result, { onLeft: () => [], onRight: (read) => read.unanswered })
          expect(unanswered).toContainEqual({
            name: "www.example.com",
            type,
            servers: [firstServer, secondServer].map((server) => ({
              server,
              reason,
              question: { name: "www.example.com", type }
            }))
          })
          expect(new Set(unanswered.map((rrset) => rrset.type))).toEqual(new Set([type]))
        })
      )

  live("fails the read where a plan needs it", () =>
    Effect.map(readWith(servfail, "CAA", ["CAA"]), (result) =>
      expect<unknown>(Either.mapLeft(result, ({ unanswered }) => unanswered)).toEqual(
        Either.left(["www.example.com CAA"])
      )
    )
  )

  live("costs each server that is silent a few questions about many hosts", () =>
    Effect.gen(function* () {
      const hosts = Array.from({ length: 40 }, (_, nth) => `h${nth}`)
      const { internet, result } = yield* readZoneOf(
        zoneOf(hosts.map((host) => `${host} A 192.0.2.1`).join("\n")),
        Object.fromEntries(hosts.map((host) => [host, ["A", "AAAA", "CNAME", "NS", "HTTPS", "SVCB"] as const])),
        { ...onAllServers(drop, { type: "HTTPS" }), timeout: silenceTimeout }
      )
      expect(Either.map(result, ({ zone }) => zone.records.length)).toEqual(Either.right(40))
      const dropped = internet.queries.filter(({ server, type }) => server === firstServer && type === "HTTPS")
      expect(new Set(dropped.map(({ name }) => name)).size).toBeLessThan(40)
    })
  )
})

describe("a type that every server knows", () => {
  for (const type of ["A", "CNAME", "MX", "NS", "TXT"] as const)
    live(`stays unknown where each says that it does not implement ${type}`, () =>
      Effect.map(readWith(notImplemented, type), (result) => expect(Either.isLeft(result)).toBe(true))
    )
})
