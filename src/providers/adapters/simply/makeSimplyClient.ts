import { Duration, Effect, Either, Option, Redacted, Schema } from "effect"
import { normalizeName } from "../../../domain/names/DomainName.ts"
import type { Credential } from "../../../domain/provider/Credential.ts"
import { type ApiAuthorization, inBasicScheme } from "../../apiAuthorization.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { checkDelegation, defaultTimeouts } from "../../ProviderClient.ts"
import { makeKindLookup, type ProviderError, toOpenFailure, toRecordAbsent } from "../../ProviderError.ts"
import { makeZoneMismatch, ProviderFailure } from "../../ProviderFailure.ts"
import { makeSingleRecordZoneClient, type RecordStep } from "../../writing/makeSingleRecordZoneClient.ts"
import { jsonZoneLimits, readAdmitted } from "../../zoneLimits.ts"
import { makeSimplyCheck, SimplyRecord, toRecordBody, toZoneRecord } from "./SimplyRecord.ts"

/** The client of Simply.com. Each call writes one record, and the API has no conditional writes. */
export const makeSimplyClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "username_api_key",
  openZone: Effect.fnUntraced(function* (request) {
    const { zone } = request
    const api = makeJsonApi({
      http,
      baseUrl: "https://api.simply.com/2",
      authorization: yield* authorizeWith(request.credential),
      interpret: interpretResponse,
      timeout: timeouts.call
    })
    const path = yield* findZonePath(api, zone)
    yield* checkDelegation(request.nameServers.filter(isOfSimply), request)
    const records = `${path}records/`
    return makeSingleRecordZoneClient<SimplyRecord>(
      {
        limits,
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        // A zone comes in one answer, and there is no filter.
        listRecords: () => Effect.map(readWhole(api, records, SimplyRecords), (answer) => answer.records),
        toRecord: (stored) => toZoneRecord(stored, zone),
        write: ([step]) => writeStep(api, records, step, zone),
        checkRecord: makeSimplyCheck(request)
      },
      request
    )
  })
})

/** The number of an account, as S123456, has no colon (RFC 7617 section 2). */
const authorizeWith = (credential: Credential): Either.Either<ApiAuthorization, ProviderFailure> =>
  credential._tag === "username_api_key" &&
  /^[!-9;-~]+$/.test(credential.username) &&
  /^[!-~]+$/.test(Redacted.value(credential.apiKey))
    ? Either.right(inBasicScheme(credential.username, credential.apiKey))
    : Either.left(
        new ProviderFailure({
          code: "credential_invalid",
          isLocal: true,
          detail: "Simply.com accepts the number of an account, as S123456, and its API key, in ASCII without spaces"
        })
      )

/** The API does not tell which name servers the registry has; these serve the zones of all customers. */
const isOfSimply = (nameServer: string): boolean => /^ns\d\.simply\.com$/.test(normalizeName(nameServer))

const decodeStatus = Schema.decodeUnknownOption(
  Schema.parseJson(
    Schema.Struct({
      status: Schema.Number,
      message: Schema.optionalWith(Schema.String, { default: () => "" })
    })
  )
)

/** Each answer has a status in its body; its message, and then this status, say what a refusal means. */
const interpretResponse = ({ status, text }: ProviderResponse): ResponseMeaning | undefined => {
  const body = text.length > maxRefusalLength ? Option.none() : decodeStatus(text)
  if (Option.isNone(body) || body.value.status === 200) return undefined
  const [, meant] = meanings.find(([words]) => words.test(body.value.message)) ?? []
  const kind = meant ?? (status < 400 ? kindOf(body.value.status) : undefined)
  return kind === undefined ? undefined : { kind }
}

const maxRefusalLength = 10_000

const meanings: ReadonlyArray<readonly [RegExp, ProviderError["kind"]]> = [
  [/invalid account authorization/i, "credential_refused"],
  [/invalid product/i, "absent"],
  [/unknown dns record/i, "record_absent"]
]

const kindOf = (status: number): ProviderError["kind"] =>
  status < 400 ? "malformed" : (kindOfStatus(status) ?? (status < 500 ? "rejected" : "failing"))

const kindOfStatus = makeKindLookup([
  ["credential_refused", 401],
  ["forbidden", 403],
  ["absent", 404],
  ["rate_limited", 429]
])

const SimplySuccess = Schema.Struct({ status: Schema.Literal(200) })

const SimplyProducts = Schema.Struct({
  ...SimplySuccess.fields,
  products: Schema.Array(
    Schema.Struct({
      /** What paths have in place of the domain; mostly, but not always, its name, perhaps in Unicode. */
      object: Schema.String,
      domain: Schema.optional(Schema.NullOr(Schema.Struct({ name: Schema.optional(Schema.NullOr(Schema.String)) })))
    })
  )
})

export const SimplyRecords = Schema.Struct({ ...SimplySuccess.fields, records: longArray(SimplyRecord) })

/** Finds the product with the zone of the domain; an account may have other products with its name. */
const findZonePath = (api: JsonApi, zone: string): Effect.Effect<string, ProviderFailure> =>
  Effect.gen(function* () {
    const { products } = yield* readWhole(api, "/my/products/", SimplyProducts)
    const named = products.filter(({ domain }) => normalizeName(domain?.name ?? "") === zone)
    const paths = named.map(({ object }) => `/my/products/${encodeURIComponent(object)}/dns/`)
    return yield* Effect.filter(paths, (path) => hasZone(api, path))
  }).pipe(
    Effect.mapError(toOpenFailure),
    Effect.flatMap(([path, ...others]) =>
      path !== undefined && others.length === 0
        ? Effect.succeed(path)
        : Effect.fail(makeZoneMismatch(`${path === undefined ? "no product has" : "several products have"} ${zone}`))
    )
  )

const hasZone = (api: JsonApi, path: string): Effect.Effect<boolean, ProviderError> =>
  Effect.catchIf(
    Effect.as(api.call({ method: "GET", path, schema: SimplySuccess }), true),
    ({ kind }) => kind === "absent",
    () => Effect.succeed(false)
  )

const readWhole = <A, I>(api: JsonApi, path: string, schema: Schema.Schema<A, I>): Effect.Effect<A, ProviderError> =>
  readAdmitted((admits) => api.call({ method: "GET", path, schema, admits }), jsonZoneLimits)

const writeStep = (
  api: JsonApi,
  records: string,
  step: RecordStep<SimplyRecord>,
  zone: string
): Effect.Effect<void, ProviderError> => {
  const write = (method: "DELETE" | "POST" | "PUT", path: string, body?: unknown) =>
    Effect.asVoid(api.call({ method, path, body, schema: SimplySuccess }))
  if (step.action === "create") return write("POST", records, toRecordBody(step.record, zone))
  const { comment, record_id } = step.stored
  const path = `${records}${record_id}/`
  return Effect.mapError(
    step.action === "remove" ? write("DELETE", path) : write("PUT", path, toRecordBody(step.record, zone, comment)),
    toRecordAbsent
  )
}
