import type { HttpClient } from "@effect/platform"
import { Duration, Effect, Option, Redacted, Schema } from "effect"
import { anyTtl } from "../../../src/domain/provider/Provider.ts"
import { inScheme } from "../../../src/providers/apiAuthorization.ts"
import { makeJsonApi } from "../../../src/providers/JsonApi.ts"
import { powerDnsCapabilities } from "../../../src/providers/adapters/powerdns/makePowerDnsClient.ts"
import { requireNoContent } from "../../../src/providers/callProvider.ts"
import { readPages } from "../../../src/providers/readPages.ts"
import { formatContent, parseContent } from "../../../src/providers/writing/recordContent.ts"
import {
  makeSingleRecordZoneClient,
  type RecordStep
} from "../../../src/providers/writing/makeSingleRecordZoneClient.ts"
import type { LabRecord } from "../../support/lab/packet.ts"
import { type FakeVendor, type FakeVendorSpec, makeFakeVendor } from "../../support/vendors/FakeVendor.ts"
import type { AdapterUnderTest } from "./AdapterUnderTest.ts"
import type { MatrixSubject } from "./matrixRun.ts"

/** How the adapter of the plain vendor writes. */
interface PlainAdapterOptions {
  /** One call takes all steps of a plan, all or none of them. */
  readonly batches?: true
  /** The adapter does not read again before its first write: a mistake that the fault matrix must find. */
  readonly readsOnce?: true
}

/** A vendor that stores single records in presentation format, as PowerDNS does, and takes whatever it gets. */
export const plainRecords = (options: PlainAdapterOptions = {}): MatrixSubject<PlainState> => ({
  makeFake: (listener) => makeFakeVendor(plainVendor, listener),
  adapterFor: (fake, http) => plainUnderTest(fake, http, options),
  writes: "records",
  storesApexAlias: true,
  recordsOfTwoPages: pageLength + 10
})

const PlainRecord = Schema.Struct({
  id: Schema.Number,
  name: Schema.String,
  type: Schema.String,
  ttl: Schema.Number,
  content: Schema.String
})
type PlainRecord = typeof PlainRecord.Type

interface PlainState {
  readonly records: ReadonlyArray<PlainRecord>
  readonly nextId: number
}

/** A step of a call as it is sent: without `record` a removal, without `id` a creation. */
interface PlainStep {
  readonly id?: number
  readonly record?: Omit<PlainRecord, "id">
}

const zone = "example.com"
const pageLength = 100

const plainVendor: FakeVendorSpec<PlainState> = {
  baseUrl: "https://api.plain.example",
  initial: { records: [], nextId: 1 },
  authenticate: () => undefined,
  lists: ["GET /records"],
  refuse: (status) => ({ status }),
  operations: {
    "GET /records": ({ query }, { records }) => {
      const page = Number(query.get("page"))
      const body = { records: records.slice(page * pageLength, (page + 1) * pageLength), total: records.length }
      return { status: 200, body }
    },
    "POST /records": ({ body }: { readonly body: any }, state) => {
      const steps: ReadonlyArray<PlainStep> = body
      const isKnown = steps.every(({ id }) => id === undefined || state.records.some((record) => record.id === id))
      return isKnown ? { status: 204, state: steps.reduce(carryOut, state) } : { status: 404 }
    }
  }
}

const carryOut = ({ nextId, records }: PlainState, { id, record }: PlainStep): PlainState => {
  if (id === undefined)
    return record ? { records: [...records, { ...record, id: nextId }], nextId: nextId + 1 } : { nextId, records }
  return {
    nextId,
    records: records.flatMap((stored) => (stored.id !== id ? [stored] : record ? [{ ...record, id }] : []))
  }
}

const plainUnderTest = (
  fake: FakeVendor<PlainState>,
  http: HttpClient.HttpClient,
  { batches, readsOnce }: PlainAdapterOptions
): AdapterUnderTest => {
  const api = makeJsonApi({
    http,
    baseUrl: fake.baseUrl,
    authorization: inScheme("Bearer", Redacted.make("secret")),
    interpret: ({ status }) => (status === 404 ? { kind: "record_absent" } : undefined),
    timeout: "10 seconds"
  })
  const readPage = (page = 0) =>
    Effect.map(
      api.call({ method: "GET", path: "/records", query: { page }, schema: RecordList }),
      ({ records, total }) => ({
        items: records,
        total,
        ...((page + 1) * pageLength < total ? { next: page + 1 } : {})
      })
    )
  const openZone: AdapterUnderTest["client"]["openZone"] = (request) =>
    Effect.sync(() => {
      let seen: ReadonlyArray<PlainRecord> = []
      const list = Effect.tap(readPages({ readPage, timeout: "30 seconds" }), (records) =>
        Effect.sync(() => (seen = records))
      )
      return makeSingleRecordZoneClient<PlainRecord>(
        {
          limits: { capabilities: powerDnsCapabilities, ttl: anyTtl },
          visibleWithin: Duration.seconds(5),
          listRecords: (names) => (readsOnce === true && Option.isSome(names) ? Effect.sync(() => seen) : list),
          toRecord: ({ content, name, ttl, type }) => ({ name, ttl, ...parseContent(type, content) }),
          write: (steps) =>
            Effect.flatMap(
              api.send({ method: "POST", path: "/records", body: steps.map(toPlainStep) }),
              requireNoContent
            ),
          ...(batches === true ? { fitsOneCall: () => true } : {})
        },
        request
      )
    })
  return {
    client: { credential: "api_token", openZone },
    credential: { _tag: "api_token", apiToken: Redacted.make("secret") },
    wrongCredentials: [],
    zone,
    nameServers: ["ns1.plain.example"],
    replaceSets: (records) => Effect.sync(() => fake.update((state) => replaceSets(state, records))),
    dump: Effect.sync(() => fake.state().records.map(describe))
  }
}

const RecordList = Schema.Struct({ records: Schema.Array(PlainRecord), total: Schema.Number })

const toPlainStep = (step: RecordStep<PlainRecord>): PlainStep => {
  if (step.action === "remove") return { id: step.stored.id }
  const { name, ttl, type } = step.record
  const record = { name: `${name}.`, type, ttl, content: formatContent(step.record) }
  return step.action === "create" ? { record } : { id: step.stored.id, record }
}

/** Records that stay keep their ids. */
const replaceSets = (state: PlainState, desired: ReadonlyArray<LabRecord>): PlainState => {
  const lines = new Set(desired.map((record) => describe({ ...record, content: record.data })))
  const isReplaced = ({ name, type }: PlainRecord) =>
    desired.some((record) => record.name === name && record.type === type)
  const kept = state.records.filter((record) => !isReplaced(record) || lines.has(describe(record)))
  const keptLines = new Set(kept.map(describe))
  return desired
    .map(({ data, name, ttl, type }) => ({ record: { name, ttl, type, content: data } }))
    .filter(({ record }) => !keptLines.has(describe(record)))
    .reduce(carryOut, { ...state, records: kept })
}

const describe = ({ content, name, ttl, type }: Omit<PlainRecord, "id">): string => [name, ttl, type, content].join(" ")
