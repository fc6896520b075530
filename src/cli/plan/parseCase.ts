import { Array, Either, Record, Schema } from "effect"
import { hasPriority, normalizeValue, type ZoneRecord } from "../../domain/DnsRecord.ts"
import {
  apexHost,
  type DomainName,
  isAtOrBelow,
  normalizeTarget,
  parseDomain,
  parseHost,
  parseTarget
} from "../../domain/DomainName.ts"
import type { ErrorDetail } from "../../domain/ErrorDetail.ts"
import { type ResolvedIntent, resolveIntent } from "../../domain/Intent.ts"
import { Capabilities, Capability, type Provider } from "../../domain/Provider.ts"
import { type LookupQuestion, questionKey } from "../../planning/DnsLookup.ts"
import type { PlanContext } from "../../planning/PlanContext.ts"
import type { PlanInput } from "../../planning/buildPlan.ts"
import { catalog, limitsOf, unknownProvider } from "../../providers/catalog/catalog.ts"
import { BadInput } from "./BadInput.ts"
import { type CaseRequest, type ContextInput, decodeCase, type ZoneRecordInput } from "./CaseRequest.ts"
import { quoteInput } from "./escapeNonPrintable.ts"

/** All that a plan depends on, and the provider that was named. */
export interface PlanCase extends PlanInput {
  readonly provider: Provider
}

/**
 * Reads a case: its intent is judged by the rules of the API, its zone is taken as it is. `errors: "first"` where a
 * hostile one could have millions.
 */
export const parseCase = (
  input: unknown,
  options: { readonly errors: "all" | "first" }
): Either.Either<PlanCase, BadInput> =>
  Either.gen(function* () {
    const request = yield* decodeCase(input, options)
    const intent = yield* intentOf(request)
    const provider = yield* providerOf(request.provider)
    const { capabilities, ttl } = limitsOf(provider)
    return {
      intent,
      provider,
      zone: {
        name: yield* zoneNameOf(request.zoneName ?? intent.domain, intent.domain),
        basis: "provider",
        records: request.zone.map((record) => zoneRecordOf(record, intent.domain))
      },
      limits: { capabilities: yield* withCapabilities(capabilities, request.capabilities), ttl },
      context: contextOf(request.context ?? {}, intent.domain)
    }
  })

const intentOf = ({ domain, intent }: CaseRequest): Either.Either<ResolvedIntent, BadInput> =>
  Either.gen(function* () {
    const normal = yield* Either.mapLeft(parseDomain(domain), senseless("/domain"))
    const own = yield* Either.mapLeft(parseDomain(intent.domain ?? domain), senseless("/intent/domain"))
    if (own !== normal) {
      const fault = { code: "domain_differs", message: `must be ${normal}, for which the plan is made, or be left out` }
      return yield* Either.left(senseless("/intent/domain")(fault))
    }
    return yield* Either.mapLeft(resolveIntent({ ...intent, domain }), unprocessable)
  })

const unprocessable = (issues: ReadonlyArray<ErrorDetail>) =>
  new BadInput({ code: "unprocessable", message: "the intent makes no sense; see issues", issues })

const senseless = (pointer: string) => (fault: { readonly code: string; readonly message: string }) =>
  unprocessable([{ pointer, ...fault }])

const providerOf = (id: string = unknownProvider.id): Either.Either<Provider, BadInput> =>
  Either.fromNullable(providers.get(id), () => {
    const alike = [...providers.keys()].filter((known) => known.slice(0, alikeLetters) === id.slice(0, alikeLetters))
    const hint = alike.length === 0 ? "" : `; known are ${alike.join(", ")}`
    return BadInput.atPointer(
      "/provider",
      "unknown_provider",
      `there is no provider ${quoteInput(id)} in the catalogue${hint}`
    )
  })

const providers: ReadonlyMap<string, Provider> = new Map(
  [unknownProvider, ...catalog.map(({ provider }) => provider)].map((provider) => [provider.id, provider])
)

const alikeLetters = 3

const zoneNameOf = (name: string, domain: DomainName): Either.Either<DomainName, BadInput> =>
  Either.flatMap(Either.mapLeft(parseTarget(name), senseless("/zoneName")), (zone) =>
    isAtOrBelow(domain, zone)
      ? Either.right(zone)
      : Either.left(BadInput.atPointer("/zoneName", "zone_elsewhere", `must be ${domain} or a name above it`))
  )

/** Whatever a record of the zone says, it is never refused. */
const zoneRecordOf = (input: ZoneRecordInput, domain: DomainName): ZoneRecord => {
  const { host, ttl, type, value, ...traits } = input
  const text = typeof value === "string" ? value : value.join("")
  return {
    host: hostOf(host, domain),
    type,
    ...(traits.priority === undefined ? withPriority(type.toUpperCase(), text) : { value: text }),
    ttl,
    ...traits
  }
}

/** Relative to the domain; one that makes no sense is kept as it is, and none stands for the apex in some exports. */
const hostOf = (host: string, domain: DomainName): string =>
  host === "" ? apexHost : Either.getOrElse(parseHost(host, domain), () => host)

/** Zone files and some exports write the priority of an MX or SRV in front of its value. */
const withPriority = (type: string, value: string): Pick<ZoneRecord, "value" | "priority"> => {
  if (!hasPriority(type)) return { value }
  const [priority = "", ...fields] = value.trim().split(/\s+/)
  return /^\d{1,5}$/.test(priority) && fields.length === (type === "MX" ? 1 : 3)
    ? { value: fields.join(" "), priority: Number(priority) }
    : { value }
}

/** Some capabilities said anew, as an object or like `cnameFlattening=unsupported,caaRecords=supported`. */
const withCapabilities = (
  known: Capabilities,
  given: string | Readonly<Record<string, string>> = {}
): Either.Either<Capabilities, BadInput> => {
  const entries = typeof given === "string" ? entriesIn(given) : Object.entries(given)
  const [issues, said] = Array.partitionMap(entries, judgeCapability)
  return issues.length === 0
    ? Either.right({ ...known, ...Record.fromEntries(said) })
    : Either.left(BadInput.fromIssues(issues.slice(0, maxIssues)))
}

const maxIssues = 20

const entriesIn = (text: string): ReadonlyArray<readonly [string, string]> =>
  text
    .split(",")
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const [name = "", ...value] = part.split("=")
      return [name.trim(), value.join("=").trim()]
    })

const judgeCapability = ([name, value]: readonly [string, string]) => {
  if (!isCapabilityName(name)) {
    return refuse("unknown_capability", `there is no ${quoteInput(name)}; it may be ${capabilityNames.join(", ")}`)
  }
  return isCapability(value)
    ? Either.right([name, value] as const)
    : refuse("unknown_value", `${name} cannot be ${quoteInput(value)}; it may be ${Capability.literals.join(", ")}`)
}

const refuse = (code: string, message: string) => Either.left({ pointer: "/capabilities", code, message })

const isCapabilityName = Schema.is(Schema.keyof(Capabilities))
const isCapability = Schema.is(Capability)
const capabilityNames = Object.keys(Capabilities.fields)

/** What is known beyond the zone, in the normal form in which the planner looks it up. */
const contextOf = ({ answers = {}, others = [] }: ContextInput, domain: DomainName): PlanContext => ({
  answers: new Map(
    Object.entries(answers).flatMap(([name, byType]) =>
      Object.entries(byType).flatMap(([written, values]) => {
        const type = written.toUpperCase()
        return isAsked(type)
          ? [
              [
                questionKey({ name: normalizeTarget(name), type }),
                values.map((value) => answerOf(type, value))
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

/** The planner asks for nothing else. */
const isAsked = (type: string): type is LookupQuestion["type"] => Object.hasOwn(asked, type)

const asked: { readonly [_ in LookupQuestion["type"]]: true } = { A: true, AAAA: true, MX: true, TXT: true, CAA: true }

/** Of an MX the planner looks at the target alone. */
const answerOf = (type: string, value: string): string =>
  normalizeValue(type, type === "MX" ? (value.trim().split(/\s+/).at(-1) ?? value) : value)
