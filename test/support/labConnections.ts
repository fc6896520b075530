import { Effect } from "effect"
import { issueKey } from "./apiUnderTest.ts"
import { connect } from "./connectionUnderTest.ts"
import { Lab } from "./lab/Lab.ts"
import { powerDnsProxy } from "./lab/PowerDnsProxy.ts"
import { type DeclaredPowerDns, labService, type LabServiceOptions, tablesOf } from "./labService.ts"
import { temporaryDirectory } from "./TestPostgres.ts"

/** What the zones of these connections hold before. */
const lines = `
  @     NS  ns1.pdnsprov.net.
  @     NS  ns2.pdnsprov.net.
  @     A   192.0.2.20
  www   A   192.0.2.20
  shop  MX  10 mx1.mailprov.net.`

const records = [
  { host: "www", type: "CNAME", value: "web.hostprov.net" },
  { host: "_verify", type: "TXT", value: "platform-verification=7f3a" }
]

/** What of the plan for them stands in the journal, with what became of it. */
export const journalled = (status: string): ReadonlyArray<string> =>
  ["create TXT _verify", "delete A www", "create CNAME www"].map((change) => `${status} ${change}`)

/** The service and the PowerDNS of the lab, which it reaches only through a proxy, with domains to connect. */
export const connections = (
  more: Pick<LabServiceOptions, "settings"> & {
    readonly capabilities?: DeclaredPowerDns["capabilities"]
    readonly others?: ReadonlyArray<DeclaredPowerDns>
  } = {}
) =>
  Effect.gen(function* () {
    const { delegate, pdns } = yield* Lab
    const proxy = yield* powerDnsProxy(pdns.url)
    const dataDirectory = temporaryDirectory()
    const oneAtATime = yield* Effect.makeSemaphore(1)
    const { capabilities = {}, others = [], settings = () => ({}) } = more
    const provider = { id: "lab-pdns", nameServers: ["pdnsprov.net"], baseUrl: proxy.url, capabilities }
    return {
      proxy,
      service: labService({ dataDirectory, providers: [provider, ...others], settings }),
      credential: { method: "direct_credential", credential: { apiToken: pdns.key } },
      /** Gives the domain a zone, and asks to connect it with the usual records and more. */
      connectNew: (domain: string, others: ReadonlyArray<object> = []) =>
        Effect.gen(function* () {
          yield* pdns.createZone(domain, lines)
          yield* oneAtATime.withPermits(1)(delegate(domain, ["ns1.pdnsprov.net", "ns2.pdnsprov.net"]))
          const { key } = yield* issueKey()
          return yield* connect(key, { domain, records: [...records, ...others] })
        }),
      /** Replaces an address in a zone by another way than the service's. */
      setAddress: (domain: string, host: string, address: string) =>
        pdns.patch(domain, [
          { name: `${host}.${domain}.`, type: "A", changetype: "REPLACE", ttl: 300, records: [{ content: address }] }
        ]),
      ...tablesOf(dataDirectory)
    }
  })

export type Connections = Effect.Effect.Success<ReturnType<typeof connections>>
