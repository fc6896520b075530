import { Either, Option } from "effect"
import { apexHost, toFqdn } from "../../domain/names/DomainName.ts"
import { nullTarget } from "../../domain/records/target.ts"
import type { Change, ChangeRecord } from "../../domain/plan/Plan.ts"
import type { ProviderLimits } from "../../domain/provider/Provider.ts"
import type { Zone, ZoneLocation } from "../../domain/plan/Zone.ts"
import { computeResultingRecords, identityOf } from "../../planning/changes/computeResultingRecords.ts"
import { isEditable, normalizeData, selectRecordsAt, servedRoleOf } from "../../planning/zone/LiveZone.ts"
import { ProviderFailure, type ProviderFailureCode } from "../ProviderFailure.ts"

/** Says why a provider cannot store a record, as far as that is known without a request. */
export type CheckRecord = (record: ChangeRecord) => Option.Option<ProviderFailure>

/** The answer of a `CheckRecord` for a record that the provider cannot store. */
export const refuseRecord = (code: ProviderFailureCode, detail: string): Option.Option<ProviderFailure> =>
  Option.some(new ProviderFailure({ code, detail }))

/** Refuses types that an adapter does not write, perhaps restored from elsewhere, and what `checkValue` refuses. */
export const makeTypeCheck = (provider: string, types: string, checkValue: CheckRecord = Option.none): CheckRecord => {
  const known = new Set(types.split(" "))
  return (record) =>
    known.has(record.type)
      ? checkValue(record)
      : refuseRecord("record_type_unsupported", `${record.type} ${record.host} is not written to ${provider}`)
}

/** A text without a character, which an API that takes texts without quotes does not store. */
export const isEmptyText = ({ type, value }: ChangeRecord): boolean => type === "TXT" && value === ""

/** An MX that takes no mail (RFC 7505), or an SRV of a service that is not there (RFC 2782). */
export const hasNullTarget = ({ type, value }: ChangeRecord): boolean =>
  (type === "MX" && value === nullTarget) || (type === "SRV" && value.endsWith(` ${nullTarget}`))

/** Refuses values that a provider does not store; `reasonOf` completes the sentence “… stores”. */
export const refuseValues =
  (provider: string, reasonOf: (record: ChangeRecord) => string | undefined): CheckRecord =>
  (record) => {
    const reason = reasonOf(record)
    return reason === undefined
      ? Option.none()
      : refuseRecord("record_value_rejected", `${provider} stores ${reason}: ${record.type} ${record.host}`)
  }

/** Refuses name servers of the zone itself, which a provider does not let its API change. */
export const refuseApexNs =
  (provider: string, { domain, zone }: ZoneLocation): CheckRecord =>
  ({ host, type }) =>
    type === "NS" && toFqdn(host, domain) === zone
      ? refuseRecord("record_type_unsupported", `${provider} keeps the NS records of ${zone} itself`)
      : Option.none()

/** The answer of the first check that refuses a record. */
export const refuseByAny =
  (...checks: ReadonlyArray<CheckRecord>): CheckRecord =>
  (record) =>
    Option.firstSomeOf(checks.map((check) => check(record)))

/** Refuses values of which nobody has seen how an API of texts, targets and CAA values stores them. */
export const refuseUnseenValues =
  (provider: string): CheckRecord =>
  (record) => {
    const { host, type, value } = record
    const reason =
      isEmptyText(record) || (type === "TXT" && /["\\\p{Cc}]/u.test(value))
        ? "how an empty text, quotes and backslashes in a text are stored"
        : hasNullTarget(record)
          ? "whether a null target is stored"
          : type === "CAA" && /\\/.test(value)
            ? "how a backslash in a CAA value is stored"
            : undefined
    return reason === undefined
      ? Option.none()
      : refuseRecord("record_value_rejected", `it is not known of ${provider} ${reason}: ${type} ${host}`)
  }

/** Adds to what an adapter refuses an alias at the apex, where its zone cannot flatten one. */
export const makeRecordCheck =
  (
    { checkRecord = Option.none, limits }: { readonly checkRecord?: CheckRecord; readonly limits: ProviderLimits },
    { domain, zone }: ZoneLocation
  ): CheckRecord =>
  (record) =>
    record.type === "CNAME" &&
    record.host === apexHost &&
    domain === zone &&
    limits.capabilities.cnameFlattening === "unsupported"
      ? Option.some(noApexAlias)
      : checkRecord(record)

const noApexAlias = new ProviderFailure({
  code: "apex_cname_unsupported",
  detail: "the provider stores no CNAME at the apex of a zone"
})

/**
 * Fails if the provider would refuse a change, so that no plan stops half way. All refuse a repeated record, and an alias
 * beside others (RFC 1034 section 3.6.2), unless served as addresses.
 */
export const requireStorable = (
  zone: Zone,
  changes: ReadonlyArray<Change>,
  { checkRecord, location }: { readonly checkRecord: CheckRecord; readonly location: ZoneLocation }
): Either.Either<void, ProviderFailure> => {
  const added = changes.flatMap(({ after }) => after ?? [])
  const hosts = new Set(added.map(({ host }) => host))
  const resulting = Map.groupBy(
    computeResultingRecords({ records: selectRecordsAt(zone, hosts) }, changes).filter(isEditable),
    ({ host }) => host.toLowerCase()
  )
  const served = { ...zone, domain: location.domain }
  const failures = added.flatMap((record) => {
    const { host } = record
    const identities = (resulting.get(host) ?? []).map((other) => identityOf({ host, ...normalizeData(other) }))
    const isTwice = identities.filter((identity) => identity === identityOf(record)).length > 1
    const hasAlias = (resulting.get(host) ?? []).some((other) => servedRoleOf({ ...other, host }, served) === "CNAME")
    return [
      ...Option.toArray(checkRecord(record)),
      ...(isTwice ? [conflictAt(host, `the same ${record.type} twice`)] : []),
      ...(hasAlias && new Set(identities).size > 1 ? [conflictAt(host, "a CNAME beside other records")] : [])
    ]
  })
  return failures[0] === undefined ? Either.void : Either.left(failures[0])
}

const conflictAt = (host: string, what: string) =>
  new ProviderFailure({ code: "apply_rejected", detail: `${host} would have ${what}` })
