import { Context, Data, Effect, Either, Layer, Option } from "effect"
import type { ResolvedIntent } from "../../domain/Intent.ts"
import type { Warning } from "../../domain/Plan.ts"
import type { Provider } from "../../domain/Provider.ts"
import type { Zone } from "../../domain/Zone.ts"
import { type Delegation, Delegations } from "../../dns/Delegation.ts"
import { ZoneReader } from "../../dns/ZoneReader.ts"
import type { HostQuestion } from "../../dns/namesToAsk.ts"
import type { DomainName } from "../../domain/DomainName.ts"
import type { ElsewhereWanted } from "../../planning/PlanContext.ts"
import type { Planned, PlanRefused } from "../../planning/buildPlan.ts"
import { inOrder } from "../../planning/changes/warnings.ts"
import type { Detection } from "../../providers/Detection.ts"
import { Providers } from "../../providers/Providers.ts"
import { Planner } from "./Planner.ts"
import { zoneQuestions } from "./zoneQuestions.ts"

/** What stands in public where a domain is served, and the plan from there to an intent. */
export interface Surveyed {
  readonly provider: Provider
  readonly zone: Zone
  /** Its warnings are also of what is known of the zone beside its records. */
  readonly planned: Either.Either<Planned, PlanRefused>
}

/** A zone in public, with its provider and what that can store. */
export interface Seen extends Detection {
  readonly zone: Zone
}

/** The zone of a domain could not be found or read. */
export class SurveyFailed extends Data.TaggedError("SurveyFailed")<{
  readonly code: (typeof delegationFailures)[keyof typeof delegationFailures]
  readonly provider: Option.Option<Provider>
}> {}

/** Finds out where a domain is served and by whom, what is there, and what would have to change. */
export class Survey extends Context.Tag("lifecycle/Survey")<
  Survey,
  {
    /** `othersIn` tells what other connections want in a zone. */
    readonly survey: <E = never>(
      intent: ResolvedIntent,
      othersIn?: (zone: DomainName) => Effect.Effect<ReadonlyArray<ElsewhereWanted>, E>
    ) => Effect.Effect<Surveyed, SurveyFailed | E>
    /** What stands in public at some hosts of a domain, and what is known of its zone beside its records. */
    readonly look: (
      domain: DomainName,
      hosts: (isApex: boolean) => ReadonlyArray<HostQuestion>
    ) => Effect.Effect<Seen, SurveyFailed>
  }
>() {
  static readonly layer = Layer.effect(
    Survey,
    Effect.gen(function* () {
      const delegations = yield* Delegations
      const zones = yield* ZoneReader
      const planner = yield* Planner
      const providers = yield* Providers

      const look = Effect.fn("Survey.look")(function* (
        domain: DomainName,
        hosts: (isApex: boolean) => ReadonlyArray<HostQuestion>
      ) {
        const delegation = yield* Effect.mapError(
          delegations.find(domain),
          ({ _tag }) => new SurveyFailed({ code: delegationFailures[_tag], provider: Option.none() })
        )
        const detection = providers.detect(delegation)
        const reading = yield* Effect.mapError(
          zones.read({ domain, delegation, hosts: hosts(delegation.zone === domain) }),
          () => new SurveyFailed({ code: "discovery_timeout", provider: Option.some(detection.provider) })
        )
        const warnings = [
          ...detection.warnings,
          ...delegationWarnings(delegation),
          ...(reading.disagreeing ? ["name_servers_disagree" as const] : [])
        ]
        return { ...detection, zone: reading.zone, warnings }
      })

      return {
        look,
        survey: Effect.fn("Survey.survey")(function* (intent, othersIn = nobody) {
          const [{ limits, provider, warnings, zone }, inquiry] = yield* Effect.all(
            [
              look(intent.domain, (isApex) => zoneQuestions(intent.effectiveIntent.records, isApex)),
              planner.askAhead(intent)
            ],
            { concurrency: 2 }
          )
          const others = yield* othersIn(zone.name)
          const planned = yield* planner.plan({ intent, zone, limits, others }, inquiry)
          return { provider, zone, planned: Either.map(planned, warningAlso(warnings)) }
        })
      }
    })
  )
}

/** The failure of a connection whose zone cannot be found. */
export const delegationFailures = {
  DomainNotRegistered: "domain_not_registered",
  DomainHasNoNameServers: "domain_has_no_nameservers",
  ZoneNotFound: "zone_not_found",
  DelegationTimedOut: "discovery_timeout"
} as const

/** What is known of a zone from where it is delegated to. */
export const delegationWarnings = ({ parentChildMismatch, signed }: Delegation): ReadonlyArray<Warning> => [
  ...(signed ? ["dnssec_signed_zone" as const] : []),
  ...(parentChildMismatch ? ["ns_parent_child_mismatch" as const] : [])
]

const nobody = () => Effect.succeed([])

const warningAlso =
  (more: ReadonlyArray<Warning>) =>
  (planned: Planned): Planned => ({ ...planned, warnings: inOrder([...planned.warnings, ...more]) })
