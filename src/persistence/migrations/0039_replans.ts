import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** Why the plan of a connection is made again, beside the failures of its timeline. */
const migration: Migration = [
  MigrationStep.Change({ statements: (sql) => sql`alter table connection_events add column replan text` })
]

export default migration
