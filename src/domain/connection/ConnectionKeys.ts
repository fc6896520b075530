import { createHash } from "node:crypto"
import { type Connection, finalStates } from "./Connection.ts"
import { DomainName } from "../names/DomainName.ts"
import type { EffectiveIntent } from "./Intent.ts"
import type { ExternalId, Metadata } from "./PlatformFields.ts"
import type { Tenancy } from "../access/Tenancy.ts"
import { spellAlike } from "../records/recordTypes.ts"

/** The SHA-256 by which a tenant finds its connection with an external id. */
export const computeExternalKey = (tenancy: Tenancy, externalId: ExternalId): Uint8Array =>
  sha256Of([tenancy.applicationId, tenancy.tenantId, externalId])

/** The SHA-256 of each entry of the metadata by which a tenant finds its connections. */
export const computeMetadataKeys = (tenancy: Tenancy, metadata: Metadata): ReadonlyArray<Uint8Array> =>
  Object.entries(metadata).map((entry) => sha256Of([tenancy.applicationId, tenancy.tenantId, ...entry]))

/** The SHA-256 of an intent in normal form: TTLs, spelling, order and repetition do not count. */
export const computeIntentKey = (tenancy: Tenancy, { domain, records }: EffectiveIntent): Uint8Array => {
  const name = DomainName.make(domain)
  const desired = records.map((record) =>
    JSON.stringify([record.host, record.type, spellAlike(record, name), record.priority ?? null, record.optional])
  )
  return sha256Of([tenancy.applicationId, tenancy.tenantId, domain, ...[...new Set(desired)].toSorted()])
}

/**
 * Whether a connection holds its intent, so that another one with the same intent is a duplicate. A connection that has
 * ended, leaves its zone or has failed for good does not hold it, and never will again.
 */
export const holdsIntent = ({ direction, failure, state }: Connection): boolean =>
  !finalStates.includes(state) && direction !== "restore" && !(state === "failed" && failure?.retryable === false)

const sha256Of = (parts: ReadonlyArray<string>): Uint8Array =>
  createHash("sha256").update(JSON.stringify(parts)).digest()
