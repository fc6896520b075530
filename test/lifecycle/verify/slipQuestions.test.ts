import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { PublicResolvers } from "../../../src/dns/zone/PublicResolvers.ts"
import type { RecordObservation } from "../../../src/domain/plan/RecordObservation.ts"
import { FactResolver } from "../../../src/lifecycle/plan/FactResolver.ts"
import { PlanMaker } from "../../../src/lifecycle/plan/PlanMaker.ts"
import { Verification } from "../../../src/lifecycle/verify/Verification.ts"
import { Providers } from "../../../src/providers/Providers.ts"
import { connectionFor } from "../../persistence/connectionFixtures.ts"
import { live } from "../../support/effectTest.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import { answerFromZone, parseZone } from "../../support/lab/Zone.ts"
import { scriptedDns } from "../../support/scriptedDns.ts"

const desired = [
  "www 300 CNAME shops.platform.com",
  "app 300 CNAME shops.platform.com",
  "help 300 CNAME shops.platform.com",
  "_dmarc 300 TXT v=DMARC1; p=none"
]

const ownServers = ["ns1.acme-dns.net", "ns2.acme-dns.net"]

interface Checks {
  readonly domain?: string
  /** The records of the zone `bakery.com`. */
  readonly records: string
  readonly isByHand?: boolean
  /** How many checks there are, one after the other. */
  readonly checks?: number
  readonly nameServers?: ReadonlyArray<string>
  /** What the servers answer otherwise. */
  readonly script?: (internet: ScriptedInternet) => void
  /** What the customer enters before each check. */
  readonly enter?: (internet: ScriptedInternet, check: number) => void
}

/** The diagnoses of each check, and the names that it asked for twice the domain or `_dmarc.www`. */
const checkOften = (scenario: Checks) =>
  Effect.gen(function* () {
    const { checks = 1, domain = "bakery.com", enter, isByHand = true, nameServers = ownServers } = scenario
    const { records, script } = scenario
    const internet = yield* ScriptedInternet.make({ zones: { "bakery.com": { nameServers, records } } })
    script?.(internet)
    const dns = scriptedDns(internet)
    const layer = Verification.layer.pipe(
      Layer.provide(Layer.merge(FactResolver.layer, PlanMaker.layerWithoutDatabase)),
      Layer.provide(Providers.layer([])),
      Layer.provide(Layer.merge(dns, Layer.provide(PublicResolvers.layer([]), dns)))
    )
    return yield* Effect.provide(
      Effect.flatMap(Verification, ({ verify }) =>
        Effect.gen(function* () {
          let previous: ReadonlyArray<RecordObservation> = []
          const outcomes = []
          for (let nth = 0; nth < checks; nth += 1) {
            enter?.(internet, nth)
            const before = internet.queries.length
            const history = { isByHand, isAwaited: false, checks: nth, previous: Effect.succeed(previous) }
            const report = yield* verify(connectionFor(domain, desired), { isWritten: false, history })
            previous = report.records
            const slips = internet.queries
              .slice(before)
              .filter(({ name }) => name.includes("bakery.com.bakery.com") || name.startsWith("_dmarc.www"))
            outcomes.push({
              codes: report.records.map(({ diagnosis }) => diagnosis?.code),
              asked: [...new Set(slips.map(({ name, type }) => `${type} ${name}`))]
            })
          }
          return outcomes
        })
      ),
      layer
    )
  })

live(
  "a check by hand asks for three names where slips put records, and the others take their turn at later checks",
  () =>
    Effect.map(checkOften({ records: "@ 300 A 11.0.12.1", checks: 2 }), (outcomes) =>
      expect(outcomes).toEqual([
        {
          codes: ["not_yet", "not_yet", "not_yet", "not_yet"],
          asked: [
            "CNAME www.bakery.com.bakery.com",
            "CNAME app.bakery.com.bakery.com",
            "CNAME help.bakery.com.bakery.com"
          ]
        },
        {
          codes: ["not_yet", "not_yet", "not_yet", "not_yet"],
          asked: ["TXT _dmarc.bakery.com.bakery.com", "TXT _dmarc.www.bakery.com", "CNAME www.bakery.com.bakery.com"]
        }
      ])
    )
)

live("an earlier finding stays until the name has its turn again", () =>
  Effect.map(
    checkOften({
      records: `@ 300 A 11.0.12.1
                app.bakery.com 300 CNAME shops.platform.com.
                _dmarc.bakery.com 300 TXT "v=DMARC1; p=none"`,
      checks: 2
    }),
    (outcomes) =>
      expect(outcomes.map(({ codes }) => codes)).toEqual([
        ["not_yet", "doubled_zone", "not_yet", "not_yet"],
        ["not_yet", "doubled_zone", "not_yet", "doubled_zone"]
      ])
  )
)

live("beside a subdomain, only what the customer enters after the first checks is a slip", () =>
  Effect.map(
    checkOften({
      domain: "shop.bakery.com",
      records: `www 300 CNAME shops.platform.com.
                _dmarc 300 TXT "v=DMARC1; p=none"`,
      enter: (internet, check) => {
        if (check !== 3) return
        const entered = parseZone("bakery.com", "app 300 CNAME shops.platform.com.")
        for (const server of ownServers)
          internet.script(server, ({ question }) => answerFromZone(entered, question), { name: "app.bakery.com" })
      },
      checks: 7
    }),
    (outcomes) =>
      expect(outcomes.map(({ codes }) => codes.join(" "))).toEqual([
        "not_yet not_yet not_yet not_yet",
        "not_yet not_yet not_yet not_yet",
        "not_yet not_yet not_yet not_yet",
        "not_yet wrong_host not_yet not_yet",
        "not_yet wrong_host not_yet not_yet",
        "not_yet wrong_host not_yet not_yet",
        "not_yet wrong_host not_yet not_yet"
      ])
  )
)

live("without a customer who enters records, no name is asked for but those of the intent", () =>
  Effect.map(checkOften({ records: "www.bakery.com 300 CNAME shops.platform.com.", isByHand: false }), (outcomes) =>
    expect(outcomes).toEqual([{ codes: ["not_yet", "not_yet", "not_yet", "not_yet"], asked: [] }])
  )
)

live("a wildcard that answers for the doubled name is nobody's mistake", () =>
  Effect.map(checkOften({ records: "* 300 CNAME shops.elsewhere.com." }), (outcomes) =>
    expect(outcomes.flatMap(({ codes }) => codes)).not.toContain("doubled_zone")
  )
)

live("of two providers, a slip at the second is found once the first one shows the record", () =>
  Effect.map(
    checkOften({
      nameServers: [...ownServers, "ada.ns.cloudflare.com"],
      records: `app 300 CNAME shops.platform.com.
                www 300 CNAME shops.platform.com.
                help 300 CNAME shops.platform.com.
                _dmarc 300 TXT "v=DMARC1; p=none"`,
      script: (internet) => {
        const doubled = parseZone("bakery.com", "www.bakery.com 300 CNAME shops.platform.com.")
        for (const name of ["www.bakery.com", "www.bakery.com.bakery.com"])
          internet.script("ada.ns.cloudflare.com", ({ question }) => answerFromZone(doubled, question), { name })
      }
    }),
    (outcomes) =>
      expect(outcomes).toEqual([
        { codes: ["doubled_zone", undefined, undefined, undefined], asked: ["CNAME www.bakery.com.bakery.com"] }
      ])
  )
)
