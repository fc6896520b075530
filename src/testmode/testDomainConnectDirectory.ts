import { Effect, Layer, Option } from "effect"
import { Requester } from "../limits/RequestSource.ts"
import {
  type DiscoveryStep,
  DomainConnectDirectory,
  listKeysOf
} from "../providers/domainConnect/DomainConnectDirectory.ts"
import { testConnectProvider } from "./TestDomainConnect.ts"
import { findTestZone } from "./TestZoneName.ts"
import { readRequester } from "./TestZones.ts"

/**
 * The directory of test mode, in which one provider takes part. It has every template, and takes each key as published. Its
 * pages are below `url`, apart for each tenant.
 */
export const testDomainConnectDirectory = (url: string) =>
  Layer.succeed(DomainConnectDirectory, {
    discover: Effect.fnUntraced(function* ({ name }) {
      if (findTestZone(name)?.domain.provider !== testConnectProvider)
        return {
          provider: Option.none(),
          steps: [fault("address", `_domainconnect.${name} has no TXT record: its provider takes no part`)]
        }
      const { applicationId, tenantId } = readRequester(yield* Requester)
      const pages = `${url}/${applicationId}/${tenantId}`
      return {
        provider: Option.some({
          settings: {
            providerId: testConnectProvider,
            providerName: "Test Connect DNS",
            urlSyncUX: pages,
            urlAPI: pages
          },
          profile: { id: testConnectProvider, settings: [], ignores: [] }
        }),
        steps: []
      }
    }),
    checkTemplate: (_provider, template, keys) =>
      Effect.succeed(
        listKeysOf(template, keys).length > 0
          ? []
          : [fault("key", `${template.serviceId}: the application has no key for ${template.syncPubKeyDomain}`)]
      ),
    checkKey: ({ domain, label }) =>
      Effect.succeed({ step: "key", isGood: true, message: `${label}.${domain} counts as published` })
  })

const fault = (step: DiscoveryStep["step"], message: string): DiscoveryStep => ({ step, isGood: false, message })
