import { Duration, Effect, Schema } from "effect"
import { normalizeName } from "../../../domain/names/DomainName.ts"
import { requireNoContent, requireStatus } from "../../callProvider.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { checkDelegation, defaultTimeouts } from "../../ProviderClient.ts"
import { type ProviderError, toOpenFailure, toRecordAbsent } from "../../ProviderError.ts"
import { makeSingleRecordZoneClient, type RecordStep } from "../../writing/makeSingleRecordZoneClient.ts"
import { jsonZoneLimits, readAdmitted } from "../../zoneLimits.ts"
import { makeTransipCheck, toEntry, toZoneRecord, TransipEntry } from "./TransipEntry.ts"
import { interpretTransip, makeTransipAuthorization, transipBase } from "./transipAuthorization.ts"

/**
 * The client of TransIP. Each call creates or removes one entry, which it names by its value: one that has changed is not
 * found. PUT would replace the zone, and PATCH fails where several entries share name, type and TTL.
 */
export const makeTransipClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "username_api_key",
  openZone: Effect.fnUntraced(function* (request) {
    const { zone } = request
    const api = makeJsonApi({
      http,
      baseUrl: transipBase,
      authorization: yield* makeTransipAuthorization(request.credential, { http, timeout: timeouts.call }),
      interpret: interpretTransip,
      timeout: timeouts.call
    })
    const path = `/domains/${zone}`
    const { nameservers } = yield* Effect.mapError(
      api.call({ method: "GET", path: `${path}/nameservers`, schema: TransipNameServers }),
      toOpenFailure
    )
    yield* checkDelegation(nameservers.map(({ hostname }) => hostname).filter(isOfTransip), request)
    return makeSingleRecordZoneClient<TransipEntry>(
      {
        limits,
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        // A zone comes in one answer, and there is no filter.
        listRecords: () => readEntries(api, `${path}/dns`),
        toRecord: (stored) => toZoneRecord(stored, zone),
        write: ([step]) => writeStep(api, `${path}/dns`, step, zone),
        canReplace: () => false,
        checkRecord: makeTransipCheck(request)
      },
      request
    )
  })
})

/** The name servers to which the domain is delegated, whoever runs them. */
const TransipNameServers = Schema.Struct({ nameservers: Schema.Array(Schema.Struct({ hostname: Schema.String })) })

/** Any other name server serves nothing of what is written here. */
const isOfTransip = (nameServer: string): boolean => /^ns\d\.transip\.(eu|net|nl)$/.test(normalizeName(nameServer))

export const TransipEntries = Schema.Struct({ dnsEntries: longArray(TransipEntry) })

const readEntries = (api: JsonApi, path: string): Effect.Effect<ReadonlyArray<TransipEntry>, ProviderError> =>
  Effect.map(
    readAdmitted((admits) => api.call({ method: "GET", path, schema: TransipEntries, admits }), jsonZoneLimits),
    ({ dnsEntries }) => dnsEntries
  )

/** TransIP has no call that safely replaces an entry; `canReplace` says so, and no plan asks for it. */
const writeStep = (
  api: JsonApi,
  path: string,
  step: RecordStep<TransipEntry>,
  zone: string
): Effect.Effect<void, ProviderError> => {
  if (step.action === "replace") return Effect.dieMessage("TransIP replaces no entry")
  if (step.action === "create") {
    const body = { dnsEntry: toEntry(step.record, zone) }
    return Effect.flatMap(api.send({ method: "POST", path, body }), requireStatus(201))
  }
  const removal = api.send({ method: "DELETE", path, body: { dnsEntry: step.stored } })
  return Effect.mapError(Effect.flatMap(removal, requireNoContent), toRecordAbsent)
}
