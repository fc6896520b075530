import { Duration, Effect, Option, Schema } from "effect"
import { apexHost, normalizeName, toZoneHost } from "../../../domain/names/DomainName.ts"
import { unquoteText } from "../../../domain/records/unquoteText.ts"
import { inScheme } from "../../apiAuthorization.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { checkDelegation, defaultTimeouts } from "../../ProviderClient.ts"
import { ProviderError, toOpenFailure } from "../../ProviderError.ts"
import { readToken } from "../../readToken.ts"
import type { SetChange } from "../../writing/planSetCalls.ts"
import type { RecordSet, SetMember } from "../../writing/RecordSet.ts"
import { makeRecordSetZoneClient } from "../../writing/makeRecordSetZoneClient.ts"
import { toQuotedStrings } from "../../writing/recordContent.ts"
import { type CheckRecord, isEmptyText, makeTypeCheck, refuseRecord } from "../../writing/requireStorable.ts"
import { jsonZoneLimits, readAdmitted } from "../../zoneLimits.ts"

/** The client of Hostinger. Each call writes one set: nothing says that several are atomic. No conditional writes. */
export const makeHostingerClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "api_token",
  openZone: Effect.fnUntraced(function* (request) {
    const { zone } = request
    const secret = yield* readToken(request.credential, { provider: "Hostinger" })
    const api = makeJsonApi({
      http,
      baseUrl: "https://developers.hostinger.com/api/dns/v1",
      authorization: inScheme("Bearer", secret),
      timeout: timeouts.call
    })
    yield* Effect.mapError(readSets(api, zone), (error) => toOpenFailure(toZoneAbsent(error)))
    yield* checkDelegation(request.nameServers.filter(isOfHostinger), request)
    return makeRecordSetZoneClient<HostingerRecordSet>(
      {
        limits,
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        checkRecord,
        typeOf: ({ host, type }, { domain }) =>
          type === "CNAME" && host === apexHost && domain === zone ? "ALIAS" : type,
        readSets: () => Effect.map(readSets(api, zone), (sets) => sets.map(toRecordSet(zone))),
        writeSets: Effect.forEach(writeSet(api, zone), { discard: true })
      },
      request
    )
  })
})

/** The API does not tell the name servers of a zone; those below this name serve the zones of all customers. */
const isOfHostinger = (nameServer: string): boolean => normalizeName(nameServer).endsWith(".dns-parking.com")

/** The document has no answer for a zone that the account does not have; these statuses have no other meaning there. */
const toZoneAbsent = (error: ProviderError): ProviderError =>
  error.kind === "rejected" || error.kind === "forbidden" ? new ProviderError({ ...error, kind: "absent" }) : error

const HostingerRecord = Schema.Struct({ content: Schema.String, is_disabled: Schema.optional(Schema.Boolean) })

/** A set. Its name is relative to the zone (`@` at the apex); targets have a dot at their end. */
const HostingerSet = Schema.Struct({
  name: Schema.String,
  type: Schema.String,
  /** Seconds. */
  ttl: Schema.optionalWith(Schema.Number, { default: () => 14_400 }),
  records: Schema.Array(HostingerRecord)
})
type HostingerSet = typeof HostingerSet.Type

const HostingerSets = longArray(HostingerSet)

const pathOf = (zone: string): string => `/zones/${zone}`

const readSets = (api: JsonApi, zone: string): Effect.Effect<ReadonlyArray<HostingerSet>, ProviderError> =>
  readAdmitted(
    (admits) => api.call({ method: "GET", path: pathOf(zone), schema: HostingerSets, admits }),
    jsonZoneLimits
  )

interface HostingerRecordSet extends RecordSet {
  readonly records: ReadonlyArray<SetMember & { readonly stored: string }>
}

/** A request cannot say that a record is disabled: a set with such a record is locked, because a write would enable it. */
const toRecordSet =
  (zone: string) =>
  ({ name, records, ttl, type }: HostingerSet): HostingerRecordSet => ({
    name: name === apexHost ? zone : `${name}.${zone}`,
    type,
    ttl,
    records: records.map(({ content, is_disabled = false }) => ({
      stored: content,
      content: type === "TXT" ? toQuotedStrings(content) : content,
      ...(is_disabled ? { disabled: true } : {})
    })),
    ...(records.some(({ is_disabled }) => is_disabled === true) ? { locked: "fixed" } : {})
  })

/** Siblings are sent along as they were read; `overwrite` is always sent, because without it a set would only grow. */
const writeSet =
  (api: JsonApi, zone: string) =>
  ({ after, name, type }: SetChange<HostingerRecordSet>): Effect.Effect<void, ProviderError> => {
    const set = { name: name === zone ? apexHost : toZoneHost(name, zone), type }
    const [method, body] =
      after === undefined
        ? (["DELETE", { filters: [set] }] as const)
        : ([
            "PUT",
            { overwrite: true, zone: [{ ...set, ttl: after.ttl, records: after.records.map(toRecord) }] }
          ] as const)
    return Effect.asVoid(api.call({ method, path: pathOf(zone), body, schema: WrittenSets }))
  }

/** What the document answers to a write; anything else, such as a page of a proxy, proves nothing. */
const WrittenSets = Schema.Struct({ message: Schema.optional(Schema.String) })

/** A text goes without quotes, as lego writes it. */
const toRecord = (member: SetMember | HostingerRecordSet["records"][number]) => ({
  content: "stored" in member ? member.stored : (unquoteText(member.content) ?? member.content)
})

const checkValue: CheckRecord = (record) =>
  record.type === "TXT" && (isEmptyText(record) || /["\\\p{Cc}]/u.test(record.value))
    ? refuseRecord("record_value_rejected", "it is not known how Hostinger stores quotes and backslashes in a text")
    : Option.none()

/** The types of Hostinger's document, where the SOA is Hostinger's own. */
const checkRecord = makeTypeCheck("Hostinger", "A AAAA ALIAS CAA CNAME MX NS SRV TXT", checkValue)
