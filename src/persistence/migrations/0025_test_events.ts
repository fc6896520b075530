import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** Counts the test events that an application sent lately without reading its other events. */
const migration: Migration = [
  MigrationStep.CreateIndex({
    name: "webhook_events_tests",
    table: "webhook_events",
    on: "(application_id, created_at) where type = 'endpoint.test'"
  })
]

export default migration
