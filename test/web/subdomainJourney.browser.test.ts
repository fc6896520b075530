import { expect } from "bun:test"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { Lab } from "../support/lab/Lab.ts"
import { labPowerDns, labService } from "../support/labService.ts"
import { describeServiceInBrowser } from "./Chromium.ts"
import {
  chooseByHand,
  command,
  confirmWarnings,
  createLabDomain,
  headingOf,
  openCustomerPage,
  readOutcome,
  readTasks,
  recordSet
} from "./labCustomer.ts"

describeServiceInBrowser("a customer with a subdomain", labService([labPowerDns]), (live) => {
  live(
    "connects it by entering exactly the values on the page in the zone of the parent domain, and disconnects it so, too",
    () =>
      Effect.gen(function* () {
        const zone = yield* createLabDomain("parent-shop.com")
        const { pdns } = yield* Lab
        yield* pdns.update(zone, [[recordSet(`shop.${zone}`, "A", "192.0.2.20")]])
        const untouched = yield* pdns.dump(zone)
        const records = [
          { host: "@", type: "CNAME", value: "web.hostprov.net" },
          { host: "_verify", type: "TXT", value: "platform-verification=7" }
        ] as const
        const { page, settings, url } = yield* openCustomerPage(`shop.${zone}`, {}, { domain: `shop.${zone}`, records })
        const entries = yield* Effect.promise(async () => {
          await page.goto(url)
          await confirmWarnings(page)
          await page.getByRole("button", { name: "Continue" }).click()
          await chooseByHand(page)
          await page.getByText(`Open the DNS settings of ${zone}.`).waitFor()
          return readEntries(page)
        })
        expect(entries).toEqual([
          ["Add this entry", "TXT", "_domain-connection.shop", expect.stringMatching(/^domain-connection=\w+$/)],
          ["Add this entry", "TXT", "_verify.shop", "platform-verification=7"],
          ["Delete this entry", "A", "shop", "192.0.2.20"],
          ["Add this entry", "CNAME", "shop", "web.hostprov.net"]
        ])
        yield* pdns.update(zone, [entries.map((entry) => recordSetOf(entry, zone))])
        yield* Effect.promise(() => headingOf(page, `shop.${zone} is connected`).waitFor())
        expect(yield* pdns.dump(zone)).toEqual(
          [
            ...untouched.filter((line) => !line.startsWith("shop.")),
            expect.stringContaining(`_domain-connection.shop.${zone}. + 3600 TXT "domain-connection=`),
            `_verify.shop.${zone}. + 3600 TXT "platform-verification=7"`,
            `shop.${zone}. + 3600 CNAME web.hostprov.net.`
          ].toSorted()
        )

        const restoring = yield* Effect.promise(async () => {
          await command(page, settings, "disconnect")
          await headingOf(page, "3 entries to change back").waitFor()
          return readEntries(page)
        })
        expect(restoring.toSorted()).toEqual([
          ["Add this entry", "A", "shop", "192.0.2.20"],
          ["Delete this entry", "CNAME", "shop", "web.hostprov.net"],
          ["Delete this entry", "TXT", "_domain-connection.shop", expect.stringMatching(/^domain-connection=/)],
          ["Delete this entry", "TXT", "_verify.shop", "platform-verification=7"]
        ])
        yield* pdns.update(zone, [restoring.filter(isRemoval).map((entry) => recordSetOf(entry, zone))])
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: /I have saved it|Check/ }).click()
          await page.locator(".task.good").nth(1).waitFor()
          await page.locator(".task:not(.good)", { hasText: "Put back “Web address” at" }).waitFor()
        })
        const rest = restoring.filter((entry) => !isRemoval(entry))
        yield* pdns.update(zone, [rest.map((entry) => recordSetOf(entry, zone))])
        const summary = yield* Effect.promise(async () => {
          await page.locator(".task:not(.good)").click()
          await page.getByRole("button", { name: "I have saved it" }).click()
          await headingOf(page, `shop.${zone} is disconnected`).waitFor({ timeout: 60_000 })
          await page.getByText("Your old website answers there again.").waitFor()
          return readOutcome(page)
        })
        expect(summary).toEqual([
          `Put back: shop.${zone} Web address A`,
          `Removed: _domain-connection.shop.${zone} Proof TXT`,
          `Removed: _verify.shop.${zone} Note for other services TXT`,
          `Removed: shop.${zone} Forwarding CNAME`
        ])
        expect(yield* pdns.dump(zone)).toEqual(untouched)
      })
  )
})

const isRemoval = ([todo]: ShownEntry): boolean => todo === "Delete this entry"

type ShownEntry = readonly [todo: string, type: string, name: string, value: string]

/** The instructions for the customer, record by record, with the values that would be copied. */
const readEntries = async (page: Page): Promise<ReadonlyArray<ShownEntry>> => {
  const tasks = await readTasks(page)
  return tasks.flatMap(({ fields, intro, old }) => [
    ...old.map((text): ShownEntry => {
      const [type = "", name = "", value = ""] = text.split(" ")
      return ["Delete this entry", type, name, value]
    }),
    [
      intro,
      fields["Type"] ?? "",
      fields["Host"] ?? "",
      fields["Value"] ?? fields["Target"] ?? fields["IP address"] ?? ""
    ] as const
  ])
}

/** A record as DNS providers store it: they append the name of the zone to the host of the record. */
const recordSetOf = ([todo, type, name, value]: ShownEntry, zone: string) => {
  const content = type === "TXT" ? `"${value}"` : type === "CNAME" ? `${value}.` : value
  const whole = name === "@" ? zone : `${name}.${zone}`
  return todo === "Add this entry" ? recordSet(whole, type, content) : recordSet(whole, type)
}
