import { Effect } from "effect"
import { Connection } from "../src/domain/Connection.ts"
import { type BenchDatabase, connectionIdOf, createBenchDatabase, insertPerConnection } from "./BenchDatabase.ts"
import { type BenchSubject, startBenchSubject } from "./BenchSubject.ts"
import { formatTable, median, type Report, roundToThreeDigits } from "./Report.ts"
import { type PageKind, pageKinds, startShopServer } from "./ShopServer.ts"
import { measureVisit, openBrowser, type VisitTimings } from "./customerVisit.ts"
import { discoveredConnection } from "./typicalConnection.ts"

/**
 * What a customer waits for: the component on the storefront's page, and a change of the connection. Beside it the same
 * page with an element that makes the same requests by hand, and with an empty one: what any page costs here.
 */
export const component: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const browser = yield* openBrowser
    if (browser === undefined) return notMeasured
    const database = yield* createBenchDatabase
    yield* insertPerConnection(database, pageKinds.length * (rounds + 1), (id, tenancy) =>
      Connection.make({ ...discoveredConnection(id, tenancy), state: "awaiting_authorization" })
    )
    const service = yield* startBenchSubject("service", database)
    const ask = asking(service, database)
    const shop = yield* startShopServer({
      serviceUrl: originOf(service),
      issueToken: async (id, origin) => (await ask(`${id}/access-token`, { origin })).accessToken
    })

    let visited = 0
    const visitTo = (kind: PageKind) => {
      const id = connectionIdOf((visited += 1))
      const command = () => ask(`${id}/authorization`, { method: "manual" })
      const change = kind === "component" ? { command, heading: "Enter these changes" } : undefined
      return Effect.map(measureVisit(browser, shop(kind, id), change), (visit) => ({ kind, visit }))
    }
    // The first pages of a browser cost more; the first customer of a service shall not notice that he is.
    yield* Effect.forEach(["empty", "byHand"] as const, visitTo)
    const first = yield* visitTo("component")
    const visits = yield* Effect.replicateEffect(Effect.forEach(pageKinds, visitTo), rounds)
    return reportOf({ first: first.visit, visits: visits.flat(), bytes: yield* scriptBytes(service) })
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

/** As the server of the shop does. */
const asking =
  (service: BenchSubject, { key }: BenchDatabase) =>
  async (path: string, body: object): Promise<any> => {
    const answer = await fetch(`${originOf(service)}/v1/connections/${path}`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    if (!answer.ok) throw new Error(`the service answers ${path} by ${answer.status}`)
    return answer.json()
  }

/** The component as it travels. */
const scriptBytes = (service: BenchSubject) =>
  Effect.promise(async () => {
    const headers = { "accept-encoding": "br" }
    const answer = await fetch(`${originOf(service)}/v1/connect.js`, { headers, decompress: false })
    return (await answer.arrayBuffer()).byteLength
  })

interface Measured {
  readonly first: VisitTimings
  readonly visits: ReadonlyArray<{ readonly kind: PageKind; readonly visit: VisitTimings }>
  readonly bytes: number
}

const reportOf = ({ bytes, first, visits }: Measured): Report => {
  const of = (kind: PageKind, figure: keyof VisitTimings) =>
    visits.filter((one) => one.kind === kind).map(({ visit }) => visit[figure])
  const medians = pageKinds.map((kind) => ({
    kind,
    cold: median(of(kind, "cold")),
    afterScript: median(of(kind, "afterScript")),
    warm: median(of(kind, "warm"))
  }))
  const changes = of("component", "change")
  const cold = median(of("component", "cold"))
  return {
    title: "Component: from the navigation to a button that can be pressed, in ms",
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
      `The medians of ${rounds} customers each, who take turns; the first customer of the service waited ${roundToThreeDigits(first.cold)} ms.`,
      `From a command to the changed heading on the screen: median ${roundToThreeDigits(median(changes))} ms.`
    ],
    figures: { firstMillis: first.cold, medians, changeMillis: changes, bytes },
    targets: [
      { kind: "gate", what: "KB of the script in Brotli", value: bytes / 1_000, atMost: 30 },
      { kind: "gate", what: "ms until it is interactive, cold", value: cold, atMost: 200 },
      { kind: "gate", what: "ms from a change to the screen, at worst", value: Math.max(...changes), atMost: 500 }
    ]
  }
}

const descriptions: { readonly [_ in PageKind]: string } = {
  component: "the component",
  byHand: "in its place an element that makes the same requests by hand",
  empty: "in its place an element that asks for nothing"
}
