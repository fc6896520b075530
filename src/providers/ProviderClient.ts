import type { Duration, Effect, Either, Option } from "effect"
import type { Credential } from "../domain/Credential.ts"
import type { Change, ChangeRecord } from "../domain/Plan.ts"
import type { ProviderLimits } from "../domain/Provider.ts"
import type { Zone, ZoneLocation } from "../domain/Zone.ts"
import type { OutcomeUnknown, ProviderFailure, ZoneChanged } from "./ProviderFailure.ts"

/** One provider, or one installation of a DNS server: how zones there are found, read and written. */
export interface ProviderClient {
  /** The kind of credential that a customer can hand in here. */
  readonly credential: Exclude<Credential["_tag"], "oauth_token">
  /** What its zones can store, as far as that does not depend on the single record. */
  readonly limits: ProviderLimits
  /**
   * The zone to which the parent delegates, as far as the credential gives access to it. A zone of that name with other
   * name servers (private, pending, left behind by a move) fails with `authorization_zone_mismatch`.
   */
  readonly openZone: (request: ZoneRequest) => Effect.Effect<ZoneClient, ProviderFailure>
}

/** The zone that is looked for. */
export interface ZoneRequest extends ZoneLocation {
  readonly credential: Credential
  /** The name servers that the parent names, in any letter case. */
  readonly nameServers: ReadonlyArray<string>
}

/** A zone that the credential gives access to. */
export interface ZoneClient {
  /** Why a record could not be stored, known without asking; what is optional can be left out of the plan then. */
  readonly checkRecord: (record: ChangeRecord) => Option.Option<ProviderFailure>
  /** The whole zone as it is now, all pages of it, or a failure; never a part. */
  readonly read: Effect.Effect<ZoneSnapshot, ProviderFailure>
}

/**
 * A zone at one moment. What was planned from it is written against it: where it no longer is what it was at the names
 * that the changes concern, nothing is written.
 */
export interface ZoneSnapshot {
  /** As the planner takes it, with `basis: "provider"`; what lies outside the domain is left out. */
  readonly zone: Zone
  /**
   * How the changes, in the order of their plan, are to be written: one write for all where the provider takes them as a
   * whole, one for each where it does not. Refused as a whole if any of them cannot be written.
   */
  readonly planWrites: (
    changes: ReadonlyArray<Change>
  ) => Either.Either<ReadonlyArray<ZoneWrite>, ProviderFailure | ZoneChanged>
}

/**
 * Changes that are written by one call, of which the provider makes all or none. They are confirmed when `send`
 * succeeds, may or may not be there after `OutcomeUnknown`, and are not there after any other failure. Writes of one
 * snapshot are sent in their order, each until it succeeds or its outcome is unknown.
 */
export interface ZoneWrite {
  readonly changes: ReadonlyArray<Change>
  readonly send: Effect.Effect<void, ProviderFailure | ZoneChanged | OutcomeUnknown>
}

/** How long a provider may take: for one call with its answer, and for reading a whole zone. */
export interface Timeouts {
  readonly call: Duration.DurationInput
  readonly snapshot: Duration.DurationInput
}

export const defaultTimeouts: Timeouts = { call: "10 seconds", snapshot: "30 seconds" }
