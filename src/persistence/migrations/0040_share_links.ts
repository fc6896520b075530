import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** Whose session a browser token is, and the share link through which it was opened. */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      alter table browser_tokens
        add column role text not null default 'customer' check (role in ('customer', 'helper')),
        add column opened_by bytea`
  })
]

export default migration
