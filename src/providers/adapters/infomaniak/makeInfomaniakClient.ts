import { Duration, Effect, Option, Schema } from "effect"
import { inScheme } from "../../apiAuthorization.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { byNumber, type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { checkDelegation, defaultTimeouts, type Timeouts } from "../../ProviderClient.ts"
import { makeKindLookup, type ProviderError, toOpenFailure, toRecordAbsent } from "../../ProviderError.ts"
import { readToken } from "../../readToken.ts"
import { makeSingleRecordZoneClient, type RecordStep } from "../../writing/makeSingleRecordZoneClient.ts"
import {
  InfomaniakRecord,
  makeInfomaniakCheck,
  toChangedRecord,
  toNewRecord,
  toZoneRecord
} from "./InfomaniakRecord.ts"

/** The client of Infomaniak, in version 2 of its API. Each call writes one record, without conditions. */
export const makeInfomaniakClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "api_token",
  openZone: Effect.fnUntraced(function* (request) {
    const { zone } = request
    const api = makeJsonApi({
      http,
      baseUrl: "https://api.infomaniak.com",
      authorization: inScheme("Bearer", yield* readToken(request.credential, { provider: "Infomaniak" })),
      interpret: interpretResponse,
      removedBy: 200,
      timeout: timeouts.call
    })
    const path = `/2/zones/${zone}`
    const { data } = yield* Effect.mapError(api.call({ method: "GET", path, schema: InfomaniakZone }), toOpenFailure)
    yield* checkDelegation(data.nameservers, request)
    const records = `${path}/records`
    return makeSingleRecordZoneClient<InfomaniakRecord>(
      {
        limits,
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        // What exactly the filter of a list by names finds is not documented.
        listRecords: () => readRecords(api, records, timeouts),
        toRecord: (stored) => toZoneRecord(stored, zone),
        write: ([step]) => writeStep(api, records, step, zone),
        checkRecord: makeInfomaniakCheck(request)
      },
      request
    )
  })
})

const decodeRefusal = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Struct({ result: Schema.Literal("error"), error: Schema.Struct({ code: Schema.String }) }))
)

/** A refusal may come with any status, also 200; where its code does not say what it means, the status does. */
const interpretResponse = ({ status, text }: ProviderResponse): ResponseMeaning | undefined => {
  const refusal = text.length > maxRefusalLength ? Option.none() : decodeRefusal(text)
  if (Option.isNone(refusal)) return undefined
  const kind = kindOf(refusal.value.error.code) ?? (status < 400 ? "rejected" : undefined)
  return kind === undefined ? undefined : { kind }
}

const maxRefusalLength = 10_000

const kindOf = makeKindLookup([
  ["credential_refused", "not_authorized"],
  ["forbidden", "all_scopes"],
  ["absent", "object_not_found"],
  ["conflict", "an_entry_for_this_subdomain_already_exists"]
])

const InfomaniakSuccess = Schema.Struct({ result: Schema.Literal("success") })

const InfomaniakZone = Schema.Struct({
  ...InfomaniakSuccess.fields,
  data: Schema.Struct({ nameservers: Schema.Array(Schema.String) })
})

/** A page of the records of a zone. */
export const InfomaniakPage = Schema.Struct({
  ...InfomaniakSuccess.fields,
  data: longArray(InfomaniakRecord),
  pages: Schema.optional(Schema.Number),
  total: Schema.optional(Schema.Number)
})

const readRecords = (
  api: JsonApi,
  path: string,
  { snapshot: timeout }: Timeouts
): Effect.Effect<ReadonlyArray<InfomaniakRecord>, ProviderError> =>
  api.list({
    path,
    paging: byNumber(perPage),
    schema: InfomaniakPage,
    // A page that is full may be followed by another one, where the answer does not tell.
    toPage: ({ data: items, pages = items.length < perPage ? 0 : Infinity, total }, page) => ({
      items,
      total,
      next: page < pages ? page + 1 : undefined
    }),
    identify: ({ id }) => id,
    // 60 calls a minute.
    pause: "1 second",
    timeout
  })

const perPage = 100

const writeStep = (
  api: JsonApi,
  records: string,
  step: RecordStep<InfomaniakRecord>,
  zone: string
): Effect.Effect<void, ProviderError> => {
  const write = (method: "POST" | "PUT", path: string, body: unknown) =>
    Effect.asVoid(api.call({ method, path, body, schema: InfomaniakSuccess }))
  if (step.action === "create") return write("POST", records, toNewRecord(step.record, zone))
  const path = `${records}/${step.stored.id}`
  return Effect.mapError(
    step.action === "remove" ? api.remove(path) : write("PUT", path, toChangedRecord(step.record)),
    toRecordAbsent
  )
}
