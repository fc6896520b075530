import type { TestProviderId } from "./TestDomain.ts"
import { providerLabelOf, topLevelDomain } from "./TestZoneName.ts"

/** The server of the registry of `.test`. */
export const registryServer = `a.nic.${topLevelDomain}`

/** Its address. No packet is sent to it, nor to that of any other server here. */
export const registryAddress = "192.0.2.1"

/** The address of a name server of test mode; undefined for any other name. */
export const addressOf = (server: string): string | undefined => addresses.get(server)

/** The name server at an address. */
export const serverAt = (address: string): string | undefined => servers.get(address)

const providers: ReadonlyArray<TestProviderId> = ["test-dns", "test-token-dns", "test-registrar", "unknown"]

const addresses: ReadonlyMap<string, string> = new Map([
  [registryServer, registryAddress],
  ...providers.flatMap((provider, index) =>
    [1, 2].map(
      (place) =>
        [`ns${place}.${providerLabelOf(provider)}.${topLevelDomain}`, `192.0.2.${10 * (index + 1) + place}`] as const
    )
  )
])

const servers: ReadonlyMap<string, string> = new Map([...addresses].map(([server, address]) => [address, server]))
