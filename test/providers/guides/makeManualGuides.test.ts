import { describe, expect, test } from "bun:test"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import type { ManualGuide } from "../../../src/domain/plan/ManualGuide.ts"
import { RecordObservation } from "../../../src/domain/plan/RecordObservation.ts"
import { Provider } from "../../../src/domain/provider/Provider.ts"
import { catalog, unknownProvider } from "../../../src/providers/catalog/catalog.ts"
import { makeManualGuides, type ManualWork } from "../../../src/providers/guides/makeManualGuides.ts"
import { desiredRecords, exampleCom, planOrThrow, zoneOf } from "../../support/planFixtures.ts"

const providerOf = (id: string): Provider => {
  const known = catalog.find(({ provider }) => provider.id === id)?.provider
  return known ?? new Provider({ ...unknownProvider, id, name: id })
}

interface GuidedChange {
  readonly at: string
  readonly domain?: string
  readonly zone?: string
  readonly live?: ReadonlyArray<string>
  readonly desired: ReadonlyArray<string>
  readonly observations?: ManualWork["observations"]
  readonly referenceUrl?: string
}

/** The guide of a provider for the changes that the planner makes of a zone. */
const guideFor = ({
  at,
  referenceUrl,
  desired,
  domain = exampleCom,
  live = [],
  observations,
  zone = domain
}: GuidedChange): ManualGuide => {
  const name = DomainName.make(domain)
  const { changes } = planOrThrow({
    zone: { ...zoneOf(...live), name: DomainName.make(zone) },
    desired: desiredRecords(...desired),
    domain: name
  })
  const [guide] = makeManualGuides({
    domain,
    zone,
    changes,
    providers: [
      { provider: { ...providerOf(at), ...(referenceUrl === undefined ? {} : { referenceUrl }) }, nameServers: [] }
    ],
    observations: observations ?? { records: [] }
  })
  if (guide === undefined) throw new Error("no guide")
  return guide
}

/** The fields of the tasks, as a customer reads them: `Host: www`, `value: a or a.`; without a label, by what they hold. */
const read = (input: GuidedChange): ReadonlyArray<string> =>
  guideFor(input).tasks.map(({ action, fields }) =>
    [
      action,
      ...fields.map(({ alternative, field, label, value }) =>
        `${label ?? field}: ${value}${alternative === undefined ? "" : ` or ${alternative}`}`.trim()
      )
    ].join(" | ")
  )

const desired = [
  "www 3600 CNAME shops.example.net",
  "@ 3600 MX 10 mx.example.net",
  "@ 3600 TXT v=check 1",
  "_sip._tcp 3600 SRV 5 1 443 sip.example.net"
]

const forms: Readonly<Record<string, ReadonlyArray<string>>> = {
  godaddy: [
    "add | type: CNAME | Host: www | Points to: shops.example.net",
    "add | type: TXT | Host: @ | TXT Value: v=check 1",
    "add | type: SRV | Service: _sip or sip | Protocol: _tcp or tcp | Name: @ | Target: sip.example.net | Priority: 5 | Weight: 1 | Port: 443",
    "add | type: MX | Host: @ | Points to: mx.example.net | priority: 10"
  ],
  namecheap: [
    "add | type: CNAME | Host: www | Value: shops.example.net.",
    "add | type: TXT | Host: @ | Value: v=check 1",
    "add | type: SRV | Service: _sip or sip | Protocol: _tcp or tcp | Priority: 5 | Weight: 1 | Port: 443 | Target: sip.example.net.",
    "add | type: MX | Host: @ | Value: mx.example.net. | priority: 10"
  ],
  ionos: [
    "add | type: CNAME | Host name: www | Alias: shops.example.net or shops.example.net. | ttl: 1 hour",
    "add | type: TXT | Host name: | Value: v=check 1 | ttl: 1 hour",
    "add | type: SRV | Host name: _sip._tcp | priority: 5 | weight: 1 | port: 443 | target: sip.example.net or sip.example.net. | ttl: 1 hour",
    "add | type: MX | Host name: @ | Points to: mx.example.net or mx.example.net. | priority: 10 | ttl: 1 hour"
  ],
  strato: [
    "add | type: CNAME | host: www | value: shops.example.net.",
    "add | type: TXT | Präfix: | Wert: v=check 1",
    "add | type: SRV | host: _sip._tcp | priority: 5 | weight: 1 | port: 443 | target: sip.example.net.",
    "add | type: MX | host: | value: mx.example.net. | priority: 10"
  ],
  ovh: [
    "add | type: CNAME | Sub-domain: www | Target: shops.example.net.",
    "add | type: TXT | Sub-domain: | Value: v=check 1",
    "add | type: SRV | Sub-domain: _sip._tcp | Priority: 5 | Weight: 1 | Port: 443 | Target: sip.example.net.",
    "add | type: MX | Sub-domain: | Target: mx.example.net. | priority: 10"
  ],
  squarespace: [
    "add | type: CNAME | Host: www | Alias Data: shops.example.net or shops.example.net.",
    "add | type: TXT | Host: @ | Data: v=check 1",
    "add | type: SRV | Host: _sip._tcp | priority: 5 | weight: 1 | port: 443 | target: sip.example.net or sip.example.net.",
    "add | type: MX | Host: @ | Data: mx.example.net or mx.example.net. | priority: 10"
  ],
  namecom: [
    "add | type: CNAME | Host: www | Answer: shops.example.net",
    "add | type: TXT | Host: | Answer: v=check 1",
    "add | type: SRV | Service: sip | Weight: 1 | Prio: 5 | Protocol: tcp | Port: 443 | Target: sip.example.net",
    "add | type: MX | Host: | Answer: mx.example.net | Prio: 10"
  ],
  networksolutions: [
    "add | type: CNAME | Alias: www | Other Host: shops.example.net. | ttl: 3600",
    "add | type: TXT | Host: @ | Text: v=check 1 | ttl: 3600",
    "add | type: SRV | Service: _sip or sip | Protocol: _tcp or tcp | Priority: 5 | Weight: 1 | Port: 443 | Target: sip.example.net. | ttl: 3600",
    "add | type: MX | Mail Server: mx.example.net. | priority: 10 | ttl: 3600"
  ],
  // Nothing is known of these pages: both forms are shown.
  ...Object.fromEntries(
    ["inwx", "unitedomains"].map((id) => [
      id,
      [
        "add | type: CNAME | host: www or www.example.com | value: shops.example.net or shops.example.net.",
        "add | type: TXT | host: @ or example.com | value: v=check 1",
        "add | type: SRV | host: _sip._tcp or _sip._tcp.example.com | priority: 5 | weight: 1 | port: 443 | target: sip.example.net or sip.example.net.",
        "add | type: MX | host: @ or example.com | value: mx.example.net or mx.example.net. | priority: 10"
      ]
    ])
  )
}

describe("a guide has each field in the form that the page takes", () => {
  for (const [at, expected] of Object.entries(forms))
    test(`at ${at}`, () => expect(read({ at, desired })).toEqual(expected))

  test("below the apex of the zone, too: the host is relative to the zone, never to the domain", () => {
    const shop = { domain: "shop.example.com", zone: "example.com" }
    const records = ["@ 3600 CNAME shops.example.net"]
    expect(read({ at: "godaddy", ...shop, desired: records })).toEqual([
      "add | type: CNAME | Host: shop | Points to: shops.example.net"
    ])
    expect(read({ at: "ovh", ...shop, desired: ["_sip._tcp 3600 SRV 5 1 443 sip.example.net"] })).toEqual([
      "add | type: SRV | Sub-domain: _sip._tcp.shop | Priority: 5 | Weight: 1 | Port: 443 | Target: sip.example.net."
    ])
    expect(read({ at: "godaddy", ...shop, desired: ["_sip._tcp 3600 SRV 5 1 443 sip.example.net"] })).toEqual([
      "add | type: SRV | Service: _sip or sip | Protocol: _tcp or tcp | Name: shop | Target: sip.example.net | Priority: 5 | Weight: 1 | Port: 443"
    ])
    // No field for the host of an SRV record is known there.
    expect(read({ at: "enom", ...shop, desired: ["_sip._tcp 3600 SRV 5 1 443 sip.example.net"] })[0]).toContain(
      "| Host Name: shop |"
    )
    // A mail record below the apex needs a host even where the page has none for the apex.
    expect(read({ at: "networksolutions", ...shop, desired: ["@ 3600 MX 10 mx.example.net"] })[0]).toContain(
      "host: shop"
    )
    expect(read({ at: "inwx", ...shop, desired: records })[0]).toContain("host: shop or shop.example.com")
  })

  test("a text is never put in quotes, and no null target gets a dot", () => {
    expect(read({ at: "cloudflare", desired: ["@ 3600 TXT v=spf1 include:a.example -all"] })).toEqual([
      "add | type: TXT | Name: @ | Content: v=spf1 include:a.example -all"
    ])
    expect(read({ at: "ovh", desired: ["@ 3600 MX 0 ."] })).toEqual([
      "add | type: MX | Sub-domain: | Target: . | priority: 0"
    ])
  })

  test("only the name within a value gets a dot", () => {
    const [task = ""] = read({ at: "ovh", desired: ["@ 3600 HTTPS 1 svc.example.net alpn=h2"] })
    expect(task).toEndWith("Target: 1 svc.example.net. alpn=h2")
  })
})

/** The hints of the guide, and those of each task. */
const hintsAt = (at: string, record = "www 3600 CNAME shops.example.net") => {
  const { hints, tasks } = guideFor({ at, desired: [record] })
  return [hints, ...tasks.map((task) => task.hints)].map((list) => list.map(({ code }) => code))
}

const linkAt = (at: string, referenceUrl: string): string | undefined =>
  guideFor({ at, referenceUrl, desired: ["www 3600 CNAME shops.example.net"] }).dnsPageUrl

describe("a guide leads to the page", () => {
  test("that the provider itself names for the zone, unless a better one is known", () => {
    const [own, help] = ["https://panel.example/zones/example.com", "https://help.example/dns"]
    expect([linkAt("ionos", own), linkAt("ionos", help), linkAt("namecom", own)]).toEqual([
      own,
      "https://my.ionos.com/start-with-domain/dns",
      "https://www.name.com/account/domain/details/example.com/dns"
    ])
  })

  test("with the domain as A-label in the link, and as its owner writes it in the path", () => {
    const { dnsPageUrl, helpUrl, loginUrl, path, provider } = guideFor({
      at: "namecom",
      domain: "xn--bcher-kva.example",
      desired: ["www 3600 CNAME shops.example.net"]
    })
    expect({ dnsPageUrl, helpUrl, loginUrl, path, provider }).toEqual({
      dnsPageUrl: "https://www.name.com/account/domain/details/xn--bcher-kva.example/dns",
      helpUrl: undefined,
      loginUrl: "https://www.name.com/account/domain",
      path: ["My Domains", "bücher.example", "Manage DNS Records"],
      provider: { id: "namecom", name: "Name.com" }
    })
  })

  test("and says what has to be done besides", () => {
    expect(hintsAt("ionos")).toEqual([["confirm_checkbox"], ["create_subdomain_first"]])
    expect(hintsAt("strato")).toEqual([["confirm_checkbox"], ["create_subdomain_first"]])
    expect(hintsAt("strato", "blog 3600 A 192.0.2.1")[1]).toEqual(["create_subdomain_first"])
    expect(hintsAt("strato", "@ 3600 A 192.0.2.1")[1]).toEqual([])
    expect(hintsAt("strato", "@ 3600 TXT check")[1]).toEqual([])
    expect(hintsAt("cloudflare")).toEqual([[], ["dns_only"]])
    expect(hintsAt("cloudflare", "@ 3600 TXT check")).toEqual([[], []])
    expect(hintsAt("ovh")).toEqual([["save_and_publish"], []])
    expect(hintsAt("godaddy")).toEqual([["second_factor"], []])
    expect(hintsAt("porkbun")).toEqual([["delete_parking_records"], []])
    expect(hintsAt("namecheap", "@ 3600 MX 10 mx.example.net")).toEqual([["save_and_publish"], ["choose_custom_mail"]])
    expect(hintsAt("inwx")).toEqual([[], []])
    const parked = {
      at: "namecheap",
      live: ["www 300 CNAME parkingpage.namecheap.com"],
      desired: ["www 300 A 192.0.2.1"]
    }
    expect(guideFor(parked).tasks[0]?.hints.map(({ code }) => code)).toEqual(["delete_parking_records"])
    // What is edited must not be deleted first.
    const edited = guideFor({ ...parked, desired: ["www 300 CNAME shops.example.net"] })
    expect(edited.tasks.map(({ action, hints }) => [action, hints])).toEqual([["change", []]])
  })
})

describe("an alias at the apex of the zone", () => {
  const apex = "@ 3600 CNAME shops.example.net"
  const typeAt = (at: string) => {
    const [task] = guideFor({ at, desired: [apex] }).tasks
    return [task?.fields[0]?.value, task?.fields[0]?.alternative, ...(task?.hints ?? []).map(({ code }) => code)]
  }

  test("has the type that the page takes, or ways out of it", () => {
    expect(typeAt("cloudflare")).toEqual(["CNAME", undefined, "dns_only"])
    expect(typeAt("wordpresscom")).toEqual(["ALIAS", undefined, "apex_alias"])
    expect(typeAt("porkbun")).toEqual(["CNAME", "ALIAS", "apex_alias"])
    expect(typeAt("godaddy")).toEqual(["CNAME", undefined, "apex_addresses", "apex_redirect"])
    expect(typeAt("inwx")).toEqual(["CNAME", undefined, "apex_alias", "apex_addresses", "apex_redirect"])
  })
})

/** What each task does, the records that it removes last. */
const summaryOf = (live: ReadonlyArray<string>, records: ReadonlyArray<string>) =>
  guideFor({ at: "godaddy", live, desired: records }).tasks.map(({ action, record, removes }) => [
    action,
    `${record.type} ${record.value}`,
    ...removes.map(({ type, value }) => `${type} ${value}`)
  ])

describe("a removal", () => {
  test("belongs to the record that replaces it, and a replaced value is one task", () => {
    expect(summaryOf(["@ 300 A 192.0.2.1", "@ 300 A 192.0.2.2"], ["@ 300 A 192.0.2.9"])).toEqual([
      ["change", "A 192.0.2.9", "A 192.0.2.2", "A 192.0.2.1"]
    ])
    expect(summaryOf(["www 300 A 192.0.2.1", "www 300 TXT note"], ["www 300 CNAME shops.example.net"])).toEqual([
      ["add", "CNAME shops.example.net", "A 192.0.2.1", "TXT note"]
    ])
    expect(summaryOf(["www 300 CNAME old.example.net"], ["www 300 A 192.0.2.1", "www 300 AAAA 2001:db8::1"])).toEqual([
      ["add", "A 192.0.2.1", "CNAME old.example.net"],
      ["add", "AAAA 2001:db8::1"]
    ])
  })
})

describe("a domain whose provider is not known", () => {
  test("has its name servers, and how to find who runs them", () => {
    const [guide] = makeManualGuides({
      domain: "example.com",
      zone: "example.com",
      changes: planOrThrow({ zone: zoneOf(), desired: desiredRecords("www 300 CNAME shops.example.net") }).changes,
      providers: [{ provider: unknownProvider, nameServers: ["ns1.rare-host.co.uk", "ns2.rare-host.co.uk"] }],
      observations: { records: [] }
    })
    expect(guide).toMatchObject({
      nameServers: ["ns1.rare-host.co.uk", "ns2.rare-host.co.uk"],
      hints: [{ code: "find_who_runs_name_servers", message: expect.stringContaining("belong to rare-host.co.uk.") }]
    })
    expect(guide?.provider).toBeUndefined()
  })
})

test("the addresses of a proxy are no task: the record in their place is, with the proxy to be turned off", () => {
  const address = { host: "www", type: "A", value: "104.16.0.1", ttl: 300, optional: false, proxied: true }
  const [after] = desiredRecords("www 3600 CNAME shops.example.net")
  if (after === undefined) throw new Error("no record")
  const [guide] = makeManualGuides({
    domain: exampleCom,
    zone: exampleCom,
    changes: [
      { action: "delete", before: address, destructive: true },
      { action: "create", after, destructive: false }
    ],
    providers: [{ provider: providerOf("cloudflare"), nameServers: [] }],
    observations: { records: [] }
  })
  expect(guide?.tasks.map(({ action, hints, removes }) => [action, removes, hints.map(({ code }) => code)])).toEqual([
    ["add", [], ["turn_proxy_off"]]
  ])
})

test("with two providers, what is done at one of them is done there, while the other one still lacks it", () => {
  const [record] = desiredRecords("www 3600 CNAME shops.example.net")
  if (record === undefined) throw new Error("no record")
  const { changes } = planOrThrow({
    zone: { ...zoneOf("www 300 A 192.0.2.1"), name: exampleCom },
    desired: [record],
    domain: exampleCom
  })
  const doneWhen = (...statuses: ReadonlyArray<"present" | "missing">) => {
    const observed = statuses.map((status, nth) => ({
      server: `ns1.provider${nth}.net`,
      kind: "authoritative" as const,
      status,
      seen: []
    }))
    const status = statuses.every((each) => each === "present") ? ("present" as const) : ("missing" as const)
    return makeManualGuides({
      domain: exampleCom,
      zone: exampleCom,
      changes,
      providers: ["godaddy", "ovh"].map((id, nth) => ({
        provider: providerOf(id),
        nameServers: [`ns1.provider${nth}.net`]
      })),
      observations: { records: [RecordObservation.make({ expected: record, observed, status })], toRemove: [] }
    }).map(({ provider, tasks }) => [provider?.id, tasks.map(({ isDone }) => isDone)])
  }
  expect([doneWhen("present", "missing"), doneWhen("missing", "missing"), doneWhen("present", "present")]).toEqual([
    [
      ["godaddy", [true]],
      ["ovh", [false]]
    ],
    [
      ["godaddy", [false]],
      ["ovh", [false]]
    ],
    [
      ["godaddy", [true]],
      ["ovh", [true]]
    ]
  ])
})
