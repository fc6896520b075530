import { Effect, Layer, Option } from "effect"
import {
  type DiscoveryStep,
  DomainConnectDirectory,
  type DomainConnectProvider,
  listKeysOf
} from "../providers/domainConnect/DomainConnectDirectory.ts"
import { testConnectProvider } from "./TestDomainConnect.ts"
import { findTestZone } from "./TestZoneName.ts"

/** The directory of test mode: one provider, with every template, takes each key as published; pages below `url`. */
export const testDomainConnectDirectory = (url: string) =>
  Layer.succeed(DomainConnectDirectory, {
    discover: ({ name }) =>
      Effect.succeed(
        findTestZone(name)?.domain.provider === testConnectProvider
          ? { provider: Option.some(providerAt(url)), steps: [] }
          : {
              provider: Option.none(),
              steps: [fault("address", `_domainconnect.${name} has no TXT record: its provider takes no part`)]
            }
      ),
    checkTemplate: (_provider, template, keys) =>
      Effect.succeed(
        listKeysOf(template, keys).length > 0
          ? []
          : [fault("key", `${template.serviceId}: the application has no key for ${template.syncPubKeyDomain}`)]
      ),
    checkKey: ({ domain, label }) =>
      Effect.succeed({ step: "key", isGood: true, message: `${label}.${domain} counts as published` })
  })

const providerAt = (url: string): DomainConnectProvider => ({
  settings: { providerId: testConnectProvider, providerName: "Test Connect DNS", urlSyncUX: url, urlAPI: url },
  profile: { id: testConnectProvider, settings: [], ignores: [] }
})

const fault = (step: DiscoveryStep["step"], message: string): DiscoveryStep => ({ step, isGood: false, message })
