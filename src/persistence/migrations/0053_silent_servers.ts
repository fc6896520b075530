import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** The servers that did not answer when all were asked: as long as they stay silent, looks ask others in their place. */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`alter table watches add column silent_servers text not null default ''`
  })
]

export default migration
