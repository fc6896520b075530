import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** Which version of the service a process runs; null where it does not say. */
const migration: Migration = [
  MigrationStep.Change({ statements: (sql) => sql`alter table processes add column version text` })
]

export default migration
