import { describe, expect, test } from "bun:test"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { severityIn } from "../../../src/domain/plan/Warning.ts"
import type { UnansweredRRset, Zone } from "../../../src/domain/plan/Zone.ts"
import { queryableTypes } from "../../../src/domain/records/dnsTypes.ts"
import { desiredRecords, exampleCom, planOrThrow, zoneOf } from "../../support/planFixtures.ts"

const silent = "ns1.prov.net did not answer"

const unansweredAt = (name: string, type: string): UnansweredRRset => ({ name, type, answers: [silent] })

/** What a plan says of RRsets that nobody answered: the severity, the changes and the sentences. */
const warningIn = (
  unanswered: ReadonlyArray<UnansweredRRset>,
  records: ReadonlyArray<string>,
  desired: ReadonlyArray<string>,
  more: { readonly zone?: Partial<Zone>; readonly domain?: DomainName } = {}
) => {
  const plan = planOrThrow({
    zone: { ...zoneOf(...records), basis: "public_dns", unansweredRRsets: unanswered, ...more.zone },
    domain: more.domain ?? exampleCom,
    desired: desiredRecords(...desired)
  })
  const detail = plan.warningDetails.find(({ code }) => code === "lookup_unknown")
  return [severityIn(plan, "lookup_unknown"), detail?.changes, detail?.findings]
}

const optionalTypes = queryableTypes.filter((type) => !["A", "CNAME", "MX", "NS", "TXT"].includes(type))

describe("a record that no server answered for", () => {
  for (const type of optionalTypes) {
    const atWww = [unansweredAt("www.example.com", type)]
    const finding = [`The ${type} record of www.example.com could not be looked up: ${silent}.`]

    test(`must be acknowledged where an alias would replace it: ${type}`, () => {
      expect(warningIn(atWww, ["www 300 TXT hello"], ["www 300 CNAME shops.example.net"])).toEqual([
        "serious",
        [1],
        finding
      ])
    })

    test(`must be acknowledged where a delegation would hide it: ${type}`, () => {
      expect(warningIn(atWww, ["www 300 TXT hello"], ["www 300 NS ns1.other.net"])[0]).toBe("serious")
      const below = [unansweredAt("a.www.example.com", type)]
      expect(warningIn(below, ["a.www 300 A 192.0.2.1"], ["www 300 NS ns1.other.net"])[0]).toBe("serious")
    })

    test(`must be acknowledged where a new name would hide that of a wildcard: ${type}`, () => {
      const atWildcard = [unansweredAt("*.example.com", type)]
      const zone = ["* 300 MX 10 mx.example.net"]
      expect(warningIn(atWildcard, zone, ["a.b 300 TXT hello"])[0]).toBe("serious")
      expect(warningIn(atWildcard, [...zone, "www 300 A 192.0.2.1"], ["www 300 TXT hello"])[0]).toBe("caution")
      expect(warningIn(atWildcard, [...zone, "c.b 300 A 192.0.2.1"], ["a.b 300 TXT hello"])[0]).toBe("caution")
    })

    test(`is named, and no more, where a text stands beside it: ${type}`, () => {
      expect(warningIn(atWww, ["www 300 A 192.0.2.1"], ["www 300 TXT hello"])).toEqual(["caution", [], finding])
    })

    test(`is named, and no more, where the plan changes nothing there: ${type}`, () => {
      expect(warningIn(atWww, ["www 300 A 192.0.2.1"], ["www 300 A 192.0.2.1", "shop 300 TXT hello"])[0]).toBe(
        "caution"
      )
    })
  }

  test("must be acknowledged where addresses replace it: HTTPS, SVCB and the addresses of the other family", () => {
    const replaced = optionalTypes.filter(
      (type) =>
        warningIn([unansweredAt("www.example.com", type)], ["www 300 A 192.0.2.1"], ["www 300 A 192.0.2.2"])[0] ===
        "serious"
    )
    expect(replaced).toEqual(["AAAA", "HTTPS", "SVCB"])
  })

  test("must be acknowledged where the first record of a domain would hide that of a wildcard above it", () => {
    const shop = DomainName.make("shop.example.com")
    const zone = { name: exampleCom }
    const at = [unansweredAt("*.example.com", "HTTPS")]
    expect(warningIn(at, [], ["www 300 TXT hello"], { domain: shop, zone })[0]).toBe("serious")
    expect(warningIn(at, ["www 300 TXT there"], ["www 300 TXT hello"], { domain: shop, zone })[0]).toBe("caution")
    expect(warningIn([unansweredAt("example.com", "DS")], [], ["www 300 TXT hi"], { domain: shop, zone })[0]).toBe(
      "caution"
    )
  })

  test("is named with all of its servers, and nobody where none is known", () => {
    const answers = ["ns1.prov.net did not answer", "ns2.prov.net refused to answer"]
    const at = { name: "www.example.com", type: "CAA" }
    expect(
      warningIn(
        [
          { ...at, answers },
          { ...at, type: "SRV", answers: [] }
        ],
        [],
        ["@ 300 TXT hello"]
      )[2]
    ).toEqual([
      `The CAA record of www.example.com could not be looked up: ${answers.join("; ")}.`,
      "The SRV record of www.example.com could not be looked up."
    ])
  })
})
