import { Effect, Layer, Option } from "effect"
import { type Capabilities, Provider } from "../domain/provider/Provider.ts"
import { automaticFields, Providers, type WritableProvider } from "../providers/Providers.ts"
import { powerDnsCapabilities } from "../providers/adapters/powerdns/makePowerDnsClient.ts"
import { detectProvider, indexProviders, selectKnown } from "../providers/catalog/Detection.ts"
import { type CatalogEntry, manualOnly, unknownCapabilities } from "../providers/catalog/catalog.ts"
import type { SharedNameServers } from "../providers/catalog/sharedNameServers.ts"
import type { OAuthClient } from "../providers/oauth/OAuthClient.ts"
import type { TestProviderId } from "./TestDomain.ts"
import { providerLabelOf, sharedLabel, topLevelDomain } from "./TestZoneName.ts"
import { TestZones } from "./TestZones.ts"
import { makeTestOAuthClient } from "./makeTestOAuthClient.ts"
import { makeTestZoneClient } from "./makeTestZoneClient.ts"

/** The providers of test mode in place of the real ones: one for each way in which a customer can authorize the service. */
export const testProviders = Layer.effect(
  Providers,
  Effect.map(TestZones, (zones) => {
    const makeWritable = (
      id: TestProviderId,
      name: string,
      { capabilities, oauth }: WritableFields
    ): WritableProvider => {
      const client = makeTestZoneClient(zones, { id, capabilities })
      const provider = new Provider({
        ...commonFields(id, name),
        ...automaticFields({ client, oauth }),
        capabilities
      })
      return { provider, client, oauth, suffixes: suffixesOf(id) }
    }
    const writable = [
      makeWritable("test-dns", "Test DNS", { capabilities: flattening, oauth: Option.some(makeTestOAuthClient()) }),
      makeWritable("test-token-dns", "Test Token DNS", { capabilities: withoutFlattening, oauth: Option.none() })
    ]
    const index = indexProviders([], [...writable, ...manual], sharedServers)
    const findWritable = (id: string) => Option.fromNullable(writable.find(({ provider }) => provider.id === id))
    return {
      all: [...writable, ...manual].map(({ provider }) => provider),
      detect: ({ childNameServers, parentNameServers }, known) =>
        selectKnown(detectProvider([...parentNameServers, ...childNameServers], index), known),
      clientFor: ({ id, implementation }) =>
        implementation === "manual" ? Option.none() : Option.map(findWritable(id), ({ client }) => client),
      oauthClientFor: (id) => Option.flatMap(findWritable(id), ({ oauth }) => oauth),
      healthOf: () => Effect.succeedNone
    }
  })
)

interface WritableFields {
  readonly capabilities: Capabilities
  readonly oauth: Option.Option<OAuthClient>
}

const flattening: Capabilities = { ...powerDnsCapabilities, cnameFlattening: "supported", socialLogin: "supported" }
const withoutFlattening: Capabilities = { ...powerDnsCapabilities, cnameFlattening: "unsupported" }

const commonFields = (id: TestProviderId, name: string) => ({
  id,
  name,
  detection: { method: "nameserver" as const },
  limitations: ["It exists in test mode only."]
})

const suffixesOf = (id: TestProviderId): ReadonlyArray<string> => [
  `${providerLabelOf(id)}.${topLevelDomain}`,
  ...(id === sharingProvider ? [`${sharedLabel}.${topLevelDomain}`] : [])
]

/** The name servers from which several providers serve zones. */
const sharingProvider = "test-token-dns"
const sharedServers: Readonly<Record<string, SharedNameServers>> = {
  [sharingProvider]: {
    pattern: new RegExp(`\\.${sharedLabel}\\.${topLevelDomain}$`),
    candidates: ["test-dns", "test-token-dns", "test-registrar"]
  }
}

/** A provider to which the service does not write. */
const makeManual = (id: TestProviderId, name: string): CatalogEntry => ({
  provider: new Provider({ ...commonFields(id, name), ...manualOnly, capabilities: unknownCapabilities }),
  suffixes: suffixesOf(id)
})

const manual = [makeManual("test-registrar", "Test Registrar"), makeManual("test-connect-dns", "Test Connect DNS")]
