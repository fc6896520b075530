import { expect } from "bun:test"
import { Effect, Either, Redacted } from "effect"
import type { Credential } from "../../../src/domain/Credential.ts"
import { DomainName, isAtOrBelow } from "../../../src/domain/DomainName.ts"
import { describeRecords } from "../../planning/roundTrip/RoundTrip.ts"
import { roundTrips } from "../../planning/roundTrip/roundTrips.ts"
import { Lab } from "../../support/lab/Lab.ts"
import { tcpProxy } from "../../support/lab/TcpProxy.ts"
import { describeLab } from "../../support/lab/describeLab.ts"
import {
  type AdapterUnderTest,
  failureOf,
  loadRecords,
  openZone,
  planFrom,
  resolvedIntentOf,
  sendWrites
} from "./AdapterUnderTest.ts"

/** What every adapter has to do: at a zone in use, with each round trip below it. */
export const adapterContract = (name: string, subjectIn: (lab: typeof Lab.Service) => AdapterUnderTest): void =>
  describeLab(`the ${name} adapter`, (live) => {
    const subject = Effect.map(Lab, subjectIn)

    for (const [label, tripIn] of Object.entries(roundTrips)) {
      live(`leaves nothing to do: ${tripIn({ domain: "", nameServer: "" }).about}`, () =>
        Effect.gen(function* () {
          const at = yield* subject
          const domain = label === "@" ? at.zone : `${label}.${at.zone}`
          const trip = tripIn({ domain, nameServer: at.nameServers[0] ?? "" })
          const intent = resolvedIntentOf(domain, trip)
          yield* loadRecords(at, intent.domain, trip.live ?? "")
          const opened = yield* openZone(at, { domain: intent.domain })

          const before = yield* opened.read
          const planned = planFrom(before, intent, opened)
          expect(planned.changes).toHaveLength(trip.changes)
          const others = yield* recordsBeside(at, intent.domain)
          yield* sendWrites(before, planned.changes)

          const after = yield* opened.read
          expect(planFrom(after, intent, opened).changes).toEqual([])
          const served = describeRecords(after.zone.records).filter((line) => !line.includes(" SOA "))
          expect(served).toEqual(expect.arrayContaining([...trip.served]))
          // What the trip does not name was there before.
          const unnamed = served.filter((line) => !trip.served.includes(line))
          expect(describeRecords(before.zone.records)).toEqual(expect.arrayContaining(unnamed))
          expect(yield* recordsBeside(at, intent.domain)).toEqual(others)
        })
      )
    }

    live("writes the siblings of what it adds and takes away back as they were, byte for byte", () =>
      Effect.gen(function* () {
        const at = yield* subject
        const domain = `siblings.${at.zone}`
        yield* loadRecords(at, domain, oddSiblings)
        const before = yield* at.dump
        const opened = yield* openZone(at, { domain: DomainName.make(domain) })

        const snapshot = yield* opened.read
        const { changes } = planFrom(snapshot, resolvedIntentOf(domain, { desired: ["@ 300 TXT another"] }), opened)
        yield* sendWrites(snapshot, changes)
        expect((yield* at.dump).length).toBe(before.length + 1)

        const undone = changes.flatMap(({ after }) =>
          after === undefined ? [] : [{ action: "delete" as const, before: after, destructive: true }]
        )
        yield* sendWrites(yield* opened.read, undone)
        expect(yield* at.dump).toEqual(before)
      })
    )

    for (const [index, { about, meanwhile, wanted }] of disturbances.entries())
      live(`writes nothing when ${about}`, () =>
        Effect.gen(function* () {
          const at = yield* subject
          const domain = `stale${index}.${at.zone}`
          yield* loadRecords(at, domain, 'www A 192.0.2.1\nwww TXT "hello"\nmail MX 10 mx1.mailprov.net.')
          const opened = yield* openZone(at, { domain: DomainName.make(domain) })
          const snapshot = yield* opened.read
          const { changes } = planFrom(snapshot, resolvedIntentOf(domain, { desired: wanted }), opened)
          yield* loadRecords(at, domain, meanwhile)
          const disturbed = yield* at.dump

          const failure = yield* Effect.flip(sendWrites(snapshot, changes))
          expect(failure._tag).toBe("ZoneChanged")
          expect(yield* at.dump).toEqual(disturbed)
        })
      )

    live("refuses changes that were planned from another zone", () =>
      Effect.gen(function* () {
        const at = yield* subject
        const opened = yield* openZone(at, {})
        const snapshot = yield* opened.read
        const before = { host: "www", type: "A", value: "192.0.2.254", ttl: 300, optional: false }
        const stranger = { action: "delete" as const, before, destructive: true }
        expect(Either.flip(snapshot.planWrites([stranger]))).toMatchObject({ right: { _tag: "ZoneChanged" } })
      })
    )

    live("writes although something changes elsewhere in the zone", () =>
      Effect.gen(function* () {
        const at = yield* subject
        const domain = `calm.${at.zone}`
        const opened = yield* openZone(at, { domain: DomainName.make(domain) })
        const snapshot = yield* opened.read
        yield* loadRecords(at, at.zone, "elsewhere A 192.0.2.3")
        yield* sendWrites(
          snapshot,
          planFrom(snapshot, resolvedIntentOf(domain, { desired: ["www 300 A 192.0.2.1"] }), opened).changes
        )
        expect(describeRecords((yield* opened.read).zone.records)).toEqual(["www 300 A 192.0.2.1"])
      })
    )

    live("makes one write of a whole plan, and none of an empty one", () =>
      Effect.gen(function* () {
        const at = yield* subject
        const domain = `whole.${at.zone}`
        const opened = yield* openZone(at, { domain: DomainName.make(domain) })
        const snapshot = yield* opened.read
        const { changes } = planFrom(
          snapshot,
          resolvedIntentOf(domain, { desired: ["a 300 A 192.0.2.1", "b 300 A 192.0.2.2"] }),
          opened
        )
        const writes = yield* snapshot.planWrites(changes)
        expect(writes.map((write) => write.changes)).toEqual([changes])
        expect(yield* snapshot.planWrites([])).toEqual([])
      })
    )

    live("writes nothing of a plan one change of which cannot stand beside what is there", () =>
      Effect.gen(function* () {
        const at = yield* subject
        const domain = DomainName.make(`crowded.${at.zone}`)
        yield* loadRecords(at, domain, "www A 192.0.2.1")
        const before = yield* at.dump
        const snapshot = yield* (yield* openZone(at, { domain })).read
        const changes = [
          { host: "a", type: "A", value: "192.0.2.1" },
          { host: "www", type: "CNAME", value: "web.hostprov.net" }
        ].map((after) => ({
          action: "create" as const,
          after: { ...after, ttl: 300, optional: false },
          destructive: false
        }))
        const failure = yield* Effect.flip(sendWrites(snapshot, changes))
        expect(failure).toMatchObject({ _tag: "ProviderFailure", code: "apply_rejected" })
        expect(yield* at.dump).toEqual(before)
      })
    )

    live("does not know a wrong credential", () =>
      Effect.gen(function* () {
        const at = yield* subject
        for (const credential of [...at.wrongCredentials, otherKind])
          expect(yield* failureOf(openZone(at, { credential }))).toBe("credential_invalid")
      })
    )

    live("refuses a zone that is not there, or not the one that is delegated", () =>
      Effect.gen(function* () {
        const at = yield* subject
        const missing = DomainName.make("not-there.com")
        expect(yield* failureOf(openZone(at, { domain: missing, zone: missing }))).toBe("authorization_zone_mismatch")
        for (const nameServers of [[], ["ns1.otherprov.net"], [...at.nameServers, "ns1.otherprov.net"]])
          expect(yield* failureOf(openZone(at, { nameServers }))).toBe("authorization_zone_mismatch")
        const spelled = at.nameServers.map((name) => `${name.toUpperCase()}.`)
        expect((yield* Effect.either(openZone(at, { nameServers: spelled })))._tag).toBe("Right")
      })
    )

    for (const { code, mischief } of [
      { mischief: "swallow", code: "apply_timeout" },
      { mischief: "cut", code: "provider_unavailable" }
    ] as const)
      live(`does not guess whether a write was made when the server did it and its answer is lost (${mischief})`, () =>
        Effect.gen(function* () {
          const at = yield* subject
          const domain = `${mischief}.${at.zone}`
          const proxy = yield* tcpProxy(at.target)
          const opened = yield* openZone(at, { domain: DomainName.make(domain) }, proxy)
          const snapshot = yield* opened.read
          const { changes } = planFrom(snapshot, resolvedIntentOf(domain, { desired: ["www 300 A 192.0.2.1"] }), opened)
          yield* proxy.meddle(mischief, at.isWrite)
          const failure = yield* Effect.flip(sendWrites(snapshot, changes))
          expect(failure).toMatchObject({ _tag: "OutcomeUnknown", code })
          expect(describeRecords((yield* opened.read).zone.records)).toEqual(["www 300 A 192.0.2.1"])
        })
      )

    for (const { code, mischief } of [
      { mischief: "swallow", code: "provider_snapshot_timeout" },
      { mischief: "shorten", code: "provider_unavailable" },
      { mischief: "cut", code: "provider_unavailable" },
      { mischief: "refuse", code: "provider_unavailable" }
    ] as const)
      live(`fails to read, and reads nothing as empty, when the answer does not come in full (${mischief})`, () =>
        Effect.gen(function* () {
          const at = yield* subject
          const proxy = yield* tcpProxy(at.target)
          const opened = yield* openZone(at, {}, proxy)
          yield* proxy.meddle(mischief, () => true)
          expect(yield* failureOf(opened.read)).toBe(code)
          expect(yield* failureOf(openZone(at, {}, proxy))).toBe("provider_unavailable")
        })
      )
  })

const otherKind: Credential = { _tag: "username_api_key", username: "someone", apiKey: Redacted.make("secret") }

/** Texts and names in spellings that a careless rewriting would lose. */
const oddSiblings = String.raw`
  @   60  TXT  "one" "two"
  @   60  TXT  "onetwo "
  @   60  TXT  ""
  @   60  TXT  "" "empty first"
  @   60  TXT  "\000\001\255\200 not UTF-8"
  @   60  TXT  "say \"hi\" \\ ; (x) \195\164"
  @   60  TXT  "${"x".repeat(255)}" "${"y".repeat(7)}"
  @   60  MX   10 MX1.MailProv.NET.`

/** What happens between the reading and the writing, and what was planned. */
const disturbances = [
  { about: "a sibling was added", meanwhile: 'www TXT "hello"\nwww TXT "other"', wanted: ["www 300 TXT more"] },
  { about: "what was to go has changed", meanwhile: "www A 192.0.2.2", wanted: ["www 300 A 203.0.113.1"] },
  { about: "what was to be created is there", meanwhile: 'new TXT "hello"', wanted: ["new 300 TXT hello"] },
  { about: "an alias took the name", meanwhile: "new CNAME web.hostprov.net.", wanted: ["new 300 TXT hello"] },
  {
    about: "a type that the plan does not know of would stand beside an alias",
    meanwhile: 'new CAA 0 issue "ca.example"',
    wanted: ["new 300 CNAME web.hostprov.net"]
  },
  {
    about: "the name was delegated away at a name above it",
    meanwhile: "above NS ns1.otherprov.net.",
    wanted: ["deep.above 300 TXT hello"]
  },
  {
    about: "one of several changes no longer fits",
    meanwhile: "mail MX 20 mx2.mailprov.net.",
    wanted: ["a 300 A 192.0.2.1", "mail 300 MX 5 mx5.mailprov.net", "z 300 TXT hello"]
  }
]

/** What the server holds outside the domain. */
const recordsBeside = (at: AdapterUnderTest, domain: string) =>
  Effect.map(at.dump, (lines) =>
    lines.filter((line) => !isAtOrBelow(line.split(/\s/)[0]?.replace(/\.$/, "") ?? "", domain)).toSorted()
  )
