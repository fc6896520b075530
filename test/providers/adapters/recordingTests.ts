import { HttpClientRequest } from "@effect/platform"
import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../support/describeIfPossible.ts"
import { live } from "../../support/effectTest.ts"
import { makeDescribedVendor } from "../../support/vendors/DescribedVendor.ts"
import { httpClientFor } from "../../support/vendors/httpClientFor.ts"
import { matchOperation } from "../../support/vendors/matchOperation.ts"
import { readRecording, type RecordedExchange, type RecordedScenario } from "../../support/vendors/Recording.ts"
import { missingVendorData } from "../../support/vendors/vendorData.ts"
import type { VendorRecord } from "../../support/vendors/VendorZones.ts"
import type { DescribedAdapter } from "./DescribedAdapter.ts"

/** What was recorded at a vendor, and how its fake repeats it. */
export interface VendorRecording<Data> {
  readonly scenarios: ReadonlyArray<RecordedScenario>
  readonly exchanges: ReadonlyArray<RecordedExchange>
  /** The zone that was recorded. */
  readonly zone: string
  /** The records that an answer lists, as the fake keeps them. */
  readonly readListed: (body: any, zone: string) => ReadonlyArray<VendorRecord<Data>>
  /** The ids of the records that an exchange created. */
  readonly createdBy: (exchange: RecordedExchange) => ReadonlyArray<string>
  /** The headers of a request that the fake takes. */
  readonly headers: Readonly<Record<string, string>>
  /** Leaves out of an answer what the fake cannot know, such as times. */
  readonly tidy?: (body: any) => unknown
  /** The order in which the vendor lists records; without it, that in which they are first listed. */
  readonly order?: (one: VendorRecord<Data>, other: VendorRecord<Data>) => number
}

/** Reads a recording, if the data of the vendors are here. */
export const recordedScenarios = async (id: string) => {
  const scenarios = missingVendorData === undefined ? await readRecording(id) : []
  return { scenarios, exchanges: scenarios.flatMap(({ exchanges }) => exchanges) }
}

/** Declares a test for each recorded scenario, which the fake of the vendor must repeat, and one of the vendor's document. */
export const testRecording = <Data>(
  { name, vendor }: Pick<DescribedAdapter<Data>, "name" | "vendor">,
  recording: VendorRecording<Data>
): void =>
  describeIfPossible(`what was recorded at ${name}`, missingVendorData, () => {
    const { document } = vendor
    if (document !== undefined)
      live("is as the vendor's document says", () =>
        Effect.gen(function* () {
          const documented = yield* Effect.promise(document)
          const basePath = new URL(vendor.baseUrl).pathname.replace(/\/$/, "")
          for (const { method, responseBody, status, url } of recording.exchanges) {
            const path = url.pathname.slice(basePath.length).replace(/\/$/, "")
            const operation = matchOperation(Object.keys(vendor.operations), method, path)?.operation ?? ""
            const problems = documented.operation(operation).problemsOfAnswer({ status, body: responseBody })
            expect([method, path, problems]).toEqual([method, path, []])
          }
        })
      )

    for (const scenario of recording.scenarios)
      live(`is repeated by the fake: ${scenario.name}`, () =>
        Effect.gen(function* () {
          const { createdBy, headers, tidy = (body) => body, zone } = recording
          const nextIds = scenario.exchanges.flatMap(createdBy)
          const fake = yield* makeDescribedVendor({ ...vendor, ownRecords: () => [] }, { [zone]: [] })
          fake.update(() => ({ zones: { [zone]: recordsBefore(recording, scenario, nextIds) }, nextId: 1, nextIds }))
          for (const { method, requestBody, responseBody, status, url } of scenario.exchanges) {
            const request = HttpClientRequest.make(method as "GET")(url.href, { headers })
            const complete =
              method === "GET" || requestBody === undefined
                ? request
                : HttpClientRequest.bodyUnsafeJson(request, requestBody)
            const response = yield* httpClientFor(fake).execute(complete)
            const text = yield* response.text
            const body = text === "" ? undefined : tidy(JSON.parse(text))
            expect([method, url.href, response.status, body]).toEqual([
              method,
              url.href,
              status,
              responseBody === undefined ? undefined : tidy(responseBody)
            ])
          }
        })
      )
  })

/** All records that a scenario lists before it creates any of them. */
const recordsBefore = <Data>(
  { order = () => 0, readListed, zone }: VendorRecording<Data>,
  { exchanges }: RecordedScenario,
  created: ReadonlyArray<string>
): ReadonlyArray<VendorRecord<Data>> => {
  const listed = exchanges
    .filter(({ method, status }) => status === 200 && method !== "DELETE")
    .flatMap(({ responseBody }) => readListed(responseBody, zone))
  const isFirst = ({ id }: VendorRecord<Data>, index: number) =>
    listed.findIndex((record) => record.id === id) === index
  return listed.filter((record, index) => isFirst(record, index) && !created.includes(record.id)).toSorted(order)
}
