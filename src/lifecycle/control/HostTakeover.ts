import { Context, Data, Effect, Layer, Option } from "effect"
import { type ConnectionRecord, servedNamesOf } from "../../domain/connection/ConnectionRecord.ts"
import type { DomainName } from "../../domain/names/DomainName.ts"
import { isProofOlder, type TakeoverRight } from "../../domain/connection/TakeoverRight.ts"
import type { Tenancy } from "../../domain/access/Tenancy.ts"
import type { HostNameHolder } from "../../domain/connection/Transition.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { ConnectionStore } from "../../persistence/stores/connections/ConnectionStore.ts"
import { type CompetingConnection, HostHolderStore } from "../../persistence/stores/connections/HostHolderStore.ts"
import { CommandRunner } from "../commit/CommandRunner.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { heldNamesOf } from "../state/controlState.ts"

/** `refused`: another connection keeps a host. `superseded`: another one has claimed them meanwhile. */
type TakeoverResult = "taken" | "refused" | "superseded"

/** Another tenant has claimed the hosts meanwhile: its claim is newer. */
class ClaimSuperseded extends Data.TaggedError("ClaimSuperseded") {}

/** Another tenant has proven control meanwhile, and its proof is newer. */
class ProofSuperseded extends Data.TaggedError("ProofSuperseded") {}

/**
 * Takes the hosts of a connection for its tenant, before it becomes active:
 *
 * 0. A connection of another tenant whose proof is newer keeps its names, and nothing happens.
 * 1. It claims all names in one statement, which looks again for newer proofs and for hosts lost since the read.
 * The last claim counts; one without a proof takes nothing from others.
 * 2. Every other connection with a right to a name loses it, only while the claim stands and no newer proof has come.
 * 3. The write that makes it active happens only while the claim still stands, too (see `Transitions`).
 *
 * Only the last claimer writes anything. A process that ends in between leaves a claim, and the next check repeats it all.
 */
export class HostTakeover extends Context.Tag("lifecycle/HostTakeover")<
  HostTakeover,
  {
    /** Whether a connection of another tenant keeps one of these names from one with this right. */
    readonly isRefused: (
      tenancy: Tenancy,
      names: ReadonlyArray<DomainName>,
      right: TakeoverRight
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Whether a connection of another tenant waits for one of these names. */
    readonly isAwaitedByAnother: (
      tenancy: Tenancy,
      names: ReadonlyArray<DomainName>
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Takes all hosts of the connection for its tenant, or none. */
    readonly takeHosts: (
      current: ConnectionRecord,
      right: TakeoverRight
    ) => Effect.Effect<TakeoverResult, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    HostTakeover,
    Effect.gen(function* () {
      const hosts = yield* HostHolderStore
      const runner = yield* CommandRunner
      const store = yield* ConnectionStore

      /** Whether another connection keeps one of the names, whatever the claim. */
      const keeps = ({ connectionId, ...tenancy }: CompetingConnection, names: HostNameHolder, right: TakeoverRight) =>
        Effect.map(
          store.findRecord(tenancy, connectionId),
          (other) => isHolderOf(other, names) && !canTakeFrom(other, right)
        ).pipe(Effect.catchTag("ConnectionNotFound", () => Effect.succeed(false)))

      const takeFrom = (
        { connectionId, ...tenancy }: CompetingConnection,
        names: HostNameHolder,
        right: TakeoverRight
      ) =>
        runner
          .commitDecision({ tenancy, id: connectionId, idempotency: Option.none(), needsStorage: false }, (other) =>
            Effect.gen(function* () {
              if (!isHolderOf(other, names)) return { events: [] }
              const stands = yield* hosts.isHolder({ ...tenancy, tenantId: names.tenantId }, names.names)
              if (!stands) return yield* new ClaimSuperseded()
              if (!canTakeFrom(other, right)) return yield* new ProofSuperseded()
              return { events: [LifecycleEvent.ControlLost()], sideEffects: { requiredHolder: names } }
            })
          )
          .pipe(
            // It has ended, or began anew, since it was listed: it holds nothing any more.
            Effect.catchTags({ ConnectionNotFound: () => Effect.void, IllegalTransition: () => Effect.void })
          )

      return {
        isRefused: Effect.fnUntraced(function* (tenancy, names, right) {
          const held = { tenantId: tenancy.tenantId, names }
          return yield* Effect.exists(yield* hosts.listCompetingConnections(tenancy, names), (other) =>
            keeps(other, held, right)
          )
        }),
        isAwaitedByAnother: Effect.fnUntraced(function* (tenancy, names) {
          const others = yield* hosts.listCompetingConnections(tenancy, names)
          return yield* Effect.exists(others, ({ connectionId, ...other }) =>
            Effect.map(store.findRecord(other, connectionId), ({ connection }) => connection.state !== "degraded").pipe(
              Effect.catchTag("ConnectionNotFound", () => Effect.succeed(false))
            )
          )
        }),
        takeHosts: Effect.fnUntraced(function* ({ connection, progress }, right) {
          const { applicationId, id, tenantId } = connection
          const names = servedNamesOf(connection)
          const held = { tenantId, names }
          const others = yield* hosts.listCompetingConnections(connection, names)
          if (yield* Effect.exists(others, (other) => keeps(other, held, right))) return "refused"
          const hadLostHosts = progress.control?.isLost === true
          const claim = { tenancy: { applicationId, tenantId }, connectionId: id, hadLostHosts, names, right }
          if (!(yield* hosts.claim(claim))) return "refused"
          if (right._tag === "Nothing") return "taken"
          const competing = yield* hosts.listCompetingConnections(connection, names)
          return yield* Effect.forEach(competing, (other) => takeFrom(other, held, right), { discard: true }).pipe(
            Effect.as("taken" as const),
            // The claim is repeated at the next check.
            Effect.catchTags({
              ClaimSuperseded: () => Effect.succeed("superseded" as const),
              ProofSuperseded: () => Effect.succeed("refused" as const),
              WriteConflict: () => Effect.succeed("superseded" as const),
              QuotaExceeded: Effect.die
            })
          )
        })
      }
    })
  )
}

const canTakeFrom = ({ progress: { control } }: ConnectionRecord, right: TakeoverRight): boolean =>
  isProofOlder(right, control?.provenAt)

/** Whether a connection has a right to one of the names; it may desire others by now. */
const isHolderOf = (other: ConnectionRecord, { names }: HostNameHolder): boolean =>
  other.connection.direction !== "restore" && heldNamesOf(other).some((held) => names.some((name) => name === held))
