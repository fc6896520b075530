import { Array, Duration, Effect } from "effect"
import { toUnicode } from "tr46"
import { normalizeTarget } from "../../../domain/names/DomainName.ts"
import type { ProviderLimits } from "../../../domain/provider/Provider.ts"
import { defaultTimeouts, selectDelegatedZone, type ZoneRequest } from "../../ProviderClient.ts"
import { toOpenFailure } from "../../ProviderError.ts"
import { makeCopyFailure, makeZoneMismatch } from "../../ProviderFailure.ts"
import { readToken } from "../../readToken.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { makeSingleRecordZoneClient, type RecordStep } from "../../writing/makeSingleRecordZoneClient.ts"
import { type CloudflareZone, makeCloudflareApi } from "./CloudflareApi.ts"
import { checkRecord, type CloudflareRecord, toRecordBody, toZoneRecord } from "./cloudflareRecords.ts"

/** The client for Cloudflare. One batch writes a plan as a whole, within limits; no conditional writes. */
export const makeCloudflareClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "api_token",
  openZone: Effect.fnUntraced(function* (request) {
    const token = yield* readToken(request.credential, { provider: "Cloudflare", takesOAuth: true })
    const api = makeCloudflareApi(http, token, timeouts)
    const zone = yield* findServedZone(api, request)
    const flattensAll = yield* Effect.mapError(api.flattensAll(zone), toOpenFailure)
    return makeSingleRecordZoneClient<CloudflareRecord>(
      {
        limits: findLimits(zone, limits),
        flattenedAliases: flattensAll ? "all" : "in_zone",
        // A batch is one database transaction, but nothing says that a list shows it at once.
        visibleWithin: Duration.seconds(5),
        listRecords: api.makeRecordLister(zone.id),
        toRecord: toZoneRecord,
        write: (steps) => api.writeBatch(zone.id, toBatch(steps)),
        fitsOneCall: ({ length }) => length <= findBatchSize(zone),
        checkRecord
      },
      request
    )
  })
})

/** Finds the active zone to which the parent delegates; other accounts may have waiting zones of the same name. */
const findServedZone = (api: ReturnType<typeof makeCloudflareApi>, request: ZoneRequest) =>
  Effect.gen(function* () {
    const names = Array.dedupe([request.zone, toUnicode(request.zone).domain])
    const lists = yield* Effect.mapError(Effect.forEach(names, api.findZones), toOpenFailure)
    const zones = lists.flatMap(({ result }) => result).filter(({ name }) => normalizeTarget(name) === request.zone)
    const active = zones.filter(({ status, type }) => status === "active" && (type === "full" || type === "secondary"))
    const states = zones.map(({ status, type }) => `${status} (${type})`).join() || "absent"
    if (active.length === 0) return yield* makeZoneMismatch(`${request.zone} is no active zone of the token: ${states}`)
    const zone = yield* selectDelegatedZone(active, (one) => [...one.name_servers, ...one.vanity_name_servers], request)
    return zone.type === "secondary" ? yield* makeCopyFailure(zone.type) : zone
  })

/** Zones of the Enterprise plan have shorter TTLs. */
const findLimits = ({ plan }: CloudflareZone, limits: ProviderLimits): ProviderLimits =>
  plan?.legacy_id === "enterprise" ? { ...limits, ttl: { ...limits.ttl, minimum: 30 } } : limits

/** Cloudflare docs, "Batch record changes", availability and limits: 200 on free zones, 3,500 on all other plans. */
const findBatchSize = ({ plan }: CloudflareZone): number =>
  /^(pro|business|enterprise)$/.test(plan?.legacy_id ?? "") ? 3500 : 200

const toBatch = (steps: ReadonlyArray<RecordStep<CloudflareRecord>>) => ({
  deletes: steps.flatMap((step) => (step.action === "remove" ? { id: step.stored.id } : [])),
  // Comment, tags and the settings that a patch does not name stay as they are.
  patches: steps.flatMap((step) =>
    step.action === "replace" ? { id: step.stored.id, ...toRecordBody(step.record) } : []
  ),
  posts: steps.flatMap((step) => (step.action === "create" ? toRecordBody(step.record) : []))
})
