import { Either, Option } from "effect"
import { makeChallengeRecord } from "../../domain/connection/Control.ts"
import type { ResolvedIntent } from "../../domain/connection/Intent.ts"
import { apexHost, toRelativeHost } from "../../domain/names/DomainName.ts"
import type { Zone } from "../../domain/plan/Zone.ts"
import type { DomainConnectOffer, ReplacedRecord } from "../../domain/provider/DomainConnectOffer.ts"
import { Provider, sortMethods } from "../../domain/provider/Provider.ts"
import { findSingletonTxtKind } from "../../domain/records/txt.ts"
import { withoutValidation } from "../../domain/values/boundedSchemas.ts"
import { findLinkRefusal, type LinkRefusal } from "../../domainConnect/applyLink.ts"
import { applyTemplate, isMergedFrom, isSameEntry, type TemplateEffect } from "../../domainConnect/applyTemplate.ts"
import type { TemplateRefusal, ZoneEntry } from "../../domainConnect/resolveTemplate.ts"
import { controlPanelOf } from "../../domainConnect/Settings.ts"
import { type NoSolution, solveTemplate } from "../../domainConnect/solveTemplate.ts"
import { digestOf } from "../../domainConnect/signature.ts"
import { givenVariables, type Template, variable } from "../../domainConnect/Template.ts"
import { type AnyRecord, toZoneEntry } from "../authorize/zoneEntries.ts"
import type { DomainConnectWay } from "../authorize/DomainConnect.ts"
import type { DiscoveryStep, DomainConnectProvider } from "../../providers/domainConnect/DomainConnectDirectory.ts"
import type { ProposedPlan } from "../state/LifecycleEvent.ts"

interface OfferRequest {
  readonly intent: ResolvedIntent
  readonly zone: Zone
  readonly proposed: ProposedPlan
}

/** Offers Domain Connect if a template gives exactly the plan and its removals; else limitations say why not. */
export const offerDomainConnect = (
  provider: Provider,
  way: Option.Option<DomainConnectWay>,
  request: OfferRequest
): Provider => {
  const identified = identifyProvider(provider, way, request.zone)
  // Without a change there is nothing to write.
  if (Option.isNone(way) || request.proposed.plan.changes.length === 0) return identified
  const { reasons, redirectUri, templates } = way.value
  const offer = Option.match(way.value.provider, {
    onNone: () => Either.left([]),
    onSome: ({ settings }) =>
      findFirstOffer(templates, (template) => makeOffer(template, { settings, redirectUri }, request))
  })
  if (Either.isLeft(offer)) {
    const limitation = `Domain Connect is not offered: ${[...reasons, ...offer.left].join("; ")}.`
    return new Provider({ ...identified, limitations: [...identified.limitations, limitation] }, withoutValidation)
  }
  const { availableAuthorizationMethods: methods, implementation } = identified
  return new Provider(
    {
      ...identified,
      implementation: implementation === "manual" ? "redirect" : implementation,
      availableAuthorizationMethods: sortMethods([...methods, "domain_connect"], identified.health),
      domainConnect: offer.right
    },
    withoutValidation
  )
}

/** The first offer; the reasons of all templates if there is none. */
const findFirstOffer = (
  templates: ReadonlyArray<Template>,
  make: (template: Template) => Either.Either<DomainConnectOffer, string>
): Either.Either<DomainConnectOffer, ReadonlyArray<string>> =>
  templates.reduce<Either.Either<DomainConnectOffer, ReadonlyArray<string>>>(
    (found, template) =>
      Either.orElse(found, (reasons) => Either.mapLeft(make(template), (reason) => [...reasons, reason])),
    Either.left([])
  )

/** Identifies a provider by its settings: its name, if that is not known, and the page of the zone. */
export const identifyProvider = (
  provider: Provider,
  way: Option.Option<DomainConnectWay>,
  { name }: Pick<Zone, "name">
): Provider => {
  const found = Option.flatMap(way, (known) => known.provider)
  if (Option.isNone(found)) return provider
  const { profile, settings } = found.value
  const referenceUrl = controlPanelOf(settings, name)
  return new Provider(
    {
      ...provider,
      ...(referenceUrl === undefined ? {} : { referenceUrl }),
      ...(provider.id === "unknown"
        ? {
            id: profile.id === "" ? provider.id : profile.id,
            name: settings.providerDisplayName ?? settings.providerName,
            detection: { method: "domain_connect" }
          }
        : {})
    },
    withoutValidation
  )
}

const makeOffer = (
  template: Template,
  { redirectUri, settings }: Pick<DomainConnectWay, "redirectUri"> & Pick<DomainConnectProvider, "settings">,
  request: OfferRequest
): Either.Either<DomainConnectOffer, string> =>
  Either.gen(function* () {
    const { domain } = request.intent
    const { name: zone } = request.zone
    const host = Option.getOrElse(toRelativeHost(domain, zone), () => apexHost)
    const place = { domain: zone, host: host === apexHost ? "" : host }
    const explain = <A, E>(result: Either.Either<A, E>, describe: (error: E) => string) =>
      Either.mapLeft(result, (error) => `${template.serviceId}: ${describe(error)}`)
    if (request.proposed.plan.warnings.includes("multi_provider_ns"))
      return yield* Either.left("several providers serve the zone")
    const solution = yield* explain(solveWithOrWithoutOptional(template, request, place), describeNoSolution)
    const syncUrl = settings.urlSyncUX ?? ""
    const link = { syncUrl, template, ...place, solution, redirectUri, state: stateOfUsualLength }
    const refusal = findLinkRefusal(link)
    if (Option.isSome(refusal)) return yield* explain(Either.left(refusal.value), describeLinkRefusal)
    const { groups, variables } = solution
    const use = { ...place, variables, ...(groups.length === 0 ? {} : { groups }) }
    const present = request.zone.records.map((record) => toZoneEntry(record, domain))
    const effect = yield* explain(
      applyTemplate(template, present, use, { redirectEntries: [] }),
      describeTemplateRefusal
    )
    if (!coversRemovals(request, effect))
      return yield* explain(Either.left(undefined), () => "the provider would leave records that are in the way")
    return {
      providerId: template.providerId,
      serviceId: template.serviceId,
      displayName: settings.providerDisplayName ?? settings.providerName,
      syncUrl,
      zone,
      host: place.host,
      variables,
      templateDigest: digestOf(template),
      groups,
      ...(request.proposed.control?.isAwaitedByHand === true
        ? { adds: listChallenge(request).map(toReplacedRecord) }
        : {}),
      removes: listRemoved(request, effect),
      keeps: listKept(request, effect)
    }
  })

/** Optional records may be missing; the reason is why all records do not fit. */
const solveWithOrWithoutOptional = (
  template: Template,
  request: OfferRequest,
  place: Parameters<typeof solveTemplate>[2]
): ReturnType<typeof solveTemplate> => {
  const [all, required] = [listDesired(request, true), listDesired(request, false)]
  const solution = solveTemplate(template, all, place)
  return required.length === all.length
    ? solution
    : Either.orElse(solution, (error) => Either.mapLeft(solveTemplate(template, required, place), () => error))
}

/** A state of the same length as the states of sessions. */
const stateOfUsualLength = "x".repeat(43)

/** The records that the template has to give, with the plan's challenge. SPF is unmerged: the provider merges it. */
const listDesired = ({ intent, proposed }: OfferRequest, withOptional: boolean): ReadonlyArray<ZoneEntry> => {
  return [
    ...proposed.effectiveIntent.records.filter((record) => !isSpf(record)),
    ...intent.effectiveIntent.records.filter(isSpf),
    ...listChallenge({ intent, proposed })
  ]
    .filter(({ optional }) => withOptional || !optional)
    .map((record) => toZoneEntry(record, intent.domain))
}

/** The challenge that the plan carries, or that proves control where the service gets no credential. */
const listChallenge = ({ intent, proposed: { control } }: Pick<OfferRequest, "intent" | "proposed">) =>
  control?.challenge !== undefined && (control.isAwaited || control.isAwaitedByHand === true)
    ? [makeChallengeRecord(intent.domain, control.challenge)]
    : []

const isSpf = (record: AnyRecord): boolean => findSingletonTxtKind(record) === "SPF"

/** Whether all that the plan removes or replaces goes with the template, too. */
const coversRemovals = ({ intent, proposed }: OfferRequest, { removed }: TemplateEffect): boolean =>
  proposed.plan.changes.every(({ after, before }) => {
    if (before === undefined || findSingletonTxtKind(before) === "SPF") return true
    const entry = toZoneEntry(before, intent.domain)
    const isKept = after !== undefined && isSameEntry(entry, toZoneEntry(after, intent.domain))
    return isKept || isAmong(entry, removed)
  })

const isAmong = (entry: ZoneEntry, entries: ReadonlyArray<ZoneEntry>): boolean =>
  entries.some((other) => isSameEntry(other, entry))

/** The records that the template takes from the zone; an SPF record that it merges with its own is not lost. */
const listRemoved = (request: OfferRequest, { added, removed }: TemplateEffect) =>
  listRecords(request, (entry) => isAmong(entry, removed) && !added.some((other) => isMergedFrom(entry, other)))

/** The records that the plan and the template leave as they are, as far as the zone has them itself. */
const listKept = (request: OfferRequest, { removed }: TemplateEffect) => {
  const { intent, proposed } = request
  const changed = proposed.plan.changes.flatMap(({ before }) =>
    before === undefined ? [] : [toZoneEntry(before, intent.domain)]
  )
  const gone = [...changed, ...removed]
  return listRecords(request, (entry) => !isAmong(entry, gone)).slice(0, maxKept)
}

/** Records of the zone itself: the addresses of a proxy are not the customer's. */
const listRecords = ({ intent: { domain }, zone }: OfferRequest, isListed: (entry: ZoneEntry) => boolean) =>
  zone.records
    .filter((record) => record.proxied !== true && isListed(toZoneEntry(record, domain)))
    .map(toReplacedRecord)

const toReplacedRecord = ({ host, priority, type, value }: AnyRecord): ReplacedRecord => ({
  host,
  type,
  value,
  ...(priority === undefined ? {} : { priority })
})

const maxKept = 100

const describeNoSolution = (error: NoSolution): string => {
  switch (error.code) {
    case "host_required":
      return "the template is for subdomains only"
    case "too_many_records":
      return "there are too many records"
    case "record_not_in_template":
      return error.record.type === "SPFM"
        ? `the template does not have ${error.record.data || "a rule"} of SPF at ${error.record.name}`
        : `the template does not have ${error.record.type} at ${error.record.name}`
    case "template_writes_more":
      return `the template writes ${error.record.type} at ${error.record.host || "@"}, too`
    case "no_common_values":
      return "no values of its variables give exactly these records"
  }
}

/** Whether there would be links by a template that lead customers back to this address of the service. */
export const checkLink = (template: Template, publicUrl: string | undefined): DiscoveryStep => {
  const solution = { variables: listVariables(template), groups: [] }
  const request = { syncUrl: "", template, domain: "", host: "", solution, redirectUri: publicUrl }
  const refusal = Option.map(findLinkRefusal(request), describeLinkRefusal)
  const problem = Option.orElse(refusal, () =>
    publicUrl === undefined ? Option.some("PUBLIC_URL is not set, so that links lead nobody back") : Option.none()
  )
  return {
    step: "link",
    isGood: Option.isNone(problem),
    message: `${template.serviceId}: ${Option.getOrElse(problem, () => "links lead customers back")}`
  }
}

/** The variables that a link by a template has. */
const listVariables = ({ records }: Template): Readonly<Record<string, string>> =>
  Object.fromEntries(
    JSON.stringify(records)
      .split(variable)
      .filter((name, index) => index % 2 === 1 && !givenVariables.has(name))
      .map((name) => [name, ""])
  )

const describeLinkRefusal = (refusal: LinkRefusal): string => {
  switch (refusal.code) {
    case "sync_blocked":
      return "the template is not for links"
    case "warns_of_phishing":
      return "providers warn of the template or refuse it, by its warnPhishing"
    case "reserved_variable":
      return `the variable ${refusal.variable} has a reserved name`
    case "foreign_redirect":
      return "its syncRedirectDomain does not have the domain of PUBLIC_URL"
    case "link_too_long":
      return "the link would be too long"
  }
}

const describeTemplateRefusal = ({ code }: TemplateRefusal): string => `the template cannot be applied: ${code}`
