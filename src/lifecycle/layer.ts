import { FiberRef, Layer } from "effect"
import { backgroundPriority } from "../runtime/PriorityScheduler.ts"
import type { QuotaLimits } from "../domain/access/Quota.ts"
import { ApprovedPlanWriter } from "./apply/ApprovedPlanWriter.ts"
import { PlanApplier } from "./apply/PlanApplier.ts"
import { ZoneAccess } from "./apply/ZoneAccess.ts"
import { CredentialProvider } from "./authorize/CredentialProvider.ts"
import { OAuthFlow } from "./authorize/OAuthFlow.ts"
import { Connections } from "./commands/Connections.ts"
import { CommandRunner } from "./commit/CommandRunner.ts"
import { ControlRules } from "./control/ControlRules.ts"
import { HostTakeover } from "./control/HostTakeover.ts"
import { ConnectionReads } from "./commit/ConnectionReads.ts"
import { ConnectionSignals } from "./commit/ConnectionSignals.ts"
import { Leases } from "./commit/Leases.ts"
import { TokenRevocations } from "./commit/TokenRevocations.ts"
import { Transitions } from "./commit/Transitions.ts"
import { ConfirmPhase } from "./phases/ConfirmPhase.ts"
import { DiscoverPhase } from "./phases/DiscoverPhase.ts"
import { LookPhase } from "./phases/LookPhase.ts"
import { ProvisionPhase } from "./phases/ProvisionPhase.ts"
import { RestorePhase } from "./phases/RestorePhase.ts"
import { VerifyPhase } from "./phases/VerifyPhase.ts"
import { DomainChecks } from "./plan/DomainChecks.ts"
import { FactResolver } from "./plan/FactResolver.ts"
import { PlanMaker } from "./plan/PlanMaker.ts"
import { ZoneSurvey } from "./plan/ZoneSurvey.ts"
import { ZoneTenants } from "./plan/ZoneTenants.ts"
import { Quotas } from "../limits/Quotas.ts"
import { backlogMetrics, Dispatcher } from "./scheduler/Dispatcher.ts"
import { lookLoop } from "./scheduler/LookLoop.ts"
import { PhaseRuns } from "./scheduler/PhaseRuns.ts"
import { WorkSlots } from "../limits/WorkSlots.ts"
import { Retention, type RetentionSettings } from "./scheduler/Retention.ts"
import type { LifecycleTimeouts } from "./state/StateTimeouts.ts"
import { Verification } from "./verify/Verification.ts"

interface LifecycleSettings extends RetentionSettings {
  readonly stateTimeouts: LifecycleTimeouts
  /** How many phases and domain checks hold a slot of this process at most. */
  readonly phasesInFlight: number
  readonly quotas: QuotaLimits
}

/** The lifecycle: what the API calls, the phases, and the loops. Loops and phases run behind requests. */
export const lifecycleLayer = (settings: LifecycleSettings) =>
  Layer.mergeAll(Dispatcher.loop, Retention.loop, backlogMetrics, looksAt(settings.stateTimeouts)).pipe(
    Layer.provideMerge(Layer.merge(lifecycleServices(settings), Retention.layer(settings))),
    Layer.provideMerge(Quotas.layer(settings.quotas)),
    Layer.locally(FiberRef.currentSchedulingPriority, backgroundPriority)
  )

/** Looks at single servers of active connections, where all are asked seldom. */
const looksAt = ({ recheckInterval, verifyInterval }: LifecycleTimeouts) =>
  verifyInterval === undefined ? Layer.empty : Layer.provide(lookLoop(recheckInterval), LookPhase.layer)

/** The check of all name servers, and before it that of one. */
const verifyPhases = Layer.provide(ConfirmPhase.layer, VerifyPhase.layer)

export const lifecycleServices = ({
  phasesInFlight,
  stateTimeouts
}: Omit<LifecycleSettings, "quotas" | keyof RetentionSettings>) =>
  Layer.mergeAll(Connections.layer, OAuthFlow.layer, Layer.provide(Dispatcher.layer, PhaseRuns.layer)).pipe(
    Layer.provide(Layer.mergeAll(DiscoverPhase.layer, ProvisionPhase.layer, RestorePhase.layer, verifyPhases)),
    Layer.provide(Layer.mergeAll(ApprovedPlanWriter.layer, Verification.layer)),
    Layer.provide(Layer.mergeAll(ZoneAccess.layer, PlanApplier.layer)),
    Layer.provideMerge(CommandRunner.layer),
    Layer.provideMerge(DomainChecks.layer),
    Layer.provideMerge(PlanMaker.layer(stateTimeouts)),
    Layer.provide(Layer.provide(ControlRules.layer, Layer.provideMerge(HostTakeover.layer, CommandRunner.layer))),
    Layer.provide(Layer.mergeAll(FactResolver.layer, ZoneSurvey.layer, ZoneTenants.layer)),
    Layer.provide(Layer.mergeAll(CredentialProvider.layer, TokenRevocations.layer)),
    Layer.provide(Leases.layer()),
    Layer.provideMerge(
      Layer.mergeAll(
        Transitions.layer(stateTimeouts),
        ConnectionReads.layer,
        Layer.provideMerge(WorkSlots.layer({ capacity: phasesInFlight }), ConnectionSignals.layer)
      )
    )
  )
