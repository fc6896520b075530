import { Array, Duration, Effect, Option, Schema } from "effect"
import type { ZoneRecord } from "../../../domain/records/DnsRecord.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { type JsonApi, longArray } from "../../JsonApi.ts"
import { checkDelegation, defaultTimeouts } from "../../ProviderClient.ts"
import { failAfter, type ProviderError, toOpenFailure, toRecordAbsent } from "../../ProviderError.ts"
import { ProviderFailure } from "../../ProviderFailure.ts"
import { readToken } from "../../readToken.ts"
import { makeLister } from "../../writing/makeLister.ts"
import {
  makeSingleRecordZoneClient,
  type RecordAtName,
  type RecordStep
} from "../../writing/makeSingleRecordZoneClient.ts"
import { formatContent, parseContent, toAbsoluteContent } from "../../writing/recordContent.ts"
import { makeTypeCheck, refuseUnseenValues } from "../../writing/requireStorable.ts"
import { makeSignedOvhApi } from "./OvhApi.ts"

/** The client of OVHcloud. Each call writes one record, without conditions; nothing is served before a refresh. */
export const makeOvhClient: CatalogClientFactory = ({
  http,
  limits,
  registration: application,
  timeouts = defaultTimeouts
}) => ({
  credential: "none",
  openZone: Effect.fnUntraced(function* (request) {
    if (application === undefined) return yield* withoutApplication
    const { zone } = request
    const consumerKey = yield* readToken(request.credential, { provider: "OVHcloud", takesOAuth: true })
    const access = { application, http, timeout: timeouts.call }
    const api = yield* Effect.mapError(makeSignedOvhApi(access, consumerKey), toOpenFailure)
    const path = `/domain/zone/${zone}`
    const { nameServers } = yield* Effect.mapError(api.call({ method: "GET", path, schema: OvhZone }), toOpenFailure)
    yield* checkDelegation(nameServers, request)
    const listAt = (name?: string) => listRecords(api, path, name && toSubDomain(name, zone))
    return makeSingleRecordZoneClient<OvhRecord>(
      {
        limits,
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        listRecords: makeLister({
          perPage: 1,
          // Nobody says what an empty filter finds.
          canListAt: (name) => name !== zone,
          listAll: failAfter(timeouts.snapshot, "the records were not read in time")(listAt()),
          listAt
        }),
        toRecord: toZoneRecord(zone),
        write: ([step]) => writeStep(api, `${path}/record`, step, zone),
        publish: Effect.asVoid(api.call({ method: "POST", path: `${path}/refresh`, schema: Schema.Null })),
        checkRecord
      },
      request
    )
  })
})

/** The provider is offered only with an application, so that the operator has removed it since. */
const withoutApplication = new ProviderFailure({
  code: "provider_unavailable",
  isLocal: true,
  detail: "the service has no application at OVHcloud any more"
})

const OvhZone = Schema.Struct({ nameServers: Schema.Array(Schema.String) })

/** A record, whose target is as in a zone file. Its types DKIM, DMARC and SPF are TXT in DNS. */
export const OvhRecord = Schema.Struct({
  id: Schema.Number,
  fieldType: Schema.String,
  /** Relative to the zone, and empty for the zone itself. */
  subDomain: Schema.NullishOr(Schema.String),
  target: Schema.String,
  /** Seconds; 0 is the zone's own. */
  ttl: Schema.NullishOr(Schema.Number)
})
type OvhRecord = typeof OvhRecord.Type

/**
 * Lists ids, of all records or at a name, and reads each, several at a time. One not found has just been removed,
 * unless the zone itself is no longer found.
 */
const listRecords = (
  api: JsonApi,
  path: string,
  subDomain: string | undefined
): Effect.Effect<ReadonlyArray<OvhRecord>, ProviderError> =>
  Effect.gen(function* () {
    const query = subDomain === undefined ? {} : { subDomain }
    const records = `${path}/record`
    const ids = yield* api.call({ method: "GET", path: records, query, schema: longArray(Schema.Int) })
    const found = yield* Effect.forEach(ids, (id) => readRecord(api, `${records}/${id}`), { concurrency: readsAtOnce })
    if (found.some(Option.isNone)) yield* api.call({ method: "GET", path, schema: OvhZone })
    return Array.getSomes(found)
  })

const readRecord = (api: JsonApi, path: string): Effect.Effect<Option.Option<OvhRecord>, ProviderError> =>
  Effect.catchIf(
    Effect.asSome(api.call({ method: "GET", path, schema: OvhRecord })),
    ({ kind }) => kind === "absent",
    () => Effect.succeedNone
  )

/** So that 2,000 records, a call for each, are read in the time for a zone if a call takes less than a fifth of a second. */
const readsAtOnce = 16

const toZoneRecord =
  (zone: string) =>
  ({ fieldType, subDomain, target, ttl }: OvhRecord): Omit<ZoneRecord, "host"> & { readonly name: string } => {
    const type = textTypes.has(fieldType) ? "TXT" : fieldType
    return {
      name: subDomain ? `${subDomain}.${zone}` : zone,
      ...(ttl ? { ttl } : { ttl: defaultTtl, automaticTtl: true }),
      ...parseContent(type, toAbsoluteContent(type, target, zone))
    }
  }

const textTypes: ReadonlySet<string> = new Set(["DKIM", "DMARC", "SPF"])

const defaultTtl = 3600

const toSubDomain = (name: string, zone: string): string => name.slice(0, -zone.length - 1)

/** The type of a record is not written again, because OVHcloud has types of its own that nobody may change. */
const writeStep = (
  api: JsonApi,
  path: string,
  step: RecordStep<OvhRecord>,
  zone: string
): Effect.Effect<void, ProviderError> => {
  if (step.action === "create") {
    const body = { fieldType: step.record.type, ...toBody(step.record, zone) }
    return Effect.asVoid(api.call({ method: "POST", path, body, schema: OvhRecord }))
  }
  const own = `${path}/${step.stored.id}`
  return Effect.mapError(
    step.action === "remove"
      ? api.remove(own)
      : api.call({ method: "PUT", path: own, body: toBody(step.record, zone), schema: Schema.Null }),
    toRecordAbsent
  )
}

const toBody = (record: RecordAtName, zone: string) => ({
  subDomain: toSubDomain(record.name, zone),
  target: formatContent(record),
  ttl: record.automaticTtl === true ? 0 : record.ttl
})

/** The types that DNSControl writes there. */
const checkRecord = makeTypeCheck("OVHcloud", "A AAAA CAA CNAME MX NS SRV TLSA TXT", refuseUnseenValues("OVHcloud"))
