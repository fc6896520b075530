import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** Whose session a browser token is, and the share link through which it was opened. */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      alter table browser_tokens
        add column role text not null default 'customer',
        add column opened_by bytea,
        add constraint browser_tokens_role_check check (role in ('customer', 'helper')) not valid`
  }),
  MigrationStep.Change({
    statements: (sql) => sql`alter table browser_tokens validate constraint browser_tokens_role_check`
  })
]

export default migration
