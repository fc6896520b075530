import { type Duration, Effect, type Either, type Option } from "effect"
import type { Credential } from "../domain/provider/Credential.ts"
import { normalizeName } from "../domain/names/DomainName.ts"
import type { Change, ChangeRecord } from "../domain/plan/Plan.ts"
import type { ProviderLimits } from "../domain/provider/Provider.ts"
import type { Zone, ZoneLocation } from "../domain/plan/Zone.ts"
import { releaseSlotWhile } from "../limits/WorkSlots.ts"
import { makeZoneMismatch, type OutcomeUnknown, type ProviderFailure, type ZoneChanged } from "./ProviderFailure.ts"

/** An adapter: opens, reads and writes zones at one provider, or at one installation of a DNS server. */
export interface ProviderClient {
  /** The kind of credential that customers enter for it; `none` where they only consent at the provider (OAuth). */
  readonly credential: Exclude<Credential["_tag"], "oauth_token"> | "none"
  /** Opens the zone that the parent delegates to; one with other name servers fails: `authorization_zone_mismatch`. */
  readonly openZone: (request: ZoneRequest) => Effect.Effect<ZoneClient, ProviderFailure>
}

/**
 * Runs work that mostly waits for calls of a provider, without the slot of its phase. The slot is taken again after all
 * calls, and not in between, where the work may hold leases that others with slots wait for.
 */
export const inProviderSession: typeof releaseSlotWhile = releaseSlotWhile

export interface ZoneRequest extends ZoneLocation {
  /** Whose credential it is. A role is assumed for the connection alone that is its external id. */
  readonly connectionId: string
  readonly credential: Credential
  /** The name servers that the parent names, in any letter case. */
  readonly nameServers: ReadonlyArray<string>
}

/** A zone that the credential gives access to. */
export interface ZoneClient {
  /** Within what time `read` shows what `send` of a write has made; without it, at once, for which the adapter names a source. */
  readonly visibleWithin?: Duration.Duration
  /** The limits of the zone that do not depend on the record; zones of one provider may differ. */
  readonly limits: ProviderLimits
  /** Whether one call can replace a record by another one; without it, always. Else the other is created after a deletion. */
  readonly canUpdate?: (before: ChangeRecord, after: ChangeRecord) => boolean
  /** Why a record cannot be stored, known without a request; a plan can then leave out an optional record. */
  readonly checkRecord: (record: ChangeRecord) => Option.Option<ProviderFailure>
  /** Reads the whole zone, with all its pages; never a part of it. */
  readonly read: Effect.Effect<ZoneSnapshot, ProviderFailure>
  /** Makes the provider serve what was written, at any time again; each write ends so. Absent where writes suffice. */
  readonly publish?: Effect.Effect<void, OutcomeUnknown>
}

/** A zone at one moment. Changes are written only if it is still the same at the names that they affect. */
export interface ZoneSnapshot {
  /** The input of the planner, with `basis: "provider"`; without records outside the domain. */
  readonly zone: Zone
  /**
   * Plans the writes of changes in order: one for all if the provider applies them together, else one each. Fails as
   * a whole if one of them cannot be written.
   */
  readonly planWrites: (
    changes: ReadonlyArray<Change>
  ) => Either.Either<ReadonlyArray<ZoneWrite>, ProviderFailure | ZoneChanged>
}

/**
 * Changes that one call writes, all or none. They are made when `send` succeeds, may or may not be made after
 * `OutcomeUnknown`, and are not after any other failure. `send` ends only when the provider has carried a call out. The
 * writes of one snapshot are sent in order, each until it succeeds or its outcome is unknown.
 */
export interface ZoneWrite {
  readonly changes: ReadonlyArray<Change>
  readonly send: Effect.Effect<void, ProviderFailure | ZoneChanged | OutcomeUnknown>
}

/** How long a provider may take for one call with its response, and for reading a whole zone. */
export interface Timeouts {
  readonly call: Duration.DurationInput
  readonly snapshot: Duration.DurationInput
}

export const defaultTimeouts: Timeouts = { call: "10 seconds", snapshot: "30 seconds" }

/**
 * Fails unless the zone has all delegated name servers: one that is private, left behind or also served elsewhere must
 * not be written. Without `zoneNameServers` of its own, those that serve every zone of the provider count.
 */
export const checkDelegation = (
  zoneNameServers: ReadonlyArray<string>,
  { nameServers, zone }: ZoneRequest
): Effect.Effect<void, ProviderFailure> => {
  const own = new Set(zoneNameServers.map(normalizeName))
  return nameServers.length > 0 && nameServers.every((name) => own.has(normalizeName(name)))
    ? Effect.void
    : Effect.fail(
        makeZoneMismatch(
          `${zone} is delegated to ${nameServers.join(", ") || "no name server"}, but here to ${[...own].join(", ") || "no name server"}`
        )
      )
}

/** Selects the zone to which the parent delegates from those of its name in all accounts of a credential. */
export const selectDelegatedZone = <Zone>(
  zones: ReadonlyArray<Zone>,
  nameServersOf: (zone: Zone) => ReadonlyArray<string>,
  request: ZoneRequest
): Effect.Effect<Zone, ProviderFailure> =>
  Effect.firstSuccessOf([
    makeZoneMismatch(`the credential gives access to no zone ${request.zone} that the provider serves`),
    ...zones.map((zone) => Effect.as(checkDelegation(nameServersOf(zone), request), zone))
  ])
