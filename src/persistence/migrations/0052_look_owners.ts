import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** The process that looks at a slot; when it ends, the slot is due at once. */
const migration: Migration = [
  MigrationStep.Change({ statements: (sql) => sql`alter table look_slots add column taken_by text` })
]

export default migration
