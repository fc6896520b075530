import { Effect } from "effect"
import { Providers } from "../src/providers/Providers.ts"
import { catalog } from "../src/providers/catalog/catalog.ts"
import { median, type Report, roundToThreeDigits } from "./Report.ts"

/**
 * Measures how long it takes to detect the providers of 10,000 zones by the name servers that the parent and the zone
 * name: all providers of the catalog in turn, every tenth zone at a server that nobody knows, every twentieth at two
 * providers. Counts processor time, which depends less than the clock on what else the machine does.
 */
export const detection: Effect.Effect<Report> = Effect.gen(function* () {
  const { detect } = yield* Providers
  const delegations = Array.from({ length: zones }, (_, index) => {
    const nameServers = nameServersOf(index)
    return { parentNameServers: nameServers, childNameServers: nameServers }
  })
  for (let warmUp = 0; warmUp < runs; warmUp += 1) delegations.forEach((delegation) => detect(delegation))
  const millis = median(
    Array.from({ length: runs }, () => {
      const before = process.cpuUsage()
      delegations.forEach((delegation) => detect(delegation))
      const { system, user } = process.cpuUsage(before)
      return (user + system) / 1_000
    })
  )
  const detected = delegations.map((delegation) => detect(delegation))
  const providers = new Set(detected.map(({ provider }) => provider.id)).size
  const shared = detected.filter(({ warnings }) => warnings.length > 0).length
  return {
    title: "Detection: the providers of 10,000 zones by their name servers",
    lines: [
      `${roundToThreeDigits(millis)} ms of processor time (median of ${runs}): ${providers} providers, the unknown one included, and ${shared} zones at two of them`
    ],
    figures: { millis, providers, shared },
    targets: [{ kind: "gate" as const, what: "ms for 10,000 sets of name servers", value: millis, atMost: 50 }]
  }
}).pipe(Effect.provide(Providers.layer([])))

const zones = 10_000

const runs = 15

const suffixes = catalog.flatMap((entry) => entry.suffixes)

const nameServersOf = (index: number): ReadonlyArray<string> => {
  if (index % 10 === 9) return ["ns1", "ns2"].map((label) => `${label}.host-${index}.example.net`)
  const servers = Array.from({ length: 2 + (index % 3) }, (_, nth) => nameServerAt(index, nth))
  return index % 20 === 0 ? [...servers, nameServerAt(index + 1, 0)] : servers
}

const nameServerAt = (index: number, nth: number): string =>
  `ns${nth + 1}-${index}.${(suffixes[(index + Math.floor(index / suffixes.length)) % suffixes.length] ?? "").replaceAll("#", String(nth + 1))}`
