import { Duration, Effect, Redacted, Schema } from "effect"
import { normalizeName } from "../../../domain/names/DomainName.ts"
import { inHeaders } from "../../apiAuthorization.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { checkDelegation, defaultTimeouts } from "../../ProviderClient.ts"
import { type ProviderError, toOpenFailure, toRecordAbsent } from "../../ProviderError.ts"
import { makeZoneMismatch, ProviderFailure } from "../../ProviderFailure.ts"
import { readToken } from "../../readToken.ts"
import { makeSingleRecordZoneClient, type RecordStep } from "../../writing/makeSingleRecordZoneClient.ts"
import { jsonZoneLimits, readAdmitted } from "../../zoneLimits.ts"
import { IonosRecord, makeIonosCheck, toChangedRecord, toNewRecord, toZoneRecord } from "./IonosRecord.ts"

/** A company that serves the API of IONOS to its customers. */
interface IonosBrand {
  readonly name: string
  readonly baseUrl: string
  /** The API does not tell the name servers of a zone; those that this matches serve the zones of all customers. */
  readonly nameServers: RegExp
}

/** The clients of IONOS and its brand. Each call writes one record, and the API has no conditional writes. */
const makeClientOf =
  ({ baseUrl, name: provider, nameServers }: IonosBrand): CatalogClientFactory =>
  ({ http, limits, timeouts = defaultTimeouts }) => ({
    credential: "api_token",
    openZone: Effect.fnUntraced(function* (request) {
      const secret = yield* readToken(request.credential, { provider })
      if (!/^[^.]+\.[^.]+$/.test(Redacted.value(secret))) return yield* keyWithoutPrefix
      const authorization = inHeaders({ "x-api-key": secret })
      const api = makeJsonApi({ http, baseUrl, authorization, removedBy: "an empty 200", timeout: timeouts.call })
      const zones = yield* Effect.mapError(
        api.call({ method: "GET", path: "/zones", schema: Schema.Array(IonosZone) }),
        toOpenFailure
      )
      const found = zones.find(({ name, type }) => normalizeName(name) === request.zone && type === "NATIVE")
      if (found === undefined)
        return yield* makeZoneMismatch(`the key gives access to no zone ${request.zone} at ${provider}`)
      yield* checkDelegation(
        request.nameServers.filter((name) => nameServers.test(normalizeName(name))),
        request
      )
      const path = `/zones/${encodeURIComponent(found.id)}`
      return makeSingleRecordZoneClient<IonosRecord>(
        {
          limits,
          // Nothing says that a list shows every write.
          visibleWithin: Duration.seconds(5),
          // A zone comes in one answer, so that a filter would save no call.
          listRecords: () => readRecords(api, path),
          toRecord: toZoneRecord,
          write: ([step]) => writeStep(api, `${path}/records`, step),
          checkRecord: makeIonosCheck(provider)
        },
        request
      )
    })
  })

export const makeIonosClient = makeClientOf({
  name: "IONOS",
  baseUrl: "https://api.hosting.ionos.com/dns/v1",
  nameServers: /\.ui-dns\.(biz|com|de|org)$/
})

export const makeUnitedDomainsClient = makeClientOf({
  name: "united-domains",
  baseUrl: "https://dnsapi.united-domains.de/dns/v1",
  nameServers: /\.udag\.(de|net|org)$/
})

const keyWithoutPrefix = new ProviderFailure({
  code: "credential_invalid",
  isLocal: true,
  detail: "an API key is the public prefix and the secret, with a dot between them"
})

const IonosZone = Schema.Struct({ id: Schema.String, name: Schema.String, type: Schema.String })

export const IonosRecords = Schema.Struct({ records: longArray(IonosRecord) })

/** A disabled record is not served, and stays as it is. */
const readRecords = (api: JsonApi, path: string): Effect.Effect<ReadonlyArray<IonosRecord>, ProviderError> =>
  readAdmitted(
    (admits) =>
      Effect.map(api.call({ method: "GET", path, schema: IonosRecords, admits }), ({ records }) =>
        records.filter(({ disabled }) => disabled !== true)
      ),
    jsonZoneLimits
  )

/** A new record comes in a list, because a call could take several. */
const writeStep = (
  api: JsonApi,
  records: string,
  step: RecordStep<IonosRecord>
): Effect.Effect<void, ProviderError> => {
  if (step.action === "create") {
    const body = [toNewRecord(step.record)]
    return Effect.asVoid(api.call({ method: "POST", path: records, body, schema: Schema.NonEmptyArray(IonosRecord) }))
  }
  const path = `${records}/${encodeURIComponent(step.stored.id)}`
  return Effect.mapError(
    step.action === "remove"
      ? api.remove(path)
      : Effect.asVoid(api.call({ method: "PUT", path, body: toChangedRecord(step.record), schema: IonosRecord })),
    toRecordAbsent
  )
}
