import { HttpBody, type HttpClient, HttpClientRequest } from "@effect/platform"
import { type Duration, Effect, Redacted, Schema } from "effect"
import type { DomainName } from "../../domain/DomainName.ts"
import type { Patience } from "../Patience.ts"
import { call, decoded, type HttpAnswer } from "../ProviderHttp.ts"
import { Trouble } from "../Trouble.ts"

/** Where a PowerDNS server has its API; `baseUrl` without the path `/api/v1`. */
export const PowerDnsSettings = Schema.Struct({
  baseUrl: Schema.String.pipe(
    Schema.filter((url) => (/^https?:\/\/[^?#@]+$/.test(url) && URL.canParse(url)) || "must be an http or https URL")
  ),
  serverId: Schema.optionalWith(Schema.NonEmptyString, { default: () => "localhost" })
})
export type PowerDnsSettings = typeof PowerDnsSettings.Type

const StoredRecord = Schema.Struct({ content: Schema.String, disabled: Schema.Boolean })
export type StoredRecord = typeof StoredRecord.Type

/** A record set as PowerDNS keeps it: names end in a dot, `ttl` in seconds. */
const Rrset = Schema.Struct({
  name: Schema.String,
  type: Schema.String,
  ttl: Schema.Number,
  records: Schema.Array(StoredRecord)
})
export type Rrset = typeof Rrset.Type

const StoredZone = Schema.Struct({ kind: Schema.String, rrsets: Schema.Array(Rrset) })

/** A record set that is written anew as a whole, with all its members, or deleted. */
export type RrsetChange = { readonly name: string; readonly type: string } & (
  | { readonly changetype: "REPLACE"; readonly ttl: number; readonly records: ReadonlyArray<StoredRecord> }
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
  readonly head: Effect.Effect<typeof StoredZone.Type, Trouble>
  readonly rrsets: Effect.Effect<ReadonlyArray<Rrset>, Trouble>
  /** One transaction. */
  readonly patch: (rrsets: ReadonlyArray<RrsetChange>) => Effect.Effect<void, Trouble>
}

export const powerDnsApi = (
  http: HttpClient.HttpClient,
  { baseUrl, serverId }: PowerDnsSettings,
  {
    credential: { kind, secret },
    patience,
    zone
  }: {
    readonly credential: PowerDnsCredential
    readonly patience: Patience
    readonly zone: DomainName
  }
): PowerDnsApi => {
  const url = `${baseUrl.replace(/\/$/, "")}/api/v1/servers/${encodeURIComponent(serverId)}/zones/${zone}.`
  const limits = { size: maxZoneBytes, secrets: [secret] }
  const authorized = HttpClientRequest.setHeaders({
    ...(kind === "api_token"
      ? { "x-api-key": Redacted.value(secret) }
      : { authorization: `Bearer ${Redacted.value(secret)}` }),
    accept: "application/json"
  })
  const get = (query: Readonly<Record<string, string>>, time: Duration.DurationInput) =>
    call(http, authorized(HttpClientRequest.get(url, { urlParams: query })), { ...limits, time }).pipe(
      Effect.flatMap(decoded(StoredZone))
    )
  return {
    // The filter leaves disabled records out, so that it is of use for this alone. Servers before 4.7 ignore it.
    head: Effect.mapError(get({ rrset_name: `${zone}.`, rrset_type: "NS" }, patience.call), absentBefore44),
    rrsets: Effect.map(get({}, patience.snapshot), ({ rrsets }) => rrsets),
    patch: (rrsets) =>
      call(http, authorized(HttpClientRequest.patch(url, { body: HttpBody.unsafeJson({ rrsets }) })), {
        ...limits,
        time: patience.call
      }).pipe(Effect.flatMap(done))
  }
}

/** 200,000 records have about 27 MB. */
const maxZoneBytes = 32 * 1024 * 1024

/** A zone that it does not have was 422 to servers before 4.4. */
const absentBefore44 = (trouble: Trouble): Trouble =>
  trouble.kind === "rejected" ? new Trouble({ ...trouble, kind: "absent" }) : trouble

const done = ({ status }: HttpAnswer): Effect.Effect<void, Trouble> =>
  status === 204
    ? Effect.void
    : Effect.fail(new Trouble({ kind: "malformed", detail: `${status} in place of 204 No Content` }))
