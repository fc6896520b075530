import { HttpBody, type HttpClient, HttpClientRequest } from "@effect/platform"
import { type Duration, Effect, Either, Redacted, Schema } from "effect"
import type { DomainName } from "../../../domain/DomainName.ts"
import { parseOrigin } from "../../../domain/Origin.ts"
import type { Timeouts } from "../../ProviderClient.ts"
import { ProviderError } from "../../ProviderError.ts"
import { callProvider, decodeBody, type ProviderResponse } from "../../callProvider.ts"

/**
 * The API of a PowerDNS server; `baseUrl` without the path `/api/v1`. The credentials of customers are sent there: plain `http`
 * is for loopback, or wherever `allowPlainHttp` accepts it.
 */
export const PowerDnsSettings = Schema.Struct({
  baseUrl: Schema.String.pipe(
    Schema.filter((url) => (/^https?:\/\/[^?#@]+$/.test(url) && URL.canParse(url)) || "must be an http or https URL")
  ),
  allowPlainHttp: Schema.optionalWith(Schema.Boolean, { exact: true }),
  serverId: Schema.optionalWith(Schema.NonEmptyString, { default: () => "localhost" })
}).pipe(
  Schema.filter(({ allowPlainHttp, baseUrl }) =>
    allowPlainHttp === true || Either.isRight(parseOrigin(new URL(baseUrl).origin))
      ? undefined
      : {
          path: ["baseUrl"],
          message: "must be an https URL; with allowPlainHttp, credentials are sent over plain http"
        }
  )
)
export type PowerDnsSettings = typeof PowerDnsSettings.Type

const PowerDnsRecord = Schema.Struct({ content: Schema.String, disabled: Schema.Boolean })
export type PowerDnsRecord = typeof PowerDnsRecord.Type

/** An RRset as PowerDNS stores it: names end in a dot, `ttl` is in seconds. */
const PowerDnsRRset = Schema.Struct({
  name: Schema.String,
  type: Schema.String,
  ttl: Schema.Number,
  records: Schema.Array(PowerDnsRecord)
})
export type PowerDnsRRset = typeof PowerDnsRRset.Type

const StoredZone = Schema.Struct({ kind: Schema.String, rrsets: Schema.Array(PowerDnsRRset) })

/** Replaces an RRset with all its records, or deletes it. */
export type PowerDnsRRsetChange = { readonly name: string; readonly type: string } & (
  | { readonly changetype: "REPLACE"; readonly ttl: number; readonly records: ReadonlyArray<PowerDnsRecord> }
  | { readonly changetype: "DELETE" }
)

/** A key of the API, or a bearer token for a proxy in front of it (RFC 6750). */
export interface PowerDnsCredential {
  readonly kind: "api_token" | "oauth_token"
  readonly secret: Redacted.Redacted
}

/** Calls the API of PowerDNS for one zone with one credential. */
export interface PowerDnsApi {
  /** Reads the kind of the zone, which says whether the server is its primary, and its name servers. */
  readonly readHeader: Effect.Effect<typeof StoredZone.Type, ProviderError>
  readonly readRRsets: Effect.Effect<ReadonlyArray<PowerDnsRRset>, ProviderError>
  /** Writes the changes in one transaction. */
  readonly patchRRsets: (rrsets: ReadonlyArray<PowerDnsRRsetChange>) => Effect.Effect<void, ProviderError>
}

export const makePowerDnsApi = (
  http: HttpClient.HttpClient,
  { baseUrl, serverId }: PowerDnsSettings,
  {
    credential: { kind, secret },
    timeouts,
    zone
  }: {
    readonly credential: PowerDnsCredential
    readonly timeouts: Timeouts
    readonly zone: DomainName
  }
): PowerDnsApi => {
  const url = `${baseUrl.replace(/\/$/, "")}/api/v1/servers/${encodeURIComponent(serverId)}/zones/${zone}.`
  const limits = { maxBytes: maxZoneBytes, secrets: [secret] }
  const authorized = HttpClientRequest.setHeaders({
    ...(kind === "api_token"
      ? { "x-api-key": Redacted.value(secret) }
      : { authorization: `Bearer ${Redacted.value(secret)}` }),
    accept: "application/json"
  })
  const readZone = (query: Readonly<Record<string, string>>, timeout: Duration.DurationInput) =>
    callProvider(http, authorized(HttpClientRequest.get(url, { urlParams: query })), { ...limits, timeout }).pipe(
      Effect.flatMap(decodeBody(StoredZone))
    )
  return {
    // The filter leaves out disabled records, so only this call uses it. Servers before 4.7 ignore it.
    readHeader: Effect.mapError(
      readZone({ rrset_name: `${zone}.`, rrset_type: "NS" }, timeouts.call),
      toAbsentBefore44
    ),
    readRRsets: Effect.map(readZone({}, timeouts.snapshot), ({ rrsets }) => rrsets),
    patchRRsets: (rrsets) =>
      callProvider(http, authorized(HttpClientRequest.patch(url, { body: HttpBody.unsafeJson({ rrsets }) })), {
        ...limits,
        timeout: timeouts.call
      }).pipe(Effect.flatMap(requireNoContent))
  }
}

/** 200,000 records are about 27 MB. */
const maxZoneBytes = 32 * 1024 * 1024

/** Servers before 4.4 answer 422 for a zone that they do not have. */
const toAbsentBefore44 = (error: ProviderError): ProviderError =>
  error.kind === "rejected" ? new ProviderError({ ...error, kind: "absent" }) : error

const requireNoContent = ({ status }: ProviderResponse): Effect.Effect<void, ProviderError> =>
  status === 204
    ? Effect.void
    : Effect.fail(new ProviderError({ kind: "malformed", detail: `${status} instead of 204 No Content` }))
