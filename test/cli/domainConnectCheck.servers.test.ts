import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { freshDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { nameServers } from "../support/DomainConnectLab.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { Lab } from "../support/lab/Lab.ts"
import { labEnvironment } from "../support/labService.ts"
import { runCliHere } from "./commandLine.ts"

describeLab("domain-connect check", (live) => {
  live("names each step that fails, and ends with 1", () =>
    Effect.gen(function* () {
      const { delegate, pdns } = yield* Lab
      const apex = nameServers.map((name) => `@ NS ${name}.`).join("\n")
      yield* pdns.createZone("checked-dc.com", `${apex}\n_domainconnect TXT "dc.elsewhere.net"`)
      yield* delegate("checked-dc.com", nameServers)
      const environment = yield* labEnvironment([], { DATABASE_URL: Redacted.value(urlOf(yield* freshDatabase)) })
      const run = (...args: ReadonlyArray<string>) => runCliHere(environment, ...args)
      yield* run("applications", "create", "shop")
      const check = (...more: ReadonlyArray<string>) =>
        run("domain-connect", "check", "www.checked-dc.com", "--application", "shop", ...more)
      const { code, out } = yield* check()
      expect(code).toBe(1)
      expect(out.split("\n")).toEqual([
        "The zone of www.checked-dc.com is checked-dc.com.",
        "no   dc.elsewhere.net is not among the allowed hosts",
        "shop has no templates.",
        "shop has no keys.",
        ""
      ])
      const { code: sameCode, out: asJson } = yield* check("--json")
      expect([sameCode, JSON.parse(asJson).zone]).toEqual([1, "checked-dc.com"])
    })
  )
})
