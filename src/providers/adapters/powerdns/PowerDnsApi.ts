import { HttpBody, type HttpClient, HttpClientRequest } from "@effect/platform"
import { type Duration, Effect, Redacted, Schema } from "effect"
import type { DomainName } from "../../../domain/DomainName.ts"
import type { Timeouts } from "../../ProviderClient.ts"
import { ProviderError } from "../../ProviderError.ts"
import { callProvider, decodeBody, type ProviderResponse } from "../../callProvider.ts"

/** Where a PowerDNS server has its API; `baseUrl` without the path `/api/v1`. */
export const PowerDnsSettings = Schema.Struct({
  baseUrl: Schema.String.pipe(
    Schema.filter((url) => (/^https?:\/\/[^?#@]+$/.test(url) && URL.canParse(url)) || "must be an http or https URL")
  ),
  serverId: Schema.optionalWith(Schema.NonEmptyString, { default: () => "localhost" })
})
export type PowerDnsSettings = typeof PowerDnsSettings.Type

const PowerDnsRecord = Schema.Struct({ content: Schema.String, disabled: Schema.Boolean })
export type PowerDnsRecord = typeof PowerDnsRecord.Type

/** A record set as PowerDNS keeps it: names end in a dot, `ttl` in seconds. */
const PowerDnsRRset = Schema.Struct({
  name: Schema.String,
  type: Schema.String,
  ttl: Schema.Number,
  records: Schema.Array(PowerDnsRecord)
})
export type PowerDnsRRset = typeof PowerDnsRRset.Type

const StoredZone = Schema.Struct({ kind: Schema.String, rrsets: Schema.Array(PowerDnsRRset) })

/** A record set that is written anew as a whole, with all its members, or deleted. */
export type PowerDnsRRsetChange = { readonly name: string; readonly type: string } & (
  | { readonly changetype: "REPLACE"; readonly ttl: number; readonly records: ReadonlyArray<PowerDnsRecord> }
  | { readonly changetype: "DELETE" }
)

/** A key of the API, or a token for a proxy before it (RFC 6750). */
export interface PowerDnsCredential {
  readonly kind: "api_token" | "oauth_token"
  readonly secret: Redacted.Redacted
}

/** The three calls of the API of PowerDNS that are needed, for one zone and key. */
export interface PowerDnsApi {
  /** Whether the server is the primary of the zone, and the zone's name servers. */
  readonly readHeader: Effect.Effect<typeof StoredZone.Type, ProviderError>
  readonly readRRsets: Effect.Effect<ReadonlyArray<PowerDnsRRset>, ProviderError>
  /** One transaction. */
  readonly patchRRsets: (rrsets: ReadonlyArray<PowerDnsRRsetChange>) => Effect.Effect<void, ProviderError>
}

export const makePowerDnsApi = (
  http: HttpClient.HttpClient,
  { baseUrl, serverId }: PowerDnsSettings,
  {
    credential: { kind, secret },
    patience,
    zone
  }: {
    readonly credential: PowerDnsCredential
    readonly patience: Timeouts
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
  const get = (query: Readonly<Record<string, string>>, time: Duration.DurationInput) =>
    callProvider(http, authorized(HttpClientRequest.get(url, { urlParams: query })), { ...limits, timeout: time }).pipe(
      Effect.flatMap(decodeBody(StoredZone))
    )
  return {
    // The filter leaves disabled records out, so that it is of use for this alone. Servers before 4.7 ignore it.
    readHeader: Effect.mapError(get({ rrset_name: `${zone}.`, rrset_type: "NS" }, patience.call), absentBefore44),
    readRRsets: Effect.map(get({}, patience.snapshot), ({ rrsets }) => rrsets),
    patchRRsets: (rrsets) =>
      callProvider(http, authorized(HttpClientRequest.patch(url, { body: HttpBody.unsafeJson({ rrsets }) })), {
        ...limits,
        timeout: patience.call
      }).pipe(Effect.flatMap(done))
  }
}

/** 200,000 records have about 27 MB. */
const maxZoneBytes = 32 * 1024 * 1024

/** A zone that it does not have was 422 to servers before 4.4. */
const absentBefore44 = (trouble: ProviderError): ProviderError =>
  trouble.kind === "rejected" ? new ProviderError({ ...trouble, kind: "absent" }) : trouble

const done = ({ status }: ProviderResponse): Effect.Effect<void, ProviderError> =>
  status === 204
    ? Effect.void
    : Effect.fail(new ProviderError({ kind: "malformed", detail: `${status} in place of 204 No Content` }))
