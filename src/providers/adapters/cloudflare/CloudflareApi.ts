import type { HttpClient } from "@effect/platform"
import { Effect, Option, Record, type Redacted, Schema } from "effect"
import { inScheme } from "../../apiAuthorization.ts"
import { byNumber, longArray, makeJsonApi } from "../../JsonApi.ts"
import type { Timeouts } from "../../ProviderClient.ts"
import { makeKindLookup, orIfForbidden, type ProviderError } from "../../ProviderError.ts"
import type { ProviderResponse } from "../../callProvider.ts"
import { admitsZone } from "../../zoneLimits.ts"
import { CloudflareRecord } from "./cloudflareRecords.ts"

const NameServers = Schema.optionalWith(Schema.Array(Schema.String), { nullable: true, default: () => [] })

/** A zone, by a name that may be in Unicode. Cloudflare serves it if it is `active`, and edits it if it is `full`. */
const CloudflareZone = Schema.Struct({
  id: Schema.NonEmptyString,
  name: Schema.String,
  status: Schema.String,
  type: Schema.String,
  name_servers: NameServers,
  vanity_name_servers: NameServers,
  plan: Schema.optionalWith(Schema.Struct({ legacy_id: Schema.optional(Schema.String) }), { nullable: true })
})
export type CloudflareZone = typeof CloudflareZone.Type

export const makeCloudflareApi = (http: HttpClient.HttpClient, secret: Redacted.Redacted, timeouts: Timeouts) => {
  const baseUrl = "https://api.cloudflare.com/client/v4"
  const authorization = inScheme("Bearer", secret)
  const makeApi = (notAuthenticated: ProviderError["kind"]) =>
    makeJsonApi({ http, baseUrl, authorization, timeout: timeouts.call, interpret: interpretWhere(notAuthenticated) })
  const accounts = makeApi("credential_refused")
  // A token that finds a zone is valid: what is refused inside the zone is beyond its permissions.
  const zones = makeApi("forbidden")
  return {
    /** Finds the zones of a name in all accounts of the token. */
    findZones: (name: string) =>
      accounts.call({ method: "GET", path: "/zones", query: { name, per_page: 50 }, schema: listOf(CloudflareZone) }),
    makeRecordLister: (zoneId: string) =>
      zones.makeLister({
        path: `/zones/${zoneId}/dns_records`,
        paging: byNumber(recordsPerPage),
        queryAt: (name) => ({ name }),
        schema: listOf(CloudflareRecord),
        toPage: ({ result: items, result_info: { per_page, total_count: total } }, page) => {
          return { items, total, next: page * per_page < total ? page + 1 : undefined }
        },
        identify: ({ id }) => id,
        timeout: timeouts.snapshot
      }),
    /** Reads whether a zone flattens every alias, which free plans cannot choose ("CNAME flattening"). */
    flattensAll: ({ id, plan }: CloudflareZone) =>
      plan?.legacy_id === "free"
        ? Effect.succeed(false)
        : zones.call({ method: "GET", path: `/zones/${id}/dns_settings`, schema: DnsSettings }).pipe(
            Effect.map(({ result }) => result.flatten_all_cnames),
            orIfForbidden(false)
          ),
    /** Makes all of `deletes`, `patches` and `posts` in this order, or none of them. */
    writeBatch: (zoneId: string, batch: Readonly<Record<string, ReadonlyArray<unknown>>>) => {
      const body = Record.filter(batch, ({ length }) => length > 0)
      const path = `/zones/${zoneId}/dns_records/batch`
      return Effect.asVoid(zones.call({ method: "POST", path, body, schema: Success, admits: admitsZone }))
    }
  }
}

/** The most that most plans may have. An answer says whether its pages are smaller; 1,200 calls in 5 minutes are allowed. */
const recordsPerPage = 5000

const DnsSettings = Schema.Struct({ result: Schema.Struct({ flatten_all_cnames: Schema.Boolean }) })
const Success = Schema.Struct({ success: Schema.Literal(true) })

const listOf = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.Struct({
    ...Success.fields,
    result: longArray(item),
    result_info: Schema.Struct({
      per_page: Schema.optionalWith(Schema.Positive, { default: () => recordsPerPage }),
      total_count: Schema.Number
    })
  })

const ErrorEntry = Schema.Struct({ code: Schema.Number, message: Schema.String })
const decodeErrors = Schema.decodeOption(Schema.parseJson(Schema.Struct({ errors: Schema.Array(ErrorEntry) })))

/** The codes decide, not the status. What "Authentication error" means depends on what was called. */
const interpretWhere =
  (notAuthenticated: ProviderError["kind"]) =>
  ({ status, text }: ProviderResponse) => {
    if (status < 400 && !/"success":\s*false/.test(text)) return undefined
    const { errors } = Option.getOrElse(decodeErrors(text), () => ({ errors: [] }))
    const [kind = status < 400 ? "rejected" : undefined] = errors.flatMap(({ code, message }) => {
      if (code === 10_000) return notAuthenticated
      // "Unauthorized to access requested resource", beside "Invalid access token".
      return code === 9109 && /unauthorized/i.test(message) ? "forbidden" : (kindOf(code) ?? [])
    })
    return kind && { kind }
  }

const kindOf = makeKindLookup([
  ["rate_limited", 971],
  // Zones below some top-level domains are only edited in the dashboard; the quota of records is exceeded.
  ["not_entitled", 1038, 81_045],
  ["credential_refused", 6003, 6111, 9109],
  ["absent", 7003],
  ["record_absent", 81_044],
  // An alias or other records have the name, or the record exists.
  ["conflict", 81_053, 81_054, 81_057, 81_058]
])
