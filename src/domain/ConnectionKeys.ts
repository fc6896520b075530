import { createHash } from "node:crypto"
import { type Connection, finalStates } from "./Connection.ts"
import type { EffectiveIntent } from "./Intent.ts"
import type { ExternalId } from "./PlatformFields.ts"
import type { Tenancy } from "./Tenancy.ts"

/** The SHA-256 by which a tenant finds its connection with an external id. */
export const computeExternalKey = (tenancy: Tenancy, externalId: ExternalId): Uint8Array =>
  sha256Of([tenancy.applicationId, tenancy.tenantId, externalId])

/** The SHA-256 of what a tenant's connection desires, in normal form; the order of its records does not count. */
export const computeIntentKey = (tenancy: Tenancy, { domain, records }: EffectiveIntent): Uint8Array =>
  sha256Of([
    tenancy.applicationId,
    tenancy.tenantId,
    domain,
    ...records
      .map(({ host, optional, priority, ttl, type, value }) =>
        JSON.stringify([host, type, value, ttl, priority ?? null, optional])
      )
      .toSorted()
  ])

/**
 * Whether a connection holds its intent, so that another one with the same intent is a duplicate. It does not once it has
 * ended, leaves its zone, or has failed for good: each of these never changes back.
 */
export const holdsIntent = ({ direction, failure, state }: Connection): boolean =>
  !finalStates.includes(state) && direction !== "restore" && !(state === "failed" && failure?.retryable === false)

const sha256Of = (parts: ReadonlyArray<string>): Uint8Array =>
  createHash("sha256").update(JSON.stringify(parts)).digest()
