import { Redacted } from "effect"
import type { Capabilities } from "../../../../src/domain/provider/Provider.ts"
import { defaultTimeouts } from "../../../../src/providers/ProviderClient.ts"
import {
  makePowerDnsClient,
  powerDnsCapabilities
} from "../../../../src/providers/adapters/powerdns/makePowerDnsClient.ts"
import type { PowerDns } from "../../../support/lab/PowerDns.ts"
import { httpClient } from "../../httpClient.ts"
import { type ServerAdapterUnderTest, serverUnderTest } from "../AdapterUnderTest.ts"

/** The zone `glued.com` of the lab's PowerDNS. */
export const powerDnsUnderTest = (pdns: PowerDns, capabilities: Partial<Capabilities> = {}): ServerAdapterUnderTest =>
  serverUnderTest({
    clientAt: ({ host, port }, timeouts = defaultTimeouts) =>
      makePowerDnsClient({
        settings: { baseUrl: `http://${host}:${port}`, serverId: "localhost" },
        capabilities: { ...powerDnsCapabilities, ...capabilities },
        http: httpClient,
        timeouts
      }),
    target: { host: "127.0.0.1", port: 8081 },
    credential: keyOf(pdns.key),
    wrongCredentials: [keyOf("wrong"), keyOf(`${pdns.key}\n`), keyOf("schlüssel")],
    zone: "glued.com",
    nameServers: ["ns1.glued.com"],
    server: pdns,
    dump: pdns.dump("glued.com"),
    isWrite: (request) => Buffer.from(request).includes("PATCH ")
  })

const keyOf = (key: string) => ({ _tag: "api_token" as const, apiToken: Redacted.make(key) })
