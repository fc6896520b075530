import { Effect, Layer, Redacted } from "effect"
import { Identifiers } from "../src/domain/values/Identifiers.ts"
import { databasePoolAt } from "../src/persistence/postgres/databasePool.ts"
import { AdminKeyStore } from "../src/persistence/stores/access/AdminKeyStore.ts"
import { AdminKeys } from "../src/security/AdminKeys.ts"
import { issueAdminKey } from "../test/support/testApi.ts"
import type { TestDatabase } from "../test/support/TestPostgres.ts"
import { databaseUrlOf } from "./BenchDatabase.ts"

/** Issues an admin key on a database. */
export const issueAdminKeyFor = (database: TestDatabase) =>
  issueAdminKey.pipe(
    Effect.provide(
      AdminKeys.layer.pipe(
        Layer.provide(AdminKeyStore.layer),
        Layer.provide(Identifiers.layer),
        Layer.provide(databasePoolAt(Redacted.make(databaseUrlOf(database)), 1))
      )
    ),
    Effect.orDie
  )
