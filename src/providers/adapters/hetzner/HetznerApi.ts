import type { HttpClient } from "@effect/platform"
import { Effect, type Redacted, Schedule, Schema } from "effect"
import { toZoneHost } from "../../../domain/names/DomainName.ts"
import { inScheme } from "../../apiAuthorization.ts"
import { byNumber, longArray, makeJsonApi } from "../../JsonApi.ts"
import type { Timeouts } from "../../ProviderClient.ts"
import { failAfter, makeKindLookup, ProviderError } from "../../ProviderError.ts"
import type { RecordSet } from "../../writing/RecordSet.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"

/** A zone. Sets without a TTL have its `ttl` (seconds); in the mode `secondary` it is a copy. */
const HetznerZone = Schema.Struct({
  id: Schema.Number,
  name: Schema.String,
  mode: Schema.String,
  ttl: Schema.Number,
  authoritative_nameservers: Schema.Struct({ assigned: Schema.Array(Schema.String) })
})
export type HetznerZone = typeof HetznerZone.Type

const OptionalNumber = Schema.NullOr(Schema.Number)

const HetznerRecord = Schema.Struct({ value: Schema.String, comment: Schema.optional(Schema.String) })
export type HetznerRecord = typeof HetznerRecord.Type

/** A set. Its name is relative to the zone (`@` at the apex), and so is a target without a final dot. */
const HetznerSet = Schema.Struct({
  name: Schema.String,
  type: Schema.String,
  ttl: OptionalNumber,
  protection: Schema.Struct({ change: Schema.Boolean }),
  records: Schema.Array(HetznerRecord)
})
export type HetznerSet = typeof HetznerSet.Type

const Pagination = Schema.Struct({
  pagination: Schema.Struct({ next_page: OptionalNumber, total_entries: OptionalNumber })
})

/** The answers of the API: a zone, a page of sets, and the action that makes an accepted change. */
export const hetznerAnswers = {
  zone: Schema.Struct({ zone: HetznerZone }),
  sets: Schema.Struct({ rrsets: longArray(HetznerSet), meta: Pagination }),
  action: Schema.Struct({
    action: Schema.Struct({
      id: Schema.Number,
      status: Schema.Literal("running", "success", "error"),
      error: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String }))
    })
  })
}

/** Makes the calls to the API with the token of one project. */
export const makeHetznerApi = (http: HttpClient.HttpClient, token: Redacted.Redacted, timeouts: Timeouts) => {
  const api = makeJsonApi({
    http,
    baseUrl: "https://api.hetzner.cloud/v1",
    authorization: inScheme("Bearer", token),
    interpret: interpretError,
    timeout: timeouts.call
  })
  // A failed poll does not stop the action: polling ends at the timeout only.
  const awaitEnd = (id: number) =>
    api.call({ method: "GET", path: `/zones/actions/${id}`, schema: hetznerAnswers.action }).pipe(
      Effect.flatMap((answer) => (answer.action.status === "running" ? stillRunning : Effect.succeed(answer))),
      Effect.retry(untilEnded),
      failAfter(timeouts.snapshot, `action ${id} has not ended`)
    )
  return {
    findZone: (name: string) =>
      Effect.map(api.call({ method: "GET", path: `/zones/${name}`, schema: hetznerAnswers.zone }), ({ zone }) => zone),
    makeSetLister: ({ id, name: zone }: HetznerZone) =>
      api.makeLister({
        path: `/zones/${id}/rrsets`,
        paging: byNumber(100),
        queryAt: (name) => ({ name: toZoneHost(name, zone) }),
        schema: hetznerAnswers.sets,
        toPage: ({ meta: { pagination }, rrsets }) => ({
          items: rrsets,
          total: pagination.total_entries ?? undefined,
          next: pagination.next_page ?? undefined
        }),
        identify: ({ name, type }) => `${name} ${type}`,
        timeout: timeouts.snapshot
      }),
    /** Starts an action on a set; ends when it has ended, and fails with its error. */
    act: (zone: HetznerZone, { name, type }: Pick<RecordSet, "name" | "type">, { action, body }: SetAction) => {
      const host = name === zone.name ? "@" : encodeURIComponent(toZoneHost(name, zone.name))
      const path = `/zones/${zone.id}/rrsets/${host}/${type}/actions/${action}`
      return api.call({ method: "POST", path, body, schema: hetznerAnswers.action }).pipe(
        Effect.retry({ while: ({ kind }) => kind === "busy", schedule: untilFree }),
        Effect.flatMap(({ action }) =>
          action.status === "running" ? awaitEnd(action.id) : Effect.succeed({ action })
        ),
        Effect.flatMap(({ action: { error, status } }) => (status === "error" ? toActionError(error) : Effect.void))
      )
    }
  }
}

/** What is done to a set. */
export interface SetAction {
  readonly action: "add_records" | "remove_records" | "set_records" | "change_ttl"
  readonly body: unknown
}

const stillRunning = new ProviderError({ kind: "busy", detail: "the action is still running" })

/** Actions took 2 to 17 seconds when they were recorded. */
const untilEnded = Schedule.union(Schedule.exponential("250 millis"), Schedule.spaced("2 seconds"))

/** 16 seconds altogether, as long as another action may take. */
const untilFree = Schedule.intersect(Schedule.exponential("250 millis"), Schedule.recurs(6))

const interpretError = ({ status, text }: ProviderResponse): ResponseMeaning | undefined => {
  // `RateLimit-Reset` is when the quota of the whole hour is back; each second brings one call.
  if (status === 429) return { kind: "rate_limited", retryAfter: "10" }
  const kind = status < 400 ? undefined : kindOf(/"code":\s*"(\w+)"/.exec(text)?.[1] ?? "")
  return kind && { kind }
}

const toActionError = (error: { readonly code: string; readonly message: string } | null) =>
  new ProviderError({
    kind: kindOf(error?.code ?? "") ?? "rejected",
    detail: `the action failed: ${error === null ? "no reason" : `${error.code} ${error.message}`}`
  })

/** What the API means by its words, as hcloud-go explains them; for the others, the status says it. */
const kindOf = makeKindLookup([
  // "The resource has changed during the request, please retry"; "Item is locked (Another action is running)".
  ["busy", "conflict", "locked"],
  ["locked", "resource_locked", "protected", "incorrect_zone_mode"],
  ["conflict", "uniqueness_error"],
  ["forbidden", "token_readonly"],
  ["rejected", "resource_limit_exceeded"],
  ["failing", "maintenance", "resource_unavailable", "server_error", "service_error", "timeout"]
])
