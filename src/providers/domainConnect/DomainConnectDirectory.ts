import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { Array, Context, Data, Duration, Effect, Either, Layer, Option } from "effect"
import type { Question } from "../../dns/wire/Message.ts"
import { makeRequesterCache } from "../../dns/zone/RequesterCache.ts"
import { CachedResolver } from "../../dns/zone/Resolver.ts"
import type { DomainConnectKey } from "../../domain/access/DomainConnectKey.ts"
import { registeredDomainOf } from "../../domain/names/DomainName.ts"
import { canonicalizeAddress, isOutboundAllowed, type Network } from "../../domain/names/IpAddress.ts"
import type { Provider } from "../../domain/provider/Provider.ts"
import {
  findProfile,
  listIgnoredFeatures,
  type ProviderProfile,
  providerProfiles
} from "../../domainConnect/providerProfiles.ts"
import { isPublished } from "../../domainConnect/signature.ts"
import {
  agreesWithDelegation,
  parseAddress,
  parseSettings,
  type Settings,
  settingsUrlOf,
  templateUrlOf
} from "../../domainConnect/Settings.ts"
import type { Template } from "../../domainConnect/Template.ts"
import { sendProviderRequest } from "../callProvider.ts"
import { connectTo, type OutboundSettings, unbracket } from "../outboundHttp.ts"

/** A provider that takes part in Domain Connect for a zone. */
export interface DomainConnectProvider {
  readonly settings: Settings
  /** `id` is empty for a host that only the operator names. */
  readonly profile: ProviderProfile
}

/** The finding of one step of a discovery, in words. */
export interface DiscoveryStep {
  readonly step: "address" | "settings" | "name_servers" | "features" | "template" | "key" | "link"
  readonly isGood: boolean
  readonly message: string
}

/** The steps of a discovery; without a provider, those that are not good say why. */
export interface DomainConnectDiscovery {
  readonly provider: Option.Option<DomainConnectProvider>
  readonly steps: ReadonlyArray<DiscoveryStep>
}

/** What is known of a zone before its provider is asked. */
export interface DelegatedZone {
  readonly name: string
  readonly nameServers: ReadonlyArray<string>
  /** The providers that may have the name servers; none if they name none. */
  readonly providerIds: ReadonlyArray<Provider["id"]>
}

/** Which hosts are asked for Domain Connect, and at which addresses. */
export interface DirectorySettings extends OutboundSettings {
  /** Hosts beside those of the profiles, each with the path below which it answers (`DOMAIN_CONNECT_HOSTS`). */
  readonly domainConnectHosts: ReadonlyArray<string>
  /** Networks that are not public and that the service may contact nevertheless (`OUTBOUND_ALLOW`). */
  readonly outboundAllow: ReadonlyArray<Network>
}

/** Asks providers for Domain Connect: allowed hosts, public addresses, HTTPS without redirects. Answers are kept. */
export class DomainConnectDirectory extends Context.Tag("providers/DomainConnectDirectory")<
  DomainConnectDirectory,
  {
    /** Finds the provider of a zone that takes part. */
    readonly discover: (zone: DelegatedZone) => Effect.Effect<DomainConnectDiscovery>
    /** What it takes to offer a template at a provider: its features, the template there, and a key that is published. */
    readonly checkTemplate: (
      provider: DomainConnectProvider,
      template: Template,
      keys: ReadonlyArray<DomainConnectKey>
    ) => Effect.Effect<ReadonlyArray<DiscoveryStep>>
    /** Whether a public key is published at its name. */
    readonly checkKey: (key: DomainConnectKey) => Effect.Effect<DiscoveryStep>
  }
>() {
  static readonly layer = ({ domainConnectHosts, outboundAllow, outboundProxy }: DirectorySettings) =>
    Layer.effect(
      DomainConnectDirectory,
      Effect.gen(function* () {
        const resolver = yield* CachedResolver
        const http = yield* HttpClient.HttpClient
        const init = yield* FetchHttpClient.RequestInit
        const own = domainConnectHosts.map((host): ProviderProfile => ({ id: "", settings: [host], ignores: [] }))
        // A known provider keeps its profile where the operator names one of its hosts, too.
        const profiles = [...providerProfiles, ...own]

        const lookUp = (name: string, ...types: ReadonlyArray<Question["type"]>) =>
          Effect.map(
            resolver.lookUp(
              types.map((type) => ({ name, type })),
              requestTimeout
            ),
            Array.flatMap(([, values]) => values)
          )

        /** The address to connect to; one that is not allowed forbids the name. A proxy resolves names itself. */
        const findAddress = (hostname: string) =>
          Effect.gen(function* () {
            if (Option.isSome(outboundProxy)) return hostname
            const literal = Option.map(canonicalizeAddress(unbracket(hostname)), Array.of)
            const addresses = Option.isSome(literal) ? literal.value : yield* lookUp(hostname, "A", "AAAA")
            if (!addresses.every((address) => isOutboundAllowed(address, outboundAllow)))
              return yield* new NotAsked({ message: `${hostname} has an address that is not public` })
            return yield* Effect.mapError(
              Array.head(addresses),
              () => new NotAsked({ message: `${hostname} has no address` })
            )
          })

        const get = (text: string) =>
          Effect.gen(function* () {
            const url = new URL(text)
            const address = yield* findAddress(url.hostname)
            const { status, text: body } = yield* sendProviderRequest(
              connectTo(http, init, { url, address }),
              HttpClientRequest.get(url, { acceptJson: true }),
              { timeout: requestTimeout, secrets: [], admits: (bytes) => bytes <= maxBody }
            )
            // An overloaded or broken provider says nothing of its zones and templates.
            if (status === 429 || status >= 500)
              return yield* new NotAsked({ message: `${url.host} does not answer: ${status}` })
            return { status, body }
          }).pipe(
            Effect.catchTag("ProviderError", () => new NotAsked({ message: `${new URL(text).host} does not answer` }))
          )

        /** A failure is not kept: the next survey asks again. */
        const answers = makeRequesterCache({
          capacity: 1_000,
          isShared: true,
          keyOf: (url: string) => url,
          lookup: get,
          timeToLive: () => Duration.minutes(5)
        })

        const tryAddress =
          ({ name, nameServers, providerIds }: DelegatedZone) =>
          (text: string) =>
            Effect.gen(function* () {
              const address = parseAddress(text)
              if (address === undefined) return failed("address", `"${text}" names no host`)
              const profile = findProfile(address, profiles)
              if (profile === undefined) return failed("address", `${address} is not among the allowed hosts`)
              const found = passed("address", `${address} is allowed`)
              const answer = yield* Effect.either(answers.get(settingsUrlOf(address, name)))
              if (Either.isLeft(answer)) return failed("settings", answer.left.message, found)
              const { body, status } = answer.right
              if (status !== 200) return failed("settings", `${address} answers ${status} for ${name}`, found)
              const settings = parseSettings(body)
              if (Either.isLeft(settings)) return failed("settings", settings.left, found)
              const { providerName, urlAPI, urlSyncUX } = settings.right
              if (urlSyncUX === undefined)
                return failed(
                  "settings",
                  `${providerName} has no pages for ${name}: there is no synchronous flow`,
                  found
                )
              const { hostname } = new URL(urlAPI)
              if (registeredDomainOf(hostname) !== registeredDomainOf(address.split("/")[0] ?? ""))
                return failed("settings", `urlAPI leads to ${hostname}, which is of another domain`, found)
              const known = passed("settings", `${providerName} serves ${name}`)
              if (!agreesWithDelegation(settings.right, nameServers))
                return failed("name_servers", "the settings name other name servers than the delegation", found, known)
              if (providerIds.length > 0 && profile.id !== "" && !providerIds.includes(profile.id))
                return failed(
                  "name_servers",
                  `the settings are those of ${profile.id}, the name servers those of ${providerIds.join(" or ")}`,
                  found,
                  known
                )
              return {
                provider: Option.some({ settings: settings.right, profile }),
                steps: [found, known, passed("name_servers", "the settings agree with the delegation")]
              }
            })

        const checkKey = ({ domain, label, publicKey }: DomainConnectKey) => {
          const name = `${label}.${domain}`
          return Effect.map(lookUp(name, "TXT"), (texts) =>
            isPublished(publicKey, texts)
              ? passed("key", `${name} shows the public key`)
              : failedStep("key", `${name} does not show the public key`)
          )
        }

        const checkOnboarding = ({ settings }: DomainConnectProvider, template: Template) =>
          Effect.map(Effect.either(answers.get(templateUrlOf(settings, template))), (answer) => {
            const name = `${template.providerId}/${template.serviceId}`
            if (Either.isLeft(answer)) return failedStep("template", `${name}: ${answer.left.message}`)
            const { status } = answer.right
            return status >= 200 && status < 300
              ? passed("template", `${settings.providerName} has ${name}`)
              : failedStep("template", `${settings.providerName} does not have ${name} (it answers ${status})`)
          })

        return {
          discover: Effect.fnUntraced(function* (zone) {
            const texts = yield* lookUp(`_domainconnect.${zone.name}`, "TXT")
            const tried = yield* Effect.forEach(texts.slice(0, maxAddresses), tryAddress(zone), {
              concurrency: maxAddresses
            })
            return (
              tried.find(({ provider }) => Option.isSome(provider)) ??
              (tried.length === 0
                ? failed("address", `_domainconnect.${zone.name} has no TXT record: its provider takes no part`)
                : { provider: Option.none(), steps: tried.flatMap(({ steps }) => steps) })
            )
          }),
          checkTemplate: Effect.fnUntraced(function* (provider, template, keys) {
            const ignored = listIgnoredFeatures(template, provider.profile)
            if (ignored.length > 0)
              return [
                failedStep(
                  "features",
                  `${template.serviceId}: the provider ignores ${ignored.join(", ")}, on which it relies`
                )
              ]
            const [onboarded, published] = yield* Effect.all(
              [
                checkOnboarding(provider, template),
                Effect.forEach(listKeysOf(template, keys), checkKey, { concurrency: "unbounded" })
              ],
              { concurrency: "unbounded" }
            )
            const shown = published.find(({ isGood }) => isGood)
            return [onboarded, ...(shown === undefined ? withoutKey(template, published) : [shown])]
          }),
          checkKey
        }
      })
    )
}

/** The keys with which links of a template may be signed, the newest first. */
export const listKeysOf = ({ syncPubKeyDomain }: Template, keys: ReadonlyArray<DomainConnectKey>) =>
  keys.filter(({ domain }) => domain === syncPubKeyDomain?.toLowerCase())

/** Why the links of a template cannot be signed. */
const withoutKey = ({ serviceId, syncPubKeyDomain = "any domain" }: Template, tried: ReadonlyArray<DiscoveryStep>) => [
  ...tried,
  failedStep("key", `${serviceId}: no key of it is published below ${syncPubKeyDomain}`)
]

/** A host was not asked, or has not answered. */
class NotAsked extends Data.TaggedError("NotAsked")<{ readonly message: string }> {}

const requestTimeout = Duration.millis(1_500)

const maxAddresses = 4

/** Settings are some hundred bytes, templates some thousand. */
const maxBody = 64 * 1024

const passed = (step: DiscoveryStep["step"], message: string): DiscoveryStep => ({ step, isGood: true, message })

const failedStep = (step: DiscoveryStep["step"], message: string): DiscoveryStep => ({ step, isGood: false, message })

const failed = (
  step: DiscoveryStep["step"],
  message: string,
  ...before: ReadonlyArray<DiscoveryStep>
): DomainConnectDiscovery => ({ provider: Option.none(), steps: [...before, failedStep(step, message)] })
