import { Context, DateTime, Effect, Either, Layer, Option, Schema } from "effect"
import type { ConnectionId } from "../domain/connection/Connection.ts"
import { ConnectionDocument } from "../domain/connection/ConnectionDocument.ts"
import {
  type ConnectionInspection,
  type ConnectionSummary,
  operatorActions,
  type RetryOutcome
} from "../domain/connection/ConnectionInspection.ts"
import { ObservationsDocument, toObservationsDocument } from "../domain/plan/ObservationsDocument.ts"
import { Observations } from "../domain/plan/RecordObservation.ts"
import type { PageRequest } from "../domain/values/PageRequest.ts"
import { cancel } from "../lifecycle/commands/cancel.ts"
import {
  type CancelRefused,
  type FailureNotRetryable,
  IdempotencyInProgress,
  IdempotencyKeyReused,
  PreconditionFailed
} from "../lifecycle/commands/commandErrors.ts"
import type { Command, CommandError } from "../lifecycle/commands/defineCommand.ts"
import { recheck } from "../lifecycle/commands/recheck.ts"
import { decideRetry, retry } from "../lifecycle/commands/retry.ts"
import { describeWait } from "../lifecycle/state/describeWait.ts"
import { permanentFailures } from "../lifecycle/state/failures.ts"
import { listAllowedActions } from "../lifecycle/state/listAllowedActions.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { AuditStore } from "../persistence/stores/audit/AuditStore.ts"
import {
  ConnectionInspections,
  type InspectedConnection,
  type InspectionFilter
} from "../persistence/stores/connections/ConnectionInspections.ts"
import { ConnectionNotFound } from "../persistence/stores/connections/ConnectionStore.ts"
import { ConnectionViews } from "../persistence/stores/connections/ConnectionViews.ts"
import { renewDocument } from "../persistence/stores/connections/StoredConnection.ts"

/** Which connections to retry, and whether to say only what would happen. */
export interface BulkRetry {
  readonly filter: InspectionFilter
  readonly limit: number
  readonly isDryRun: boolean
}

/** Runs a command on a connection of any tenant, and returns the connection as it is then. */
type OperatorCommand<Refusal = never> = (
  id: ConnectionId
) => Effect.Effect<ConnectionSummary, Exclude<CommandError, HeaderRefusal> | Refusal>

/** How a command fails by the headers of its request, which operators do not send. */
type HeaderRefusal = IdempotencyKeyReused | IdempotencyInProgress | PreconditionFailed

/** Finds connections of all tenants and acts on them, for operators: by HTTP and by the command line. */
export class ConnectionOperations extends Context.Tag("administration/ConnectionOperations")<
  ConnectionOperations,
  {
    readonly list: (
      filter: InspectionFilter,
      page: PageRequest
    ) => Effect.Effect<ReadonlyArray<ConnectionSummary>, StoreUnavailable>
    readonly overview: typeof ConnectionInspections.Service.readOverview
    readonly inspect: (id: ConnectionId) => Effect.Effect<ConnectionInspection, ConnectionNotFound | StoreUnavailable>
    /** The commands of platforms, on a connection of any tenant. */
    readonly retry: OperatorCommand<FailureNotRetryable>
    readonly recheck: OperatorCommand
    readonly cancel: OperatorCommand<CancelRefused>
    /**
     * Retries failed and degraded connections one after the other, the oldest first; unless the filter names a failure or a
     * connection, only those that a retry can help. A dry run asks no quota.
     */
    readonly retryAll: (request: BulkRetry) => Effect.Effect<ReadonlyArray<RetryOutcome>, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ConnectionOperations,
    Effect.gen(function* () {
      const store = yield* ConnectionInspections
      const views = yield* ConnectionViews
      const auditLog = yield* AuditStore

      const find = (id: ConnectionId) =>
        Effect.flatMap(
          store.find(id),
          Effect.mapError(() => ConnectionNotFound.error)
        )

      const commandOf =
        <Refusal>(command: Command<Refusal>): OperatorCommand<Refusal> =>
        (id) =>
          Effect.gen(function* () {
            const { summary } = yield* find(id)
            yield* Effect.catchIf(command(summary, id, options), isHeaderRefusal, Effect.die)
            return (yield* find(id)).summary
          })
      const retryOne = commandOf(yield* retry)

      const tryRetry = (
        inspected: InspectedConnection,
        isDryRun: boolean
      ): Effect.Effect<RetryOutcome, StoreUnavailable> => {
        const { domain, id } = inspected.summary
        const refused = ({ message }: { readonly message: string }): RetryOutcome => ({
          id,
          domain,
          outcome: "refused",
          message
        })
        if (isDryRun)
          return Effect.succeed(
            Either.match(decideRetry(inspected), {
              onLeft: refused,
              onRight: (): RetryOutcome => ({ id, domain, outcome: "would_retry" })
            })
          )
        return retryOne(id).pipe(
          Effect.map((): RetryOutcome => ({ id, domain, outcome: "retried" })),
          Effect.catchAll((error) =>
            error._tag === "StoreUnavailable" ? Effect.fail(error) : Effect.succeed(refused(error))
          )
        )
      }

      return {
        list: store.list,
        overview: store.readOverview,
        inspect: Effect.fnUntraced(function* (id) {
          const inspected = yield* find(id)
          const { applicationId } = inspected.summary
          const [observations, timeline, audit, providerCalls, deliveries] = yield* Effect.all(
            [
              views.findObservations(id),
              views.listTimeline(id, { limit: maxEntries, order: "desc" }),
              Effect.catchTag(
                auditLog.list(Option.some(applicationId), { connectionId: id }, { limit: maxEntries }),
                "AuditEntryNotFound",
                Effect.die
              ),
              store.listProviderCalls(id, maxEntries),
              store.listDeliveries(id, maxEntries)
            ],
            { concurrency: "unbounded" }
          )
          return {
            ...describe(inspected, yield* DateTime.now),
            ...Option.match(observations.nextCheckAt, {
              onNone: () => ({}),
              onSome: (nextCheckAt) => ({ nextCheckAt })
            }),
            records: toRecords(inspected, observations.doc),
            timeline: timeline.toReversed().map(({ failure, from, replan, ...entry }) => ({
              ...entry,
              ...(from === null ? {} : { from }),
              ...(failure === null ? {} : { failure }),
              ...(replan === null ? {} : { replan })
            })),
            audit: audit.entries,
            providerCalls,
            deliveries
          }
        }),
        retry: retryOne,
        recheck: commandOf(yield* recheck),
        cancel: commandOf(yield* cancel),
        retryAll: Effect.fnUntraced(function* ({ filter, isDryRun, limit }) {
          const { failure, id, states = ["failed", "degraded"] } = filter
          // Who names one, or a failure, gets told why it is refused; of others the oldest would be refused each time.
          const isNamed = id !== undefined || failure !== undefined
          const fitting = { ...filter, states, ...(isNamed ? {} : { exceptFailed: permanentFailures }) }
          const found = yield* store.list(fitting, { limit, order: "asc" })
          const outcomes = yield* Effect.forEach(found, ({ id }) =>
            Effect.flatMap(store.find(id), (inspected) =>
              Option.isNone(inspected)
                ? Effect.succeed([])
                : Effect.map(tryRetry(inspected.value, isDryRun), (outcome) => [outcome])
            )
          )
          return outcomes.flat()
        })
      }
    })
  )
}

const options = { callableActions: operatorActions, idempotency: Option.none(), ifVersion: Option.none() }

const isHeaderRefusal = (error: unknown): error is HeaderRefusal =>
  error instanceof IdempotencyKeyReused || error instanceof IdempotencyInProgress || error instanceof PreconditionFailed

/** How many entries of each kind an inspection shows. */
const maxEntries = 100

const describe = (inspected: InspectedConnection, now: DateTime.Utc) => {
  const { connection, credentialUntil, doc, summary } = inspected
  const { delay } = connection
  const allowed = listAllowedActions(inspected, now)
  const progress = {
    isOverdue: summary.overdueSeconds > 0,
    isScheduled: summary.dueAt !== undefined && DateTime.greaterThan(summary.dueAt, now),
    isTaken: summary.takenBy !== undefined
  }
  return {
    summary,
    ...describeWait(inspected, progress),
    allowedActions: operatorActions.filter((action) => allowed.includes(action)),
    ...(delay === undefined ? {} : { delay: delay.code }),
    ...(connection.nextCheckAt === undefined ? {} : { nextCheckAt: connection.nextCheckAt }),
    ...Option.match(credentialUntil, { onNone: () => ({}), onSome: (credentialUntil) => ({ credentialUntil }) }),
    connection: decodeDocument(renewDocument(doc))
  }
}

const toRecords = ({ connection }: InspectedConnection, observations: Option.Option<string>) =>
  decodeRecords(
    toObservationsDocument(
      Option.match(observations, { onNone: () => ({ records: [] }), onSome: (doc) => decodeObservations(doc) }),
      connection
    )
  )

const decodeDocument = Schema.decodeSync(Schema.parseJson(ConnectionDocument))

const decodeRecords = Schema.decodeSync(ObservationsDocument)

const decodeObservations = Schema.decodeSync(Schema.parseJson(Schema.encodedSchema(Observations)))
