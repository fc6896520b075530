import { Duration, Effect, Redacted, Schema } from "effect"
import { normalizeName } from "../../../domain/names/DomainName.ts"
import type { Capabilities } from "../../../domain/provider/Provider.ts"
import { inScheme } from "../../apiAuthorization.ts"
import { decodeBody, type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { checkDelegation, defaultTimeouts, type Timeouts } from "../../ProviderClient.ts"
import { type ProviderError, toOpenFailure, toRecordAbsent } from "../../ProviderError.ts"
import { makeZoneMismatch, ProviderFailure } from "../../ProviderFailure.ts"
import { readToken } from "../../readToken.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { readPages } from "../../readPages.ts"
import { makeSingleRecordZoneClient, type RecordStep } from "../../writing/makeSingleRecordZoneClient.ts"
import { makeNetlifyCheck, NetlifyRecord, toNewRecord, toZoneRecord } from "./netlifyRecords.ts"

/** The client of Netlify, on name servers of NS1. The API creates and removes single records, without conditions. */
export const makeNetlifyClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "api_token",
  openZone: Effect.fnUntraced(function* (request) {
    const secret = yield* readToken(request.credential, { provider: "Netlify" })
    if (/^[a-z0-9]{20}$/i.test(Redacted.value(secret))) return yield* keyOfNs1
    const api = makeJsonApi({
      authorization: inScheme("Bearer", secret),
      baseUrl: "https://api.netlify.com/api/v1",
      http,
      timeout: timeouts.call
    })
    const zones = yield* Effect.mapError(listAll(api, "/dns_zones", NetlifyZone, timeouts), toOpenFailure)
    const zone = zones.find(({ name }) => normalizeName(name) === request.zone)
    if (zone === undefined) return yield* makeForeignZoneFailure(request.zone)
    yield* checkDelegation(zone.dns_servers, request)
    const records = `/dns_zones/${encodeURIComponent(zone.id)}/dns_records`
    return makeSingleRecordZoneClient(
      {
        limits: { ...limits, capabilities: { ...limits.capabilities, ...netlifyCapabilities } },
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        listRecords: () => listAll(api, records, NetlifyRecord, timeouts),
        toRecord: toZoneRecord,
        write: ([step]) => writeStep(step, { api, path: records, zone: request.zone }),
        canReplace: () => false,
        checkRecord: makeNetlifyCheck(zone.supported_record_types)
      },
      request
    )
  })
})

/** Netlify's tokens have 40 characters or more; a key that opens zones at NS1 must not be sent to another company. */
const keyOfNs1 = new ProviderFailure({
  code: "credential_invalid",
  isLocal: true,
  detail: "20 letters and digits are an API key of NS1; it was not sent to Netlify, which takes its own tokens only"
})

/** What DNSControl's suite has stored at Netlify (`providers/netlify`), where NS1 itself may differ. */
const netlifyCapabilities: Partial<Capabilities> = {
  subdomainNSModification: "supported",
  cnameFlattening: "supported",
  wildcardRecords: "supported",
  caaRecords: "supported",
  spfRecords: "supported"
}

const NetlifyZone = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  /** The name servers that Netlify tells the customer to enter at the registrar. */
  dns_servers: Schema.Array(Schema.String),
  supported_record_types: Schema.optional(Schema.NullOr(Schema.Array(Schema.String)))
})

const makeForeignZoneFailure = (zone: string) =>
  makeZoneMismatch(`the token gives access to no zone ${zone} at Netlify; NS1 and others use the same name servers`)

/** Reads a list, which has further pages where the header `Link` names a next one; 500 calls a minute are allowed. */
const listAll = <A extends { readonly id: string }, I>(
  api: JsonApi,
  path: string,
  item: Schema.Schema<A, I>,
  timeouts: Timeouts
) =>
  readPages<A, number>({
    timeout: timeouts.snapshot,
    pause: "125 millis",
    identify: ({ id }) => id,
    readPage: (page = 1, admits) =>
      Effect.gen(function* () {
        const response = yield* api.send({ method: "GET", path, admits, query: page === 1 ? {} : { page } })
        const items = yield* decodeBody(response, longArray(item))
        return { items, next: /;\s*rel="?next"?/i.test(response.headers["link"] ?? "") ? page + 1 : undefined }
      })
  })

/** Netlify has no call that replaces a record; `canReplace` says so, and no plan asks for it. */
const writeStep = (
  step: RecordStep<NetlifyRecord>,
  { api, path, zone }: { readonly api: JsonApi; readonly path: string; readonly zone: string }
): Effect.Effect<void, ProviderError> => {
  if (step.action === "replace") return Effect.dieMessage("Netlify replaces no record")
  return step.action === "create"
    ? Effect.asVoid(api.call({ method: "POST", path, body: toNewRecord(step.record, zone), schema: NetlifyRecord }))
    : Effect.mapError(api.remove(`${path}/${encodeURIComponent(step.stored.id)}`), toRecordAbsent)
}
