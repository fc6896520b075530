import { expect } from "bun:test"
import { Effect } from "effect"
import { concurrent } from "../persistence/concurrent.ts"
import { cli, cliWith, ended } from "./commandLine.ts"
import { apex, shop, withFiles, zone } from "./planFiles.ts"

/** Runs `plan` where no resolver can be asked. */
const plan = (...args: ReadonlyArray<string>) =>
  Effect.flatMap(withFiles(args), (words) => cli({ DNS_RESOLVERS: "none" }, "plan", ...words))

const offline = ["--domain", "example.com", "--zone", ":zone.json", "--intent", ":intent.json"]

concurrent("plan tells people what would change, without colours where there is no terminal", () =>
  Effect.gen(function* () {
    const { code, err, out } = yield* plan(...offline)
    expect([code, err]).toEqual([0, ""])
    expect(out.split("\n").slice(5, 8)).toEqual([
      "! - delete  shop  A      300   192.0.2.1",
      "  + create  shop  CNAME  3600  shops.example.net",
      ""
    ])
    expect(out).not.toContain("\u001b")
  })
)

concurrent("plan --json prints one object for scripts", () =>
  Effect.gen(function* () {
    const { code, err, out } = yield* plan(...offline, "--json")
    expect([code, err, out.indexOf("\n")]).toEqual([0, "", out.length - 1])
    const printed = JSON.parse(out)
    expect(Object.keys(printed)).toEqual(["effectiveIntent", "plan", "optionalFailures", "resultingZone"])
    expect(printed.resultingZone).toEqual([{ ...shop, ttl: 3600 }])
  })
)

concurrent("a plan that would fail ends with 1", () =>
  Effect.gen(function* () {
    const args = ["--domain", "example.com", "--zone", ":zone.json", "--intent", ":apex.json"]
    const { code, err, out } = yield* plan(...args, "--capabilities", "cnameFlattening=unsupported")
    expect([code, err, out.includes("apex_cname_unsupported")]).toEqual([1, "", true])
    expect((yield* plan(...args, "--provider", "cloudflare")).code).toBe(0)
  })
)

concurrent("plan reads a master file, and only what is below the domain", () =>
  Effect.gen(function* () {
    const args = ["--domain", "example.com", "--zone-file", ":db.example", "--intent", ":intent.json"]
    const { code, err, out } = yield* plan(...args, "--json")
    expect([code, err]).toEqual([0, ""])
    const { plan: planned, resultingZone } = JSON.parse(out)
    expect(planned.changes.flatMap(({ before }: any) => (before === undefined ? [] : [before.value]))).toEqual([
      "192.0.2.1",
      "old-shop"
    ])
    expect(resultingZone.map(({ host, type }: any) => `${host} ${type}`)).toEqual(["@ SOA", "@ NS", "shop CNAME"])
  })
)

const lineOf = (id: number, record: object) =>
  JSON.stringify({ id, domain: "example.com", zone, intent: { records: [record] } })

concurrent("plan --stdin answers line by line", () =>
  Effect.gen(function* () {
    const { code, err, out } = yield* cliWith(`${lineOf(1, shop)}\n\noops\n${lineOf(3, apex)}`, {}, "plan", "--stdin")
    const answers = out
      .trimEnd()
      .split("\n")
      .map((answer) => JSON.parse(answer))
    expect([code, err, answers.map(({ error, failure, id }) => error?.code ?? failure?.code ?? id)]).toEqual([
      2,
      "",
      [1, "malformed_json", "apex_cname_unsupported"]
    ])
  })
)

/** What is wrong, and what stderr must say of it. */
const mistakes: Readonly<Record<string, ReadonlyArray<string>>> = {
  "--domain example.com --zone :none.json --intent :intent.json": ["none.json: there is no such file"],
  "--domain example.com --zone :wrong.json --intent :intent.json": ["/zone/0/ttl  must be a number"],
  "--domain example.com --zone :zone.json --intent :intent.json --provider rout53": ['"rout53"', "route53"],
  "--stdin --domain example.com": ["--stdin takes everything from its lines"],
  "--domain example.com --zoen :zone.json": ["--zoen"]
}

for (const [line, words] of Object.entries(mistakes)) {
  concurrent(`ends \`plan ${line}\` with 2 and says why`, () =>
    Effect.gen(function* () {
      const { code, err, out } = yield* plan(...line.split(" "))
      expect([code, out]).toEqual([2, ""])
      expect(words.filter((word) => !err.includes(word))).toEqual([])
    })
  )
}

concurrent("with --json, bad input is told to scripts as well", () =>
  Effect.gen(function* () {
    const { code, out } = yield* plan(...offline, "--json", "--provider", "nobody")
    expect([code, JSON.parse(out).error.issues[0].pointer]).toEqual([2, "/provider"])
  })
)

concurrent("only the public DNS needs the settings of the service", () =>
  Effect.gen(function* () {
    expect(yield* plan("--domain", "example.com", "--intent", ":intent.json")).toEqual(
      ended(1, "", "DNS_RESOLVERS must be IP addresses, each with :port if it is not 53, separated by commas\n")
    )
  })
)
