import { describe, expect } from "bun:test"
import { Effect, Layer, Option } from "effect"
import { Connection } from "../../../src/domain/connection/Connection.ts"
import { type DnsRecord, withData } from "../../../src/domain/records/DnsRecord.ts"
import { EffectiveIntent } from "../../../src/domain/connection/Intent.ts"
import { PublicResolvers } from "../../../src/dns/zone/PublicResolvers.ts"
import { FactResolver } from "../../../src/lifecycle/plan/FactResolver.ts"
import { PlanMaker } from "../../../src/lifecycle/plan/PlanMaker.ts"
import { Verification } from "../../../src/lifecycle/verify/Verification.ts"
import { Providers } from "../../../src/providers/Providers.ts"
import { connectionFor } from "../../persistence/connectionFixtures.ts"
import { servedCloudflareRecords } from "./servedCloudflareRecords.ts"
import { storedRecord } from "../../providers/adapters/cloudflare/storedCloudflareRecords.ts"
import { live } from "../../support/effectTest.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import { describeChange } from "../../support/planFixtures.ts"
import { scriptedDns } from "../../support/scriptedDns.ts"

const cloudflare = ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"]
const otherServers = ["ns1.prov.net", "ns2.prov.net"]

/** The targets of aliases: one has addresses, the other has a text only. */
const targets =
  'shops 300 A 11.0.11.1\nshops 300 AAAA 2001:db8::11\nempty 300 TXT "nothing else"\nmoved 300 A 11.0.11.9'
const targetAddresses: Readonly<Record<string, ReadonlyArray<string>>> = {
  "shops.mailer.org": ["A 11.0.11.1", "AAAA 2001:db8::11"],
  "moved.mailer.org": ["A 11.0.11.9"]
}

interface FlatteningScenario {
  readonly stored: ReadonlyArray<Parameters<typeof storedRecord>[0]>
  readonly flattensAll?: boolean
  readonly desired?: ReadonlyArray<string>
  readonly isWritten?: boolean
  /** Whether the desired records were proxied when they were planned. */
  readonly isPlannedProxied?: boolean
  readonly nameServers?: ReadonlyArray<string>
}

const verifyOver = (internet: ScriptedInternet, connection: Connection, isWritten: boolean) => {
  const dns = scriptedDns(internet)
  const services = Verification.layer.pipe(
    Layer.provide(Layer.merge(FactResolver.layer, PlanMaker.layerWithoutDatabase)),
    Layer.provide(Providers.layer([])),
    Layer.provide(Layer.merge(dns, Layer.provide(PublicResolvers.layer([internet.dial(internet.resolver)]), dns)))
  )
  return Effect.provide(
    Effect.flatMap(Verification, ({ verify }) => verify(connection, { isWritten })),
    services
  )
}

/** The result for a zone that these name servers serve as Cloudflare does. */
const verified = ({
  desired = ["shop 300 CNAME shops.mailer.org"],
  flattensAll = false,
  isPlannedProxied = false,
  isWritten = true,
  nameServers = cloudflare,
  stored
}: FlatteningScenario) =>
  Effect.gen(function* () {
    const records = stored.map((record) => storedRecord({ ...record, name: `${record.name}.bakery.com` }))
    const served = servedCloudflareRecords(
      { name: "bakery.com", records, flattensAll },
      (name) => targetAddresses[name] ?? []
    )
    const internet = yield* ScriptedInternet.make({
      zones: {
        "bakery.com": { nameServers, records: served.join("\n") },
        "mailer.org": { nameServers: ["ns.mailer.org"], records: targets }
      }
    })
    const connection = connectionFor("bakery.com", desired)
    const report = yield* verifyOver(internet, isPlannedProxied ? withProxies(connection) : connection, isWritten)
    return {
      verdicts: [report.authoritative, report.public],
      records: report.records.map(({ expected, observed, status }) =>
        [expected.host, status, ...new Set(observed.map(({ reason = "" }) => reason))].join(" ").trim()
      ),
      entered: report.entered.hosts,
      repair: Option.match(report.repair, { onNone: () => [], onSome: ({ changes }) => changes.map(describeChange) })
    }
  })

const withProxies = (connection: Connection): Connection => {
  const { domain, records } = connection.effectiveIntent
  const proxied = records.map((record) => (isProxiable(record) ? withData(record, { proxied: true }) : record))
  return Connection.make({ ...connection, effectiveIntent: EffectiveIntent.make({ domain, records: proxied }) })
}

const isProxiable = ({ type }: DnsRecord): boolean => ["A", "AAAA", "CNAME"].includes(type)

const alias = { name: "shop", type: "CNAME", content: "shops.mailer.org" } as const

const flattened = { verdicts: ["right", "right"], records: ["shop present cname_flattened"], entered: [], repair: [] }

describe("an alias that Cloudflare flattens is present, and the observation says why", () => {
  const reasons: Readonly<Record<string, FlatteningScenario>> = {
    "by a setting of the record": { stored: [{ ...alias, settings: { flatten_cname: true } }] },
    "by a setting of the zone": { stored: [alias], flattensAll: true },
    "because its target is in the same zone": {
      stored: [
        { ...alias, content: "web.bakery.com" },
        { name: "web", type: "A", content: "11.0.12.1" }
      ],
      desired: ["shop 300 CNAME web.bakery.com"]
    },
    "because its target is an alias in the same zone": {
      stored: [
        { ...alias, content: "web.bakery.com" },
        { name: "web", type: "CNAME", content: "shops.mailer.org" }
      ],
      desired: ["shop 300 CNAME web.bakery.com"]
    }
  }
  for (const [why, scenario] of Object.entries(reasons)) {
    live(`${why}, where the service wrote it`, () =>
      Effect.map(verified(scenario), (result) => expect<unknown>(result).toEqual(flattened))
    )

    live(`${why}, where a person entered it; that proves no control`, () =>
      Effect.map(verified({ ...scenario, isWritten: false }), (result) => expect<unknown>(result).toEqual(flattened))
    )
  }

  for (const content of ["empty.mailer.org", "missing.mailer.org"]) {
    const scenario = {
      stored: [{ ...alias, content }],
      flattensAll: true,
      desired: [`shop 300 CNAME ${content}`]
    }
    live(`and that shows nothing while its target has no addresses, where the service wrote it: ${content}`, () =>
      Effect.map(verified(scenario), (result) => expect<unknown>(result).toEqual(flattened))
    )

    live(`but not where nobody knows whether it was entered: ${content}`, () =>
      Effect.map(verified({ ...scenario, isWritten: false }), ({ records, verdicts }) =>
        expect({ records, verdicts }).toEqual({ records: ["shop missing"], verdicts: ["wrong", "unknown"] })
      )
    )
  }

  live("and is not replaced where another record is repaired", () =>
    Effect.map(
      verified({
        stored: [alias],
        flattensAll: true,
        desired: ["shop 300 CNAME shops.mailer.org", "_verify 300 TXT hello"]
      }),
      ({ records, repair }) =>
        expect({ records, repair }).toEqual({
          records: ["shop present cname_flattened", "_verify missing"],
          repair: ["create | _verify 300 TXT hello"]
        })
    )
  )
})

const shownBy = ({ records, verdicts }: Effect.Effect.Success<ReturnType<typeof verified>>) => [...records, verdicts[0]]

describe("an alias is not taken for flattened", () => {
  live("where its host has other addresses than its target", () =>
    Effect.map(verified({ stored: [{ ...alias, content: "moved.mailer.org" }], flattensAll: true }), (result) =>
      expect(shownBy(result)).toEqual(["shop different", "wrong"])
    )
  )

  live("where it was removed and its target has addresses", () =>
    Effect.map(verified({ stored: [], flattensAll: true }), (result) =>
      expect(shownBy(result)).toEqual(["shop missing", "wrong"])
    )
  )

  live("where it is served as it is stored", () =>
    Effect.map(verified({ stored: [alias] }), (result) => expect(shownBy(result)).toEqual(["shop present", "right"]))
  )

  live("at a provider that does not flatten", () =>
    Effect.map(verified({ stored: [alias], flattensAll: true, nameServers: otherServers }), (result) =>
      expect(shownBy(result)).toEqual(["shop different", "wrong"])
    )
  )
})

const mx = { name: "shop", type: "MX", content: "mx.mailer.org", priority: 10 } as const

live("a mail server beside a flattened alias stays, and the alias is present", () =>
  Effect.map(
    verified({
      stored: [alias, mx],
      flattensAll: true,
      desired: ["shop 300 CNAME shops.mailer.org", "_verify 300 TXT hello"]
    }),
    ({ records, repair }) =>
      expect({ records, repair }).toEqual({
        records: ["shop present cname_flattened", "_verify missing"],
        repair: ["create | _verify 300 TXT hello"]
      })
  )
)

describe("a record that Cloudflare proxies", () => {
  const address = { name: "shop", type: "A", content: "11.0.12.1" } as const
  const scenarios: Readonly<Record<string, Pick<FlatteningScenario, "desired"> & Pick<FlatteningScenario, "stored">>> =
    {
      "an alias": { stored: [{ ...alias, proxied: true }, mx], desired: ["shop 300 CNAME shops.mailer.org"] },
      "an address": { stored: [{ ...address, proxied: true }, mx], desired: ["shop 300 A 11.0.12.1"] },
      "one of two addresses": {
        stored: [
          { ...address, proxied: true },
          { ...address, content: "11.0.12.2", proxied: true }
        ],
        desired: ["shop 300 A 11.0.12.1", "shop 300 A 11.0.12.2"]
      }
    }
  for (const [what, scenario] of Object.entries(scenarios)) {
    const hosts = scenario.desired?.map(() => "shop") ?? []

    live(`is present where its plan knew so, and the observation says why; that proves no control: ${what}`, () =>
      Effect.map(verified({ ...scenario, isPlannedProxied: true }), (result) =>
        expect<unknown>(result).toEqual({
          verdicts: ["right", "right"],
          records: hosts.map((host) => `${host} present proxied`),
          entered: [],
          repair: []
        })
      )
    )

    live(`is not where nobody knows what is stored, and the observation says why: ${what}`, () =>
      Effect.map(verified({ ...scenario, isWritten: false }), ({ records, verdicts }) =>
        expect({ records, verdicts }).toEqual({
          records: hosts.map((host) => `${host} different proxied`),
          verdicts: ["wrong", "unknown"]
        })
      )
    )
  }

  live("is not removed where another record is repaired", () =>
    Effect.map(
      verified({
        stored: [{ ...alias, proxied: true }, mx],
        isPlannedProxied: true,
        desired: ["shop 300 CNAME shops.mailer.org", "_verify 300 TXT hello"]
      }),
      ({ repair }) => expect(repair).toEqual(["create | _verify 300 TXT hello"])
    )
  )

  live("is present without a reason once its proxy is off", () =>
    Effect.map(verified({ stored: [alias], isPlannedProxied: true }), (result) =>
      expect(shownBy(result)).toEqual(["shop present", "right"])
    )
  )

  live("is missing once it is gone", () =>
    Effect.map(verified({ stored: [], isPlannedProxied: true }), (result) =>
      expect(shownBy(result)).toEqual(["shop missing", "wrong"])
    )
  )

  live("is not present where other addresses than those of the proxy are in its place", () =>
    Effect.map(verified({ stored: [address], isPlannedProxied: true }), (result) =>
      expect(shownBy(result)).toEqual(["shop different", "wrong"])
    )
  )

  live("is told by its addresses at Cloudflare only", () =>
    Effect.map(verified({ stored: [{ ...alias, proxied: true }], nameServers: otherServers }), (result) =>
      expect(shownBy(result)).toEqual(["shop different", "wrong"])
    )
  )
})

live("a key behind a flattened alias is not served, and the observation says why", () =>
  Effect.map(
    verified({
      stored: [{ name: "s1._domainkey", type: "CNAME", content: "empty.mailer.org" }],
      flattensAll: true,
      desired: ["s1._domainkey 300 CNAME empty.mailer.org"]
    }),
    ({ records, verdicts }) =>
      expect({ records, verdicts }).toEqual({
        records: ["s1._domainkey missing cname_flattened"],
        verdicts: ["wrong", "unknown"]
      })
  )
)

live(
  "a text at an apex for which the servers answer with an alias is missing, and the observation shows the alias",
  () =>
    Effect.gen(function* () {
      const internet = yield* ScriptedInternet.make({
        zones: {
          "bakery.com": { nameServers: otherServers, records: '@ 300 CNAME shops.mailer.org.\n@ 300 TXT "hello"' },
          "mailer.org": { nameServers: ["ns.mailer.org"], records: targets }
        }
      })
      const report = yield* verifyOver(internet, connectionFor("bakery.com", ["@ 300 TXT hello"]), false)
      expect(
        report.records.map(({ observed, status }) => [status, observed.map(({ seen }) => seen[0]?.value)])
      ).toEqual([["different", otherServers.map(() => "shops.mailer.org")]])
    })
)
