import { Duration, Effect, Either, Redacted, Schema } from "effect"
import { normalizeName } from "../../../domain/names/DomainName.ts"
import type { Credential } from "../../../domain/provider/Credential.ts"
import { type ApiAuthorization, inBasicScheme } from "../../apiAuthorization.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { byNumber, type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { checkDelegation, type Timeouts } from "../../ProviderClient.ts"
import { type ProviderError, toOpenFailure, toRecordAbsent } from "../../ProviderError.ts"
import { ProviderFailure } from "../../ProviderFailure.ts"
import { makeSingleRecordZoneClient, type RecordStep } from "../../writing/makeSingleRecordZoneClient.ts"
import { makeNamecomCheck, NamecomRecord, toRecordBody, toZoneRecord } from "./NamecomRecord.ts"

/** The client of Name.com. Each call writes one record, and the API has no conditional writes. */
export const makeNamecomClient: CatalogClientFactory = ({ http, limits, timeouts = slowTimeouts }) => ({
  credential: "username_api_key",
  openZone: Effect.fnUntraced(function* (request) {
    const api = makeJsonApi({
      http,
      baseUrl: "https://api.name.com/core/v1",
      authorization: yield* authorizeWith(request.credential),
      interpret: interpretResponse,
      timeout: timeouts.call
    })
    const path = `/domains/${request.zone}`
    const { nameservers } = yield* Effect.mapError(
      api.call({ method: "GET", path, schema: NamecomDomain }),
      toOpenFailure
    )
    yield* checkDelegation(nameservers.filter(isOfNamecom), request)
    return makeSingleRecordZoneClient<NamecomRecord>(
      {
        limits,
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        listRecords: () => readRecords(api, `${path}/records`, timeouts),
        toRecord: (stored) => toZoneRecord(stored, request.zone),
        write: ([step]) => writeStep(api, `${path}/records`, step, request.zone),
        checkRecord: makeNamecomCheck(request)
      },
      request
    )
  })
})

/** Name.com answers slowly, as DNSControl says. */
const slowTimeouts: Timeouts = { call: "30 seconds", snapshot: "90 seconds" }

/** The name of a user has no colon (RFC 7617 section 2). */
const authorizeWith = (credential: Credential): Either.Either<ApiAuthorization, ProviderFailure> =>
  credential._tag === "username_api_key" &&
  /^[^:\p{Cc}]+$/u.test(credential.username) &&
  /^[!-~]+$/.test(Redacted.value(credential.apiKey))
    ? Either.right(inBasicScheme(credential.username, credential.apiKey))
    : Either.left(
        new ProviderFailure({
          code: "credential_invalid",
          isLocal: true,
          detail: "Name.com accepts the name of a user, without a colon, and an API token, in ASCII without spaces"
        })
      )

/** A record that is there already means that the zone has changed. */
const interpretResponse = ({ status, text }: ProviderResponse): ResponseMeaning | undefined =>
  status === 400 && /duplicate record/i.test(text) ? { kind: "conflict" } : undefined

/** A domain of the account, with the name servers to which it is delegated. */
const NamecomDomain = Schema.Struct({ domainName: Schema.String, nameservers: Schema.Array(Schema.String) })

/** Name.com's own name servers have names like ns1cvw.name.com; any other serves nothing of what is written here. */
const isOfNamecom = (nameServer: string): boolean => /^ns\d[a-z]{3}\.name\.com$/.test(normalizeName(nameServer))

/** A page of the records of a zone; the number of the next one is there only if there is one. */
export const NamecomPage = Schema.Struct({
  records: longArray(NamecomRecord),
  nextPage: Schema.optional(Schema.NullOr(Schema.Number)),
  totalCount: Schema.optional(Schema.Number)
})

const readRecords = (
  api: JsonApi,
  path: string,
  { snapshot: timeout }: Timeouts
): Effect.Effect<ReadonlyArray<NamecomRecord>, ProviderError> =>
  api.list({
    path,
    paging: byNumber(1000, "perPage"),
    schema: NamecomPage,
    toPage: ({ nextPage, records: items, totalCount: total }, page) => ({
      items,
      total,
      next: (nextPage ?? 0) > page ? (nextPage ?? undefined) : undefined
    }),
    identify: ({ id }) => id,
    // 20 calls a second.
    pause: "50 millis",
    timeout
  })

const writeStep = (
  api: JsonApi,
  records: string,
  step: RecordStep<NamecomRecord>,
  zone: string
): Effect.Effect<void, ProviderError> => {
  const write = (method: "POST" | "PUT", path: string, body: unknown) =>
    Effect.asVoid(api.call({ method, path, body, schema: NamecomRecord }))
  if (step.action === "create") return write("POST", records, toRecordBody(step.record, zone))
  const path = `${records}/${step.stored.id}`
  return Effect.mapError(
    step.action === "remove" ? api.remove(path) : write("PUT", path, toRecordBody(step.record, zone)),
    toRecordAbsent
  )
}
