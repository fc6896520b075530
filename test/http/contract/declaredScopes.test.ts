import { expect } from "bun:test"
import { Effect } from "effect"
import { type AdminScope, allAdminScopes } from "../../../src/domain/access/AdminKey.ts"
import { allKeyScopes } from "../../../src/domain/access/Tenancy.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueScopedAdminKey } from "../../support/testApi.ts"
import { ownTenancy } from "../../persistence/connectionFixtures.ts"
import { operations, sendAsCaller, sendTo } from "../support/errorCases.ts"

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

  live("is the one that an admin key needs: it is enough, and all others are not", () =>
    Effect.gen(function* () {
      expect(operations.forAdministrators.length).toBeGreaterThan(30)
      for (const operation of operations.forAdministrators) {
        const only = allAdminScopes.filter((scope) => operation.scopes.includes(scope))
        const others = allAdminScopes.filter((scope) => !operation.scopes.includes(scope))
        const sendWith = (scopes: ReadonlyArray<AdminScope>) =>
          Effect.flatMap(issueScopedAdminKey(scopes), (key) => sendTo(operation, { headers: { "x-admin-key": key } }))
        const [withOnly, withOthers] = yield* Effect.all([sendWith(only), sendWith(others)])
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
