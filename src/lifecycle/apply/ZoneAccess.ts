import { Context, Data, type Duration, Effect, Either, Layer, Option } from "effect"
import type { Delegation, ResolversUnavailable } from "../../dns/zone/Delegation.ts"
import { Delegations } from "../../dns/zone/Delegations.ts"
import {
  type Connection,
  type FailureCode,
  type FailureDetail,
  providerNameOf
} from "../../domain/connection/Connection.ts"
import type { Credential } from "../../domain/provider/Credential.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import type { ZoneLocation } from "../../domain/plan/Zone.ts"
import { desiredNamesOf } from "../../domain/connection/ConnectionRecord.ts"
import { makeRecentWritesFinder } from "./RecentWrites.ts"
import { areApplied } from "./entryStatus.ts"
import { readUntil } from "./readUntil.ts"
import { limitsIn } from "../../domain/provider/Provider.ts"
import { CredentialProvider, CredentialUnavailable } from "../authorize/CredentialProvider.ts"
import type { ProviderZone } from "../plan/PlanningZone.ts"
import { delegationFailures, describeDelegationFailure, listDelegationWarnings } from "../plan/ZoneSurvey.ts"
import { describeForeignDelegation, describeProviderFailure } from "../state/failureDetails.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { JournalStore } from "../../persistence/stores/phases/JournalStore.ts"
import { inProviderSession, type ZoneClient, type ZoneSnapshot } from "../../providers/ProviderClient.ts"
import { ProviderFailure } from "../../providers/ProviderFailure.ts"
import { Providers } from "../../providers/Providers.ts"
import { withRetry } from "../../providers/withRetry.ts"

/** The zone of a connection at its provider, opened with the credential of the connection. */
export interface OpenZone {
  readonly location: ZoneLocation
  readonly delegation: Delegation
  readonly providerId: string
  readonly client: ZoneClient
  /** The whole current zone. */
  readonly snapshot: ZoneSnapshot
}

/** The zone cannot be opened or read; nothing was written. */
export class ZoneAccessDenied extends Data.TaggedError("ZoneAccessDenied")<{
  readonly code: FailureCode
  readonly details?: ReadonlyArray<FailureDetail>
  /** How long the provider asks clients to wait. */
  readonly retryAfter?: Duration.Duration
}> {}

/** Opens zones at their providers; looks up the delegation of the domain each time. */
export class ZoneAccess extends Context.Tag("lifecycle/ZoneAccess")<
  ZoneAccess,
  {
    readonly open: (
      connection: Connection
    ) => Effect.Effect<OpenZone, ZoneAccessDenied | ResolversUnavailable | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ZoneAccess,
    Effect.gen(function* () {
      const credentials = yield* CredentialProvider
      const delegations = yield* Delegations
      const providers = yield* Providers
      const findRecentWrites = makeRecentWritesFinder(yield* JournalStore)

      return {
        open: Effect.fnUntraced(function* (connection) {
          const domain = DomainName.make(connection.effectiveIntent.domain)
          const credential = yield* mapCredentialError(credentials.get(connection))
          const delegation = yield* Effect.mapError(delegations.find(domain), (failure) =>
            failure._tag === "ResolversUnavailable"
              ? failure
              : new ZoneAccessDenied({
                  code: delegationFailures[failure._tag],
                  details: describeDelegationFailure(failure)
                })
          )
          const { provider } = providers.detect(delegation, connection.provider)
          const providerId = provider.id
          const adapter = yield* Either.fromOption(
            Option.filter(providers.clientFor(provider), () => providerId === connection.provider?.id),
            () =>
              new ZoneAccessDenied({
                code: "authorization_zone_mismatch",
                details: describeForeignDelegation(
                  delegation.zone,
                  [...new Set([...delegation.parentNameServers, ...delegation.childNameServers])],
                  providerNameOf(connection)
                )
              })
          )
          const location = { domain, zone: delegation.zone }
          const openWith = (credential: Credential) =>
            attemptCall(
              provider.name,
              adapter.openZone({
                ...location,
                connectionId: connection.id,
                credential,
                nameServers: delegation.parentNameServers
              })
            )
          const client = yield* Effect.catchIf(
            openWith(credential),
            ({ code }) => code === "credential_invalid",
            ({ details = [] }) =>
              Effect.flatMap(mapCredentialError(credentials.replaceRefused(credential, connection), details), openWith)
          )
          const recent = yield* findRecentWrites({
            ...location,
            connectionId: connection.id,
            providerId,
            names: desiredNamesOf(connection),
            visibleWithin: client.visibleWithin
          })
          const snapshot = yield* readUntil(recent, attemptCall(provider.name, client.read), ({ zone }) =>
            areApplied(zone, domain, recent.entries)
          )
          return { location, delegation, providerId, client, snapshot }
        }, inProviderSession)
      }
    })
  )
}

export const toProviderZone = ({ client, delegation, snapshot: { zone } }: OpenZone): ProviderZone => ({
  zone,
  limits: limitsIn(client.limits, delegation),
  checkRecord: client.checkRecord,
  warnings: listDelegationWarnings(delegation)
})

/** Without a credential, access is denied for the same reason, or with the details of the refusal before. */
const mapCredentialError = <A, E, R>(
  credential: Effect.Effect<A, E | CredentialUnavailable, R>,
  refusal: ReadonlyArray<FailureDetail> = []
) =>
  Effect.catchIf(
    credential,
    (error): error is Extract<E | CredentialUnavailable, CredentialUnavailable> =>
      error instanceof CredentialUnavailable,
    ({ code, details }) => new ZoneAccessDenied({ code, details: details.length === 0 ? refusal : details })
  )

/** Runs a call to the provider with retries; its last failure denies the access to the zone. */
const attemptCall = <A>(
  provider: string,
  call: Effect.Effect<A, ProviderFailure>
): Effect.Effect<A, ZoneAccessDenied> =>
  call.pipe(
    withRetry(ProviderFailure),
    Effect.tapError((failure) => Effect.logWarning("The provider's zone cannot be read", failure)),
    Effect.mapError(
      (failure) =>
        new ZoneAccessDenied({
          code: failure.code,
          details: describeProviderFailure(provider, failure),
          ...(failure.retryAfter === undefined ? {} : { retryAfter: failure.retryAfter })
        })
    )
  )
