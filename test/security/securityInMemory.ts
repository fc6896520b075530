import { Duration, Effect, Layer } from "effect"
import { Identifiers } from "../../src/domain/values/Identifiers.ts"
import { allKeyScopes } from "../../src/domain/access/Tenancy.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { BrowserTokens } from "../../src/security/BrowserTokens.ts"
import { ownTenancy } from "../persistence/connectionFixtures.ts"
import { storesInMemory } from "../support/testApi.ts"

/** Keys and tokens over any stores. */
export const security = Layer.merge(ApiKeys.layer, BrowserTokens.layer({ lifetime: Duration.minutes(15) })).pipe(
  Layer.provideMerge(Identifiers.layer)
)

export const securityInMemory = Layer.provideMerge(security, storesInMemory)

/** Issues an API key of `ownTenancy` with all scopes. */
export const issueOwnKey = (environment = "live") =>
  Effect.flatMap(ApiKeys, (keys) => keys.issue({ tenancy: ownTenancy, scopes: allKeyScopes, environment }))

/** The error for every invalid credential. */
export const unauthenticated = "Unauthenticated: a valid credential is required"
