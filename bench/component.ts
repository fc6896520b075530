import { Effect } from "effect"
import { Connection } from "../src/domain/Connection.ts"
import { addEach, type BenchDatabase, idOf, openDatabase } from "./BenchDatabase.ts"
import { openBrowser, visit, type Visit } from "./customer.ts"
import { median, type Report, rounded, table } from "./Report.ts"
import { openShop, type PageKind, pageKinds } from "./shop.ts"
import { startSubject, type Subject } from "./Subject.ts"
import { discoveredConnection } from "./typicalConnection.ts"

/**
 * What a customer waits for: the component on the storefront's page, and a change of the connection. Beside it the same
 * page with an element that makes the same requests by hand, and with an empty one: what any page costs here.
 */
export const component: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const browser = yield* openBrowser
    if (browser === undefined) return notMeasured
    const database = yield* openDatabase
    yield* addEach(database, pageKinds.length * (rounds + 1), (id, tenancy) =>
      Connection.make({ ...discoveredConnection(id, tenancy), state: "awaiting_authorization" })
    )
    const service = yield* startSubject("service", database)
    const ask = asking(service, database)
    const shop = yield* openShop({
      serviceUrl: originOf(service),
      issueToken: async (id, origin) => (await ask(`${id}/access-token`, { origin })).accessToken
    })

    let visited = 0
    const visitTo = (kind: PageKind) => {
      const id = idOf((visited += 1))
      const command = () => ask(`${id}/authorization`, { method: "manual" })
      const change = kind === "component" ? { command, heading: "Enter these changes" } : undefined
      return Effect.map(visit(browser, shop(kind, id), change), (visit) => ({ kind, visit }))
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

const originOf = ({ port }: Subject) => `http://127.0.0.1:${port}`

/** As the server of the shop does. */
const asking =
  (service: Subject, { key }: BenchDatabase) =>
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
const scriptBytes = (service: Subject) =>
  Effect.promise(async () => {
    const headers = { "accept-encoding": "br" }
    const answer = await fetch(`${originOf(service)}/v1/connect.js`, { headers, decompress: false })
    return (await answer.arrayBuffer()).byteLength
  })

interface Measured {
  readonly first: Visit
  readonly visits: ReadonlyArray<{ readonly kind: PageKind; readonly visit: Visit }>
  readonly bytes: number
}

const reportOf = ({ bytes, first, visits }: Measured): Report => {
  const of = (kind: PageKind, figure: keyof Visit) =>
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
      ...table([
        ["", "", "cold", "after the script", "again"],
        ...medians.map(({ afterScript, cold, kind, warm }) => [
          kind,
          descriptions[kind],
          cold.toFixed(0),
          afterScript.toFixed(0),
          warm.toFixed(0)
        ])
      ]),
      `The medians of ${rounds} customers each, who take turns; the first customer of the service waited ${rounded(first.cold)} ms.`,
      `From a command to the changed heading on the screen: median ${rounded(median(changes))} ms.`
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
