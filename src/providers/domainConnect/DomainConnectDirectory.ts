import { HttpClient } from "@effect/platform"
import { Cache, Context, Duration, Effect, Either, Layer, Option } from "effect"
import { CachedResolver } from "../../dns/zone/Resolver.ts"
import { registeredDomainOf } from "../../domain/names/DomainName.ts"
import { findProfile, type ProviderProfile, providerProfiles } from "../../domainConnect/providerProfiles.ts"
import { isPublished } from "../../domainConnect/signature.ts"
import {
  agreesWithDelegation,
  parseAddress,
  parseSettings,
  type Settings,
  settingsUrlOf,
  templateUrlOf
} from "../../domainConnect/Settings.ts"
import type { DomainConnectKey } from "../../domain/access/DomainConnectKey.ts"

/** A provider that takes part in Domain Connect for a zone. */
export interface DomainConnectProvider {
  readonly settings: Settings
  /** `id` is empty for a host that only the operator names. */
  readonly profile: ProviderProfile
}

/** The finding of one step of a discovery, in words. */
export interface DiscoveryStep {
  readonly step: "address" | "settings" | "name_servers" | "template" | "key"
  readonly isGood: boolean
  readonly message: string
}

/** The steps of a discovery, the last of which says why there is no provider, if there is none. */
export interface DomainConnectDiscovery {
  readonly provider: Option.Option<DomainConnectProvider>
  readonly steps: ReadonlyArray<DiscoveryStep>
}

/**
 * Asks the providers of zones for Domain Connect: only hosts that are allowed, by HTTPS without redirects. Answers are kept
 * for some minutes.
 */
export class DomainConnectDirectory extends Context.Tag("providers/DomainConnectDirectory")<
  DomainConnectDirectory,
  {
    /** Finds the provider of a zone with these name servers. No text `_domainconnect` means no steps. */
    readonly discover: (zone: string, nameServers: ReadonlyArray<string>) => Effect.Effect<DomainConnectDiscovery>
    readonly checkTemplate: (
      provider: DomainConnectProvider,
      ids: { readonly providerId: string; readonly serviceId: string }
    ) => Effect.Effect<DiscoveryStep>
    /** Whether a public key is published at its name. */
    readonly checkKey: (key: DomainConnectKey) => Effect.Effect<DiscoveryStep>
  }
>() {
  /** `hosts` are allowed beside those of the profiles, each with the path below which it answers. */
  static readonly layer = ({ domainConnectHosts }: { readonly domainConnectHosts: ReadonlyArray<string> }) =>
    Layer.effect(
      DomainConnectDirectory,
      Effect.gen(function* () {
        const resolver = yield* CachedResolver
        const http = yield* HttpClient.HttpClient
        const own = domainConnectHosts.map((host): ProviderProfile => ({ id: "", settings: [host], ignores: [] }))
        const profiles = [...own, ...providerProfiles]

        const lookUpTexts = (name: string) =>
          Effect.map(resolver.lookUp([{ name, type: "TXT" }], requestTimeout), ([found]) => found?.[1] ?? [])

        const get = (url: string) =>
          http.get(url, { headers: { accept: "application/json" } }).pipe(
            Effect.flatMap((response) =>
              Effect.map(response.text, (body) => ({ status: response.status, body: body.slice(0, maxBody) }))
            ),
            Effect.scoped,
            Effect.timeout(requestTimeout),
            Effect.mapError(() => ({ message: `${new URL(url).host} does not answer` }))
          )

        const answers = yield* Cache.make({
          capacity: 1_000,
          timeToLive: Duration.minutes(5),
          lookup: (url: string) => get(url)
        })

        /** A failure is not kept: the next survey asks again. */
        const ask = (url: string) => Effect.tapError(answers.get(url), () => answers.invalidate(url))

        const tryAddress = (zone: string, nameServers: ReadonlyArray<string>) => (text: string) =>
          Effect.gen(function* () {
            const address = parseAddress(text)
            if (address === undefined) return failed("address", `"${text}" names no host`)
            const profile = findProfile(address, profiles)
            if (profile === undefined) return failed("address", `${address} is not among the allowed hosts`)
            const found = passed("address", `${address} is allowed`)
            const answer = yield* Effect.either(ask(settingsUrlOf(address, zone)))
            if (Either.isLeft(answer)) return failed("settings", answer.left.message, found)
            const { body, status } = answer.right
            if (status !== 200) return failed("settings", `${address} answers ${status} for ${zone}`, found)
            const settings = parseSettings(body)
            if (Either.isLeft(settings)) return failed("settings", settings.left, found)
            const { providerName, urlAPI, urlSyncUX } = settings.right
            if (urlSyncUX === undefined)
              return failed("settings", `${providerName} has no pages for ${zone}: there is no synchronous flow`, found)
            if (registeredDomainOf(new URL(urlAPI).hostname) !== registeredDomainOf(address.split("/")[0] ?? ""))
              return failed(
                "settings",
                `urlAPI leads to ${new URL(urlAPI).hostname}, which is of another domain`,
                found
              )
            const known = passed("settings", `${providerName} serves ${zone}`)
            if (!agreesWithDelegation(settings.right, nameServers))
              return failed("name_servers", `the settings name other name servers than the delegation`, found, known)
            return {
              provider: Option.some({ settings: settings.right, profile }),
              steps: [found, known, passed("name_servers", "the settings agree with the delegation")]
            }
          })

        return {
          discover: Effect.fnUntraced(function* (zone, nameServers) {
            const texts = yield* lookUpTexts(`_domainconnect.${zone}`)
            const tried = yield* Effect.forEach(texts.slice(0, maxAddresses), tryAddress(zone, nameServers), {
              concurrency: maxAddresses
            })
            return tried.find(({ provider }) => Option.isSome(provider)) ?? tried[0] ?? nothingFound
          }),
          checkTemplate: Effect.fnUntraced(function* ({ settings }, ids) {
            const answer = yield* Effect.either(ask(templateUrlOf(settings, ids)))
            const name = `${ids.providerId}/${ids.serviceId}`
            if (Either.isLeft(answer)) return failedStep("template", answer.left.message)
            const { status } = answer.right
            if (status >= 200 && status < 300) return passed("template", `${settings.providerName} has ${name}`)
            return failedStep("template", `${settings.providerName} does not have ${name} (it answers ${status})`)
          }),
          checkKey: Effect.fnUntraced(function* ({ domain, label, publicKey }) {
            const name = `${label}.${domain}`
            return isPublished(publicKey, yield* lookUpTexts(name))
              ? passed("key", `${name} shows the public key`)
              : failedStep("key", `${name} does not show the public key`)
          })
        }
      })
    )
}

const requestTimeout = Duration.millis(1_500)

const maxAddresses = 4

/** Settings are some hundred bytes, templates some thousand. */
const maxBody = 64 * 1024

const nothingFound: DomainConnectDiscovery = { provider: Option.none(), steps: [] }

const passed = (step: DiscoveryStep["step"], message: string): DiscoveryStep => ({ step, isGood: true, message })

const failedStep = (step: DiscoveryStep["step"], message: string): DiscoveryStep => ({ step, isGood: false, message })

const failed = (
  step: DiscoveryStep["step"],
  message: string,
  ...before: ReadonlyArray<DiscoveryStep>
): DomainConnectDiscovery => ({ provider: Option.none(), steps: [...before, failedStep(step, message)] })
