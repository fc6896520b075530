import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** Prepares changes of intents: the key of the one that counts, while another waits with `intent_key`, and an index. */
const migration: Migration = [
  MigrationStep.CreateIndex({
    name: "connection_hosts_of_connection",
    table: "connection_hosts",
    on: "(connection_id)"
  }),
  MigrationStep.Change({
    statements: (sql) => sql`
      alter table connections add column counting_intent_key bytea`
  }),
  MigrationStep.CreateIndex({
    name: "connections_counting_intent_key",
    table: "connections",
    on: "(counting_intent_key) where counting_intent_key is not null"
  })
]

export default migration
