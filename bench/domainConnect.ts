import { Effect, Either } from "effect"
import { solveTemplate } from "../src/domainConnect/solveTemplate.ts"
import { parseTemplate } from "../src/domainConnect/Template.ts"
import { median, type Report, roundToThreeDigits } from "./Report.ts"

/**
 * Measures how long it takes to find the values with which a template of Domain Connect gives exactly 60 records, six at
 * each host, most of which could come from several records of the template; and to find that there are none, by a
 * contradiction at the last host, or after all steps that a search may take. Counts processor time.
 */
export const domainConnect: Effect.Effect<Report> = Effect.gen(function* () {
  const fitting = yield* measure(sixAtEachHost, desiredAtEachHost, true)
  const contradictory = yield* measure(sixAtEachHost, contradiction, false)
  const endless = yield* measure([text("@", variablesInRow), text("b", variablesInRow)], longTexts, false)
  return {
    title: "Domain Connect: the values of a template for 60 records",
    lines: [
      `${fitting} ms of processor time (median of ${runs})`,
      `${contradictory} ms to find that there are none`,
      `${endless} ms to give up on a text that variables in a row can be in millions of ways`
    ],
    figures: { millis: fitting, contradictory, endless },
    targets: [
      { kind: "gate" as const, what: "ms to solve a template for 60 records", value: fitting, atMost: 5 },
      { kind: "gate" as const, what: "ms to find that it has no solution", value: contradictory, atMost: 5 },
      { kind: "gate" as const, what: "ms to give up", value: endless, atMost: 20 }
    ]
  }
})

type Desired = Parameters<typeof solveTemplate>[1]

const measure = (records: ReadonlyArray<object>, desired: Desired, hasSolution: boolean) =>
  Effect.gen(function* () {
    const names = { providerId: "platform.example", providerName: "Platform", serviceId: "web", serviceName: "Web" }
    const template = yield* Effect.orDie(parseTemplate(JSON.stringify({ ...names, records })))
    const solve = () => solveTemplate(template, desired, { domain: "customer.example", host: "" })
    if (Either.isRight(solve()) !== hasSolution) return yield* Effect.dieMessage("the solver is wrong")
    for (let warmUp = 0; warmUp < runs; warmUp += 1) solve()
    const millis = median(
      Array.from({ length: runs }, () => {
        const before = process.cpuUsage()
        for (let time = 0; time < timesInRun; time += 1) solve()
        const { system, user } = process.cpuUsage(before)
        return (user + system) / 1_000 / timesInRun
      })
    )
    return roundToThreeDigits(millis)
  })

const runs = 15

const timesInRun = 10

const hosts = ["@", ...Array.from({ length: 9 }, (_, nth) => `shop${nth + 1}`)]

const text = (host: string, data: string) => ({ type: "TXT", host, data, ttl: 3600 })

const address = (host: string, pointsTo: string) => ({ type: "A", host, pointsTo, ttl: 3600 })

const mail = (host: string, pointsTo: string) => ({ type: "MX", host, pointsTo, priority: 10, ttl: 3600 })

const sixAtEachHost = hosts.flatMap((host, nth) => [
  address(host, "%address%"),
  address(host, "%otherAddress%"),
  text(host, `platform=%token${nth}%`),
  text(host, `%text${nth}%`),
  mail(host, `%mail${nth}%`),
  mail(host, `%otherMail${nth}%`)
])

const desiredAtEachHost: Desired = hosts.flatMap((host, nth) => {
  const name = host === "@" ? "customer.example" : `${host}.customer.example`
  return [
    { type: "A", name, data: "192.0.2.1" },
    { type: "A", name, data: "192.0.2.2" },
    { type: "TXT", name, data: `platform=7f3a${nth}` },
    { type: "TXT", name, data: `proof of ${nth}` },
    { type: "MX", name, data: `mx1.n${nth}.example`, priority: 10 },
    { type: "MX", name, data: `mx2.n${nth}.example`, priority: 10 }
  ]
})

const contradiction = desiredAtEachHost.map((record) =>
  record.name === "shop9.customer.example" && record.data === "192.0.2.2" ? { ...record, data: "192.0.2.9" } : record
)

const variablesInRow = "%a%%b%%c%%d%"

const longTexts: Desired = [
  { type: "TXT", name: "customer.example", data: "x".repeat(250) },
  { type: "TXT", name: "b.customer.example", data: "y".repeat(250) }
]
