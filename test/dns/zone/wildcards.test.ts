import { describe, expect } from "bun:test"
import { Effect, Either } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { live } from "../../support/effectTest.ts"
import { drop, type Fault, servfail } from "../../support/lab/dnsFaults.ts"
import { silenceTimeout } from "../dnsFixture.ts"
import {
  expectZone,
  firstServer,
  onAllServers,
  readZoneOf,
  record,
  secondServer,
  zoneOf
} from "../zoneReaderFixture.ts"

/** Drops the queries that test whether a name exists. */
const leavesInDoubt: Fault = ({ question }, correct) => (question.name.includes(".*.") ? [] : correct)

describe("a wildcard", () => {
  expectZone(
    "is its own record, not one of the hosts that it answers for",
    `*     A    192.0.2.7
     real  A    192.0.2.1`,
    { nobody: ["A", "TXT"], "x.y": ["A"], real: ["A"] },
    [record("real", "A", "192.0.2.1"), record("*", "A", "192.0.2.7")]
  )

  expectZone(
    "does not hide a host with the same and additional records",
    `*     A    192.0.2.7
     *     TXT  "wild"
     more  A    192.0.2.7
     more  TXT  "more"
     less  A    192.0.2.7`,
    { more: ["A", "TXT"], less: ["A", "TXT"] },
    [
      record("more", "A", "192.0.2.7"),
      record("more", "TXT", "more"),
      record("less", "A", "192.0.2.7"),
      record("*", "A", "192.0.2.7"),
      record("*", "TXT", "wild")
    ]
  )

  expectZone("is read if it is requested", "*.apps CNAME apps.other.com.", { "*.apps": ["CNAME"], "*": ["A"] }, [
    record("*.apps", "CNAME", "apps.other.com")
  ])

  expectZone(
    "below another wildcard is distinguished from it",
    `*       A  192.0.2.7
     *.apps  A  192.0.2.8`,
    { "a.apps": ["A"], "b.other": ["A"] },
    [record("*.apps", "A", "192.0.2.8"), record("*", "A", "192.0.2.7")]
  )

  expectZone("above the domain adds no record to it", "* A 192.0.2.7", { "@": ["A"], www: ["A"] }, [], {
    domain: "app.example.com",
    around: { wildcardAbove: { name: DomainName.make("*.example.com"), records: [record("@", "A", "192.0.2.7")] } }
  })

  expectZone(
    "above the domain answers for nothing if a name between them exists",
    `*           A    192.0.2.7
     other.apps  TXT  "here"
     *.apps      TXT  "wild"`,
    { "@": ["A"] },
    [],
    {
      domain: "shop.apps.example.com",
      around: {
        wildcardAbove: { name: DomainName.make("*.apps.example.com"), records: [record("@", "TXT", "wild")] }
      }
    }
  )

  expectZone(
    "above the domain answers for nothing if the domain exists",
    '* A 192.0.2.7\napp TXT "here"',
    { "@": ["A"] },
    [],
    {
      domain: "app.example.com",
      around: { otherHosts: ["@"] }
    }
  )

  expectZone(
    "does not answer for a host of which no record was read",
    `*    A    192.0.2.7
     app  TXT  "here"`,
    { app: ["CNAME"] },
    [record("*", "A", "192.0.2.7")],
    { around: { otherHosts: ["app"] } }
  )

  expectZone(
    "does not answer for an empty non-terminal",
    `*          A    192.0.2.7
     deep.app   TXT  "here"`,
    { app: ["A"], "deep.app": ["TXT"], "no.app": ["A"] },
    [record("deep.app", "TXT", "here"), record("*", "A", "192.0.2.7")]
  )
})

describe("a host with the same records as its wildcard", () => {
  expectZone(
    "exists if no name below it gets the wildcard's response",
    `*          A    192.0.2.7
     same       A    192.0.2.7
     between    A    192.0.2.7
     a.between  TXT  "here"`,
    { same: ["A"], between: ["A", "TXT"], nobody: ["A"], "x.nobody": ["A"] },
    [record("same", "A", "192.0.2.7"), record("between", "A", "192.0.2.7"), record("*", "A", "192.0.2.7")]
  )

  expectZone(
    "exists if its own wildcard has the same records",
    `*        A  192.0.2.7
     both     A  192.0.2.7
     *.both   A  192.0.2.7
     *.empty  A  192.0.2.7`,
    { both: ["A"], "x.both": ["A"], "x.empty": ["A"], "x.nobody": ["A"] },
    [
      record("both", "A", "192.0.2.7"),
      record("*", "A", "192.0.2.7"),
      record("*.both", "A", "192.0.2.7"),
      record("*.empty", "A", "192.0.2.7")
    ]
  )

  expectZone(
    "exists as an alias, too",
    `*     CNAME  site.other.com.
     same  CNAME  site.other.com.`,
    { same: ["A", "CNAME"], nobody: ["A", "CNAME"], text: ["TXT"] },
    [record("same", "CNAME", "site.other.com"), record("*", "CNAME", "site.other.com")]
  )

  const withHost = "* A 192.0.2.7\nsame A 192.0.2.7"

  live("is unknown if no server reports whether it exists", () =>
    Effect.gen(function* () {
      const { result } = yield* readZoneOf(
        zoneOf(withHost),
        { same: ["A", "TXT"] },
        {
          ...onAllServers(leavesInDoubt),
          timeout: silenceTimeout
        }
      )
      expect<unknown>(result).toEqual(Either.left({ _tag: "ZoneReadTimedOut", unanswered: ["same.example.com A"] }))
    })
  )

  live("exists if one of several servers reports it", () =>
    Effect.gen(function* () {
      const { result } = yield* readZoneOf(
        zoneOf(withHost),
        { same: ["A"] },
        {
          prepare: (internet) => internet.script(secondServer, leavesInDoubt),
          timeout: silenceTimeout
        }
      )
      const { hasDisagreement, zone } = Either.getOrThrow(result)
      expect({ hasDisagreement, records: zone.records }).toEqual({
        hasDisagreement: false,
        records: [record("same", "A", "192.0.2.7"), record("*", "A", "192.0.2.7")]
      })
    })
  )
})

describe("every RRset that a new name would hide is read", () => {
  expectZone(
    "at the wildcard",
    `*  A    192.0.2.7
     *  MX   10 mail
     *  TXT  "wild"`,
    { text: ["TXT", "CNAME", "NS"] },
    [record("*", "A", "192.0.2.7"), record("*", "MX", "mail.example.com", { priority: 10 }), record("*", "TXT", "wild")]
  )

  expectZone(
    "and at an existing host, which hides the wildcard",
    `*        A     192.0.2.7
     *        AAAA  2001:db8::7
     *        MX    10 mail
     www      A     192.0.2.8
     same     A     192.0.2.7
     same     AAAA  2001:db8::7
     same     MX    10 mail
     between  AAAA  2001:db8::8`,
    { www: ["TXT"], same: ["TXT"], "x.between": ["TXT"], nobody: ["TXT"] },
    [
      record("*", "A", "192.0.2.7"),
      record("*", "AAAA", "2001:db8::7"),
      record("*", "MX", "mail.example.com", { priority: 10 }),
      record("www", "A", "192.0.2.8"),
      record("same", "A", "192.0.2.7"),
      record("same", "AAAA", "2001:db8::7"),
      record("same", "MX", "mail.example.com", { priority: 10 }),
      record("between", "AAAA", "2001:db8::8")
    ]
  )

  for (const [what, fault] of Object.entries({ drop, servfail }))
    live(`or is unknown if no server answers: ${what}`, () =>
      Effect.gen(function* () {
        const { result } = yield* readZoneOf(
          zoneOf("* A 192.0.2.7\nwww A 192.0.2.8"),
          { www: ["TXT"] },
          { ...onAllServers(fault, { name: "www.example.com", type: "A" }), timeout: silenceTimeout }
        )
        expect<unknown>(result).toEqual(Either.left({ _tag: "ZoneReadTimedOut", unanswered: ["www.example.com A"] }))
      })
    )
})

/** A wildcard that answers each question with another value than the one before: nothing tells it from a host. */
const alternates = (): Fault => {
  let count = 0
  return ({ question }, correct) =>
    question.type === "TXT" && correct.answers.length > 0
      ? { ...correct, answers: correct.answers.map((one) => ({ ...one, data: `"turn ${(count += 1)}"` })) }
      : correct
}

live("a wildcard that alternates is named at every host that it may answer for, whatever it seems to be", () =>
  Effect.gen(function* () {
    const { result } = yield* readZoneOf(
      zoneOf('* A 192.0.2.7\n* TXT "turn 0"'),
      { "@": ["A", "TXT"], www: ["A", "TXT"] },
      { domain: "app.example.com", ...onAllServers(alternates()) }
    )
    const { wildcardRRsets } = Either.getOrThrow(result)
    const named = wildcardRRsets.map(({ host, type }) => `${host} ${type}`)
    expect([...new Set(named)].toSorted()).toEqual(["* A", "* TXT", "@ A", "@ TXT", "www A", "www TXT"])
  })
)

live("a zone without a wildcard is queried only for its hosts and two types of each random label", () =>
  Effect.gen(function* () {
    const { internet } = yield* readZoneOf(zoneOf("www A 192.0.2.1\nwww TXT hello"), { www: ["A", "TXT", "MX"] })
    const queries = internet.queries.filter(({ server }) => server === firstServer)
    expect(queries.map(({ name, type }) => `${name.replace(/^[a-z0-9]{16}/, "random")} ${type}`).toSorted()).toEqual([
      "random.example.com A",
      "random.example.com AAAA",
      "www.example.com A",
      "www.example.com MX",
      "www.example.com TXT"
    ])
  })
)
