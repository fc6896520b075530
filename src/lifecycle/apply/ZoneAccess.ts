import { Context, Data, Effect, Either, Layer, Option } from "effect"
import type { Delegation } from "../../dns/zone/Delegation.ts"
import { Delegations } from "../../dns/zone/Delegations.ts"
import type { Connection, FailureCode } from "../../domain/Connection.ts"
import type { Credential } from "../../domain/Credential.ts"
import { type DomainName, parseDomain } from "../../domain/DomainName.ts"
import type { ProviderLimits } from "../../domain/Provider.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type { ZoneClient, ZoneLocation, ZoneSnapshot } from "../../providers/ProviderClient.ts"
import { ProviderFailure } from "../../providers/ProviderFailure.ts"
import { Providers } from "../../providers/Providers.ts"
import { withRetry } from "../../providers/withRetry.ts"
import { CredentialProvider, CredentialUnavailable } from "../authorize/CredentialProvider.ts"
import { delegationFailures } from "../plan/ZoneSurvey.ts"

/** The zone of a connection at its provider, open to the credential that the connection holds. */
export interface OpenZone {
  readonly location: ZoneLocation
  readonly delegation: Delegation
  readonly providerId: string
  readonly limits: ProviderLimits
  readonly client: ZoneClient
  /** The whole zone as it is now. */
  readonly snapshot: ZoneSnapshot
}

/** The zone cannot be read or written as things stand; nothing was written. */
export class ZoneAccessDenied extends Data.TaggedError("ZoneAccessDenied")<{ readonly code: FailureCode }> {}

/** Opens zones at their providers. Where the domain is delegated to is found anew each time. */
export class ZoneAccess extends Context.Tag("lifecycle/ZoneAccess")<
  ZoneAccess,
  { readonly open: (connection: Connection) => Effect.Effect<OpenZone, ZoneAccessDenied | StoreUnavailable> }
>() {
  static readonly layer = Layer.effect(
    ZoneAccess,
    Effect.gen(function* () {
      const credentials = yield* CredentialProvider
      const delegations = yield* Delegations
      const providers = yield* Providers

      return {
        open: Effect.fn("ZoneAccess.open")(function* (connection) {
          const domain = yield* domainOf(connection)
          const held = yield* orClosed(credentials.get(connection))
          const delegation = yield* Effect.mapError(
            delegations.find(domain),
            ({ _tag }) => new ZoneAccessDenied({ code: delegationFailures[_tag] })
          )
          const { provider } = providers.detect(delegation)
          const providerId = provider.id
          const adapter = yield* Either.fromOption(
            Option.filter(providers.clientFor(provider), () => providerId === connection.provider?.id),
            () => new ZoneAccessDenied({ code: "authorization_zone_mismatch" })
          )
          const location = { domain, zone: delegation.zone }
          const openWith = (credential: Credential) =>
            orUnreadable(adapter.openZone({ ...location, credential, nameServers: delegation.parentNameServers }))
          const client = yield* Effect.catchIf(
            openWith(held),
            (closed) => closed.code === "credential_invalid",
            () => Effect.flatMap(orClosed(credentials.replaceRefused(held, connection)), openWith)
          )
          const snapshot = yield* orUnreadable(client.read)
          return { location, delegation, providerId, limits: adapter.limits, client, snapshot }
        })
      }
    })
  )
}

const domainOf = ({ effectiveIntent }: Connection): Either.Either<DomainName, ZoneAccessDenied> =>
  Either.mapLeft(parseDomain(effectiveIntent.domain), () => new ZoneAccessDenied({ code: "internal_error" }))

/** Without a credential the zone stays closed, for the same reason. */
const orClosed = <A, E, R>(held: Effect.Effect<A, E | CredentialUnavailable, R>) =>
  Effect.catchIf(
    held,
    (error): error is Extract<E | CredentialUnavailable, CredentialUnavailable> =>
      error instanceof CredentialUnavailable,
    ({ code }) => new ZoneAccessDenied({ code })
  )

const orUnreadable = <A>(reading: Effect.Effect<A, ProviderFailure>): Effect.Effect<A, ZoneAccessDenied> =>
  reading.pipe(
    withRetry(ProviderFailure),
    Effect.tapError((failure) => Effect.logWarning("The provider's zone cannot be read", failure)),
    Effect.mapError(({ code }) => new ZoneAccessDenied({ code }))
  )
