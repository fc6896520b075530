import { describe, expect } from "bun:test"
import { Effect, Either } from "effect"
import { queryableTypes } from "../../../src/domain/records/dnsTypes.ts"
import { live } from "../../support/effectTest.ts"
import type { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import { answerFromZone, parseZone, replyOf } from "../../support/lab/Zone.ts"
import { drop, type Fault, refused, servfail, staleZone } from "../../support/lab/dnsFaults.ts"
import { silenceTimeout } from "../dnsFixture.ts"
import { firstServer, onAllServers, readZoneOf, record, secondServer, zoneOf } from "../zoneReaderFixture.ts"

/** The number of types of which a host has records only rarely, and that do not conflict with addresses. */
const rare = 18

const zone = "www A 192.0.2.1\nwww PTR host.example.org."
const address = record("www", "A", "192.0.2.1")
const pointer = record("www", "PTR", "host.example.org")

/** Reads every type of a host, and counts the types that each server was asked for there. */
const readWww = (options: Parameters<typeof readZoneOf>[2] = {}, records = zone) =>
  Effect.map(readZoneOf(zoneOf(records), { www: queryableTypes }, options), ({ internet, result }) => ({
    asked: [firstServer, secondServer].map((server) => countTypes(internet, server)),
    records: Either.getOrThrow(result).zone.records,
    hasDisagreement: Either.getOrThrow(result).hasDisagreement
  }))

const countTypes = ({ queries }: ScriptedInternet, server: string): number =>
  new Set(
    queries.filter((query) => query.server === server && query.name === "www.example.com").map(({ type }) => type)
  ).size

const onFirst = (fault: Fault, only?: { readonly name?: string; readonly type?: string }) => ({
  prepare: (internet: ScriptedInternet) => internet.script(firstServer, fault, only)
})

const onSecond = (fault: Fault) => ({
  prepare: (internet: ScriptedInternet) => internet.script(secondServer, fault)
})

const withoutSoa: Fault = (_, correct) => ({ ...correct, authority: [] })

const showsNewerSoa: Fault = () =>
  answerFromZone(parseZone("example.com", "@ SOA ns1 hostmaster 2 7200 3600 1209600 300\nwww A 192.0.2.1"), {
    name: "www.example.com.",
    type: "PTR"
  })

const all = queryableTypes.length

describe("the rare types of a host", () => {
  live("are asked at one server if the others show the same zone", () =>
    Effect.map(readWww(), (read) =>
      expect(read).toEqual({ asked: [all, all - rare], records: [address, pointer], hasDisagreement: false })
    )
  )

  live("are asked although the answers for its other types are empty", () =>
    Effect.map(readWww({}, "www PTR host.example.org."), (read) =>
      expect(read).toEqual({ asked: [all, all - rare], records: [pointer], hasDisagreement: false })
    )
  )

  live("are asked at each server where an intent has one of them", () =>
    Effect.gen(function* () {
      const { internet } = yield* readZoneOf(zoneOf("www SSHFP 1 1 ab"), { www: ["A", "SSHFP"] })
      expect([firstServer, secondServer].map((server) => countTypes(internet, server))).toEqual([2, 2])
    })
  )

  live("are not asked if the name does not exist", () =>
    Effect.map(readWww({}, "shop A 192.0.2.1"), (read) =>
      expect(read).toEqual({ asked: [2, 2], records: [], hasDisagreement: false })
    )
  )

  live("of a wildcard and of a name that it answers for are asked at one server", () =>
    Effect.gen(function* () {
      const { internet, result } = yield* readZoneOf(zoneOf("* A 192.0.2.7\n* PTR host.example.org."), {
        www: queryableTypes
      })
      const [atFirst, atSecond] = [firstServer, secondServer].map(
        (server) => internet.queries.filter((query) => query.server === server).length
      )
      expect((atFirst ?? 0) - (atSecond ?? 0)).toBe(2 * rare)
      expect(Either.getOrThrow(result).zone.records).toEqual([
        record("*", "A", "192.0.2.7"),
        record("*", "PTR", "host.example.org")
      ])
    })
  )

  live("are asked at each server if their SOA records differ", () =>
    Effect.gen(function* () {
      const older = staleZone("example.com", "@ SOA ns1 hostmaster 2 7200 3600 1209600 300\nwww A 192.0.2.1")
      expect(yield* readWww(onFirst(older))).toEqual({
        asked: [all, all],
        records: [address, pointer],
        hasDisagreement: true
      })
    })
  )

  live("are asked at each server if other records of the host differ although the SOA is the same", () =>
    Effect.gen(function* () {
      const older = staleZone("example.com", 'www A 192.0.2.1\nwww TXT "old"')
      const read = yield* readWww(onFirst(older))
      expect(read).toEqual({
        asked: [all, all],
        records: [address, record("www", "TXT", "old"), pointer],
        hasDisagreement: true
      })
    })
  )

  live("are asked at each server if these do not show the SOA of the zone", () =>
    Effect.map(readWww(onAllServers(withoutSoa)), ({ asked, records }) =>
      expect({ asked, records }).toEqual({ asked: [all, all], records: [address, pointer] })
    )
  )

  for (const [what, fault] of Object.entries({
    "denies the name for one of them": () => replyOf("NXDOMAIN", { authoritative: true }),
    "has a newer zone by the time of the query for one of them": showsNewerSoa,
    "fails for one of them": servfail
  }))
    live(`are known although the server that is asked ${what}`, () =>
      Effect.map(readWww(onFirst(fault, { name: "www.example.com", type: "PTR" })), ({ asked, records }) =>
        expect({ asked, records }).toEqual({ asked: [all, all - rare + 1], records: [address, pointer] })
      )
    )

  for (const [what, fault] of Object.entries({ drop, servfail, refused }))
    live(`are asked at the second server if the first does not answer: ${what}`, () =>
      Effect.map(readWww({ ...onFirst(fault), timeout: silenceTimeout }), ({ asked: [, atSecond], records }) =>
        expect({ atSecond, records }).toEqual({ atSecond: all, records: [address, pointer] })
      )
    )

  live("are known although the second server does not answer", () =>
    Effect.map(readWww({ ...onSecond(drop), timeout: silenceTimeout }), ({ records }) =>
      expect(records).toEqual([address, pointer])
    )
  )
})
