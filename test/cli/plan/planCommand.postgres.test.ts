import { expect } from "bun:test"
import { Effect } from "effect"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { exitResult, runCli, runCliWithInput } from "../commandLine.ts"
import { apex, planFiles, shop, zone } from "./planFiles.ts"

/** Runs `plan` with an invalid resolver setting, so that any DNS query would fail. */
const plan = (line: string) =>
  Effect.gen(function* () {
    const { argsOf, shortenPaths } = yield* planFiles
    const { code, err, out } = yield* runCli({ DNS_RESOLVERS: "none" }, "plan", ...argsOf(line))
    return exitResult(code, out, shortenPaths(err))
  })

const offline = "--domain example.com --zone :zone.json --intent :intent.json"

concurrentTest("plan prints the changes for people, without colours if there is no terminal", () =>
  Effect.gen(function* () {
    const { code, err, out } = yield* plan(offline)
    expect([code, err]).toEqual([0, ""])
    expect(out.split("\n")).toEqual([
      "Dry run for example.com",
      "  zone      example.com",
      "  basis     provider, the whole zone",
      "  provider  Unknown provider (unknown)",
      "",
      "! - delete  shop  A      300   192.0.2.1",
      "  + create  shop  CNAME  3600  shops.example.net",
      "",
      "1 to create, 0 to update, 1 to delete; 1 destructive (!).",
      "",
      "Warnings",
      "  cname_replaces_records (caution)",
      "    A CNAME must be the only record at its host, so all others there are removed.",
      "  website_replaced (serious, to be acknowledged)",
      "    The host leads elsewhere: the website or service that answers there today is replaced.",
      "",
      expect.stringMatching(/^digest  sha-256:[0-9a-f]{64}$/),
      ""
    ])
  })
)

concurrentTest("plan --json prints one object for scripts", () =>
  Effect.gen(function* () {
    const { code, err, out } = yield* plan(`${offline} --json`)
    expect([code, err, out.indexOf("\n")]).toEqual([0, "", out.length - 1])
    const printed = JSON.parse(out)
    expect(Object.keys(printed)).toEqual([
      "effectiveIntent",
      "plan",
      "optionalFailures",
      "optionalFailureDetails",
      "resultingZone"
    ])
    expect(printed.resultingZone).toEqual([{ ...shop, ttl: 3600 }])
  })
)

concurrentTest("a plan that would fail exits with 1", () =>
  Effect.gen(function* () {
    const { code, err, out } = yield* plan("--domain example.com --zone :zone.json --intent :apex.json")
    expect([code, err, out.split("\n")[5]]).toEqual([1, "", "This plan would fail: apex_cname_unsupported"])
  })
)

const lineOf = (id: number, record: object) =>
  JSON.stringify({ id, domain: "example.com", zone, intent: { records: [record] } })

concurrentTest("plan --stdin answers line by line", () =>
  Effect.gen(function* () {
    const { code, err, out } = yield* runCliWithInput(
      `${lineOf(1, shop)}\n\noops\n${lineOf(3, apex)}`,
      {},
      "plan",
      "--stdin"
    )
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

/** Invalid command lines, and the message on stderr. */
const mistakes: Readonly<Record<string, string>> = {
  "--domain example.com --zone :none.json --intent :intent.json": ":none.json: there is no such file\n",
  "--domain": "--domain needs a value; see plan --help\n",
  "--domain --intent :intent.json": "--domain needs a value; see plan --help\n",
  "--domain example.com --zoen :zone.json": "Received unknown argument: '--zoen'\n\n"
}

for (const [line, message] of Object.entries(mistakes)) {
  concurrentTest(`exits \`plan ${line}\` with 2 and a message`, () =>
    Effect.gen(function* () {
      expect(yield* plan(line)).toEqual(exitResult(2, "", message))
    })
  )
}

concurrentTest("plan --json reports invalid input as JSON too", () =>
  Effect.gen(function* () {
    const issue = {
      pointer: "/provider",
      code: "unknown_provider",
      message: 'there is no provider "nobody" in the catalog or in PROVIDERS_FILE'
    }
    const message = `1 problem in the input: /provider: ${issue.message}`
    expect(yield* plan(`${offline} --json --provider nobody`)).toEqual(
      exitResult(
        2,
        `${JSON.stringify({ error: { code: "invalid_request", message, issues: [issue] } })}\n`,
        `${message}\n  /provider  ${issue.message}\n`
      )
    )
  })
)

concurrentTest("plan needs the settings of the service only to read the public DNS", () =>
  Effect.gen(function* () {
    expect(yield* plan("--domain example.com --intent :intent.json")).toEqual(
      exitResult(1, "", "DNS_RESOLVERS must be IP addresses, each with :port if it is not 53, separated by commas\n")
    )
  })
)

concurrentTest("plan knows the providers of PROVIDERS_FILE when it finds the zone itself", () =>
  Effect.gen(function* () {
    const { argsOf } = yield* planFiles
    const environment = { DNS_RESOLVERS: "127.0.0.1:9", PROVIDERS_FILE: "/nowhere/providers.json" }
    const args = argsOf("--domain example.com --intent :intent.json")
    expect(yield* runCli(environment, "plan", ...args)).toEqual(
      exitResult(1, "", "PROVIDERS_FILE /nowhere/providers.json: cannot be read\n")
    )
  })
)

concurrentTest("plan knows the providers of PROVIDERS_FILE for a zone from a file and for lines too", () =>
  Effect.gen(function* () {
    const { argsOf } = yield* planFiles
    const environment = { DNS_RESOLVERS: "none", PROVIDERS_FILE: argsOf(":providers.json").join("") }
    const one = yield* runCli(environment, "plan", ...argsOf(`${offline} --provider acme`))
    expect([one.code, one.out.split("\n")[3]]).toEqual([0, "  provider  Acme DNS (acme)"])
    const line = JSON.stringify({ domain: "example.com", zone, intent: { records: [apex] }, provider: "acme" })
    const lines = yield* runCliWithInput(line, environment, "plan", "--stdin")
    expect([lines.code, JSON.parse(lines.out).plan.warnings]).toEqual([0, ["apex_cname_flattened"]])
  })
)
