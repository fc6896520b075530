/** The zones of the lab's servers at its start, as lines for `parseZone`. */

const ns = (...hosts: ReadonlyArray<string>): string => hosts.map((host) => `@ NS ${host}.\n`).join("")

export const rootZone = `
  @              NS ns.root.test.
  com            NS a.gtld.test.
  net            NS a.gtld.test.
  test           NS a.gtld.test.
  ch             NS a.gtld.test.
  de             NS a.gtld.test.
  eu             NS a.gtld.test.
  info           NS a.gtld.test.
  io             NS a.gtld.test.
  nl             NS a.gtld.test.
  org            NS a.gtld.test.
  uk             NS a.gtld.test.
  ns.root.test   A  127.10.0.1
  a.gtld.test    A  127.10.0.2`

/** `net` has the addresses of all name servers, so that only `glued.com` needs glue under `com`. */
const topLevelZones = {
  com: `
    @                           NS a.gtld.test.
    _spf-us.ionos               TXT "v=spf1 ip4:203.0.113.0/24 -all"
    mx.ovh                      TXT "v=spf1 ip4:203.0.113.0/24 -all"`,
  net: `
    @              NS a.gtld.test.
    ns1.pdnsprov   A  127.10.1.1
    ns2.pdnsprov   A  127.10.1.2
    ns1.bindprov   A  127.10.2.1
    ns1.knotprov   A  127.10.3.1
    ns1.lameprov   A  127.10.9.9
    mx1.mailprov   A  198.51.100.25
    _spf.mailprov  TXT "v=spf1 ip4:198.51.100.0/24 -all"
    web.hostprov   A  198.51.100.80`,
  test: `
    @              NS a.gtld.test.
    a.gtld         A  127.10.0.2
    ns.root        A  127.10.0.1`,
  // For the name servers of vendors.
  ch: ns("a.gtld.test"),
  de: ns("a.gtld.test"),
  eu: ns("a.gtld.test"),
  info: ns("a.gtld.test"),
  io: ns("a.gtld.test"),
  nl: ns("a.gtld.test"),
  org: ns("a.gtld.test"),
  uk: ns("a.gtld.test")
}

const pdnsServers = ["ns1.pdnsprov.net", "ns2.pdnsprov.net"]

/** The name servers of a domain at its parent; `more` are further lines of the parent: glue, DS. */
export interface LabDelegation {
  readonly domain: string
  readonly nameServers: ReadonlyArray<string>
  readonly more?: string
}

export const delegations: ReadonlyArray<LabDelegation> = [
  { domain: "example.com", nameServers: pdnsServers },
  { domain: "glued.com", nameServers: ["ns1.glued.com"], more: "ns1.glued A 127.10.1.1" },
  { domain: "bindzone.com", nameServers: ["ns1.bindprov.net"] },
  { domain: "knotzone.com", nameServers: ["ns1.knotprov.net"] },
  { domain: "mixed.com", nameServers: ["ns1.pdnsprov.net", "ns1.bindprov.net"] },
  { domain: "lame.com", nameServers: ["ns1.lameprov.net"] }
]

export const parentOf = (domain: string): string => domain.split(".").at(-1) ?? ""

/** The lines of the top-level zones, delegations included. */
export const parentZones = (delegated: Iterable<LabDelegation>): Readonly<Record<string, string>> => {
  const byParent = Map.groupBy(delegated, ({ domain }) => parentOf(domain))
  const named = ({ domain, nameServers, more = "" }: LabDelegation) =>
    [...nameServers.map((host) => `${domain}. NS ${host}.`), more].join("\n")
  return Object.fromEntries(
    Object.entries(topLevelZones).map(([name, lines]) => [
      name,
      [lines, ...(byParent.get(name) ?? []).map(named)].join("\n")
    ])
  )
}

/** A typical domain: site, mail, wildcard, a subzone at another provider. */
const exampleZone = `
  ${ns(...pdnsServers)}
  @                     A     192.0.2.10
  @                     AAAA  2001:db8::10
  @                     MX    10 mx1.mailprov.net.
  @                     TXT   "v=spf1 include:_spf.mailprov.net -all"
  @                     TXT   "site-verification=3f2a"
  @                     CAA   0 issue "letsencrypt.org"
  _dmarc                TXT   "v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com"
  s1._domainkey         TXT   "v=DKIM1; k=rsa; p=${"MIIB".repeat(60)}" "${"QAB0".repeat(40)}"
  www             3600  CNAME @
  blog                  CNAME web.hostprov.net.
  *.apps                A     192.0.2.30
  admin.apps            A     192.0.2.31
  _sip._tcp             SRV   10 5 5060 sip
  sip                   A     192.0.2.40
  shop                  NS    ns1.knotprov.net.`

const smallZone = `
  @    A   192.0.2.20
  @    MX  10 mx1.mailprov.net.
  www  A   192.0.2.20`

export const pdnsZones = {
  "example.com": exampleZone,
  "glued.com": ns("ns1.glued.com") + "ns1 A 127.10.1.1" + smallZone,
  "mixed.com": ns("ns1.pdnsprov.net", "ns1.bindprov.net") + smallZone
}

/** BIND's `mixed.com` is older than PowerDNS's. */
export const bindZones = {
  "bindzone.com": ns("ns1.bindprov.net") + smallZone,
  "mixed.com": ns("ns1.pdnsprov.net", "ns1.bindprov.net") + "@ A 192.0.2.99"
}

export const knotZones = {
  "knotzone.com": ns("ns1.knotprov.net") + smallZone,
  "shop.example.com": ns("ns1.knotprov.net") + "cart A 192.0.2.50",
  "signed.com": ns("ns1.knotprov.net") + smallZone
}
