import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** The trace of the request that made the next phase of a connection due, and its id: only while traces are exported. */
const migration: Migration = [
  MigrationStep.Change({ statements: (sql) => sql`alter table connections add column due_trace text` })
]

export default migration
