import { type CaaProperty, type CaaIssuanceTag, isUnknownCritical, parseCaa } from "../../domain/CaaProperty.ts"
import { normalizeValue } from "../../domain/DnsRecord.ts"

/** A CAA value in normal form, and what it says. */
export interface CaaEntry extends CaaProperty {
  readonly value: string
}

/** Reads CAA values of a zone, whatever they are. */
export const parseCaaEntries = (values: ReadonlyArray<string>): ReadonlyArray<CaaEntry> =>
  values.map((value) => {
    const normal = normalizeValue("CAA", value.toWellFormed())
    return { value: normal, ...parseCaa(normal) }
  })

/** Equal for entries that say the same in other words. */
export const equivalenceKeyOf = ({ critical, issuer, parameters, tag }: CaaEntry): string =>
  [critical, tag, permission({ issuer, parameters })].join(" ")

/** What the CAA records of one name say together. */
export interface CaaSet {
  /** One of them is critical and unknown to CAs. */
  readonly isBlocked: boolean
  /** Those that name the issuers; wildcards go by `issuewild`, else by `issue` (RFC 8659 section 4.3). */
  readonly issuerProperties: { readonly [_ in CaaIssuanceTag]: ReadonlyArray<CaaProperty> }
  readonly allowedIssuers: { readonly [_ in CaaIssuanceTag]: ReadonlySet<string> }
}

/** Puts the CAA records of one name together. */
export const caaSet = (properties: ReadonlyArray<CaaProperty>): CaaSet => {
  const issue = properties.filter(({ tag }) => tag === "issue")
  const forWildcards = properties.filter(({ tag }) => tag === "issuewild")
  const issuewild = forWildcards.length > 0 ? forWildcards : issue
  return {
    isBlocked: properties.some(isUnknownCritical),
    issuerProperties: { issue, issuewild },
    allowedIssuers: { issue: permissionsOf(issue), issuewild: permissionsOf(issuewild) }
  }
}

/** Whether the set leaves anyone out; without `issue` and `issuewild` it does not. */
export const isRestricting = ({ isBlocked, issuerProperties: naming }: CaaSet, scope: CaaIssuanceTag): boolean =>
  isBlocked || naming[scope].length > 0

/** Whether the issuer of the property may issue. A property that names nobody needs no permission. */
export const isIssuerAllowed = (set: CaaSet, scope: CaaIssuanceTag, { issuer, parameters }: CaaProperty): boolean => {
  const permitted = set.allowedIssuers[scope]
  return (
    issuer === "" ||
    !isRestricting(set, scope) ||
    (!set.isBlocked && (permitted.has(issuer) || permitted.has(permission({ issuer, parameters }))))
  )
}

const permissionsOf = (properties: ReadonlyArray<CaaProperty>): ReadonlySet<string> =>
  new Set(properties.filter(({ issuer }) => issuer !== "").map(permission))

/** An issuer with conditions is not the same issuer without. */
const permission = ({ issuer, parameters }: Pick<CaaProperty, "issuer" | "parameters">): string =>
  [issuer, ...parameters].join(";")
