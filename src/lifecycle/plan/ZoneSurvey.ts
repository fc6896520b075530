import { Array, Context, Data, Duration, Effect, Layer, Option } from "effect"
import type { ResourceRecord } from "../../dns/wire/Message.ts"
import type { Delegation, ResolversUnavailable } from "../../dns/zone/Delegation.ts"
import { Delegations } from "../../dns/zone/Delegations.ts"
import type { HostQuestion } from "../../dns/zone/QuestionSet.ts"
import { CachedResolver } from "../../dns/zone/Resolver.ts"
import { ZoneReader, type ZoneReadResult } from "../../dns/zone/ZoneReader.ts"
import type { FailureDetail } from "../../domain/connection/Connection.ts"
import type { DnsRecord } from "../../domain/records/DnsRecord.ts"
import { type DomainName, HostName } from "../../domain/names/DomainName.ts"
import { isInNetworks } from "../../domain/names/IpAddress.ts"
import { limitsIn, Provider, withNameServers, withOpenCircuit } from "../../domain/provider/Provider.ts"
import { withoutValidation } from "../../domain/values/boundedSchemas.ts"
import type { Warning } from "../../domain/plan/Warning.ts"
import type { Zone } from "../../domain/plan/Zone.ts"
import { findSingletonTxtKind } from "../../domain/records/txt.ts"
import { describeServerAnswers, describeServerFailures } from "../state/failureDetails.ts"
import { isAddressRole } from "../../planning/RecordRole.ts"
import { listRelevantTypes } from "../../planning/changes/conflicts.ts"
import { makeZoneContextFinder } from "../../planning/zone/zoneContext.ts"
import { Providers } from "../../providers/Providers.ts"
import { decideByZone, type Detection } from "../../providers/catalog/Detection.ts"
import { type LongComputation, visitEach } from "../../runtime/LongComputation.ts"
import { computeInSlices } from "../../runtime/computeInSlices.ts"

/** A zone as its name servers answer, with its provider and what that can store; `warnings` are about the zone itself. */
export interface SurveyedZone extends Detection {
  readonly zone: Zone
  /** The authoritative servers, if each of them answered every question that a plan needs. */
  readonly answeredBy?: ReadonlyArray<string> | undefined
  /** The hosts and types for which a wildcard may answer. */
  readonly wildcardRRsets?: ZoneReadResult["wildcardRRsets"]
}

/** The zone of a domain could not be found or read; `provider` is known where only the reading failed. */
export class ZoneSurveyFailed extends Data.TaggedError("ZoneSurveyFailed")<{
  readonly code: (typeof delegationFailures)[keyof typeof delegationFailures]
  readonly provider: Option.Option<Provider>
  readonly details?: ReadonlyArray<FailureDetail>
}> {}

/** Finds the zone of a domain in the public DNS, detects its provider and reads its records. */
export class ZoneSurvey extends Context.Tag("lifecycle/ZoneSurvey")<
  ZoneSurvey,
  {
    /** Reads the zone at `hosts`, which depends on whether it begins at the domain. `known`: the provider so far. */
    readonly read: (
      domain: DomainName,
      hosts: (isApex: boolean) => ReadonlyArray<HostQuestion>,
      known?: Provider
    ) => Effect.Effect<SurveyedZone, ZoneSurveyFailed | ResolversUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ZoneSurvey,
    Effect.gen(function* () {
      const delegations = yield* Delegations
      const zones = yield* ZoneReader
      const providers = yield* Providers
      const resolver = yield* CachedResolver

      /** Asks a zone whose name servers several providers share whose it is; the customer's answer counts before its own. */
      const lookAgain = Effect.fnUntraced(function* (detection: Detection, delegation: Delegation, known?: Provider) {
        const earlier = providers.detect(delegation, known)
        if (known?.detection.method === "manual_selection") return earlier
        const { zone } = delegation
        const questions = [
          { name: zone, type: "SOA" },
          { name: `_domainconnect.${zone}`, type: "TXT" }
        ] as const
        const answers = yield* resolver.lookUp(questions, secondLookTimeout)
        const valuesOf = (wanted: "SOA" | "TXT") =>
          answers.flatMap(([{ type }, values]) => (type === wanted ? values : []))
        const decided = decideByZone(detection, { soa: valuesOf("SOA"), domainConnect: valuesOf("TXT") })
        return Option.getOrElse(decided, () => earlier)
      })

      const detectProvider = Effect.fnUntraced(function* (delegation: Delegation, known?: Provider) {
        const { childNameServers, parentNameServers } = delegation
        const byNames = providers.detect(delegation)
        const detection = byNames.sharing === undefined ? byNames : yield* lookAgain(byNames, delegation, known)
        const limits = limitsIn(detection.limits, delegation)
        const inZone =
          limits === detection.limits
            ? detection.provider
            : new Provider({ ...detection.provider, capabilities: limits.capabilities }, withoutValidation)
        const provider = withNameServers(inZone, [...parentNameServers, ...childNameServers])
        const health = Option.filter(yield* providers.healthOf(provider.id), ({ circuit }) => circuit === "open")
        return {
          ...detection,
          limits,
          provider: Option.match(health, { onNone: () => provider, onSome: (open) => withOpenCircuit(provider, open) })
        }
      })

      return {
        read: Effect.fnUntraced(function* (domain, hosts, known) {
          const delegation = yield* Effect.mapError(delegations.find(domain), (failure) =>
            failure._tag === "ResolversUnavailable"
              ? failure
              : new ZoneSurveyFailed({
                  code: delegationFailures[failure._tag],
                  provider: Option.none(),
                  details: describeDelegationFailure(failure)
                })
          )
          const detection = yield* detectProvider(delegation, known)
          const read = yield* Effect.mapError(
            zones.read({ domain, delegation, hosts: hosts(delegation.zone === domain), apexTypes: mailTypes }),
            ({ servers }) =>
              new ZoneSurveyFailed({
                code: "discovery_timeout",
                provider: Option.some(detection.provider),
                details: describeServerFailures(servers, domain)
              })
          )
          return yield* toSurveyedZone(detection, { domain, delegation, read })
        })
      }
    })
  )
}

/** The limit for each question of a second look. */
const secondLookTimeout = Duration.millis(1_500)

export const toSurveyedZone = (
  detection: Detection,
  request: { readonly domain: DomainName; readonly delegation: Delegation; readonly read: ZoneReadResult }
): Effect.Effect<SurveyedZone> => {
  const { delegation, domain, read } = request
  return Effect.map(computeInSlices(findTargetsOutside(domain, delegation, read.recordsOutside)), (outside) => ({
    ...detection,
    zone: {
      ...read.zone,
      records: markProxied(read.zone.records, detection.limits),
      ...outside,
      ...listUnansweredRRsets(delegation, read)
    },
    wildcardRRsets: read.wildcardRRsets,
    answeredBy: read.isComplete && areAllAsked(delegation) ? listServers(delegation) : undefined,
    warnings: [
      ...detection.warnings,
      ...listDelegationWarnings(delegation),
      ...(read.hasDisagreement ? ["name_servers_disagree" as const] : [])
    ]
  }))
}

/** Marks the addresses with which a provider answers for records that it proxies: its zone has other ones. */
const markProxied = (records: Zone["records"], { proxyNetworks = [] }: Detection["limits"]): Zone["records"] =>
  proxyNetworks.length === 0
    ? records
    : records.map((record) =>
        isAddressRole(record.type) && isInNetworks(record.value, proxyNetworks) ? { ...record, proxied: true } : record
      )

/** The RRsets of the zone that no server answered for, and those that the servers of its parent did not answer for. */
const listUnansweredRRsets = (
  { signerFailures, zone }: Delegation,
  { unanswered }: ZoneReadResult
): Pick<Zone, "unansweredRRsets"> => {
  const signer = signerFailures === undefined ? [] : [{ name: zone, type: "DS", servers: signerFailures }]
  const open = [...signer, ...unanswered]
  return open.length === 0
    ? {}
    : {
        unansweredRRsets: open.map(({ name, servers, type }) => ({
          name,
          type,
          answers: describeServerAnswers(servers)
        }))
      }
}

function* findTargetsOutside(
  domain: DomainName,
  { childNameServers, zone }: Delegation,
  recordsOutside: ReadonlyArray<ResourceRecord>
): LongComputation<Pick<Zone, "targetsOutside">> {
  const finder = makeZoneContextFinder({ domain, zone })
  childNameServers.forEach((value) => finder.add(zone, { type: "NS", value, ttl: 0 }))
  yield* visitEach(recordsOutside, ({ name, ...record }) => finder.add(name, record))
  const { targetsOutside } = finder.find()
  return targetsOutside === undefined ? {} : { targetsOutside }
}

/** Whether all name servers of a zone are asked; of many, only the first ones are. */
export const areAllAsked = (delegation: Delegation): boolean => {
  const asked = new Set(listServers(delegation))
  return [...delegation.parentNameServers, ...delegation.childNameServers].every((name) => asked.has(name))
}

const listServers = ({ nameServers }: Delegation): ReadonlyArray<string> => nameServers.map(({ name }) => name)

/** The types to read at the apex of a zone: they tell where its mail goes, which may be to the domain. */
export const mailTypes = ["MX", "TXT"] as const

/** The failure code of a connection whose zone cannot be found, by the error of `Delegations`. */
export const delegationFailures = {
  DomainNotRegistered: "domain_not_registered",
  DomainHasNoNameServers: "domain_has_no_nameservers",
  ZoneNotFound: "zone_not_found",
  DelegationTimedOut: "discovery_timeout"
} as const

/** The answers of the name servers from the search for the zone of the domain. */
export const describeDelegationFailure = (failure: DelegationError): ReadonlyArray<FailureDetail> =>
  describeServerFailures(failure.servers ?? [], failure.domain)

type DelegationError = Exclude<
  Effect.Effect.Error<ReturnType<(typeof Delegations)["Service"]["find"]>>,
  ResolversUnavailable
>

export const listDelegationWarnings = ({ hasParentChildMismatch, isSigned }: Delegation): ReadonlyArray<Warning> => [
  ...(isSigned ? ["dnssec_signed_zone" as const] : []),
  ...(hasParentChildMismatch ? ["ns_parent_child_mismatch" as const] : [])
]

/**
 * The questions for a plan of these records; `isApex`: the zone begins at their domain. What names addresses elsewhere is
 * always read; MX and SPF at a host tell whether mail depends on its own addresses.
 */
export const listPlanQuestions = (desired: ReadonlyArray<DnsRecord>, isApex: boolean): ReadonlyArray<HostQuestion> =>
  byHost([
    { host: "@", types: ["MX", "NS", "TXT"] as const },
    ...desired.map(({ host, type }) => ({
      host,
      types: listRelevantTypes(type, isApex && host === "@"),
      required: [type]
    })),
    ...desired.flatMap((record) =>
      record.type === "MX" || findSingletonTxtKind(record) === "SPF"
        ? [{ host: record.host, types: ["MX", "A", "AAAA"] as const }]
        : []
    ),
    ...desired.flatMap(({ host, type }) => (isWebType(type) ? [{ host, types: ["MX", "TXT"] as const }] : []))
  ])

const isWebType = (type: string): boolean => type === "A" || type === "AAAA" || type === "CNAME"

/** The questions that show whether records are served, with a flattened CNAME's addresses if `isFlattening`. */
export const listServedQuestions = (
  desired: ReadonlyArray<Pick<DnsRecord, "host" | "type">>,
  isApex: boolean,
  isFlattening = false
): ReadonlyArray<HostQuestion> =>
  byHost(
    desired.map(({ host, type }) => ({
      host,
      types: type === "CNAME" && (isFlattening || (isApex && host === "@")) ? (["CNAME", "A", "AAAA"] as const) : [type]
    }))
  )

/** Joins the questions about each host. */
export const byHost = (
  questions: ReadonlyArray<Omit<HostQuestion, "host"> & { readonly host: string }>
): ReadonlyArray<HostQuestion> =>
  [...Map.groupBy(questions, ({ host }) => host)].map(([host, atHost]) => ({
    host: HostName.make(host),
    types: Array.dedupe(atHost.flatMap(({ types }) => types)),
    required: Array.dedupe(atHost.flatMap(({ required = [] }) => required))
  }))
