import { describe, expect, test } from "bun:test"
import { Either } from "effect"
import { DomainName } from "../../src/domain/names/DomainName.ts"
import { describePlan, describeRefusal, desiredRecords, planInputOf, zoneOf } from "../support/planFixtures.ts"
import { planZone } from "../support/planZone.ts"

const inPublic = (...lines: ReadonlyArray<string>) => ({ ...zoneOf(...lines), basis: "public_dns" as const })

/** Answers that a name has no records, but for the given ones. */
const absent = (name: string, answers: Readonly<Record<string, ReadonlyArray<string>>> = {}) => ({
  ...Object.fromEntries(["CNAME", "A", "AAAA", "MX", "TXT"].map((type) => [`${name} ${type}`, []])),
  ...answers
})

describe("a desired CNAME", () => {
  test("is refused where the zone leads back to its host, through any number of CNAMEs", () => {
    const desired = desiredRecords("www 300 CNAME shop.example.com")
    const by = (...lines: ReadonlyArray<string>) => describeRefusal({ zone: zoneOf(...lines), desired })
    expect([
      by("www 300 A 192.0.2.1", "shop 300 CNAME www.example.com"),
      by("shop 300 CNAME a.example.com", "a 300 CNAME b.example.com", "b 300 CNAME WWW.Example.com."),
      by("shop 300 CNAME @.example.com", "@ 300 A 192.0.2.1"),
      by("shop 300 CNAME www.example.net"),
      by("shop 300 A 192.0.2.1"),
      by()
    ]).toEqual(["CNAME www cname_loop", "CNAME www cname_loop", "planned", "planned", "planned", "planned"])
  })

  test("is refused where it leads into a loop that it is not part of", () => {
    const zone = zoneOf("a 300 CNAME b.example.com", "b 300 CNAME a.example.com")
    expect(describeRefusal({ zone, desired: desiredRecords("www 300 CNAME a.example.com") })).toBe(
      "CNAME www cname_loop"
    )
  })

  test("is refused at the apex, where the provider flattens it, and at a wildcard that answers for its target", () => {
    const www = zoneOf("@ 300 A 192.0.2.1", "www 300 CNAME example.com")
    expect(describeRefusal({ zone: www, desired: desiredRecords("@ 300 CNAME www.example.com") })).toBe(
      "CNAME @ cname_loop"
    )
    const wildcard = desiredRecords("* 300 CNAME shops.example.com")
    expect(describeRefusal({ zone: zoneOf("@ 300 A 192.0.2.1"), desired: wildcard })).toBe("CNAME * cname_loop")
    expect(describeRefusal({ zone: zoneOf("shops 300 A 192.0.2.1"), desired: wildcard })).toBe("planned")
  })

  test("is planned where the intent itself replaces the record that leads back", () => {
    const zone = zoneOf("shop 300 CNAME www.example.com")
    const desired = desiredRecords("www 300 CNAME shop.example.com", "shop 300 A 192.0.2.1")
    expect(describeRefusal({ zone, desired })).toBe("planned")
  })

  test("is left out with a warning if it is optional, and the records of its host stay", () => {
    const zone = zoneOf("www 300 A 192.0.2.1", "shop 300 CNAME www.example.com")
    const desired = desiredRecords("?www 300 CNAME shop.example.com", "@ 300 TXT hello")
    expect(describePlan({ zone, desired })).toEqual({
      changes: ["create | @ 300 TXT hello"],
      effective: ["@ 300 TXT hello"],
      warnings: ["optional_record_skipped"],
      optionalFailures: ["CNAME www cname_loop"]
    })
  })

  test("is refused in a zone that was read in public once its target was looked up", () => {
    const zone = inPublic("www 300 A 192.0.2.1")
    const desired = desiredRecords("www 300 CNAME shop.example.com")
    const attempt = (answers: Readonly<Record<string, ReadonlyArray<string>>>) =>
      describeRefusal({ zone, desired, answers })
    expect(Either.merge(planZone(planInputOf({ zone, desired }))).unanswered).toEqual([
      { name: "shop.example.com", type: "CNAME" }
    ])
    expect([
      attempt({}),
      attempt({ "shop.example.com CNAME": [] }),
      attempt({ "shop.example.com CNAME": ["www.example.net"] }),
      attempt({ "shop.example.com CNAME": ["www.example.com"] }),
      attempt({ "shop.example.com CNAME": ["a.example.com"], "a.example.com CNAME": ["WWW.example.com."] })
    ]).toEqual(["planned", "planned", "planned", "CNAME www cname_loop", "CNAME www cname_loop"])
  })

  describe("at a wildcard, in a zone that was read in public", () => {
    const foo = desiredRecords("* 300 CNAME foo.example.com")
    const attempt = (
      answers: Readonly<Record<string, ReadonlyArray<string>>>,
      { desired = foo, zone = inPublic("@ 300 A 192.0.2.1") } = {}
    ) => describeRefusal({ zone, desired, answers })

    test("is refused where it answers for its own target, or for that of another desired CNAME", () => {
      expect(attempt(absent("foo.example.com"))).toBe("CNAME * cname_loop")
      const desired = desiredRecords("*.x 300 CNAME a.example.com", "a 300 CNAME b.x.example.com")
      expect(attempt(absent("b.x.example.com"), { desired })).toBe("CNAME *.x cname_loop")
    })

    test("is planned where its target has records of its own, or is unknown", () => {
      expect([
        attempt({}),
        attempt({ "foo.example.com CNAME": [] }),
        attempt({ "foo.example.com CNAME": [], "foo.example.com A": [], "foo.example.com TXT": [] }),
        attempt(absent("foo.example.com", { "foo.example.com A": ["192.0.2.7"] })),
        attempt(absent("foo.example.com", { "foo.example.com CNAME": ["shops.example.net"] }))
      ]).toEqual(["planned", "planned", "planned", "planned", "planned"])
    })

    test("warns where it is unknown whether its target has records of its own", () => {
      const input = { zone: inPublic(), desired: foo, answers: { "foo.example.com CNAME": [] } }
      expect(describePlan(input).warnings).toContain("lookup_unknown")
    })

    test("is refused where its target has only the answers of the wildcard that it replaces", () => {
      const zone = inPublic("* 300 A 192.0.2.1", "* 300 MX 10 mail.example.net")
      const synthesized = absent("foo.example.com", {
        "foo.example.com A": ["192.0.2.1"],
        "foo.example.com MX": ["mail.example.net"]
      })
      expect([
        attempt({ ...synthesized, "*.foo.example.com A": ["192.0.2.1"] }, { zone }),
        attempt({ ...synthesized, "*.foo.example.com A": [] }, { zone }),
        attempt(absent("foo.example.com"), { zone }),
        attempt(synthesized, { zone })
      ]).toEqual(["CNAME * cname_loop", "planned", "planned", "planned"])
      const alias = { "foo.example.com CNAME": ["old.example.net"], "*.foo.example.com CNAME": ["old.example.net"] }
      expect(attempt(alias, { zone: inPublic("* 300 CNAME old.example.net") })).toBe("CNAME * cname_loop")
    })

    test("no longer counts where the plan replaces the wildcard that leads back", () => {
      const zone = inPublic("* 300 CNAME www.example.com", "www 300 A 192.0.2.1")
      const desired = desiredRecords("www 300 CNAME foo.example.com", "* 300 A 192.0.2.9")
      const answers = { "foo.example.com CNAME": ["www.example.com"], "*.foo.example.com CNAME": ["www.example.com"] }
      expect(attempt(answers, { desired, zone })).toBe("planned")
    })
  })

  test("is refused where the loop leaves the domain but not its zone", () => {
    const zone = { ...zoneOf("app.store 300 A 192.0.2.1"), basis: "provider" as const }
    const domain = DomainName.make("store.example.com")
    const desired = desiredRecords("app 300 CNAME www.example.com")
    expect(
      describeRefusal({ zone, domain, desired, answers: { "www.example.com CNAME": ["app.store.example.com"] } })
    ).toBe("CNAME app cname_loop")
  })

  test("is refused where a DNAME of the zone leads back to it", () => {
    const zone = zoneOf("sub 300 DNAME example.com")
    const by = (...desired: ReadonlyArray<string>) => describeRefusal({ zone, desired: desiredRecords(...desired) })
    expect(by("a 300 CNAME a.sub.example.com")).toBe("CNAME a cname_loop")
    expect(by("a 300 CNAME a.sub.sub.example.com")).toBe("CNAME a cname_loop")
    expect(by("a 300 CNAME b.sub.example.com")).toBe("planned")
    expect(by("a 300 CNAME sub.example.com")).toBe("planned")
  })

  test("to another zone needs no question", () => {
    const input = planInputOf({ zone: inPublic(), desired: desiredRecords("www 300 CNAME shops.example.net") })
    expect(Either.merge(planZone(input)).unanswered).toEqual([])
  })
})
