import { Command } from "@effect/cli"
import { Console, Effect, type Layer, Schema, Struct } from "effect"
import { availableParallelism, freemem, release, totalmem } from "node:os"
import { ConnectionOperations } from "../administration/ConnectionOperations.ts"
import { ConnectionSummary } from "../domain/connection/ConnectionInspection.ts"
import { PhaseStore } from "../persistence/stores/phases/PhaseStore.ts"
import { WebhookDeliveryStore } from "../persistence/stores/webhooks/WebhookDeliveryStore.ts"
import { serviceInstance } from "../runtime/serviceInstance.ts"
import { readSettings, type SettingsReader } from "./configCommand.ts"
import type { DoctorFinding } from "./doctor/DoctorFinding.ts"

/** What a bundle is made of: settings, findings of `doctor`, and the tables, if the database can be reached. */
export interface BundleSources<E, R> {
  readonly settings: SettingsReader
  readonly findings: Effect.Effect<ReadonlyArray<DoctorFinding>, never, R>
  readonly tables: Layer.Layer<ConnectionOperations | PhaseStore | WebhookDeliveryStore, E, R>
}

/** `support-bundle`: prints what who helps has to know, without secrets, names of customers and values of records. */
export const makeSupportBundleCommand = <E, R>({ findings, settings, tables }: BundleSources<E, R>) =>
  Command.make("support-bundle", {}, () =>
    Effect.gen(function* () {
      const bundle = {
        service: { version: serviceInstance.version, bun: Bun.version, platform: process.platform, arch: process.arch },
        machine: { kernel: release(), cores: availableParallelism(), memory: totalmem(), freeMemory: freemem() },
        ...(yield* readSettings(settings)),
        findings: yield* findings,
        ...(yield* readTables.pipe(
          Effect.provide(tables),
          // What `findings` says of the database is enough then.
          Effect.orElseSucceed(() => ({}))
        ))
      }
      yield* Console.log(formatBundle(bundle))
    })
  ).pipe(
    Command.withDescription(
      "Print what someone who helps has to know, as JSON: settings, checks and queues; no secret, domain or value of a record."
    )
  )

const formatBundle = (bundle: object): string => JSON.stringify(bundle, undefined, 2)

const readTables = Effect.gen(function* () {
  const operations = yield* ConnectionOperations
  const phases = yield* PhaseStore
  const [connections, phaseBacklog, webhookBacklog, stuck, failed] = yield* Effect.all([
    phases.countConnections,
    phases.measureBacklog,
    (yield* WebhookDeliveryStore).measureBacklog,
    operations.list({ overdueSeconds: 60 }, { limit: examples }),
    operations.list({ states: ["failed", "degraded"] }, { limit: examples })
  ])
  return { connections, phaseBacklog, webhookBacklog, stuck: stuck.map(describe), failed: failed.map(describe) }
})

const examples = 20

const encodeSummary = Schema.encodeSync(ConnectionSummary)

const describe = (summary: ConnectionSummary) =>
  Struct.omit(encodeSummary(summary), "applicationId", "tenantId", "domain")
