import { Effect } from "effect"
import type { IntentRequest } from "../src/domain/connection/Intent.ts"
import type { Lab } from "../test/support/lab/Lab.ts"
import type { PowerDns } from "../test/support/lab/PowerDns.ts"
import { type LabDelegation, delegations, parentZones } from "../test/support/lab/labZones.ts"

const nameServers = ["ns1.pdnsprov.net", "ns2.pdnsprov.net"]

/** Creates and delegates zones at PowerDNS, each with these lines and its NS records. */
export const createZones = (lab: typeof Lab.Service, names: ReadonlyArray<string>, lines: string) =>
  Effect.gen(function* () {
    const content = [...nameServers.map((host) => `@ NS ${host}.`), lines].join("\n")
    yield* Effect.forEach(names, (name) => lab.pdns.createZone(name, content), { concurrency: 4, discard: true })
    yield* delegateZones(
      lab,
      names.map((domain) => ({ domain, nameServers }))
    )
  })

/** Delegates domains under `com`. */
export const delegateZones = ({ tld }: typeof Lab.Service, added: ReadonlyArray<LabDelegation>) =>
  Effect.suspend(() => {
    for (const delegation of added) delegated.set(delegation.domain, delegation)
    return tld.load("com", parentZones([...delegations, ...delegated.values()])["com"] ?? "")
  })

/** All domains that the run has delegated: the parent zone is always loaded as a whole. */
const delegated = new Map<string, LabDelegation>()

/** The lines of a small company's zone: site, mail, a few hosts. With its NS records it has thirty records. */
export const typicalLines = `
  @                     A     192.0.2.10
  @                     AAAA  2001:db8::10
  @                     MX    10 mx1.mailprov.net.
  @                     TXT   "v=spf1 include:_spf.mailprov.net -all"
  @                     TXT   "site-verification=3f2a"
  @                     CAA   0 issue "letsencrypt.org"
  _dmarc                TXT   "v=DMARC1; p=quarantine; rua=mailto:dmarc@mailprov.net"
  s1._domainkey         TXT   "v=DKIM1; k=rsa; p=${"MIIB".repeat(50)}"
  www                   A     192.0.2.10
  ${Array.from({ length: 18 }, (_, nth) => `host${nth}  A  192.0.2.${20 + nth}`).join("\n")}`

/** The lines of a zone with this number of records, two at each host. */
export const largeZoneLines = (records: number): string =>
  Array.from({ length: records / 2 }, (_, nth) =>
    [`h${nth} A 10.${nth >> 16}.${(nth >> 8) & 255}.${nth & 255}`, `h${nth} TXT "number ${nth}"`].join("\n")
  ).join("\n")

/** The records that a platform requests: site, mail and a verification. They need five changes in a typical zone, with the challenge. */
export const recordsFor = (verification: string): IntentRequest["records"] => [
  { host: "www", type: "CNAME", value: "web.hostprov.net" },
  { host: "@", type: "TXT", value: "v=spf1 include:_spf.mailprov.net -all" },
  { host: "_verify", type: "TXT", value: `platform-verification=${verification}` },
  { host: "shop", type: "CNAME", value: "web.hostprov.net" },
  { host: "@", type: "MX", value: "mx1.mailprov.net", priority: 10 }
]

/** All records of a zone, SOA aside, sorted: `name ttl type data`. */
export type ZoneDump = ReadonlyArray<string>

/** Reads all records of a zone from the API of PowerDNS. */
export const dumpZone = ({ key, url }: PowerDns, zone: string): Effect.Effect<ZoneDump> =>
  Effect.promise(async () => {
    const headers = { "X-API-Key": key, Connection: "close" }
    const body: any = await (await fetch(`${url}/api/v1/servers/localhost/zones/${zone}.`, { headers })).json()
    return body.rrsets
      .filter(({ type }: any) => type !== "SOA")
      .flatMap(({ name, records, ttl, type }: any) =>
        records.map(({ content }: any) => `${name} ${ttl} ${type} ${content}`)
      )
      .toSorted()
  })
