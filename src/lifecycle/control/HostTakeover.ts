import { Context, Data, Effect, Layer, Option } from "effect"
import { type ConnectionRecord, servedNamesOf } from "../../domain/ConnectionRecord.ts"
import type { HostNameHolder } from "../../domain/Transition.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { ConnectionStore } from "../../persistence/stores/ConnectionStore.ts"
import { type CompetingConnection, HostHolderStore } from "../../persistence/stores/HostHolderStore.ts"
import { CommandRunner } from "../commit/CommandRunner.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { holdsHosts } from "../state/controlState.ts"

/** Another tenant has claimed the hosts meanwhile: its claim is newer. */
class ClaimSuperseded extends Data.TaggedError("ClaimSuperseded") {}

/**
 * Takes the hosts of a connection for its tenant, before the connection becomes active:
 *
 * 1. It claims all names in one statement. The last claim counts; one without a proof takes nothing from others.
 * 2. Every connection of another tenant that has a right to one of the names loses it. Each of these writes happens only
 *    while the claim still stands.
 * 3. The write that makes the connection active happens only while the claim still stands, too (see `Transitions`).
 *
 * So of two contenders only the last claimer writes anything. A process that ends in between leaves a claim, and the next
 * check does all of it again.
 */
export class HostTakeover extends Context.Tag("lifecycle/HostTakeover")<
  HostTakeover,
  {
    /**
     * Whether the tenant of the connection holds all of its hosts now; `canTakeOver` says whether it may take them from
     * live connections of other tenants.
     */
    readonly takeHosts: (current: ConnectionRecord, canTakeOver: boolean) => Effect.Effect<boolean, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    HostTakeover,
    Effect.gen(function* () {
      const hosts = yield* HostHolderStore
      const runner = yield* CommandRunner
      const store = yield* ConnectionStore

      /** Whether another connection has a right to one of the names. */
      const holds = ({ connectionId, ...tenancy }: CompetingConnection, names: HostNameHolder) =>
        Effect.map(store.findRecord(tenancy, connectionId), (other) => isHolderOf(other, names)).pipe(
          Effect.catchTag("ConnectionNotFound", () => Effect.succeed(false))
        )

      const takeFrom = ({ connectionId, ...tenancy }: CompetingConnection, names: HostNameHolder) =>
        runner
          .commitDecision({ tenancy, id: connectionId, idempotency: Option.none(), needsStorage: false }, (other) =>
            Effect.gen(function* () {
              if (!isHolderOf(other, names)) return { events: [] }
              const stands = yield* hosts.isHolder({ ...tenancy, tenantId: names.tenantId }, names.names)
              if (!stands) return yield* new ClaimSuperseded()
              return { events: [LifecycleEvent.ControlLost()], sideEffects: { requiredHolder: names } }
            })
          )
          .pipe(
            // It has ended, or began anew, since it was listed: it holds nothing any more.
            Effect.catchTags({ ConnectionNotFound: () => Effect.void, IllegalTransition: () => Effect.void })
          )

      return {
        takeHosts: Effect.fn("HostTakeover.takeHosts")(function* ({ connection }, canTakeOver) {
          const { applicationId, id, tenantId } = connection
          const names = servedNamesOf(connection)
          const held = { tenantId, names }
          if (
            !canTakeOver &&
            (yield* Effect.exists(yield* hosts.listCompetingConnections(connection, names), (other) =>
              holds(other, held)
            ))
          )
            return false
          const claim = { tenancy: { applicationId, tenantId }, connectionId: id, names, canTakeOver }
          if (!(yield* hosts.claim(claim))) return false
          if (!canTakeOver) return true
          const competing = yield* hosts.listCompetingConnections(connection, names)
          return yield* Effect.forEach(competing, (other) => takeFrom(other, held), { discard: true }).pipe(
            Effect.as(true),
            // The claim is repeated at the next check.
            Effect.catchTags({
              ClaimSuperseded: () => Effect.succeed(false),
              WriteConflict: () => Effect.succeed(false),
              QuotaExceeded: Effect.die
            })
          )
        })
      }
    })
  )
}

/** Whether a connection has a right to one of the names; it may desire others by now. */
const isHolderOf = (other: ConnectionRecord, { names }: HostNameHolder): boolean =>
  other.connection.direction !== "restore" &&
  holdsHosts(other) &&
  servedNamesOf(other.connection).some((name) => names.includes(name))
