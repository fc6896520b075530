import { Effect } from "effect"
import { Connection } from "../src/domain/connection/Connection.ts"
import { languageNames } from "../src/web/words/languageOf.ts"
import { type BenchDatabase, connectionIdOf, createBenchDatabase, insertPerConnection } from "./BenchDatabase.ts"
import { type BenchSubject, startBenchSubject } from "./BenchSubject.ts"
import { formatTable, median, type Report, roundToThreeDigits } from "./Report.ts"
import { type PageKind, pageKinds, startShopServer } from "./ShopServer.ts"
import { measurePage, openBrowser, type PageTimings } from "./pageTimings.ts"
import { discoveredConnection } from "./typicalConnection.ts"

/**
 * Measures how long a customer waits for the component on the storefront's page, and for a change of the connection.
 * Compares it with a hand-written element that makes the same requests, and with an empty one.
 */
export const component: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const browser = yield* openBrowser
    if (browser === undefined) return notMeasured
    const database = yield* createBenchDatabase
    yield* insertPerConnection(database, pageKinds.length * (rounds + 1), (id, tenancy) =>
      Connection.make({ ...discoveredConnection(id, tenancy), state: "awaiting_authorization" })
    )
    const service = yield* startBenchSubject("httpApi", database)
    const post = postTo(service, database)
    const shop = yield* startShopServer({
      serviceUrl: originOf(service),
      issueToken: async (id, origin) => (await post(`${id}/access-token`, { origin })).accessToken
    })

    let visitCount = 0
    const visitTo = (kind: PageKind) => {
      const id = connectionIdOf((visitCount += 1))
      const command = () => post(`${id}/cancel`, {})
      const change = kind === "component" ? { command, heading: "Cancelled" } : undefined
      return Effect.map(measurePage(browser, shop(kind, id), change), (visit) => ({ kind, visit }))
    }
    // The first pages of a browser cost more. The service's first customer is measured separately.
    yield* Effect.forEach(["empty", "handwritten"] as const, visitTo)
    const first = yield* visitTo("component")
    const visits = yield* Effect.replicateEffect(Effect.forEach(pageKinds, visitTo), rounds)
    return reportOf({ first: first.visit, visits: visits.flat(), bytes: yield* firstScreenBytes(service) })
  })
)

const rounds = 15

const notMeasured: Report = {
  title: "Component",
  lines: ["not measured: no Chromium is installed"],
  figures: {},
  targets: []
}

const originOf = ({ port }: BenchSubject) => `http://127.0.0.1:${port}`

/** Sends commands as the shop's server does. */
const postTo =
  (service: BenchSubject, { key }: BenchDatabase) =>
  async (path: string, body: object): Promise<any> => {
    const response = await fetch(`${originOf(service)}/v1/connections/${path}`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    if (!response.ok) throw new Error(`the service answers ${path} with ${response.status}`)
    return response.json()
  }

/** The size on the wire of what the first screen needs: the component, and the language whose texts are longest. */
const firstScreenBytes = (service: BenchSubject) =>
  Effect.promise(async () => {
    const languages = Object.keys(languageNames).map((tag) => bytesOf(`${originOf(service)}/v1/connect/${tag}.js`))
    return (await bytesOf(`${originOf(service)}/v1/connect.js`)) + Math.max(...(await Promise.all(languages)))
  })

const bytesOf = async (url: string): Promise<number> => {
  const response = await fetch(url, { headers: { "accept-encoding": "br" }, decompress: false })
  return (await response.arrayBuffer()).byteLength
}

interface ComponentMeasurements {
  readonly first: PageTimings
  readonly visits: ReadonlyArray<{ readonly kind: PageKind; readonly visit: PageTimings }>
  readonly bytes: number
}

const reportOf = ({ bytes, first, visits }: ComponentMeasurements): Report => {
  const of = (kind: PageKind, figure: keyof PageTimings) =>
    visits.filter((visit) => visit.kind === kind).map(({ visit }) => visit[figure])
  const medians = pageKinds.map((kind) => ({
    kind,
    cold: median(of(kind, "cold")),
    afterScript: median(of(kind, "afterScript")),
    warm: median(of(kind, "warm"))
  }))
  const changes = of("component", "change")
  const cold = median(of("component", "cold"))
  return {
    title: "Component: from the navigation to an enabled button, in ms",
    lines: [
      ...formatTable([
        ["", "", "cold", "after the script", "again"],
        ...medians.map(({ afterScript, cold, kind, warm }) => [
          kind,
          descriptions[kind],
          cold.toFixed(0),
          afterScript.toFixed(0),
          warm.toFixed(0)
        ])
      ]),
      `Medians of ${rounds} customers each, who take turns; the first customer of the service waited ${roundToThreeDigits(first.cold)} ms.`,
      `From a command to the changed heading on the screen: median ${roundToThreeDigits(median(changes))} ms.`
    ],
    figures: { firstMillis: first.cold, medians, changeMillis: changes, bytes },
    targets: [
      { kind: "gate", what: "KB of the first screen in Brotli, in any language", value: bytes / 1_000, atMost: 40 },
      { kind: "gate", what: "ms until it is interactive, cold", value: cold, atMost: 200 },
      { kind: "gate", what: "ms from a change to the screen, at worst", value: Math.max(...changes), atMost: 500 }
    ]
  }
}

const descriptions: { readonly [_ in PageKind]: string } = {
  component: "the component",
  handwritten: "a hand-written element with the same requests",
  empty: "an element without requests"
}
