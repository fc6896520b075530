import { Either } from "effect"
import { type DomainName, isWithin, parseDomain, parseTarget } from "../domain/DomainName.ts"
import { type ResolvedIntent, resolveIntent } from "../domain/Intent.ts"
import type { Provider } from "../domain/Provider.ts"
import type { PlanInput } from "../planning/buildPlan.ts"
import { catalog, limitsOf, unknownProvider } from "../providers/catalog/catalog.ts"
import { BadInput } from "./BadInput.ts"
import type { CaseRequest } from "./CaseRequest.ts"
import { contextOf } from "./contextOf.ts"
import { overridden } from "./overridden.ts"
import { quoted } from "./printable.ts"
import { zoneRecordOf } from "./zoneRecordOf.ts"

/** All that a plan depends on, and the provider that was named. */
export interface PlanCase extends PlanInput {
  readonly provider: Provider
}

/** Judges the intent by the rules of the API; the zone is taken as it is. */
export const planCase = (request: CaseRequest): Either.Either<PlanCase, BadInput> =>
  Either.gen(function* () {
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
      limits: { capabilities: yield* overridden(capabilities, request.capabilities), ttl },
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

const unprocessable = (issues: NonNullable<BadInput["issues"]>) =>
  new BadInput({ code: "unprocessable", message: "the intent makes no sense; see issues", issues })

const senseless = (pointer: string) => (fault: { readonly code: string; readonly message: string }) =>
  unprocessable([{ pointer, ...fault }])

const zoneNameOf = (name: string, domain: DomainName): Either.Either<DomainName, BadInput> =>
  Either.flatMap(Either.mapLeft(parseTarget(name), senseless("/zoneName")), (zone) =>
    isWithin(domain, zone)
      ? Either.right(zone)
      : Either.left(BadInput.at("/zoneName", "zone_elsewhere", `must be ${domain} or a name above it`))
  )

const providers: ReadonlyMap<string, Provider> = new Map(
  [unknownProvider, ...catalog.map(({ provider }) => provider)].map((provider) => [provider.id, provider])
)

const providerOf = (id: string = unknownProvider.id): Either.Either<Provider, BadInput> =>
  Either.fromNullable(providers.get(id), () => {
    const alike = [...providers.keys()].filter((known) => known.slice(0, alikeLetters) === id.slice(0, alikeLetters))
    const hint = alike.length === 0 ? "" : `; known are ${alike.join(", ")}`
    return BadInput.at("/provider", "unknown_provider", `there is no provider ${quoted(id)} in the catalogue${hint}`)
  })

const alikeLetters = 3
