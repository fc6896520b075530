import { expect } from "bun:test"
import { Effect, Option } from "effect"
import { writeFileSync } from "node:fs"
import { parsePublicKey } from "../../src/domainConnect/signature.ts"
import { freshDatabase } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { masterKey } from "../support/masterKeys.ts"
import { environmentOf, runCliHere } from "./commandLine.ts"

const names = [
  "--provider-id",
  "platform.example",
  "--provider-name",
  "Platform",
  "--service-id",
  "website",
  "--service-name",
  "Website",
  "--key-domain",
  "keys.platform.example",
  "--redirect-domain",
  "connect.platform.example"
]

concurrentTest(
  "domain-connect template draft makes a template of an intent that breaks no rule, and register keeps it",
  () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      const environment = { ...environmentOf(database), MASTER_KEY: masterKey(1) }
      const run = (...args: ReadonlyArray<string>) => runCliHere(environment, "domain-connect", ...args)
      const directory = temporaryDirectory()
      const [intentFile, file] = [`${directory}/intent.json`, `${directory}/platform.example.website.json`]
      const records = [
        { host: "www", type: "CNAME", value: "shop-7.platform.example" },
        { host: "@", type: "TXT", value: "v=spf1 include:mail.platform.example ~all" },
        { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none" },
        { host: "@", type: "TXT", value: "platform-site=7f3a" }
      ]
      writeFileSync(intentFile, JSON.stringify({ domain: "customer.example", records }))
      const variables = ["--variable", "shop=shop-7", "--variable", "token=7f3a"]
      const drafted = yield* run("template", "draft", "--intent", intentFile, ...names, ...variables)
      const ignored = [
        "warning: the template is not offered at cloudflare, which ignores txtConflictMatchingMode (DCTL5008)",
        "warning: the template is not offered at cloudflare, which ignores essential (DCTL5011)"
      ]
      expect([drafted.code, drafted.err.trim().split("\n")]).toEqual([0, ignored])
      const template = JSON.parse(drafted.out)
      expect(
        template.records.map(
          ({ type, ...record }: any) => `${type} ${record.pointsTo ?? record.data ?? record.spfRules}`
        )
      ).toEqual([
        "CNAME %shop%.platform.example",
        "SPFM include:mail.platform.example",
        "TXT v=DMARC1; p=none",
        "TXT platform-site=%token%",
        "TXT domain-connection=%proof%"
      ])
      writeFileSync(file, drafted.out)
      expect(yield* run("template", "check", file)).toMatchObject({ code: 0, out: "2 findings\n" })
      writeFileSync(`${directory}/bad.json`, JSON.stringify({ ...template, warnPhishing: true }))
      const bad = yield* run("template", "check", `${directory}/bad.json`)
      expect(bad.code).toBe(2)
      expect(bad.err).toContain("error: warnPhishing is for unsigned links only")
      expect(bad.err).toContain("error: the template must be in a file platform.example.website.json (DCTL1003)")
      expect((yield* run("template", "register", "--application", "shop", file)).err).toContain(
        "there is no application shop"
      )
      yield* runCliHere(environment, "applications", "create", "shop")
      const twice = yield* run("template", "register", "--application", "shop", file, file)
      expect(twice.code).toBe(2)
      expect(twice.err).toContain("two files have the template platform.example/website (DCTL1004)")
      expect((yield* run("template", "register", "--application", "shop", file)).out).toBe("shop has 1 templates\n")
      writeFileSync(
        `${directory}/worse.json`,
        JSON.stringify({ ...template, warnPhishing: true, later: 1, crit: ["later"] })
      )
      const worse = yield* run("template", "register", "--application", "shop", `${directory}/worse.json`)
      expect([worse.code, worse.err]).toEqual([
        2,
        expect.stringContaining("worse.json is no template: crit: later are not known here")
      ])
      const warned = yield* run("template", "register", "--application", "shop", `${directory}/bad.json`)
      expect([warned.code, warned.err]).toEqual([
        0,
        expect.stringContaining("error: warnPhishing is for unsigned links")
      ])
      yield* run("template", "register", "--application", "shop", file)
      const shown = yield* runCliHere(environment, "applications", "show", "shop", "--json")
      expect(JSON.parse(shown.out).domainConnectTemplates).toEqual([drafted.out])
    })
)

concurrentTest("domain-connect key create prints the records that publish a key, and never a private one", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const environment = { ...environmentOf(database), MASTER_KEY: masterKey(1) }
    const run = (...args: ReadonlyArray<string>) => runCliHere(environment, "domain-connect", "key", ...args)
    const created = yield* run("create", ...of("k1"), "--json")
    const { name, records } = JSON.parse(created.out)
    expect(name).toBe("k1.keys.platform.example")
    expect(Option.isSome(parsePublicKey(records))).toBe(true)
    expect(created.out).not.toContain("PRIVATE")
    expect((yield* run("create", ...of("k1"))).code).toBe(2)
    yield* run("create", ...of("k2"))
    expect((yield* run("list", "--application", "shop")).out).toBe(
      "k2.keys.platform.example\nk1.keys.platform.example\n"
    )
    const reseal = { ...environment, MASTER_KEY: masterKey(2, 1) }
    expect((yield* runCliHere(reseal, "credentials", "reseal")).out).toBe(
      "0 credentials were sealed again with key version 2, and 2 keys of Domain Connect\n"
    )
    const lost = yield* runCliHere({ ...environment, MASTER_KEY: masterKey(3) }, "credentials", "discard-unreadable")
    expect(lost.out).toContain("k1.keys.platform.example, k2.keys.platform.example")
    expect((yield* runCliHere(reseal, "domain-connect", "key", "delete", ...of("k1"))).out).toContain("is deleted")
    expect((yield* runCliHere(reseal, "domain-connect", "key", "list", "--application", "shop")).out).toBe(
      "k2.keys.platform.example\n"
    )
  })
)

const of = (label: string) => ["--application", "shop", "--domain", "keys.platform.example", "--label", label]
