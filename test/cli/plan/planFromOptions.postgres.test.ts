import { BunContext } from "@effect/platform-bun"
import { expect } from "bun:test"
import { Effect, Either, Option } from "effect"
import { toDryRunJson } from "../../../src/cli/plan/DryRun.ts"
import { checkPlanOptions, type PlanOptions } from "../../../src/cli/plan/PlanOptions.ts"
import { planFromOptions } from "../../../src/cli/plan/planFromOptions.ts"
import { failureMeanings } from "../../../src/domain/connection/failureMeanings.ts"
import { PlanMaker } from "../../../src/lifecycle/plan/PlanMaker.ts"
import { live } from "../../support/effectTest.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import type { InternetSpec } from "../../support/lab/ScriptedTopology.ts"
import { scriptedPlanMaker } from "../../support/scriptedDns.ts"
import { planFiles } from "./planFiles.ts"

const bakery: InternetSpec = {
  zones: {
    "bakery.com": {
      nameServers: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"],
      records: `@    300  A     11.22.33.44
                shop 300  A     11.22.33.46`
    }
  }
}

/** Plans for the arguments of a command line, in a scripted internet. */
const planForArgs = (args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const options = parse(args)
    const internet = yield* ScriptedInternet.make(bakery)
    const { preview } = yield* Effect.provide(PlanMaker, scriptedPlanMaker(internet))
    return yield* Effect.provide(
      Effect.zipRight(
        Effect.transposeOption(checkPlanOptions(options)),
        planFromOptions(options, { preview, declared: [] })
      ),
      BunContext.layer
    )
  })

const planForLine = (line: string) => Effect.flatMap(planFiles, ({ argsOf }) => planForArgs(argsOf(line)))

const parse = (args: ReadonlyArray<string>): PlanOptions => {
  const valueOf = (option: string) =>
    Option.fromNullable(args[args.indexOf(option) + 1]).pipe(Option.filter(() => args.includes(option)))
  return {
    domain: valueOf("--domain"),
    zoneName: valueOf("--zone-name"),
    intent: valueOf("--intent"),
    zone: valueOf("--zone"),
    zoneFile: valueOf("--zone-file"),
    provider: valueOf("--provider"),
    capabilities: valueOf("--capabilities"),
    context: valueOf("--context"),
    stdin: args.includes("--stdin"),
    json: args.includes("--json")
  }
}

live("without a file, plan finds the zone and its provider in the public DNS", () =>
  Effect.gen(function* () {
    const result = yield* planForLine("--domain bakery.com --intent :shop.json")
    expect(Option.map(result.provider, ({ id }) => id)).toEqual(Option.some("cloudflare"))
    expect(Option.map(result.zone, ({ basis, name }): [string, string] => [basis, name])).toEqual(
      Option.some(["public_dns", "bakery.com"])
    )
    const cname = { host: "shop", type: "CNAME", value: "shops.example.net", ttl: 3600 }
    expect(toDryRunJson(result)).toMatchObject({
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

live("an unregistered domain is a failure, and its result contains no zone", () =>
  Effect.gen(function* () {
    const result = yield* planForLine("--domain butcher.com --intent :shop.json")
    expect(Either.isLeft(result.planned)).toBe(true)
    expect<unknown>(toDryRunJson(result)).toEqual({
      effectiveIntent: {
        domain: "butcher.com",
        records: [
          {
            host: "shop",
            type: "CNAME",
            value: "shops.example.net",
            ttl: 3600,
            optional: false,
            name: "shop.butcher.com"
          }
        ]
      },
      failure: {
        code: "domain_not_registered",
        retryable: true,
        message: failureMeanings.domain_not_registered,
        details: [
          {
            message: "a.gtld.test, asked for NS of butcher.com, answered that there is no such name",
            server: "a.gtld.test",
            host: "@",
            type: "NS",
            answer: "nxdomain"
          }
        ]
      },
      optionalFailures: [],
      optionalFailureDetails: []
    })
  })
)

live("the zone contains the records of a master file at or below the domain", () =>
  Effect.gen(function* () {
    const result = yield* planForLine("--domain example.com --zone-file :db.example --intent :intent.json")
    expect<unknown>(result.zone).toEqual(
      Option.some({
        name: "example.com",
        basis: "provider",
        records: [
          { host: "@", type: "SOA", value: "ns1.example.com hostmaster.example.com 1 2 3 4 5", ttl: 300 },
          { host: "@", type: "NS", value: "ns1.example.com", ttl: 300 },
          { host: "shop", type: "A", value: "192.0.2.1", ttl: 300 },
          { host: "shop", type: "TXT", value: "old-shop", ttl: 300 }
        ]
      })
    )
  })
)

const fromFile =
  "--zone-name, --provider, --capabilities and --context describe a zone from a file (--zone, --zone-file); " +
  "without one they come from detection in the public DNS"

/** Invalid command lines, and their messages. */
const mistakes: Readonly<Record<string, ReadonlyArray<string>>> = {
  "--stdin --domain example.com": ["--stdin takes everything from its lines; no other option but --json goes with it"],
  "--zone :zone.json --intent :intent.json": ["--domain is missing: the domain for which to plan"],
  "--domain example.com --zone :zone.json": ["--intent is missing: a JSON file with the desired records"],
  "--domain example.com --zone :zone.json --zone-file :db.example --intent :intent.json": [
    "--zone and --zone-file exclude each other"
  ],
  "--domain example.com --intent :intent.json --provider cloudflare": [fromFile],
  "--domain example.com --intent :intent.json --zone-name com": [fromFile],
  "--domain example.com --zone :none.json --intent :intent.json": [":none.json: there is no such file"],
  "--domain example.com --zone : --intent :intent.json": [":: this cannot be read"],
  "--domain example.com --zone :broken.json --intent :intent.json": [
    ":broken.json: this is not well-formed JSON: line 1, column 2: a closing brace is expected"
  ],
  "--domain example.com --zone :wrong.json --intent :intent.json": [
    "1 problem in the input: /zone/0/ttl: must be a number",
    "  /zone/0/ttl  must be a number"
  ],
  "--domain co.uk --zone :wrong.json --intent :intent.json": [
    "2 problems in the input: /domain: co.uk is a public suffix; name a domain registered below it",
    "  /domain  co.uk is a public suffix; name a domain registered below it",
    "  /zone/0/ttl  must be a number"
  ],
  "--domain example.com --zone :zone.json --intent :twice.json": [
    ":twice.json: 1 problem in the input: /intent/records: the key stands twice in this object",
    "  /intent/records  the key stands twice in this object"
  ],
  "--domain example.org --zone :zone.json --intent :intent.json": [
    "1 problem in intent: /intent/domain: must be example.org, for which the plan is made, or be left out",
    "  /intent/domain  must be example.org, for which the plan is made, or be left out"
  ],
  "--domain example.com --zone-file :db.broken --intent :intent.json": [":db.broken: line 2: a record needs a type"],
  "--domain example.com --zone :zone.json --intent :intent.json --capabilities caaRecords=yes": [
    '1 problem in the input: /capabilities: caaRecords cannot be "yes"; it may be supported, unsupported, manual, not_applicable, unknown',
    '  /capabilities  caaRecords cannot be "yes"; it may be supported, unsupported, manual, not_applicable, unknown'
  ]
}

for (const [line, messages] of Object.entries(mistakes)) {
  live(`reports the mistake in \`plan ${line}\``, () =>
    Effect.gen(function* () {
      const { argsOf, shortenPaths } = yield* planFiles
      const error = yield* Effect.flip(planForArgs(argsOf(line)))
      expect(error._tag === "BadInput" ? shortenPaths(error.text).split("\n") : error).toEqual([...messages])
    })
  )
}

live("the CAA and DMARC records of a zone above the domain apply to the domain", () =>
  Effect.gen(function* () {
    const result = yield* planForLine(
      "--domain app.example.com --zone-name example.com --zone-file :db.above --intent :policies.json"
    )
    const { changes, warnings } = Either.getOrThrow(result.planned)
    expect(changes.map(({ after }) => after?.value)).toEqual([
      "v=DMARC1; p=quarantine",
      '0 issue "digicert.com"',
      '0 issue "letsencrypt.org"'
    ])
    expect(warnings).toEqual(["dmarc_inherited_from_root"])
  })
)

live("a first record below a wildcard of the zone file hides that wildcard, however far above the domain it is", () =>
  Effect.gen(function* () {
    const result = yield* planForLine(
      "--domain x.fruit.example.com --zone-name example.com --zone-file :db.wildcard --intent :token.json"
    )
    const { changes, warnings } = Either.getOrThrow(result.planned)
    expect(warnings).toContain("wildcard_hidden")
    expect(changes.map(({ destructive }) => destructive)).toEqual([true])
  })
)

const warningsFor = (line: string) =>
  Effect.map(planForLine(`${line} --zone-file :db.mail`), ({ planned }) => Either.getOrThrow(planned).warnings)

live("the address of a mail server that the zone file names above the domain is one, for each spelling", () =>
  Effect.gen(function* () {
    const above = yield* warningsFor("--domain example.com --intent :mail.json")
    expect(above).toContain("mail_target_changed")
    expect(yield* warningsFor("--domain mail.example.com --zone-name example.com --intent :here.json")).toEqual(above)
  })
)

live("a ring through an alias of the zone file above the domain is refused", () =>
  Effect.gen(function* () {
    const { planned } = yield* planForLine(
      "--domain shop.example.com --zone-name example.com --zone-file :db.ring --intent :ring.json"
    )
    expect(Either.flip(planned)).toMatchObject(Either.right({ code: "cname_loop" }))
  })
)

live("a master file of another zone is rejected instead of read as an empty zone", () =>
  Effect.gen(function* () {
    const outcome = yield* Effect.either(
      planForLine("--domain example.net --zone-file :db.example --intent :shop.json")
    )
    expect(Either.flip(outcome)).toMatchObject(
      Either.right({ code: "malformed_zone_file", message: expect.stringMatching(/no record lies in example\.net$/) })
    )
  })
)
