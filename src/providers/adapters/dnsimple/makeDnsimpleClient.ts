import { Duration, Effect, Schema } from "effect"
import { inScheme } from "../../apiAuthorization.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { byNumber, type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { defaultTimeouts, selectDelegatedZone, type Timeouts } from "../../ProviderClient.ts"
import { type ProviderError, toOpenFailure, toRecordAbsent } from "../../ProviderError.ts"
import { makeCopyFailure } from "../../ProviderFailure.ts"
import { readToken } from "../../readToken.ts"
import { makeSingleRecordZoneClient, type RecordStep } from "../../writing/makeSingleRecordZoneClient.ts"
import { DnsimpleRecord, makeDnsimpleCheck, toChangedRecord, toNewRecord, toZoneRecord } from "./DnsimpleRecord.ts"

/** The client of DNSimple, with a token of an account or of a person. Each call writes one record, without conditions. */
export const makeDnsimpleClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "api_token",
  openZone: Effect.fnUntraced(function* (request) {
    const { zone } = request
    const api = makeJsonApi({
      http,
      baseUrl: "https://api.dnsimple.com/v2",
      authorization: inScheme("Bearer", yield* readToken(request.credential, { provider: "DNSimple" })),
      interpret: interpretResponse,
      timeout: timeouts.call
    })
    const zones = yield* Effect.mapError(findZones(api, zone, timeouts), toOpenFailure)
    const { path, secondary } = yield* selectDelegatedZone(zones, ({ nameServers }) => nameServers, request)
    if (secondary) return yield* makeCopyFailure("secondary")
    const listRecords = makeRecordLister(api, path, zone, timeouts)
    return makeSingleRecordZoneClient<DnsimpleRecord>(
      {
        limits,
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        listRecords: (names) =>
          Effect.map(listRecords(names), (records) => records.filter(({ parent_id }) => parent_id === null)),
        toRecord: (stored) => toZoneRecord(stored, zone),
        write: ([step]) => writeStep(api, `${path}/records`, step, zone),
        checkRecord: makeDnsimpleCheck(request)
      },
      request
    )
  })
})

/** An account with an unpaid bill, and one whose plan does not have what is asked for. */
const interpretResponse = ({ status }: ProviderResponse): ResponseMeaning | undefined =>
  status === 402 || status === 412 ? { kind: "not_entitled" } : undefined

const Account = Schema.Struct({ id: Schema.Number })

const Identity = Schema.Struct({ data: Schema.Struct({ account: Schema.NullOr(Account) }) })

const Accounts = Schema.Struct({ data: Schema.Array(Account) })

/** A zone as an account has it; one that is not active is not served. */
const DnsimpleZone = Schema.Struct({ data: Schema.Struct({ active: Schema.Boolean, secondary: Schema.Boolean }) })

interface AccountZone {
  readonly path: string
  readonly secondary: boolean
  readonly nameServers: ReadonlyArray<string>
}

/** Finds the zone in the account of the token or, if it is a person's, in all accounts that the person has access to. */
const findZones = (
  api: JsonApi,
  zone: string,
  timeouts: Timeouts
): Effect.Effect<ReadonlyArray<AccountZone>, ProviderError> =>
  Effect.gen(function* () {
    const { account } = (yield* api.call({ method: "GET", path: "/whoami", schema: Identity })).data
    const accounts =
      account === null ? (yield* api.call({ method: "GET", path: "/accounts", schema: Accounts })).data : [account]
    const [errors, zones] = yield* Effect.partition(accounts, ({ id }) => findIn(api, `/${id}/zones/${zone}`, timeouts))
    const [error] = errors.filter(({ kind }) => !isAboutOther(kind, zones.length > 0))
    return error === undefined ? zones : yield* error
  })

/** Whether an error in one account says nothing of the zone, which may have been found in another one. */
const isAboutOther = (kind: ProviderError["kind"], isFound: boolean): boolean =>
  kind === "absent" || (isFound && (kind === "forbidden" || kind === "not_entitled"))

const findIn = (api: JsonApi, path: string, timeouts: Timeouts): Effect.Effect<AccountZone, ProviderError> =>
  Effect.gen(function* () {
    const { active, secondary } = (yield* api.call({ method: "GET", path, schema: DnsimpleZone })).data
    const records = active ? yield* api.list({ ...makeListing(path, timeouts), query: { type: "NS", ...sorted } }) : []
    const own = records.filter(({ name, system_record }) => name === "" && system_record)
    return { path, secondary, nameServers: own.map(({ content }) => content) }
  })

const sorted = { sort: "id:asc" }

/** A page of the records of a zone. */
export const DnsimplePage = Schema.Struct({
  data: longArray(DnsimpleRecord),
  pagination: Schema.Struct({ total_entries: Schema.Number, total_pages: Schema.Number })
})

const makeListing = (path: string, { snapshot: timeout }: Timeouts) => ({
  path: `${path}/records`,
  query: sorted,
  paging: byNumber(100),
  schema: DnsimplePage,
  toPage: (
    { data: items, pagination: { total_entries: total, total_pages } }: typeof DnsimplePage.Type,
    page: number
  ) => ({
    items,
    total,
    next: page < total_pages ? page + 1 : undefined
  }),
  identify: ({ id }: DnsimpleRecord) => id,
  timeout
})

const makeRecordLister = (api: JsonApi, path: string, zone: string, timeouts: Timeouts) =>
  api.makeLister({
    ...makeListing(path, timeouts),
    queryAt: (name) => ({ ...sorted, name: name.slice(0, -zone.length - 1) }),
    // What an empty filter means is not documented.
    canListAt: (name) => name !== zone
  })

const WrittenDnsimpleRecord = Schema.Struct({ data: DnsimpleRecord })

const writeStep = (
  api: JsonApi,
  records: string,
  step: RecordStep<DnsimpleRecord>,
  zone: string
): Effect.Effect<void, ProviderError> => {
  const write = (method: "POST" | "PATCH", path: string, body: unknown) =>
    Effect.asVoid(api.call({ method, path, body, schema: WrittenDnsimpleRecord }))
  if (step.action === "create") return write("POST", records, toNewRecord(step.record, zone))
  const path = `${records}/${step.stored.id}`
  return Effect.mapError(
    step.action === "remove" ? api.remove(path) : write("PATCH", path, toChangedRecord(step.record, zone)),
    toRecordAbsent
  )
}
