import { Duration, Effect, Schema } from "effect"
import { inScheme } from "../../apiAuthorization.ts"
import { type ProviderResponse, requireNoContent, type ResponseMeaning } from "../../callProvider.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { byToken, type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { checkDelegation, defaultTimeouts, type Timeouts } from "../../ProviderClient.ts"
import { type ProviderError, toOpenFailure, toRecordAbsent } from "../../ProviderError.ts"
import { readToken } from "../../readToken.ts"
import { makeSingleRecordZoneClient, type RecordStep } from "../../writing/makeSingleRecordZoneClient.ts"
import { makeVultrCheck, toChangedRecord, toZoneRecord, VultrRecord } from "./VultrRecord.ts"

/** The client of Vultr. Each call writes one record, and the API has no conditional writes. */
export const makeVultrClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "api_token",
  openZone: Effect.fnUntraced(function* (request) {
    const { zone } = request
    const api = makeJsonApi({
      http,
      baseUrl: "https://api.vultr.com/v2",
      authorization: inScheme("Bearer", yield* readToken(request.credential, { provider: "Vultr" })),
      interpret: interpretResponse,
      timeout: timeouts.call
    })
    const path = `/domains/${zone}`
    yield* Effect.mapError(api.call({ method: "GET", path, schema: VultrDomain }), toOpenFailure)
    yield* checkDelegation(nameServers, request)
    const records = `${path}/records`
    return makeSingleRecordZoneClient<VultrRecord>(
      {
        limits,
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        listRecords: () => readRecords(api, records, timeouts),
        toRecord: (stored) => toZoneRecord(stored, zone),
        write: ([step]) => writeStep(api, records, step, zone),
        checkRecord: makeVultrCheck(request)
      },
      request
    )
  })
})

/** Every zone has these. */
const nameServers = ["ns1.vultr.com", "ns2.vultr.com"]

/** A key whose owner does not allow the address of the service is refused like one that is none. */
const interpretResponse = ({ status, text }: ProviderResponse): ResponseMeaning | undefined =>
  status === 401 && text.includes("Unauthorized IP address") ? { kind: "forbidden" } : undefined

/** A domain of the account. */
const VultrDomain = Schema.Struct({ domain: Schema.Struct({ domain: Schema.String }) })

/** A page of the records of a zone; the cursor of the next one is empty on the last page. */
export const VultrPage = Schema.Struct({
  records: longArray(VultrRecord),
  meta: Schema.Struct({ total: Schema.Number, links: Schema.Struct({ next: Schema.String }) })
})

const readRecords = (
  api: JsonApi,
  path: string,
  { snapshot: timeout }: Timeouts
): Effect.Effect<ReadonlyArray<VultrRecord>, ProviderError> =>
  api.list({
    path,
    paging: byToken(500, "cursor", "per_page"),
    schema: VultrPage,
    toPage: ({ meta: { links, total }, records: items }) => ({
      items,
      total,
      next: links.next === "" ? undefined : links.next
    }),
    identify: ({ id }) => id,
    // A third of the 30 calls a second that Vultr takes from one address.
    pause: "100 millis",
    timeout
  })

/** The answer to a record that is created. */
export const CreatedVultrRecord = Schema.Struct({ record: VultrRecord })

const writeStep = (
  api: JsonApi,
  records: string,
  step: RecordStep<VultrRecord>,
  zone: string
): Effect.Effect<void, ProviderError> => {
  if (step.action === "create")
    return writeWithTtlOfSet({ type: step.record.type, ...toChangedRecord(step.record, zone) }, (body) =>
      Effect.asVoid(api.call({ method: "POST", path: records, body, schema: CreatedVultrRecord }))
    )
  const { stored } = step
  const path = `${records}/${stored.id}`
  if (step.action === "remove") return Effect.mapError(api.remove(path), toRecordAbsent)
  const changed = toChangedRecord(step.record, zone)
  const change = (body: typeof changed) => Effect.flatMap(api.send({ method: "PATCH", path, body }), requireNoContent)
  // Another TTL alone is refused beside other records: with theirs, nothing would change.
  const isTtlAlone = changed.data === stored.data && changed.priority === Math.max(stored.priority, 0)
  return Effect.mapError(isTtlAlone ? change(changed) : writeWithTtlOfSet(changed, change), toRecordAbsent)
}

/** Writes a record again with the TTL of those beside it if Vultr, whose sets have one TTL each, refuses another one. */
const writeWithTtlOfSet = <Body extends { readonly ttl: number }>(
  record: Body,
  write: (body: Body) => Effect.Effect<void, ProviderError>
): Effect.Effect<void, ProviderError> =>
  Effect.catchAll(write(record), (error) => {
    const [, ttl] = /must match the TTL of existing records \((\d{1,10})\)/.exec(error.detail) ?? []
    return error.kind === "rejected" && ttl !== undefined ? write({ ...record, ttl: Number(ttl) }) : error
  })
