import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** Finds the events of webhook endpoints themselves, which are deleted with their application. */
const migration: Migration = [
  MigrationStep.CreateIndex({
    name: "webhook_events_of_endpoints",
    table: "webhook_events",
    on: "(application_id) where connection_id is null"
  })
]

export default migration
