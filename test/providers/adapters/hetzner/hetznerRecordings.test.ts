import { HttpClientRequest } from "@effect/platform"
import { expect, test } from "bun:test"
import { Effect, Schema } from "effect"
import type { Change } from "../../../../src/domain/plan/Plan.ts"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import { hetznerAnswers } from "../../../../src/providers/adapters/hetzner/HetznerApi.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { readRecording, type RecordedExchange, type RecordedScenario } from "../../../support/vendors/Recording.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { creation, deletion, update } from "../../writing/scriptedChanges.ts"
import { sendWrites } from "../AdapterUnderTest.ts"
import { makeFakeHetzner, validToken } from "./FakeHetzner.ts"
import type { FakeHetznerSet } from "./hetznerRules.ts"
import { hetznerState } from "./hetznerState.ts"
import { clientFor, zoneRequest } from "./hetznerUnderTest.ts"

const scenarios = missingVendorData === undefined ? await readRecording("hetzner") : []
const zone = DomainName.make("devcoop.de")

describeIfPossible("what was recorded at Hetzner", missingVendorData, () => {
  live("has 360 exchanges, and the adapter understands each answer", () =>
    Effect.gen(function* () {
      const answers = scenarios.flatMap(({ exchanges }) => exchanges)
      expect(answers).toHaveLength(360)
      const successes = answers.filter(({ status }) => status < 300)
      expect(yield* Effect.forEach(successes, ({ responseBody }) => decodeAnswer(responseBody))).toHaveLength(359)
    })
  )

  for (const scenario of scenarios)
    live(`is repeated by the fake: ${scenario.name}`, () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeHetzner(
          hetznerState({ [zone]: listedBefore(scenario) }, { actionMillis: 1000, nextActionId: 0 })
        )
        for (const exchange of scenario.exchanges) {
          const { action }: any = exchange.responseBody
          if (exchange.status === 201) fake.update((state) => ({ ...state, nextActionId: action.id }))
          if (action?.status === "success") fake.advance("1 second")
          const answer = yield* send(httpClientFor(fake), exchange)
          expect(answer).toEqual({ status: exchange.status, body: withoutCircumstances(exchange.responseBody) })
        }
      })
    )
})

describeIfPossible("the adapter's own requests are those that were recorded", missingVendorData, () => {
  const steps: ReadonlyArray<readonly [string, ReadonlyArray<FakeHetznerSet>, Change, RegExp]> = [
    ["a new set", [], creation("localhost 3600 A 127.0.0.1"), /localhost\/A\/actions\/add_records$/],
    [
      "a text beside another one",
      [stored("_acme-challenge.createrecordset", '"challengetoken1"')],
      creation("_acme-challenge.createrecordset 3600 TXT challengetoken2"),
      /createrecordset\/TXT\/actions\/add_records$/
    ],
    [
      "a text that goes, with its set",
      [stored("delete.testfilt", '"challengetoken"')],
      deletion("delete.testfilt 3600 TXT challengetoken"),
      /delete\.testfilt\/TXT\/actions\/remove_records$/
    ],
    [
      "a text in the place of another one",
      [stored("orig.nameonly.test", '"challengetoken"')],
      update("orig.nameonly.test 3600 TXT challengetoken", "orig.nameonly.test 3600 TXT updated"),
      /orig\.nameonly\.test\/TXT\/actions\/set_records$/
    ]
  ]
  for (const [what, sets, change, path] of steps)
    live(what, () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeHetzner(hetznerState({ [zone]: sets }))
        const opened = yield* clientFor(fake).openZone({ ...zoneRequest, domain: zone, zone })
        yield* sendWrites(yield* opened.read, [change], opened)

        const recorded = exchangesOf((url) => path.test(url.pathname)).at(-1)
        const own = fake.calls().filter(({ method }) => method === "POST")
        expect(own.map(({ body, path }) => ({ path: `/v1${path}`, body }))).toEqual([
          { path: recorded?.url.pathname ?? "", body: recorded?.requestBody }
        ])
        // It asks for the zone by its name, for sets by the zone's id, and for the action by its own id.
        const paths = new Set(fake.calls().map(({ path }) => `/v1${path}`.replace(/\d{9,}/, "{id}")))
        const recordedPaths = exchangesOf(() => true).map(({ url }) => url.pathname.replace(/\d{9,}/, "{id}"))
        expect([...paths].filter((path) => !recordedPaths.includes(path))).toEqual([])
      })
    )

  test("except that a target ends in a dot, because the recorded one is below the zone", () => {
    const [recorded] = exchangesOf(({ pathname }) => pathname.endsWith("docs/CNAME/actions/add_records"))
    expect(recorded?.requestBody).toEqual({ ttl: 3600, records: [{ value: "docs.example.com" }] })
  })
})

const stored = (name: string, ...values: ReadonlyArray<string>): FakeHetznerSet => ({
  name,
  type: "TXT",
  ttl: 3600,
  records: values.map((value) => ({ value }))
})

const decodeAnswer = Schema.decodeUnknown(Schema.Union(hetznerAnswers.zone, hetznerAnswers.sets, hetznerAnswers.action))

const exchangesOf = (isMeant: (url: URL) => boolean): ReadonlyArray<RecordedExchange> =>
  scenarios.flatMap(({ exchanges }) => exchanges).filter(({ url }) => isMeant(url))

/** The sets of the only list that shows a whole zone; the others show what their scenario has created. */
const listedBefore = ({ exchanges }: RecordedScenario): ReadonlyArray<FakeHetznerSet> =>
  exchanges
    .filter(({ url }) => url.pathname.endsWith("/rrsets") && url.search === "")
    .flatMap(({ responseBody }: any) => responseBody.rrsets)
    .filter(({ name }) => name !== "@")

const send = (http: ReturnType<typeof httpClientFor>, { method, requestBody, url }: RecordedExchange) =>
  HttpClientRequest.make(method as "GET")(url.href).pipe(
    HttpClientRequest.bearerToken(validToken),
    (request) => (requestBody === undefined ? request : HttpClientRequest.bodyUnsafeJson(request, requestBody)),
    http.execute,
    Effect.flatMap((response) =>
      Effect.map(response.json, (body) => ({ status: response.status, body: withoutCircumstances(body) }))
    )
  )

/** Times, the progress of an action, and how many records the zone had that day are not compared. */
const withoutCircumstances = (body: any): unknown => {
  const { action, zone } = body
  if (action !== undefined) return { action: { ...action, progress: 0, started: "", finished: action.finished && "" } }
  return zone === undefined ? body : { zone: { ...zone, record_count: 0, authoritative_nameservers: {} } }
}
