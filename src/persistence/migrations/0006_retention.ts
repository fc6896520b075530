import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** `taken_version`: a phase that is due again at the version at which it was taken has written nothing. */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      alter table connections add column taken_version integer`
  }),
  MigrationStep.CreateIndex({ name: "idempotency_keys_at", table: "idempotency_keys", on: "(created_at)" }),
  MigrationStep.CreateIndex({ name: "browser_tokens_until", table: "browser_tokens", on: "(expires_at)" }),
  MigrationStep.CreateIndex({ name: "leases_until", table: "leases", on: "(until)" })
]

export default migration
