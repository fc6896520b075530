import { Effect, Layer, Redacted } from "effect"
import type { Credential } from "../../src/domain/provider/Credential.ts"
import type { SecretOwner } from "../../src/domain/access/SealedSecret.ts"
import { Credentials } from "../../src/security/Credentials.ts"
import { StoreFixture } from "../persistence/StoreFixture.ts"
import { sequentialIdentifiers } from "../support/sequentialIdentifiers.ts"
import { storesInMemory } from "../support/testApi.ts"

/** In-memory stores, identifiers and their fixture, without a master key. */
export const withoutKeys = Layer.mergeAll(sequentialIdentifiers, StoreFixture.layerMemory).pipe(
  Layer.provideMerge(storesInMemory)
)

/** A credential of the most common kind. */
export const apiToken = (secret: string): Credential => ({ _tag: "api_token", apiToken: Redacted.make(secret) })

/** Seals a credential and stores it for an hour. */
export const storeSealed = (owner: SecretOwner, credential: Credential) =>
  Effect.gen(function* () {
    const sealed = yield* Effect.flatMap(Credentials, ({ seal }) => seal(owner, credential))
    yield* Effect.flatMap(StoreFixture, ({ insertCredential }) => insertCredential(owner, sealed, 3_600))
    return sealed
  })
