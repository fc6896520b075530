import { HttpClientRequest } from "@effect/platform"
import { expect } from "bun:test"
import canonicalize from "canonicalize"
import { Effect, Schema } from "effect"
import { describeIfPossible } from "../../support/describeIfPossible.ts"
import { live } from "../../support/effectTest.ts"
import { type BodyFormat, jsonFormat } from "../../support/vendors/BodyFormat.ts"
import { makeDescribedVendor } from "../../support/vendors/DescribedVendor.ts"
import { httpClientFor } from "../../support/vendors/httpClientFor.ts"
import { matchOperation } from "../../support/vendors/matchOperation.ts"
import { readRecording, type RecordedExchange, type RecordedScenario } from "../../support/vendors/Recording.ts"
import { missingVendorData } from "../../support/vendors/vendorData.ts"
import type { VendorRecord } from "../../support/vendors/VendorZones.ts"
import {
  createChange,
  deleteChange,
  type DescribedAdapter,
  type DescribedFake,
  makeFakeOf,
  readAt,
  recordAt,
  updateChange,
  writeAt,
  writesTo,
  zone
} from "./DescribedAdapter.ts"

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
  /** The headers of a request that the fake takes; without them, those with the signatures were not kept. */
  readonly headers?: Readonly<Record<string, string>>
  /** Leaves out of an answer what the fake cannot know, such as times. */
  readonly tidy?: (body: any) => unknown
  /** What happens at the vendor before an exchange, such as that time passes. */
  readonly before?: (fake: DescribedFake<Data>, exchange: RecordedExchange) => void
  /** The order in which the vendor lists records; without it, that in which they are first listed. */
  readonly order?: (one: VendorRecord<Data>, other: VendorRecord<Data>) => number
}

/**
 * Reads a recording, if the data of the vendors are here. Words in its addresses become those of the fake, and what was
 * said to a server of tokens is left out. `bodies` decodes those that are not JSON.
 */
export const recordedScenarios = async (
  id: string,
  words: Readonly<Record<string, string>> = {},
  bodies?: BodyFormat
) => {
  const recorded = missingVendorData === undefined ? await readRecording(id) : []
  const toOwn = ({ href }: URL) =>
    new URL(Object.entries(words).reduce((address, [word, own]) => address.replace(word, own), href))
  const decode = (body: unknown) => (typeof body === "string" && bodies !== undefined ? bodies.decode(body) : body)
  const scenarios = recorded.map(({ exchanges, name }) => ({
    name,
    exchanges: exchanges.flatMap(({ requestBody, responseBody, url, ...exchange }) =>
      url.pathname.endsWith("/token")
        ? []
        : { ...exchange, url: toOwn(url), requestBody: decode(requestBody), responseBody: decode(responseBody) }
    )
  }))
  return { scenarios, exchanges: scenarios.flatMap(({ exchanges }) => exchanges) }
}

/** Declares a test for each recorded scenario, which the fake of the vendor must repeat, and one of the vendor's document. */
export const testRecording = <Data>(
  { name, vendor }: Pick<DescribedAdapter<Data>, "name" | "vendor">,
  recording: VendorRecording<Data>
): void =>
  describeIfPossible(`what was recorded at ${name}`, missingVendorData, () => {
    const { bodies = jsonFormat, document } = vendor
    if (document !== undefined)
      live("is as the vendor's document says", () =>
        Effect.gen(function* () {
          const documented = yield* Effect.promise(document)
          const basePath = new URL(vendor.baseUrl).pathname.replace(/\/$/, "")
          for (const { method, responseBody, status, url } of recording.exchanges) {
            const path = url.pathname.slice(basePath.length)
            const operation = matchOperation(Object.keys(vendor.operations), method, path)?.operation ?? ""
            const problems = documented.operation(operation).problemsOfAnswer({ status, body: responseBody })
            expect([method, path, problems]).toEqual([method, path, []])
          }
        })
      )

    for (const scenario of recording.scenarios)
      live(`is repeated by the fake: ${scenario.name}`, () =>
        Effect.gen(function* () {
          const { before, createdBy, headers, tidy = (body) => body, zone } = recording
          const authenticate = headers === undefined ? () => undefined : vendor.authenticate
          const nextIds = scenario.exchanges.flatMap(createdBy)
          const fake = yield* makeDescribedVendor({ ...vendor, authenticate, ownRecords: () => [] }, { [zone]: [] })
          fake.update(() => ({ zones: { [zone]: recordsBefore(recording, scenario, nextIds) }, nextId: 1, nextIds }))
          for (const exchange of scenario.exchanges) {
            const { method, requestBody, responseBody, status, url } = exchange
            before?.(fake, exchange)
            const request = HttpClientRequest.make(method as "GET")(url.href, { headers: headers ?? {} })
            const complete =
              method === "GET" || requestBody === undefined
                ? request
                : HttpClientRequest.bodyText(request, bodies.encode(requestBody), bodies.contentType)
            const response = yield* httpClientFor(fake).execute(complete)
            const text = yield* response.text
            const body = text === "" ? undefined : tidy(bodies.decode(text))
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

/** What the adapter of a vendor does with what was recorded there. */
interface RecordedCalls<Data> {
  readonly adapter: DescribedAdapter<Data>
  readonly recording: Pick<VendorRecording<Data>, "exchanges" | "zone">
  /** The answers, or items of one, that the adapter decodes: those that have a member, and how many there are. */
  readonly answers: ReadonlyArray<readonly [member: string, schema: Schema.Schema<any, any>, count: number]>
  /** How the adapter decodes a body that is not JSON. */
  readonly decode?: (body: any, schema: Schema.Schema<any, any>) => Effect.Effect<unknown, unknown>
  /** The changes that somebody has recorded the requests of. */
  readonly changes: ReadonlyArray<keyof typeof recordedChanges>
  /** The other client reads a zone by the same requests. */
  readonly readsAlike?: true
  /** The requests by which another client makes what one of the adapter makes. */
  readonly toRecorded?: (write: RecordedWrite) => ReadonlyArray<RecordedWrite>
  /** Without the part of a path that another client has of its own. */
  readonly tidyPath?: (path: string) => string
  /** Without what another client writes otherwise. */
  readonly tidyBody?: (body: any) => unknown
}

interface RecordedWrite {
  readonly method: string
  readonly path: string
  readonly body: any
}

const text = (host: string, value: string) => recordAt(host, "TXT", value)
const exchanged = text("orig.nameonly.test", "challengetoken")
const passing = text("delete.testfilt", "challengetoken")
const stayed = text("_acme-challenge.deleterecordinset", "challengetoken2")
const gone = { ...stayed, value: "challengetoken1" }

/** What Lexicon's tests do at every vendor. */
const recordedChanges = {
  address: [createChange(recordAt("localhost", "A", "127.0.0.1"))],
  alias: [createChange(recordAt("docs", "CNAME", "docs.example.com"))],
  "text that comes and goes": [createChange(passing), deleteChange(passing)],
  "text beside another": [createChange(gone), createChange(stayed)],
  "text beside another that goes": [createChange(gone), createChange(stayed), deleteChange(gone)],
  "text that another one replaces": [
    createChange(exchanged),
    updateChange(exchanged, { ...exchanged, value: "updated" })
  ],
  // Nobody has recorded the creation of a text with another value.
  "text that is replaced": [
    createChange(text("updated.test", "unrecorded")),
    updateChange(text("updated.test", "unrecorded"), text("updated.test", "challengetoken"))
  ]
}

/** Declares that an adapter decodes what was recorded, and writes as it was recorded. */
export const testRecordedCalls = <Data>({
  adapter,
  answers,
  changes,
  decode = (body, schema) => Schema.decodeUnknown(schema)(body),
  readsAlike,
  recording,
  tidyBody = (body) => body,
  tidyPath = (path) => path,
  toRecorded = (write) => [write]
}: RecordedCalls<Data>): void =>
  describeIfPossible(`the adapter of ${adapter.name}`, missingVendorData, () => {
    live("decodes what was recorded", () =>
      Effect.gen(function* () {
        const bodies = recording.exchanges.flatMap(({ responseBody }) =>
          Array.isArray(responseBody) ? [responseBody, ...responseBody] : (responseBody ?? [])
        )
        for (const [member, schema, count] of answers) {
          const found = bodies.filter((body) => member in Object(body))
          expect([member, found.length]).toEqual([member, count])
          for (const body of found) yield* decode(body, schema)
        }
      })
    )

    live("writes with the recorded requests", () =>
      Effect.gen(function* () {
        const basePath = new URL(adapter.vendor.baseUrl).pathname.replace(/\/$/, "")
        const shapeOf = (method: string, path: string, body: unknown) =>
          canonicalize([
            method,
            tidyPath(path.replace(recording.zone, zone)).replace(/\/\d+$/, "/{id}"),
            tidyBody(body ?? {})
          ])
        const recorded = new Set(
          recording.exchanges.map(({ method, requestBody, url }) =>
            shapeOf(method, url.pathname.slice(basePath.length), requestBody)
          )
        )
        const fake = yield* makeFakeOf(adapter)
        const all = changes.flatMap((name) => recordedChanges[name])
        for (const change of all) yield* writeAt(adapter, fake, change)
        const own = writesTo(fake)
          .flatMap(toRecorded)
          .map(({ body, method, path }) => shapeOf(method, path, body))
        expect(own).toHaveLength(all.length)
        expect(own.filter((shape) => !recorded.has(shape))).toEqual(
          own.filter((shape) => shape?.includes("unrecorded") === true)
        )
      })
    )

    if (readsAlike === true)
      live("reads with the recorded requests", () =>
        Effect.gen(function* () {
          const fake = yield* makeFakeOf(adapter)
          yield* readAt(adapter, fake)
          const recorded = recording.exchanges.map(({ url }) => url.href)
          for (const { path, query } of fake.calls())
            expect(recorded).toContain(
              `${adapter.vendor.baseUrl}${path.replace(zone, recording.zone)}${query && `?${query}`}`
            )
        })
      )
  })

/** All records that a scenario lists before it creates any of them; the records of a set may share an id. */
const recordsBefore = <Data>(
  { order = () => 0, readListed, zone }: VendorRecording<Data>,
  { exchanges }: RecordedScenario,
  created: ReadonlyArray<string>
): ReadonlyArray<VendorRecord<Data>> => {
  const known = new Set(created)
  return exchanges
    .filter(({ method, status }) => status === 200 && method !== "DELETE")
    .flatMap(({ responseBody }) => {
      const first = readListed(responseBody, zone).filter(({ id }) => !known.has(id))
      for (const { id } of first) known.add(id)
      return first
    })
    .toSorted(order)
}
