import { Array, Either, Record, Schema } from "effect"
import { BadInput, type CaseIssueCode, quoteInput } from "./BadInput.ts"
import { type CaseRequest, type ContextInput, decodeCase, type ZoneRecordInput } from "./CaseRequest.ts"
import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import {
  apexHost,
  type DomainName,
  isAtOrBelow,
  listSelfAndAncestors,
  normalizeTarget,
  parseDomain,
  parseHost,
  parseTarget,
  toFqdn
} from "../../domain/names/DomainName.ts"
import { describeProblems, type ErrorDetail, maxErrorDetails, type ValueIssue } from "../../domain/error/ErrorDetail.ts"
import { type ResolvedIntent, resolveIntent } from "../../domain/connection/Intent.ts"
import { Capabilities, Capability, type Provider } from "../../domain/provider/Provider.ts"
import type { Zone, ZoneLocation } from "../../domain/plan/Zone.ts"
import { formatOf } from "../../domain/records/dnsTypes.ts"
import { valueFieldsOf } from "../../domain/records/RecordFormat.ts"
import { hasPriority, normalizeValue } from "../../domain/records/recordTypes.ts"
import { type LookupQuestion, questionKeyOf } from "../../planning/DnsLookup.ts"
import type { PlanContext } from "../../planning/PlanContext.ts"
import type { PlanInput } from "../../planning/buildPlan.ts"
import { makeZoneContextFinder } from "../../planning/zone/zoneContext.ts"
import { catalog, limitsOf, unknownProvider } from "../../providers/catalog/catalog.ts"
import { findHostsInDomain } from "../../providers/writing/AffectedNames.ts"

/** Everything that a plan depends on, and the named provider. */
export interface PlanCase extends Omit<PlanInput, "zone"> {
  readonly zone: Zone
  readonly provider: Provider
}

/** How to parse a case; `errors: "first"` is for long input, which could have millions of errors. */
export interface CaseOptions {
  readonly errors: "all" | "first"
  /** The operator's own providers, which the case may name as well as those of the catalog. */
  readonly declared?: ReadonlyArray<Provider>
}

/** Parses a case: its intent must follow the rules of the API, its zone may contain anything. */
export const parseCase = (input: unknown, { declared = [], errors }: CaseOptions): Either.Either<PlanCase, BadInput> =>
  Either.gen(function* () {
    const request = yield* decodeCase(input, { errors })
    const intent = yield* intentOf(request)
    const provider = yield* providerOf(request.provider, declared)
    const { capabilities, flattensAliases, ttl } = limitsOf(provider)
    const zone = yield* zoneNameOf(request.zoneName ?? intent.domain, intent.domain)
    const location = { domain: intent.domain, zone }
    const context = contextOf(request.context ?? {}, intent.domain)
    return {
      intent,
      provider,
      zone: { ...zoneOf(request.zone, location), flattenedAliases: flattensAliases === true ? "in_zone" : undefined },
      limits: { capabilities: yield* withCapabilities(capabilities, request.capabilities), ttl },
      context: { ...context, answers: new Map([...findStatedAnswersAbove(request.zone, location), ...context.answers]) }
    }
  })

const intentOf = ({ domain, intent }: CaseRequest): Either.Either<ResolvedIntent, BadInput> =>
  Either.gen(function* () {
    const caseDomain = yield* Either.mapLeft(parseDomain(domain), makeUnprocessableAt("/domain"))
    const intentDomain = yield* Either.mapLeft(
      parseDomain(intent.domain ?? domain),
      makeUnprocessableAt("/intent/domain")
    )
    if (intentDomain !== caseDomain) {
      const issue: ValueIssue = {
        code: "domain_differs",
        message: `must be ${caseDomain}, for which the plan is made, or be left out`
      }
      return yield* Either.left(makeUnprocessableAt("/intent/domain")(issue))
    }
    return yield* Either.mapLeft(resolveIntent({ ...intent, domain }), makeUnprocessable)
  })

const makeUnprocessable = (issues: ReadonlyArray<ErrorDetail>) =>
  new BadInput({ code: "unprocessable", message: describeProblems("intent", issues), issues })

const makeUnprocessableAt = (pointer: string) => (issue: ValueIssue) => makeUnprocessable([{ pointer, ...issue }])

const providerOf = (
  id: string = unknownProvider.id,
  declared: ReadonlyArray<Provider>
): Either.Either<Provider, BadInput> =>
  Either.fromNullable(declared.find((provider) => provider.id === id) ?? providers.get(id), () => {
    const similar = [...declared.map((provider) => provider.id), ...providers.keys()].filter(
      (known) => known.slice(0, commonPrefixLength) === id.slice(0, commonPrefixLength)
    )
    const hint = similar.length === 0 ? "" : `; known are ${similar.join(", ")}`
    return BadInput.atPointer(
      "/provider",
      "unknown_provider",
      `there is no provider ${quoteInput(id)} in the catalog or in PROVIDERS_FILE${hint}`
    )
  })

const providers: ReadonlyMap<string, Provider> = new Map(
  [unknownProvider, ...catalog.map(({ provider }) => provider)].map((provider) => [provider.id, provider])
)

const commonPrefixLength = 3

const zoneNameOf = (name: string, domain: DomainName): Either.Either<DomainName, BadInput> =>
  Either.flatMap(Either.mapLeft(parseTarget(name), makeUnprocessableAt("/zoneName")), (zone) =>
    isAtOrBelow(domain, zone)
      ? Either.right(zone)
      : Either.left(BadInput.atPointer("/zoneName", "zone_elsewhere", `must be ${domain} or a name above it`))
  )

/** Absolute hosts, which end in a dot, may be outside the domain: their effect on the domain is kept. */
const zoneOf = (inputs: ReadonlyArray<ZoneRecordInput>, location: ZoneLocation): Zone => {
  const { domain, zone } = location
  const zoneContext = makeZoneContextFinder(location)
  const records = inputs.flatMap((input) => {
    const record = zoneRecordOf(input, domain)
    const { host, ...data } = record
    const name = input.host.endsWith(".") ? normalizeTarget(input.host) : toFqdn(host, domain)
    zoneContext.add(name, data)
    return isAtOrBelow(name, domain) || !isAtOrBelow(name, zone)
      ? [record]
      : findHostsInDomain(name, record.type.toUpperCase(), location).map((host) => ({ ...record, host }))
  })
  return { name: zone, basis: "provider", records, ...zoneContext.find() }
}

/** Finds CAA and DMARC answers of the zone above the domain; a name without a record stays unknown. */
const findStatedAnswersAbove = (
  inputs: ReadonlyArray<ZoneRecordInput>,
  { domain, zone }: ZoneLocation
): PlanContext["answers"] => {
  const above = listSelfAndAncestors(domain).filter((name) => name !== domain && isAtOrBelow(name, zone))
  const questions = new Set(
    above
      .flatMap((name): ReadonlyArray<LookupQuestion> => [
        { name, type: "CAA" },
        { name: `_dmarc.${name}`, type: "TXT" }
      ])
      .map(questionKeyOf)
  )
  const answers = inputs
    .filter(({ host }) => host.endsWith("."))
    .map((input) => {
      const { type, value } = zoneRecordOf(input, domain)
      return {
        key: `${normalizeTarget(input.host)} ${type.toUpperCase()}`,
        value: normalizeAnswer(type.toUpperCase(), value)
      }
    })
    .filter(({ key }) => questions.has(key))
  return new Map(
    [...Map.groupBy(answers, ({ key }) => key)].map(([key, group]) => [key, group.map(({ value }) => value)])
  )
}

/** Normalizes a record of the zone; none is ever refused. */
const zoneRecordOf = (input: ZoneRecordInput, domain: DomainName): ZoneRecord => {
  const { host, ttl, type, value, ...traits } = input
  const text = typeof value === "string" ? value : value.join("")
  return {
    host: hostOf(host, domain),
    type,
    ...(traits.priority === undefined ? splitPriority(type.toUpperCase(), text) : { value: text }),
    ttl,
    ...traits
  }
}

/** Makes a host relative to the domain; keeps an invalid one. In some exports the empty host is the apex. */
const hostOf = (host: string, domain: DomainName): string =>
  host === "" ? apexHost : Either.getOrElse(parseHost(host, domain), () => host)

/** Separates the priority of an MX or SRV, which zone files and some exports write in front of the value. */
const splitPriority = (type: string, value: string): Pick<ZoneRecord, "value" | "priority"> => {
  if (!hasPriority(type)) return { value }
  const [priority = "", ...fields] = value.trim().split(/\s+/)
  return /^\d{1,5}$/.test(priority) && fields.length === valueFieldsOf(formatOf(type)).length
    ? { value: fields.join(" "), priority: Number(priority) }
    : { value }
}

/** Replaces some capabilities, given as an object or like `cnameFlattening=unsupported,caaRecords=supported`. */
const withCapabilities = (
  defaults: Capabilities,
  replacements: string | Readonly<Record<string, string>> = {}
): Either.Either<Capabilities, BadInput> => {
  const entries = typeof replacements === "string" ? parseEntries(replacements) : Object.entries(replacements)
  const [issues, capabilities] = Array.partitionMap(entries, checkCapability)
  return issues.length === 0
    ? Either.right({ ...defaults, ...Record.fromEntries(capabilities) })
    : Either.left(BadInput.fromIssues(issues.slice(0, maxErrorDetails), issues.length))
}

const parseEntries = (text: string): ReadonlyArray<readonly [string, string]> =>
  text
    .split(",")
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const [name = "", ...value] = part.split("=")
      return [name.trim(), value.join("=").trim()]
    })

const checkCapability = ([name, value]: readonly [string, string]) => {
  if (!isCapabilityName(name)) {
    return refuse("unknown_capability", `there is no ${quoteInput(name)}; it may be ${capabilityNames.join(", ")}`)
  }
  return isCapability(value)
    ? Either.right([name, value] as const)
    : refuse("unknown_value", `${name} cannot be ${quoteInput(value)}; it may be ${Capability.literals.join(", ")}`)
}

const refuse = (code: CaseIssueCode, message: string) => Either.left({ pointer: "/capabilities", code, message })

const isCapabilityName = Schema.is(Schema.keyof(Capabilities))
const isCapability = Schema.is(Capability)
const capabilityNames = Object.keys(Capabilities.fields)

/** Normalizes the answers and records outside the zone, as the planner looks them up. */
const contextOf = ({ answers = {}, others = [] }: ContextInput, domain: DomainName): PlanContext => ({
  answers: new Map(
    Object.entries(answers).flatMap(([name, byType]) =>
      Object.entries(byType).flatMap(([typeName, values]) => {
        const type = typeName.toUpperCase()
        return isLookupType(type)
          ? [
              [
                questionKeyOf({ name: normalizeTarget(name), type }),
                values.map((value) => normalizeAnswer(type, value))
              ] as const
            ]
          : []
      })
    )
  ),
  others: others.map((record) => {
    const type = record.type.toUpperCase()
    return { ...record, host: hostOf(record.host, domain), type, value: normalizeValue(type, record.value) }
  })
})

const isLookupType = (type: string): type is LookupQuestion["type"] => Object.hasOwn(lookupTypes, type)

/** The planner looks up these types only. */
const lookupTypes: { readonly [_ in LookupQuestion["type"]]: true } = {
  A: true,
  AAAA: true,
  MX: true,
  TXT: true,
  CAA: true,
  CNAME: true,
  TLSA: true
}

/** Normalizes the value of an answer; of an MX the planner needs the target only. */
const normalizeAnswer = (type: string, value: string): string =>
  normalizeValue(type, type === "MX" ? (value.trim().split(/\s+/).at(-1) ?? value) : value)
