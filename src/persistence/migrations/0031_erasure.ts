import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** Finds the webhook events of one connection, and the connections that ended first, to erase them. */
const migration: Migration = [
  MigrationStep.CreateIndex({
    name: "webhook_events_of_connection",
    table: "webhook_events",
    on: "(connection_id) where connection_id is not null"
  }),
  MigrationStep.CreateIndex({
    name: "connections_ended",
    table: "connections",
    on: "(updated_at) where state in ('expired', 'canceled', 'disconnected')"
  })
]

export default migration
