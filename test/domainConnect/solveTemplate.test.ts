import { describe, expect, test } from "bun:test"
import { Either } from "effect"
import * as fc from "fast-check"
import { applyTemplate } from "../../src/domainConnect/applyTemplate.ts"
import { resolveTemplate, type ZoneEntry } from "../../src/domainConnect/resolveTemplate.ts"
import { solveTemplate, type TemplateSolution } from "../../src/domainConnect/solveTemplate.ts"
import { groupsOf, parseTemplate } from "../../src/domainConnect/Template.ts"
import { propertyRuns } from "../support/propertyRuns.ts"

const templateOf = (records: ReadonlyArray<object>, more: object = {}) =>
  Either.getOrThrowWith(
    parseTemplate(
      JSON.stringify({
        providerId: "platform.example",
        providerName: "Platform",
        serviceId: "website",
        serviceName: "Website",
        records,
        ...more
      })
    ),
    (message) => new Error(message)
  )

const cname = (host: string, pointsTo: string) => ({ type: "CNAME", host, pointsTo, ttl: 3600 })
const txt = (host: string, data: string, more: object = {}) => ({ type: "TXT", host, data, ttl: 3600, ...more })

const address = (host: string, pointsTo: string) => ({ type: "A", host, pointsTo, ttl: 3600 })

const spf = (data: string) => [{ type: "TXT", name: "shop.example", data }]
const spfm = (spfRules: string, groupId = "") => ({ type: "SPFM", host: "@", spfRules, groupId })

const zone = { domain: "shop.example", host: "" }
const below = { domain: "shop.example", host: "www" }

const solve = (
  records: ReadonlyArray<object>,
  desired: ReadonlyArray<ZoneEntry>,
  place: typeof zone = zone,
  more: object = {}
) => Either.merge(Either.mapLeft(solveTemplate(templateOf(records, more), desired, place), ({ code }) => code))

describe("the values of a template", () => {
  test("are found for a whole value, a part of it, and a name", () => {
    expect(
      solve(
        [cname("www", "s%number%.hosting.example"), txt("_%label%", "verify=%token%")],
        [
          { type: "CNAME", name: "www.shop.example", data: "s02.hosting.example" },
          { type: "TXT", name: "_proof.shop.example", data: "verify=a=b" }
        ]
      )
    ).toEqual({ variables: { number: "02", label: "proof", token: "a=b" }, groups: [] })
  })

  test("have one value in all places", () => {
    const records = [cname("www", "%target%"), cname("shop", "%target%")]
    expect(solve(records, aliasesTo("web.hosting.example"))).toMatchObject({
      variables: { target: "web.hosting.example" }
    })
    expect(solve(records, aliasesTo("other.hosting.example"))).toBe("no_common_values")
  })

  test("leave out what follows from the place", () => {
    const records = [cname("@", "%host%.%domain%.hosting.example"), txt("%domain%.", "%fqdn%")]
    expect(
      solve(
        records,
        [
          { type: "CNAME", name: "www.shop.example", data: "www.shop.example.hosting.example" },
          { type: "TXT", name: "shop.example", data: "www.shop.example" }
        ],
        below,
        { hostRequired: true }
      )
    ).toEqual({ variables: {}, groups: [] })
  })

  test("are those of the split that fits, where a pattern has several variables", () => {
    expect(
      solve(
        [txt("@", "%a%-%b%"), txt("_a", "%a%")],
        [
          { type: "TXT", name: "shop.example", data: "x-y-z" },
          { type: "TXT", name: "_a.shop.example", data: "x-y" }
        ]
      )
    ).toMatchObject({ variables: { a: "x-y", b: "z" } })
  })

  test("are those of the first split that fits, also of a long text with variables in a row", () => {
    const variables = ["a", "b", "c", "d"]
    const row = variables.map((name) => `%${name}%`).join("")
    const text = "x".repeat(250)
    const desired = [{ type: "TXT", name: "shop.example", data: text }]
    expect(solve([txt("@", row)], desired)).toEqual({
      variables: { a: "x", b: "x", c: "x", d: "x".repeat(247) },
      groups: []
    })
    expect(solve([txt("@", `${row}!`)], desired)).toBe("record_not_in_template")
    // The search ends without having tried all splits.
    const other = { type: "TXT", name: "b.shop.example", data: "y".repeat(250) }
    expect(solve([txt("@", row), txt("b", row)], [...desired, other])).toBe("no_common_values")
  })

  test("are found among many records that could become each other, and a contradiction is, too", () => {
    const hosts = Array.from({ length: 10 }, (_, nth) => `h${nth}`)
    const records = hosts.flatMap((host) => [
      address(host, "%one%"),
      address(host, "%other%"),
      txt(host, `platform=%token-${host}%`),
      txt(host, `%text-${host}%`),
      { type: "MX", host, pointsTo: `%mx-${host}%`, priority: 10, ttl: 60 },
      { type: "MX", host, pointsTo: `%mail-${host}%`, priority: 10, ttl: 60 }
    ])
    const desired = hosts.flatMap((host) =>
      ["A 192.0.2.1", "A 192.0.2.2", "TXT platform=7", "TXT proof", "MX mx1.example", "MX mx2.example"].map((line) => {
        const [type = "", data = ""] = line.split(" ")
        return { type, name: `${host}.shop.example`, data, ...(type === "MX" ? { priority: 10 } : {}) }
      })
    )
    expect(solve(records, desired)).toMatchObject({
      variables: { one: "192.0.2.1", other: "192.0.2.2", "token-h3": "7", "text-h3": "proof" }
    })
    const odd = desired.map((record) =>
      record.name === "h9.shop.example" && record.data === "192.0.2.2" ? { ...record, data: "192.0.2.9" } : record
    )
    expect(solve(records, odd)).toBe("no_common_values")
  })

  test("are in presentation format, several strings where one is too short", () => {
    expect(solve([txt("@", "%text%")], [{ type: "TXT", name: "shop.example", data: 'say "ü"' }])).toMatchObject({
      variables: { text: 'say \\"\\195\\188\\"' }
    })
    expect(solve([txt("@", "%text%")], [{ type: "TXT", name: "shop.example", data: "k".repeat(300) }])).toMatchObject({
      variables: { text: `"${"k".repeat(255)}" "${"k".repeat(45)}"` }
    })
  })

  test("take the TTL only by a variable", () => {
    const desired = [{ type: "CNAME", name: "www.shop.example", data: "web.hosting.example", ttl: 60 }]
    expect(solve([cname("www", "web.hosting.example")], desired)).toMatchObject({ variables: {} })
    expect(solve([{ ...cname("www", "web.hosting.example"), ttl: "%ttl%" }], desired)).toMatchObject({
      variables: { ttl: "60" }
    })
  })

  test("are found for MX, SRV, SPF in any order of its rules, and other types", () => {
    expect(
      solve(
        [
          { type: "MX", host: "@", pointsTo: "%mx%", priority: 10, ttl: 3600 },
          {
            type: "SRV",
            name: "@",
            service: "sip",
            protocol: "_tls",
            target: "%sip%",
            priority: 1,
            weight: 2,
            port: "%port%",
            ttl: 60
          },
          { type: "SPFM", host: "@", spfRules: "include:%spf% ip4:192.0.2.1" },
          { type: "CAA", host: "@", data: '0 issue "%ca%"', ttl: 60 }
        ],
        [
          { type: "MX", name: "shop.example", data: "mx.mail.example", priority: 10 },
          { type: "SRV", name: "_sip._tls.shop.example", data: "sip.mail.example", priority: 1, weight: 2, port: 443 },
          { type: "TXT", name: "shop.example", data: "v=spf1 ip4:192.0.2.1 include:spf.mail.example -all" },
          { type: "CAA", name: "shop.example", data: '0 issue "ca.example"' }
        ]
      )
    ).toMatchObject({
      variables: {
        mx: "mx.mail.example",
        sip: "sip.mail.example",
        port: "443",
        spf: "spf.mail.example",
        ca: "ca.example"
      }
    })
  })

  test("come with the groups whose records are desired", () => {
    const records = [
      { ...cname("www", "%target%"), groupId: "site" },
      { ...txt("@", "%proof%"), groupId: "proof" },
      { ...txt("_dmarc", "v=DMARC1; p=none"), groupId: "mail" }
    ]
    expect(
      solve(records, [
        { type: "CNAME", name: "www.shop.example", data: "web.hosting.example" },
        { type: "TXT", name: "shop.example", data: "abc" }
      ])
    ).toEqual({ variables: { target: "web.hosting.example", proof: "abc" }, groups: ["site", "proof"] })
  })

  test("come with groups that have a record in common", () => {
    const records = [
      { ...address("@", "192.0.2.1"), groupId: "web" },
      { ...cname("www", "web.hosting.example"), groupId: "web" },
      { ...address("@", "192.0.2.1"), groupId: "mail" },
      { type: "MX", host: "@", pointsTo: "%mx%", priority: 10, ttl: 60, groupId: "mail" }
    ]
    const site = [
      { type: "A", name: "shop.example", data: "192.0.2.1" },
      { type: "CNAME", name: "www.shop.example", data: "web.hosting.example" }
    ]
    const mail = { type: "MX", name: "shop.example", data: "mx.example", priority: 10 }
    expect(solve(records, [...site, mail])).toEqual({ variables: { mx: "mx.example" }, groups: ["web", "mail"] })
    expect(solve(records, site)).toEqual({ variables: {}, groups: ["web"] })
  })

  test("are found for addresses and CAA in any spelling", () => {
    expect(
      solve(
        [
          { type: "AAAA", host: "@", pointsTo: "2001:DB8:0:0:0:0:0:1", ttl: 60 },
          { type: "AAAA", host: "b", pointsTo: "::FFFF:192.0.2.1", ttl: 60 },
          { type: "CAA", host: "@", data: "0  Issue ca.example", ttl: 60 }
        ],
        [
          { type: "AAAA", name: "shop.example", data: "2001:db8::1" },
          { type: "AAAA", name: "b.shop.example", data: "::ffff:c000:201" },
          { type: "CAA", name: "shop.example", data: '0 issue "ca.example"' }
        ]
      )
    ).toEqual({ variables: {}, groups: [] })
  })
})

describe("SPF", () => {
  test("is that of a redirect where the template includes its policy, and of none where it does not", () => {
    const desired = spf("v=spf1 include:a.example redirect=b.example")
    expect(solve([spfm("include:a.example")], desired)).toBe("record_not_in_template")
    expect(solve([spfm("include:%b% include:a.example")], desired)).toMatchObject({ variables: { b: "b.example" } })
    // A redirect behind `all` has no effect (RFC 7208 section 6.1).
    expect(solve([spfm("include:a.example")], spf("v=spf1 include:a.example -all redirect=b.example"))).toMatchObject({
      variables: {}
    })
  })

  test("is made of all SPFM records of a name, each in its group", () => {
    const records = [spfm("include:%a%", "one"), spfm("include:b.example ip4:192.0.2.1", "other"), spfm("mx", "third")]
    expect(solve(records, spf("v=spf1 include:b.example include:a.example ip4:192.0.2.1 ~all"))).toEqual({
      variables: { a: "a.example" },
      groups: ["one", "other"]
    })
    expect(solve(records, spf("v=spf1 include:a.example include:b.example ~all"))).toBe("no_common_values")
    expect(solve([spfm("mx include:a.example", "one"), spfm("mx", "other")], spf("v=spf1 mx -all"))).toEqual({
      variables: {},
      groups: ["other"]
    })
  })

  test("is also a text of the template", () => {
    const records = [txt("@", "v=spf1 include:%a% ~all"), { ...spfm("include:c.example", "more"), host: "b" }]
    expect(solve([{ ...records[0], groupId: "text" }, records[1] ?? {}], spf("v=spf1 include:a.example ~all"))).toEqual(
      { variables: { a: "a.example" }, groups: ["text"] }
    )
  })
})

describe("no values are found", () => {
  const site = [{ type: "CNAME", name: "www.shop.example", data: "web.hosting.example" }]

  test("for a record that the template does not have", () =>
    expect(solve([cname("www", "%target%")], [...site, { type: "TXT", name: "shop.example", data: "abc" }])).toBe(
      "record_not_in_template"
    ))

  test("where the template always writes more", () =>
    expect(solve([cname("www", "%target%"), txt("@", "%proof%")], site)).toBe("template_writes_more"))

  test("where a provider would apply all groups, because none can be named", () =>
    expect(solve([cname("www", "%target%"), { ...txt("@", "%proof%"), groupId: "proof" }], site)).toBe(
      "no_common_values"
    ))

  test("at the zone itself, where the template needs a host", () =>
    expect(solve([cname("@", "%target%")], site, zone, { hostRequired: true })).toBe("host_required"))

  test("that look like a variable", () =>
    expect(solve([txt("@", "%text%")], [{ type: "TXT", name: "shop.example", data: "100%off%" }])).toBe(
      "record_not_in_template"
    ))
})

describe("a template with a value", () => {
  const label = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/)
  const value = fc.stringMatching(/^[a-zA-Z0-9 ="\\;.-]{1,12}$/)

  test("has it found again, whatever the value is", () =>
    fc.assert(
      fc.property(label, value, value, fc.constantFrom(zone, below), (host, one, other, place) => {
        const template = templateOf([
          txt(host, "a=%one%"),
          txt("_x", '"%other%"'),
          cname(`c-${host}`, "%target%.hosting.example")
        ])
        const use = { ...place, variables: { one: escaped(one), other: escaped(other), target: host } }
        const entries = Either.getOrThrow(resolveTemplate(template, use)).map(({ entry }) => entry)
        const solution = Either.getOrThrow(solveTemplate(template, entries, place))
        const again = Either.getOrThrow(resolveTemplate(template, { ...place, ...solution, groups: undefined }))
        expect(again.map(({ entry }) => entry)).toEqual(entries)
      }),
      { numRuns: propertyRuns(500) }
    ))

  test("gives by its solution exactly the records of any groups, also where they share records and SPF", () =>
    fc.assert(
      fc.property(
        fc.array(someRecord, { minLength: 1, maxLength: 6 }),
        someValues,
        fc.nat(),
        (records, values, pick) => {
          const template = templateOf(records)
          const all = groupsOf(template)
          const groups = all.filter((_, index) => (pick & (1 << index)) !== 0)
          fc.pre(all.length === 0 || groups.length > 0)
          const rules = { redirectEntries: [] }
          const apply = (solution: TemplateSolution) =>
            Either.getOrThrow(
              applyTemplate(
                template,
                [],
                { ...zone, ...solution, groups: all.length === 0 ? undefined : solution.groups },
                rules
              )
            )
              .added.map(({ data, name, type }) => `${type} ${name} ${data.split(" ").toSorted().join(" ")}`)
              .toSorted()
          const used = { variables: values, groups }
          const desired = Either.getOrThrow(
            applyTemplate(template, [], { ...zone, ...used, groups: all.length === 0 ? undefined : groups }, rules)
          ).added
          expect(apply(Either.getOrThrow(solveTemplate(template, desired, zone)))).toEqual(apply(used))
        }
      ),
      { numRuns: propertyRuns(500) }
    ))

  test("removes nothing where it is applied a second time", () => {
    const template = templateOf([cname("www", "%target%"), txt("@", "%proof%")])
    const use = { ...zone, variables: { target: "web.hosting.example", proof: "abc" } }
    const rules = { redirectEntries: [] }
    const { added } = Either.getOrThrow(applyTemplate(template, [], use, rules))
    expect(Either.getOrThrow(applyTemplate(template, added, use, rules))).toEqual({ added: [], removed: [] })
  })
})

describe("a template", () => {
  test("is refused for what its crit names and nobody here knows, and for another version", () => {
    const record = cname("www", "web.hosting.example")
    expect(parseTemplate(JSON.stringify({ ...templateOf([record]), "vnd.a": 1 }))).toMatchObject({ _tag: "Right" })
    expect(parseTemplate(JSON.stringify({ ...templateOf([record]), "vnd.a": 1, crit: ["vnd.a"] }))).toMatchObject({
      left: "crit: vnd.a are not known here"
    })
    expect(parseTemplate(JSON.stringify({ ...templateOf([record]), crit: ["absent", "records"] }))).toMatchObject({
      _tag: "Right"
    })
    expect(
      parseTemplate(JSON.stringify({ ...templateOf([record]), records: [{ ...record, "vnd.b": 1, crit: ["vnd.b"] }] }))
    ).toMatchObject({ left: "crit: vnd.b are not known here" })
    expect(parseTemplate(JSON.stringify({ ...templateOf([record]), templateSpecVersion: 2 }))).toMatchObject({
      _tag: "Left"
    })
  })
})

const someGroup = fc.constantFrom("", "one", "other", "third")

/** Few hosts, variables and groups, so that records meet. */
const someRecord = fc.oneof(
  fc.record({
    type: fc.constant("TXT"),
    host: fc.constantFrom("@", "b"),
    data: fc.constantFrom("a=%a%", "b=%b%", "c", "%d%"),
    ttl: fc.constant(60),
    groupId: someGroup
  }),
  fc.record({
    type: fc.constant("SPFM"),
    host: fc.constantFrom("@", "b"),
    spfRules: fc.constantFrom("include:%a%", "mx include:%b%", "mx", "ip4:192.0.2.1 include:%b%"),
    groupId: someGroup
  })
)

const someValues = fc.record({
  a: fc.constantFrom("a.example", "d.example"),
  b: fc.constantFrom("b.example", "c.example"),
  d: fc.constantFrom("d", "a=e")
})

const escaped = (text: string) => text.replaceAll(/["\\]/g, "\\$&")

const aliasesTo = (other: string): ReadonlyArray<ZoneEntry> => [
  { type: "CNAME", name: "www.shop.example", data: "web.hosting.example" },
  { type: "CNAME", name: "shop.shop.example", data: other }
]
