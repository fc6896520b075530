import { expect } from "bun:test"
import { Effect } from "effect"
import { allKeyScopes } from "../../../src/domain/access/Tenancy.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory } from "../../support/testApi.ts"
import { ownTenancy } from "../../persistence/connectionFixtures.ts"
import { operations, sendAsCaller } from "../support/errorCases.ts"

withLayer("the scope that the OpenAPI document names for an operation", apiInMemory(), (live) => {
  live("is exactly what an API key needs: it is enough, and all other scopes are not", () =>
    Effect.gen(function* () {
      expect(operations.forKeys.length).toBeGreaterThan(30)
      for (const operation of operations.forKeys) {
        const only = allKeyScopes.filter((scope) => operation.scopes.includes(scope))
        const others = allKeyScopes.filter((scope) => !operation.scopes.includes(scope))
        const withOnly = yield* sendAsCaller(operation, {}, ownTenancy, only)
        const withOthers = yield* sendAsCaller(operation, {}, ownTenancy, others)
        expect([operation.id, only.length, withOnly.status === 403, withOthers.status]).toEqual([
          operation.id,
          1,
          false,
          403
        ])
      }
    })
  )
})
