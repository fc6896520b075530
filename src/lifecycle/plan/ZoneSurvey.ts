import { Context, Data, Effect, Either, Layer, Option } from "effect"
import type { Delegation } from "../../dns/zone/Delegation.ts"
import { Delegations } from "../../dns/zone/Delegations.ts"
import type { HostQuestion } from "../../dns/zone/QuestionSet.ts"
import { ZoneReader } from "../../dns/zone/ZoneReader.ts"
import type { DomainName } from "../../domain/DomainName.ts"
import type { ResolvedIntent } from "../../domain/Intent.ts"
import type { Warning } from "../../domain/Plan.ts"
import type { Provider } from "../../domain/Provider.ts"
import type { Zone } from "../../domain/Zone.ts"
import type { OtherDesiredRecord } from "../../planning/PlanContext.ts"
import type { PlanRefused, PlanResult } from "../../planning/buildPlan.ts"
import { sortWarnings } from "../../planning/changes/warnings.ts"
import { Providers } from "../../providers/Providers.ts"
import type { Detection } from "../../providers/catalog/Detection.ts"
import { FactResolver } from "./FactResolver.ts"
import { zoneQuestions } from "./zoneQuestions.ts"

/** What stands in public where a domain is served, and the plan from there to an intent. */
export interface SurveyedZone {
  readonly provider: Provider
  readonly zone: Zone
  /** Its warnings are also of what is known of the zone beside its records. */
  readonly planned: Either.Either<PlanResult, PlanRefused>
}

/** A zone in public, with its provider and what that can store. */
export interface ObservedZone extends Detection {
  readonly zone: Zone
}

/** The zone of a domain could not be found or read. */
export class ZoneSurveyFailed extends Data.TaggedError("ZoneSurveyFailed")<{
  readonly code: (typeof delegationFailures)[keyof typeof delegationFailures]
  readonly provider: Option.Option<Provider>
}> {}

/** Finds out where a domain is served and by whom, what is there, and what would have to change. */
export class ZoneSurvey extends Context.Tag("lifecycle/ZoneSurvey")<
  ZoneSurvey,
  {
    /** `othersIn` tells what other connections want in a zone. */
    readonly survey: <E = never>(
      intent: ResolvedIntent,
      othersIn?: (zone: DomainName) => Effect.Effect<ReadonlyArray<OtherDesiredRecord>, E>
    ) => Effect.Effect<SurveyedZone, ZoneSurveyFailed | E>
    /** What stands in public at some hosts of a domain, and what is known of its zone beside its records. */
    readonly read: (
      domain: DomainName,
      hosts: (isApex: boolean) => ReadonlyArray<HostQuestion>
    ) => Effect.Effect<ObservedZone, ZoneSurveyFailed>
  }
>() {
  static readonly layer = Layer.effect(
    ZoneSurvey,
    Effect.gen(function* () {
      const delegations = yield* Delegations
      const zones = yield* ZoneReader
      const planner = yield* FactResolver
      const providers = yield* Providers

      const look = Effect.fn("ZoneSurvey.read")(function* (
        domain: DomainName,
        hosts: (isApex: boolean) => ReadonlyArray<HostQuestion>
      ) {
        const delegation = yield* Effect.mapError(
          delegations.find(domain),
          ({ _tag }) => new ZoneSurveyFailed({ code: delegationFailures[_tag], provider: Option.none() })
        )
        const detection = providers.detect(delegation)
        const reading = yield* Effect.mapError(
          zones.read({ domain, delegation, hosts: hosts(delegation.zone === domain) }),
          () => new ZoneSurveyFailed({ code: "discovery_timeout", provider: Option.some(detection.provider) })
        )
        const warnings = [
          ...detection.warnings,
          ...delegationWarnings(delegation),
          ...(reading.hasDisagreement ? ["name_servers_disagree" as const] : [])
        ]
        return { ...detection, zone: reading.zone, warnings }
      })

      return {
        read: look,
        survey: Effect.fn("ZoneSurvey.survey")(function* (intent, othersIn = nobody) {
          const [{ limits, provider, warnings, zone }, inquiry] = yield* Effect.all(
            [
              look(intent.domain, (isApex) => zoneQuestions(intent.effectiveIntent.records, isApex)),
              planner.prefetchFacts(intent)
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
export const delegationWarnings = ({
  hasParentChildMismatch: parentChildMismatch,
  isSigned: signed
}: Delegation): ReadonlyArray<Warning> => [
  ...(signed ? ["dnssec_signed_zone" as const] : []),
  ...(parentChildMismatch ? ["ns_parent_child_mismatch" as const] : [])
]

const nobody = () => Effect.succeed([])

const warningAlso =
  (more: ReadonlyArray<Warning>) =>
  (planned: PlanResult): PlanResult => ({ ...planned, warnings: sortWarnings([...planned.warnings, ...more]) })
