import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** Admin keys of earlier versions may do everything. `lifetime` of an API key is for its successor's end. */
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
