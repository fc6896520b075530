import { Duration, Effect, Either, Option, Redacted, Schema } from "effect"
import { normalizeName } from "../../../domain/names/DomainName.ts"
import type { Credential } from "../../../domain/provider/Credential.ts"
import { type ApiAuthorization, inBody } from "../../apiAuthorization.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { checkDelegation, defaultTimeouts } from "../../ProviderClient.ts"
import { ProviderError, toOpenFailure } from "../../ProviderError.ts"
import { ProviderFailure } from "../../ProviderFailure.ts"
import { makeSingleRecordZoneClient, type RecordStep } from "../../writing/makeSingleRecordZoneClient.ts"
import { jsonZoneLimits, readAdmitted } from "../../zoneLimits.ts"
import { makePorkbunCheck, PorkbunRecord, toRecordBody, toZoneRecord } from "./PorkbunRecord.ts"

/** The client of Porkbun: POSTs with key and secret in the body, for one record, without conditional writes. */
export const makePorkbunClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "api_key_secret",
  openZone: Effect.fnUntraced(function* (request) {
    const { zone } = request
    const api = makeJsonApi({
      http,
      baseUrl: "https://api.porkbun.com/api/json/v3",
      authorization: yield* authorizeWith(request.credential),
      interpret: interpretResponse,
      timeout: timeouts.call
    })
    yield* Effect.mapError(readRecords(api, zone), toOpenFailure)
    yield* checkDelegation(request.nameServers.filter(isOfPorkbun), request)
    return makeSingleRecordZoneClient<PorkbunRecord>(
      {
        limits,
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        // A zone comes in one answer, so that a filter would save no call.
        listRecords: () => readRecords(api, zone),
        toRecord: (stored) => toZoneRecord(stored, zone),
        write: ([step]) => writeStep(api, zone, step),
        checkRecord: makePorkbunCheck(request)
      },
      request
    )
  })
})

/** Both halves of a key; their beginnings tell them apart, so that one does not stand in place of the other. */
const authorizeWith = (credential: Credential): Either.Either<ApiAuthorization, ProviderFailure> =>
  credential._tag === "api_key_secret" &&
  /^pk\d*_[!-~]+$/.test(Redacted.value(credential.apiKey)) &&
  /^sk\d*_[!-~]+$/.test(Redacted.value(credential.apiSecret))
    ? Either.right(inBody({ apikey: credential.apiKey, secretapikey: credential.apiSecret }))
    : Either.left(notAKey)

const notAKey = new ProviderFailure({
  code: "credential_invalid",
  isLocal: true,
  detail: "Porkbun accepts an API key, which begins with pk1_, with its secret key, which begins with sk1_"
})

/** The API does not tell the name servers of a zone; these serve the zones of all customers. */
const isOfPorkbun = (nameServer: string): boolean => /^[a-z0-9-]+\.(ns\.)?porkbun\.com$/.test(normalizeName(nameServer))

const PorkbunRefusal = Schema.parseJson(
  Schema.Struct({
    status: Schema.Literal("ERROR"),
    message: Schema.optionalWith(Schema.String, { default: () => "" }),
    code: Schema.optionalWith(Schema.String, { default: () => "" }),
    /** Seconds, after too many calls. */
    ttlRemaining: Schema.optional(Schema.Union(Schema.Number, Schema.NumberFromString))
  })
)

const decodeRefusal = Schema.decodeUnknownOption(PorkbunRefusal)

/** A refusal may come with any status, also 200; its words, and in newer answers its code, say what it means. */
const interpretResponse = ({ status, text }: ProviderResponse): ResponseMeaning | undefined => {
  // A challenge of the firewall, which comes in place of an answer after too many calls.
  if (status === 202) return { kind: "rate_limited" }
  const refusal = text.length > maxRefusalLength ? Option.none() : decodeRefusal(text)
  if (Option.isNone(refusal)) return undefined
  const { code, message, ttlRemaining } = refusal.value
  const [, kind] = meanings.find(([words]) => words.test(`${code} ${message}`)) ?? []
  if (kind === undefined) return status < 400 ? { kind: "rejected" } : undefined
  return { kind, ...(ttlRemaining === undefined ? {} : { retryAfter: String(ttlRemaining) }) }
}

const maxRefusalLength = 10_000

const meanings: ReadonlyArray<readonly [RegExp, ProviderError["kind"]]> = [
  [/invalid api key|^(INVALID_(API_KEYS|TOKEN|USER)|MISSING_(SECRET)?APIKEY|API_KEY_REQUIRED)/i, "credential_refused"],
  [/not opted in to api access/i, "not_entitled"],
  [/^(DOMAIN|IP)_NOT_ALLOWED/, "forbidden"],
  [/invalid domain|^(INVALID_DOMAIN|DOMAIN_NOT_FOUND)/i, "absent"],
  [/invalid record id|^INVALID_RECORD_ID/i, "record_absent"],
  [/already exists|^DUPLICATE_RECORD/i, "conflict"],
  [/^RATE_LIMIT_EXCEEDED/, "rate_limited"]
]

/** Where a customer lets programs change one of the domains, which no key does by itself. */
const addHint = (error: ProviderError): ProviderError =>
  error.kind === "not_entitled"
    ? new ProviderError({
        ...error,
        detail: `${error.detail}; it is switched on at Porkbun: Domain Management, Details of the domain, API Access`
      })
    : error

const Done = Schema.Struct({ status: Schema.Literal("SUCCESS") })

export const PorkbunRecords = Schema.Struct({ ...Done.fields, records: longArray(PorkbunRecord) })

const Created = Schema.Struct({ ...Done.fields, id: PorkbunRecord.fields.id })

const readRecords = (api: JsonApi, zone: string): Effect.Effect<ReadonlyArray<PorkbunRecord>, ProviderError> =>
  readAdmitted(
    (admits) => api.call({ method: "POST", path: `/dns/retrieve/${zone}`, schema: PorkbunRecords, admits }),
    jsonZoneLimits
  ).pipe(Effect.mapBoth({ onFailure: addHint, onSuccess: ({ records }) => records }))

const writeStep = (api: JsonApi, zone: string, step: RecordStep<PorkbunRecord>): Effect.Effect<void, ProviderError> => {
  const post = <A, I>(path: string, schema: Schema.Schema<A, I>) =>
    api.call({
      method: "POST",
      path,
      schema,
      ...(step.action === "remove" ? {} : { body: toRecordBody(step.record, zone) })
    })
  const written =
    step.action === "create"
      ? post(`/dns/create/${zone}`, Created)
      : post(
          `/dns/${step.action === "replace" ? "edit" : "delete"}/${zone}/${encodeURIComponent(step.stored.id)}`,
          Done
        )
  return Effect.mapError(Effect.asVoid(written), addHint)
}
