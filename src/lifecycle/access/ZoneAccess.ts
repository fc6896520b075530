import { Context, Data, Duration, Effect, Either, Layer, Option, Schedule } from "effect"
import type { Connection, FailureCode } from "../../domain/Connection.ts"
import type { Credential } from "../../domain/Credential.ts"
import { type DomainName, parseDomain } from "../../domain/DomainName.ts"
import { type Delegation, Delegations } from "../../dns/Delegation.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type { Place, ZoneClient, ZoneSnapshot } from "../../providers/ProviderClient.ts"
import type { ProviderFailure } from "../../providers/ProviderFailure.ts"
import { Providers } from "../../providers/Providers.ts"
import type { ProviderLimits } from "../../domain/Provider.ts"
import { HeldCredentials, NoCredential } from "./HeldCredentials.ts"
import { delegationFailures } from "../zone/Survey.ts"

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
            patiently(adapter.openZone({ ...place, credential, nameServers: delegation.parentNameServers }))
          const client = yield* Effect.catchIf(
            openWith(held),
            (closed) => closed.code === "credential_invalid",
            () => Effect.flatMap(orClosed(credentials.inPlaceOf(held, connection)), openWith)
          )
          const snapshot = yield* patiently(client.read)
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

/** What may pass by itself is tried three times in all; nothing was written, so that trying does no harm. */
const patiently = <A>(effect: Effect.Effect<A, ProviderFailure>): Effect.Effect<A, ZoneClosed> =>
  effect.pipe(
    Effect.retry({
      while: ({ code }) => code === "provider_unavailable" || code === "provider_rate_limited",
      schedule: Schedule.intersect(waiting, Schedule.recurs(2))
    }),
    Effect.tapError((failure) => Effect.logWarning("The provider's zone cannot be read", failure)),
    Effect.mapError(({ code }) => new ZoneClosed({ code }))
  )

const waiting = Schedule.identity<ProviderFailure>().pipe(
  Schedule.addDelay(({ retryAfter }) => Duration.min(retryAfter ?? Duration.seconds(1), Duration.seconds(20)))
)
