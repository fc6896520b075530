import { Array, Context, Duration, Effect, Either, identity, Layer, Option } from "effect"
import { Delegations } from "../../dns/zone/Delegations.ts"
import type { DomainConnectKey } from "../../domain/access/DomainConnectKey.ts"
import type { ApplicationId } from "../../domain/access/Tenancy.ts"
import type { Connection } from "../../domain/connection/Connection.ts"
import type { DomainConnectOffer } from "../../domain/provider/DomainConnectOffer.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import { makeApplyLink } from "../../domainConnect/applyLink.ts"
import { digestOf } from "../../domainConnect/signature.ts"
import { parseTemplate, type Template } from "../../domainConnect/Template.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { ApplicationStore } from "../../persistence/stores/access/ApplicationStore.ts"
import {
  type DiscoveryStep,
  DomainConnectDirectory,
  type DomainConnectProvider,
  listKeysOf
} from "../../providers/domainConnect/DomainConnectDirectory.ts"
import { Providers } from "../../providers/Providers.ts"
import { listProviderIds } from "../../providers/catalog/Detection.ts"
import { DomainConnectKeys } from "../../security/DomainConnectKeys.ts"

/** What Domain Connect could do for the zone of a domain: the provider with the templates that it has, or why not. */
export interface DomainConnectWay {
  readonly provider: Option.Option<DomainConnectProvider>
  /** Those that the provider has, whose key is published. */
  readonly templates: ReadonlyArray<Template>
  /** Why there is no provider, or why others are not among its templates, in words. */
  readonly reasons: ReadonlyArray<string>
  /** Where the provider sends customers back to; it must be in `syncRedirectDomain` of the template. */
  readonly redirectUri: string
}

/** Domain Connect as far as the operator and the applications have set it up: without templates, nothing is asked. */
export class DomainConnect extends Context.Reference<DomainConnect>()("lifecycle/DomainConnect", {
  defaultValue: (): {
    /** Finds the provider and its templates of the application in at most two seconds; none without templates. */
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
        const providers = yield* Providers

        const listTemplates = (applicationId: ApplicationId) =>
          Effect.map(applications.findSettings(applicationId), ({ domainConnectTemplates = [] }) =>
            Array.getRights(domainConnectTemplates.map(parseTemplate))
          )

        /** The newest key of a template that is published: after a rotation, the old one signs until the new one is there. */
        const findPublishedKey = (own: ReadonlyArray<DomainConnectKey>, template: Template) =>
          Effect.map(
            Effect.forEach(
              listKeysOf(template, own),
              (key) =>
                Effect.map(Effect.timeoutOption(directory.checkKey(key), maxDiscovery), (checked) =>
                  Option.exists(checked, ({ isGood }) => isGood) ? Option.some(key) : Option.none()
                ),
              { concurrency: "unbounded" }
            ),
            Option.firstSomeOf
          )

        const discoverZone = Effect.fnUntraced(function* (
          domain: DomainName,
          templates: ReadonlyArray<Template>,
          own: ReadonlyArray<DomainConnectKey>
        ) {
          const delegation = yield* delegations.find(domain)
          const { provider, steps } = yield* directory.discover({
            name: delegation.zone,
            nameServers: [...delegation.parentNameServers, ...delegation.childNameServers],
            providerIds: listProviderIds(providers.detect(delegation))
          })
          const faults = yield* Effect.forEach(
            Option.isSome(provider) ? templates : [],
            (template) =>
              Effect.map(
                Effect.transposeMapOption(provider, (found) => directory.checkTemplate(found, template, own)),
                (checked) => listFaults(Option.getOrElse(checked, () => []))
              ),
            { concurrency: maxTemplatesAtOnce }
          )
          return {
            provider,
            templates: templates.filter((_, index) => faults[index]?.length === 0),
            reasons: Array.dedupe([...(Option.isSome(provider) ? [] : listFaults(steps)), ...faults.flat()])
          }
        })

        return {
          discover: Effect.fnUntraced(function* ({ applicationId, effectiveIntent }) {
            const templates = yield* listTemplates(applicationId)
            if (templates.length === 0) return Option.none()
            const own = yield* keys.list(applicationId)
            return yield* discoverZone(DomainName.make(effectiveIntent.domain), templates, own).pipe(
              Effect.timeoutTo({ duration: maxDiscovery, onSuccess: identity, onTimeout: () => tooSlow }),
              Effect.map((found) => ({ redirectUri, ...found })),
              // The survey reports what is wrong with the domain itself.
              Effect.option
            )
          }),
          makeLink: Effect.fnUntraced(function* ({ applicationId, provider }, state) {
            const offer = provider?.domainConnect
            const templates = yield* listTemplates(applicationId)
            const template = templates.find(
              ({ providerId, serviceId }) => providerId === offer?.providerId && serviceId === offer.serviceId
            )
            if (offer === undefined || template === undefined || !isOffered(template, offer)) return Option.none()
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

/** Whether a template is still the one of the offer; older offers do not say. */
const isOffered = (template: Template, { templateDigest }: DomainConnectOffer): boolean =>
  templateDigest === undefined || templateDigest === digestOf(template)

/** The limit for all questions of one discovery or link, so that neither holds up a survey or a customer for longer. */
const maxDiscovery = Duration.seconds(2)

const tooSlow: Omit<DomainConnectWay, "redirectUri"> = {
  provider: Option.none(),
  templates: [],
  reasons: [`the provider has not answered within ${Duration.format(maxDiscovery)}`]
}

const listFaults = (steps: ReadonlyArray<DiscoveryStep>): ReadonlyArray<string> =>
  steps.filter(({ isGood }) => !isGood).map(({ message }) => message)

const maxTemplatesAtOnce = 8
