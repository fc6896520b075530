import { Array, Context, Duration, Effect, Either, Layer, Option } from "effect"
import { Delegations } from "../../dns/zone/Delegations.ts"
import type { DomainConnectKey } from "../../domain/access/DomainConnectKey.ts"
import type { ApplicationId } from "../../domain/access/Tenancy.ts"
import type { Connection } from "../../domain/connection/Connection.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import { makeApplyLink } from "../../domainConnect/applyLink.ts"
import { listIgnoredFeatures } from "../../domainConnect/providerProfiles.ts"
import { parseTemplate, type Template } from "../../domainConnect/Template.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { ApplicationStore } from "../../persistence/stores/access/ApplicationStore.ts"
import {
  DomainConnectDirectory,
  type DomainConnectProvider
} from "../../providers/domainConnect/DomainConnectDirectory.ts"
import { DomainConnectKeys } from "../../security/DomainConnectKeys.ts"

/**
 * The offer of Domain Connect for the zone of a domain: the templates of its provider, or the reason why there are
 * none.
 */
export interface DomainConnectWay {
  readonly provider: DomainConnectProvider
  /** The templates that the provider has and whose key is published. */
  readonly templates: ReadonlyArray<Template>
  /** Why others are not among them, in words. */
  readonly reasons: ReadonlyArray<string>
  /** Where the provider sends customers back to; it must be in `syncRedirectDomain` of the template. */
  readonly redirectUri: string
}

/** Domain Connect as far as the operator and the applications have set it up: without templates, nothing is asked. */
export class DomainConnect extends Context.Reference<DomainConnect>()("lifecycle/DomainConnect", {
  defaultValue: (): {
    /**
     * Finds the provider of a connection's domain and the templates of the application that it has. Returns none after
     * two seconds, or if the provider takes no part.
     */
    readonly discover: (connection: Connection) => Effect.Effect<Option.Option<DomainConnectWay>, StoreUnavailable>
    /** Makes the link for the offer that was found at the provider of a connection; none if it has changed since. */
    readonly makeLink: (connection: Connection, state: string) => Effect.Effect<Option.Option<string>, StoreUnavailable>
  } => ({ discover: () => Effect.succeedNone, makeLink: () => Effect.succeedNone })
}) {
  /** `redirectUri` is the callback of OAuth: sessions of both end there. */
  static readonly layer = ({ redirectUri }: { readonly redirectUri: string }) =>
    Layer.effect(
      DomainConnect,
      Effect.gen(function* () {
        const applications = yield* ApplicationStore
        const delegations = yield* Delegations
        const directory = yield* DomainConnectDirectory
        const keys = yield* DomainConnectKeys

        const listTemplates = (applicationId: ApplicationId) =>
          Effect.map(applications.findSettings(applicationId), ({ domainConnectTemplates = [] }) =>
            Array.getRights(domainConnectTemplates.map(parseTemplate))
          )

        /** The newest key of a template that is published: after a rotation, the old one signs until the new one is there. */
        const findPublishedKey = (own: ReadonlyArray<DomainConnectKey>, { syncPubKeyDomain }: Template) =>
          Effect.findFirst(
            own.filter(({ domain }) => domain === syncPubKeyDomain?.toLowerCase()),
            (key) => Effect.map(directory.checkKey(key), ({ isGood }) => isGood)
          )

        const findReason = Effect.fnUntraced(function* (
          provider: DomainConnectProvider,
          own: ReadonlyArray<DomainConnectKey>,
          template: Template
        ) {
          const ignored = listIgnoredFeatures(template, provider.profile)
          if (ignored.length > 0) return Option.some(`the provider ignores ${ignored.join(", ")}, on which it relies`)
          const { isGood, message } = yield* directory.checkTemplate(provider, template)
          if (!isGood) return Option.some(message)
          return Option.isSome(yield* findPublishedKey(own, template))
            ? Option.none()
            : Option.some(`no key of it is published below ${template.syncPubKeyDomain ?? "any domain"}`)
        })

        const discoverZone = Effect.fnUntraced(function* (
          domain: DomainName,
          templates: ReadonlyArray<Template>,
          own: ReadonlyArray<DomainConnectKey>
        ) {
          const { childNameServers, parentNameServers, zone } = yield* delegations.find(domain)
          const { provider, steps } = yield* directory.discover(zone, [...parentNameServers, ...childNameServers])
          if (Option.isNone(provider)) {
            const reason = steps.at(-1)
            if (reason !== undefined) yield* Effect.logDebug("Domain Connect is not offered", reason.message)
            return Option.none<DomainConnectWay>()
          }
          const reasons = yield* Effect.forEach(templates, (template) => findReason(provider.value, own, template), {
            concurrency: maxTemplatesAtOnce
          })
          return Option.some({
            redirectUri,
            provider: provider.value,
            templates: templates.filter((_, index) => Option.exists(Array.get(reasons, index), Option.isNone)),
            reasons: templates.flatMap(({ serviceId }, index) =>
              Option.match(Option.flatten(Array.get(reasons, index)), {
                onNone: () => [],
                onSome: (reason) => [`${serviceId}: ${reason}`]
              })
            )
          })
        })

        return {
          discover: Effect.fnUntraced(function* ({ applicationId, effectiveIntent }) {
            const templates = yield* listTemplates(applicationId)
            if (templates.length === 0) return Option.none()
            const own = yield* keys.list(applicationId)
            return yield* discoverZone(DomainName.make(effectiveIntent.domain), templates, own).pipe(
              Effect.timeout(maxDiscovery),
              // The survey reports what is wrong with the domain itself.
              Effect.catchAll(() => Effect.succeedNone)
            )
          }),
          makeLink: Effect.fnUntraced(function* ({ applicationId, provider }, state) {
            const offer = provider?.domainConnect
            const templates = yield* listTemplates(applicationId)
            const template = templates.find(
              ({ providerId, serviceId }) => providerId === offer?.providerId && serviceId === offer.serviceId
            )
            if (offer === undefined || template === undefined) return Option.none()
            const key = yield* findPublishedKey(yield* keys.list(applicationId), template)
            if (Option.isNone(key)) return Option.none()
            const privateKey = yield* keys.open(key.value)
            if (Option.isNone(privateKey)) return Option.none()
            return Either.getRight(
              makeApplyLink({
                syncUrl: offer.syncUrl,
                template,
                domain: offer.zone,
                host: offer.host,
                solution: offer,
                redirectUri,
                state,
                key: { label: key.value.label, privateKey: privateKey.value }
              })
            )
          })
        }
      })
    )
}

/** The limit for all questions of one discovery, so that it never holds up a survey for longer. */
const maxDiscovery = Duration.seconds(2)

const maxTemplatesAtOnce = 8
