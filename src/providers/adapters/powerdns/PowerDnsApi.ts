import { HttpBody, type HttpClient, HttpClientRequest } from "@effect/platform"
import { type Duration, Effect, Either, Redacted, Schema } from "effect"
import { computeInSlices } from "../../../runtime/computeInSlices.ts"
import type { DomainName } from "../../../domain/names/DomainName.ts"
import { parseOrigin } from "../../../domain/names/Origin.ts"
import type { Timeouts } from "../../ProviderClient.ts"
import { ProviderError } from "../../ProviderError.ts"
import { callProvider, requireNoContent } from "../../callProvider.ts"
import { admitsZone, jsonZoneLimits, readAdmitted } from "../../zoneLimits.ts"
import { parseStoredZone, type PowerDnsRecord, type PowerDnsRRset, type PowerDnsZone } from "./parseStoredZone.ts"

/**
 * A PowerDNS server; `baseUrl` without `/api/v1`. Credentials go there: plain `http` is for loopback alone unless
 * `allowPlainHttp` accepts it.
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

/** Replaces an RRset with all its records, or deletes it. */
export type PowerDnsRRsetChange = { readonly name: string; readonly type: string } & (
  | { readonly changetype: "REPLACE"; readonly ttl: number; readonly records: ReadonlyArray<PowerDnsRecord> }
  | { readonly changetype: "DELETE" }
)

/** A key of the API, or a bearer token for a proxy in front of it (RFC 6750). */
interface PowerDnsCredential {
  readonly kind: "api_token" | "oauth_token"
  readonly secret: Redacted.Redacted
}

/** Calls the API of PowerDNS for one zone with one credential. */
interface PowerDnsApi {
  /** Reads the kind of the zone, which says whether the server is its primary, and its name servers. */
  readonly readHeader: Effect.Effect<PowerDnsZone, ProviderError>
  /** Reads the RRsets that are needed of the whole zone. */
  readonly readRRsets: (
    isNeeded: (rrset: PowerDnsRRset) => boolean
  ) => Effect.Effect<ReadonlyArray<PowerDnsRRset>, ProviderError>
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
  const secrets = [secret]
  const authorized = HttpClientRequest.setHeaders({
    ...(kind === "api_token"
      ? { "x-api-key": Redacted.value(secret) }
      : { authorization: `Bearer ${Redacted.value(secret)}` }),
    accept: "application/json"
  })
  const readZone = (
    query: Readonly<Record<string, string>>,
    timeout: Duration.DurationInput,
    isNeeded: (rrset: PowerDnsRRset) => boolean
  ) =>
    readAdmitted(
      (admits) =>
        callProvider(http, authorized(HttpClientRequest.get(url, { urlParams: query })), { admits, secrets, timeout }),
      jsonZoneLimits
    ).pipe(
      Effect.flatMap(({ excerpt, text }) =>
        computeInSlices(parseStoredZone(text, isNeeded, () => `not the expected JSON: ${excerpt}`))
      ),
      Effect.flatten
    )
  return {
    // The filter leaves out disabled records, so only this call uses it. Servers before 4.7 ignore it.
    readHeader: Effect.mapError(
      readZone({ rrset_name: `${zone}.`, rrset_type: "NS" }, timeouts.call, ({ type }) => type === "NS"),
      toAbsentBefore44
    ),
    readRRsets: (isNeeded) => Effect.map(readZone({}, timeouts.snapshot, isNeeded), ({ rrsets }) => rrsets),
    patchRRsets: (rrsets) =>
      callProvider(http, authorized(HttpClientRequest.patch(url, { body: HttpBody.unsafeJson({ rrsets }) })), {
        admits: admitsZone,
        secrets,
        timeout: timeouts.call
      }).pipe(Effect.flatMap(requireNoContent))
  }
}

/** Servers before 4.4 answer 422 for a zone that they do not have. */
const toAbsentBefore44 = (error: ProviderError): ProviderError =>
  error.kind === "rejected" ? new ProviderError({ ...error, kind: "absent" }) : error
