import { Context, Data, Effect, Either, Layer, Option } from "effect"
import type { Connection, FailureCode } from "../../domain/Connection.ts"
import type { Credential } from "../../domain/Credential.ts"
import { type DomainName, parseDomain } from "../../domain/DomainName.ts"
import { type Delegation, Delegations } from "../../dns/Delegation.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type { Place, ZoneClient, ZoneSnapshot } from "../../providers/ProviderClient.ts"
import { patiently } from "../../providers/patiently.ts"
import { ProviderFailure } from "../../providers/ProviderFailure.ts"
import { Providers } from "../../providers/Providers.ts"
import type { ProviderLimits } from "../../domain/Provider.ts"
import { HeldCredentials, NoCredential } from "../access/HeldCredentials.ts"
import { delegationFailures } from "./Survey.ts"

/** The zone of a connection at its provider, open to the credential that the connection holds. */
export interface OpenZone {
  readonly place: Place
  readonly delegation: Delegation
  readonly providerId: string
  readonly limits: ProviderLimits
  readonly client: ZoneClient
  /** The whole zone as it is now. */
  readonly snapshot: ZoneSnapshot
}

/** The zone cannot be read or written as things stand; nothing was written. */
export class ZoneClosed extends Data.TaggedError("ZoneClosed")<{ readonly code: FailureCode }> {}

/** Opens zones at their providers. Where the domain is delegated to is found anew each time. */
export class ZoneAccess extends Context.Tag("lifecycle/ZoneAccess")<
  ZoneAccess,
  { readonly open: (connection: Connection) => Effect.Effect<OpenZone, ZoneClosed | StoreUnavailable> }
>() {
  static readonly layer = Layer.effect(
    ZoneAccess,
    Effect.gen(function* () {
      const credentials = yield* HeldCredentials
      const delegations = yield* Delegations
      const providers = yield* Providers

      return {
        open: Effect.fn("ZoneAccess.open")(function* (connection) {
          const domain = yield* domainOf(connection)
          const held = yield* orClosed(credentials.of(connection))
          const delegation = yield* Effect.mapError(
            delegations.find(domain),
            ({ _tag }) => new ZoneClosed({ code: delegationFailures[_tag] })
          )
          const { provider } = providers.detect(delegation)
          const providerId = provider.id
          const adapter = yield* Either.fromOption(
            Option.filter(providers.clientOf(provider), () => providerId === connection.provider?.id),
            () => new ZoneClosed({ code: "authorization_zone_mismatch" })
          )
          const place = { domain, zone: delegation.zone }
          const openWith = (credential: Credential) =>
            orUnreadable(adapter.openZone({ ...place, credential, nameServers: delegation.parentNameServers }))
          const client = yield* Effect.catchIf(
            openWith(held),
            (closed) => closed.code === "credential_invalid",
            () => Effect.flatMap(orClosed(credentials.inPlaceOf(held, connection)), openWith)
          )
          const snapshot = yield* orUnreadable(client.read)
          return { place, delegation, providerId, limits: adapter.limits, client, snapshot }
        })
      }
    })
  )
}

const domainOf = ({ effectiveIntent }: Connection): Either.Either<DomainName, ZoneClosed> =>
  Either.mapLeft(parseDomain(effectiveIntent.domain), () => new ZoneClosed({ code: "internal_error" }))

/** Without a credential the zone stays closed, for the same reason. */
const orClosed = <A, E, R>(held: Effect.Effect<A, E | NoCredential, R>) =>
  Effect.catchIf(
    held,
    (error): error is Extract<E | NoCredential, NoCredential> => error instanceof NoCredential,
    ({ code }) => new ZoneClosed({ code })
  )

const orUnreadable = <A>(reading: Effect.Effect<A, ProviderFailure>): Effect.Effect<A, ZoneClosed> =>
  reading.pipe(
    patiently(ProviderFailure),
    Effect.tapError((failure) => Effect.logWarning("The provider's zone cannot be read", failure)),
    Effect.mapError(({ code }) => new ZoneClosed({ code }))
  )
