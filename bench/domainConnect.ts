import { Effect, Either } from "effect"
import { solveTemplate } from "../src/domainConnect/solveTemplate.ts"
import { parseTemplate } from "../src/domainConnect/Template.ts"
import { median, type Report, roundToThreeDigits } from "./Report.ts"

/**
 * Measures how long it takes to find the values with which a template of Domain Connect gives exactly 60 records, each of
 * which could come from several records of the template. Counts processor time.
 */
export const domainConnect: Effect.Effect<Report> = Effect.gen(function* () {
  const template = yield* Effect.orDie(parseTemplate(JSON.stringify(templateOf(records))))
  const desired = Array.from({ length: records }, (_, index) =>
    index % 2 === 0
      ? { type: "CNAME", name: `h${index}.customer.example`, data: `shop-7.n${index}.platform.example`, ttl: 3600 }
      : { type: "TXT", name: `h${index}.customer.example`, data: `platform-${index}=7f3a${index}`, ttl: 3600 }
  )
  const place = { domain: "customer.example", host: "" }
  const solve = () => solveTemplate(template, desired, place)
  if (Either.isLeft(solve())) return yield* Effect.dieMessage("the template does not give the records")
  for (let warmUp = 0; warmUp < runs; warmUp += 1) solve()
  const millis = median(
    Array.from({ length: runs }, () => {
      const before = process.cpuUsage()
      for (let time = 0; time < timesInRun; time += 1) solve()
      const { system, user } = process.cpuUsage(before)
      return (user + system) / 1_000 / timesInRun
    })
  )
  return {
    title: "Domain Connect: the values of a template for 60 records",
    lines: [`${roundToThreeDigits(millis)} ms of processor time (median of ${runs})`],
    figures: { millis },
    targets: [{ kind: "gate" as const, what: "ms to solve a template for 60 records", value: millis, atMost: 5 }]
  }
})

const records = 60

const runs = 15

const timesInRun = 10

const templateOf = (count: number) => ({
  providerId: "platform.example",
  providerName: "Platform",
  serviceId: "website",
  serviceName: "Website",
  records: Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? { type: "CNAME", host: `h${index}`, pointsTo: `%shop%.n${index}.platform.example`, ttl: 3600 }
      : { type: "TXT", host: `h${index}`, data: `platform-${index}=%token${index}%`, ttl: 3600 }
  )
})
