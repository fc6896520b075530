import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/**
 * Admin keys have scopes and may expire. Those of earlier versions, and those that such a version makes, may do everything.
 * An API key that was created with an end keeps its `lifetime` for its successor: a rotation changes the end.
 */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      alter table admin_keys add column scopes text[] not null
        default '{admin:read,admin:write,connections:act,audit:read}';
      alter table admin_keys add column expires_at timestamptz;
      alter table api_keys add column lifetime interval`
  })
]

export default migration
