import { expect } from "bun:test"
import { BunContext } from "@effect/platform-bun"
import { Effect, Either, Layer, Option } from "effect"
import { planJson } from "../../src/cli/planJson.ts"
import { planOnce } from "../../src/cli/planOnce.ts"
import { misuseOf, type PlanOptions } from "../../src/cli/PlanOptions.ts"
import { Survey } from "../../src/lifecycle/Survey.ts"
import { dnsOf } from "../support/discovery.ts"
import { live } from "../support/effect.ts"
import { ScriptedInternet } from "../support/lab/ScriptedInternet.ts"
import type { InternetSpec } from "../support/lab/topology.ts"
import { withFiles } from "./planFiles.ts"

const bakery: InternetSpec = {
  zones: {
    "bakery.com": {
      nameServers: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"],
      records: `@    300  A     11.22.33.44
                shop 300  A     11.22.33.46`
    }
  }
}

/** Plans what the words of the command line say, in an internet of its own. */
const planned = (line: string) =>
  Effect.gen(function* () {
    const given = parse(yield* withFiles(line.split(" ")))
    const internet = yield* ScriptedInternet.make(bakery)
    const { survey } = yield* Effect.provide(Survey, Layer.provide(Survey.layer, dnsOf(internet)))
    return yield* Effect.provide(
      Effect.zipRight(Effect.transposeOption(misuseOf(given)), planOnce(given, survey)),
      BunContext.layer
    )
  })

const parse = (words: ReadonlyArray<string>): PlanOptions => {
  const valueOf = (option: string) =>
    Option.fromNullable(words[words.indexOf(option) + 1]).pipe(Option.filter(() => words.includes(option)))
  return {
    domain: valueOf("--domain"),
    zoneName: valueOf("--zone-name"),
    intent: valueOf("--intent"),
    zone: valueOf("--zone"),
    zoneFile: valueOf("--zone-file"),
    provider: valueOf("--provider"),
    capabilities: valueOf("--capabilities"),
    context: valueOf("--context"),
    stdin: words.includes("--stdin"),
    json: words.includes("--json")
  }
}

live("without a file, the zone and its provider are found in the public DNS", () =>
  Effect.gen(function* () {
    const run = yield* planned("--domain bakery.com --intent :shop.json")
    expect(Option.map(run.provider, ({ id }) => id)).toEqual(Option.some("cloudflare"))
    expect(Option.map(run.zone, ({ basis, name }): [string, string] => [basis, name])).toEqual(
      Option.some(["public_dns", "bakery.com"])
    )
    const cname = { host: "shop", type: "CNAME", value: "shops.example.net", ttl: 3600 }
    expect(planJson(run)).toMatchObject({
      plan: {
        changes: [
          { action: "delete", before: { host: "shop" } },
          { action: "create", after: cname }
        ]
      },
      resultingZone: expect.arrayContaining([cname])
    })
  })
)

live("a domain that is not there is a failure, and of its zone nothing is said", () =>
  Effect.gen(function* () {
    const run = yield* planned("--domain butcher.com --intent :shop.json")
    expect(Either.isLeft(run.planned)).toBe(true)
    expect(planJson(run)).toEqual({
      effectiveIntent: run.intent.effectiveIntent,
      failure: { code: "domain_not_registered", retryable: true },
      optionalFailures: []
    })
  })
)

/** What is wrong, and what is said of it. */
const mistakes: Readonly<Record<string, ReadonlyArray<string>>> = {
  "--zone :zone.json --intent :intent.json": ["--domain is missing"],
  "--domain example.com --zone :zone.json": ["--intent is missing"],
  "--domain example.com --zone :zone.json --zone-file :db.example --intent :intent.json": ["exclude each other"],
  "--domain example.com --intent :intent.json --provider cloudflare": ["--provider", "come from detection"],
  "--domain example.com --intent :intent.json --zone-name com": ["--zone-name", "come from detection"],
  "--domain example.com --zone : --intent :intent.json": ["this cannot be read"],
  "--domain example.com --zone :broken.json --intent :intent.json": ["broken.json: this is not well-formed JSON"],
  "--domain example.com --zone :zone.json --intent :twice.json": [
    "twice.json",
    "/intent/records  the key stands twice"
  ],
  "--domain example.org --zone :zone.json --intent :intent.json": ["/intent/domain  must be example.org"],
  "--domain example.com --zone-file :db.broken --intent :intent.json": ["db.broken: line 2"],
  "--domain example.com --zone :zone.json --intent :intent.json --capabilities dns=supported": ['"dns"', "caaRecords"]
}

for (const [line, words] of Object.entries(mistakes)) {
  live(`says what is wrong with \`plan ${line}\``, () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(planned(line))
      const said = error._tag === "BadInput" ? error.inWords : ""
      expect(words.filter((word) => !said.includes(word))).toEqual([])
    })
  )
}
