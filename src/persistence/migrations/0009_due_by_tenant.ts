import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** Finds the due phases of one tenant, oldest first, and the tenant that follows another one. */
const migration: Migration = [
  MigrationStep.CreateIndex({
    name: "connections_due_of",
    table: "connections",
    on: "(application_id, tenant_id, due_at) where due_at is not null"
  })
]

export default migration
