import { describe, expect, test } from "bun:test"
import { Effect, FastCheck as fc } from "effect"
import { isInNetworks } from "../../../src/domain/names/IpAddress.ts"
import { anyTtl, Provider } from "../../../src/domain/provider/Provider.ts"
import { Providers } from "../../../src/providers/Providers.ts"
import { detectProvider, listProviderIds } from "../../../src/providers/catalog/Detection.ts"
import { catalog, limitsOf, unknownCapabilities, unknownProvider } from "../../../src/providers/catalog/catalog.ts"
import { effect } from "../../support/effectTest.ts"

const providerOf = (...nameServers: ReadonlyArray<string>): string => detectProvider(nameServers).provider.id
/** The limits of an unknown provider. */
const unknownLimits = { capabilities: unknownCapabilities, ttl: anyTtl }
const inCatalog = (id: string): Provider =>
  catalog.find(({ provider }) => provider.id === id)?.provider ?? unknownProvider

describe("a set of name servers of one provider", () => {
  test.each([
    ["allinkl", ["ns5.kasserver.com", "ns6.kasserver.com"]],
    ["azure", ["ns1-04.azure-dns.com", "ns2-04.azure-dns.net", "ns3-04.azure-dns.org", "ns4-04.azure-dns.info"]],
    ["bunny", ["kiki.bunny.net", "coco.bunny.net"]],
    ["cloudflare", ["blakely.ns.cloudflare.com", "vin.ns.cloudflare.com"]],
    ["desec", ["ns1.desec.io", "ns2.desec.org"]],
    ["digitalocean", ["ns1.digitalocean.com", "ns2.digitalocean.com", "ns3.digitalocean.com"]],
    ["dnsimple", ["ns1.dnsimple.com", "ns2.dnsimple-edge.net", "ns3.dnsimple.com", "ns4.dnsimple-edge.org"]],
    ["gandi", ["ns-12-a.gandi.net", "ns-87-b.gandi.net", "ns-203-c.gandi.net"]],
    ["godaddy", ["ns09.domaincontrol.com", "ns10.domaincontrol.com"]],
    ["hetzner", ["hydrogen.ns.hetzner.com", "oxygen.ns.hetzner.com", "helium.ns.hetzner.de"]],
    ["infomaniak", ["ns11.infomaniak.ch", "ns12.infomaniak.ch"]],
    ["inwx", ["ns.inwx.de", "ns2.inwx.de", "ns3.inwx.eu"]],
    ["ionos", ["ns1045.ui-dns.biz", "ns1061.ui-dns.com", "ns1067.ui-dns.de", "ns1110.ui-dns.org"]],
    ["linode", ["ns1.linode.com", "ns2.linode.com", "ns3.linode.com", "ns4.linode.com", "ns5.linode.com"]],
    ["namecheap", ["dns1.registrar-servers.com", "dns2.registrar-servers.com"]],
    ["njalla", ["1-you.njalla.no", "2-can.njalla.in", "3-get.njalla.fo"]],
    ["ovh", ["dns112.ovh.net", "ns112.ovh.net"]],
    ["porkbun", ["curitiba.ns.porkbun.com", "fortaleza.ns.porkbun.com", "maceio.ns.porkbun.com"]],
    ["route53", ["ns-1170.awsdns-18.org", "ns-1907.awsdns-46.co.uk", "ns-388.awsdns-48.com", "ns-894.awsdns-47.net"]],
    ["sakuracloud", ["ns1.gslb4.sakura.ne.jp", "ns2.gslb13.sakura.ne.jp"]],
    ["scaleway", ["ns0.dom.scw.cloud", "ns1.dom.scw.cloud"]],
    ["spaceship", ["launch1.spaceship.net", "launch2.spaceship.net"]],
    ["vercel", ["ns1.vercel-dns.com", "ns2.vercel-dns.com"]],
    ["vultr", ["ns1.vultr.com", "ns2.vultr.com"]],
    ["wix", ["ns6.wixdns.net", "ns7.wixdns.net"]],
    ["wordpresscom", ["ns1.wordpress.com", "ns2.wordpress.com", "ns3.wordpress.com"]],
    ["yandexcloud", ["ns1.yandexcloud.net", "ns2.yandexcloud.net"]]
  ])("is %s", (id, nameServers) => {
    const provider = inCatalog(id)
    expect(detectProvider(nameServers)).toEqual({ provider, limits: limitsOf(provider), warnings: [] })
  })

  test("has the known limits of the provider", () => {
    const { limits, provider } = detectProvider(["amy.ns.cloudflare.com", "bob.ns.cloudflare.com"])
    expect(limits).toEqual({
      capabilities: provider.capabilities,
      ttl: { minimum: 60, maximum: 86_400, automatic: { written: 1, served: 300 } },
      flattensAliases: true,
      proxyNetworks: limits.proxyNetworks ?? []
    })
    const proxies = ["104.16.0.1", "104.27.255.255", "172.64.0.1", "188.114.97.3", "2606:4700::1"]
    expect(proxies.filter((address) => !isInNetworks(address, limits.proxyNetworks ?? []))).toEqual([])
    const others = ["104.32.0.1", "192.0.2.1", "2606:4701::1"]
    expect(others.filter((address) => isInNetworks(address, limits.proxyNetworks ?? []))).toEqual([])
  })

  test("is detected in any letter case, with a final dot, and with repeated servers", () => {
    expect(detectProvider(["Amy.NS.Cloudflare.COM.", "amy.ns.cloudflare.com", "BOB.ns.cloudflare.com"])).toEqual(
      detectProvider(["amy.ns.cloudflare.com", "bob.ns.cloudflare.com"])
    )
  })

  test("is a manual provider with its known traits", () => {
    expect(detectProvider(["ns-1.awsdns-00.com"]).provider).toEqual(
      new Provider({
        id: "route53",
        name: "Amazon Route 53",
        referenceUrl: "https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/Welcome.html",
        implementation: "manual",
        availableAuthorizationMethods: ["manual"],
        authorizationInputs: { directCredential: "none", providerSession: "none" },
        capabilities: {
          rootNSModification: "unknown",
          subdomainNSModification: "supported",
          wwwRedirect: "unknown",
          cnameFlattening: "unsupported",
          wildcardRecords: "supported",
          caaRecords: "supported",
          spfRecords: "supported",
          socialLogin: "unknown"
        },
        detection: { method: "nameserver" },
        limitations: [
          "At the apex, an alias can point only to an AWS resource or to a record of the same zone, not to any host name."
        ]
      })
    )
  })
})

describe("an unknown set of name servers", () => {
  const unknown = new Provider({
    id: "unknown",
    name: "Unknown provider",
    implementation: "manual",
    availableAuthorizationMethods: ["manual"],
    authorizationInputs: { directCredential: "none", providerSession: "none" },
    capabilities: {
      rootNSModification: "unknown",
      subdomainNSModification: "unknown",
      wwwRedirect: "unknown",
      cnameFlattening: "unknown",
      wildcardRecords: "unknown",
      caaRecords: "unknown",
      spfRecords: "unknown",
      socialLogin: "unknown"
    },
    detection: { method: "none" },
    limitations: []
  })

  test.each([
    ["the customer's own servers", ["ns1.example.com", "ns2.example.net"]],
    ["no servers at all", []],
    ["a name that only ends in the same letters", ["ns1.notcloudflare.com"]],
    ["a provider's name as a prefix of another domain", ["ns.cloudflare.com.evil.com"]],
    ["a provider's name with another suffix", ["ns-1.awsdns-45.com.evil.net", "ns-1.awsdns-45.de"]],
    ["a number of another length than Route 53's", ["ns-1.awsdns-1.com", "ns-1.awsdns-123.com", "ns-1.awsdns-x1.com"]],
    ["a bare top-level domain", ["com"]],
    ["the root", ["."]],
    ["a parking provider without a cited suffix", ["ns1.hugedomains.com", "ns2.hugedomains.com"]],
    ["a customer's own server at Linode", ["li1234-56.members.linode.com"]],
    ["a customer's own server at ALL-INKL", ["w0123456.kasserver.com"]],
    ["a customer's own name at Sakura", ["ns1.example.sakura.ne.jp"]],
    ["a customer's own server at Scaleway", ["1-2-3-4.pub.instances.scw.cloud"]]
  ])("is detected as unknown: %s", (_, nameServers) => {
    expect(detectProvider(nameServers)).toEqual({ provider: unknown, limits: unknownLimits, warnings: [] })
  })
})

describe("name servers that several providers share or that mislead", () => {
  test.each([
    [
      ["ns-cloud-a1.googledomains.com", "ns-cloud-a2.googledomains.com"],
      ["squarespace", "googleclouddns"]
    ],
    [
      ["dns1.p05.nsone.net", "DNS4.p05.nsone.net."],
      ["netlify", "squarespace", "nsone"]
    ],
    [
      ["dns1.p02.nsone.net", "dns2.p02.nsone.net", "ns01.squarespacedns.com", "ns02.squarespacedns.com"],
      ["netlify", "squarespace", "nsone"]
    ],
    [["ns1.dnsowl.com", "ns2.dnsowl.com"], ["namesilo"]],
    [
      ["ns1.livedns.co.uk", "ns2.livedns.co.uk"],
      ["fasthosts", "123reg"]
    ],
    [["ns1.rrpproxy.net"], ["cnr"]],
    [["dns1.name-services.com"], ["enom"]],
    [["ns1.systemdns.com"], ["opensrs"]]
  ])("have candidates where several providers share them, and none of their capabilities: %p", (names, ids) => {
    const { limits, provider } = detectProvider(names)
    expect([provider.id, provider.detection.method, limits]).toEqual(["unknown", "nameserver", unknownLimits])
    expect(provider.detection.candidates?.map(({ id }) => id)).toEqual(ids)
  })

  test.each([
    [["dns1.p11.nsone.net", "dns2.p11.nsone.net"], "nsone"],
    [["dns1.p05.nsone.net", "ns1.customer.nsone.net"], "nsone"],
    [["dns5.p05.nsone.net"], "nsone"],
    [["ns1.namesilo.com"], "namesilo"]
  ])("have none where they are a provider's own: %p", (names, id) => {
    const { provider, sharing } = detectProvider(names)
    expect([provider.id, provider.detection.candidates, sharing]).toEqual([id, undefined, undefined])
  })

  test("distinguish Akamai Cloud, formerly Linode, from Akamai Edge DNS", () => {
    const names = [["ns1.linode.com"], ["a1-64.akam.net"]].map((set) => detectProvider(set).provider.name)
    expect(names).toEqual(["Akamai Cloud (Linode)", "Akamai Edge DNS"])
  })

  test("are Hostinger's if they are at dns-parking.com", () => {
    expect(providerOf("ns1.dns-parking.com", "ns2.dns-parking.com")).toBe("hostinger")
  })

  test("report that BuddyNS only copies a zone", () => {
    expect(detectProvider(["b.ns.buddyns.com"]).provider.limitations).toEqual([
      "BuddyNS copies the zone from a primary server; records are changed at that primary, not at BuddyNS."
    ])
  })
})

effect("a zone is hosted by every provider whose name servers the parent or the zone lists", () =>
  Effect.gen(function* () {
    const { detect } = yield* Providers
    const cloudflare = Array.from({ length: 8 }, (_, index) => `ns${index}.ns.cloudflare.com`)
    const delegations = [
      [cloudflare, cloudflare],
      [[...cloudflare, "ns-1.awsdns-00.com"], cloudflare],
      [cloudflare, [...cloudflare, "ns-1.awsdns-00.com"]]
    ] as const
    const warnings = delegations.map(
      ([parentNameServers, childNameServers]) => detect({ parentNameServers, childNameServers }).warnings
    )
    expect(warnings).toEqual([[], ["multi_provider_ns"], ["multi_provider_ns"]])
  }).pipe(Effect.provide(Providers.layer([])))
)

describe("a set of several providers", () => {
  const cloudflare = ["amy.ns.cloudflare.com", "bob.ns.cloudflare.com"]
  const route53 = ["ns-1.awsdns-00.com", "ns-600.awsdns-11.net", "ns-1100.awsdns-09.org"]
  const apexAlias =
    "At the apex, an alias can point only to an AWS resource or to a record of the same zone, not to any host name."

  test("is manual at the provider with the most name servers, lists all, and has unknown capabilities", () => {
    expect(detectProvider([...cloudflare, ...route53])).toEqual({
      provider: new Provider({
        ...inCatalog("route53"),
        capabilities: unknownCapabilities,
        detection: {
          method: "nameserver",
          providers: [
            { id: "route53", name: "Amazon Route 53" },
            { id: "cloudflare", name: "Cloudflare" }
          ]
        },
        limitations: [
          "The name servers belong to several providers: Amazon Route 53 (3), Cloudflare (2). Every change has to be made at each of them.",
          apexAlias
        ]
      }),
      limits: unknownLimits,
      warnings: ["multi_provider_ns"]
    })
  })

  test("is the first provider by id on a tie, in any order of the servers", () => {
    const even = [...cloudflare, ...route53.slice(0, 2)]
    expect(detectProvider(even).provider.id).toBe("cloudflare")
    expect(detectProvider(even.toReversed())).toEqual(detectProvider(even))
  })

  test("counts a repeated server once, in any letter case", () => {
    const repeated = cloudflare.map((nameServer) => `${nameServer.toUpperCase()}.`)
    expect(detectProvider([...cloudflare, ...repeated, ...route53])).toEqual(
      detectProvider([...cloudflare, ...route53])
    )
  })

  test("is the known provider among any number of unknown servers", () => {
    expect(detectProvider(["ns1.example.net", "amy.ns.cloudflare.com", "ns2.example.net"])).toEqual({
      provider: new Provider({
        ...inCatalog("cloudflare"),
        capabilities: unknownCapabilities,
        detection: {
          method: "nameserver",
          providers: [
            { id: "cloudflare", name: "Cloudflare" },
            { id: "unknown", name: "Unknown provider" }
          ]
        },
        limitations: [
          "The name servers belong to several providers: Cloudflare (1), Unknown provider (2). Every change has to be made at each of them."
        ]
      }),
      limits: unknownLimits,
      warnings: ["multi_provider_ns"]
    })
  })
})

describe("for every suffix of the catalog", () => {
  const suffixes = catalog.flatMap(({ provider, suffixes }) => suffixes.map((suffix) => ({ id: provider.id, suffix })))
  const filledSuffix = fc
    .tuple(fc.constantFrom(...suffixes), fc.integer({ min: 0, max: 99 }))
    .map(([{ id, suffix }, digits]) => {
      const [tens, ones] = String(digits).padStart(2, "0")
      return { id, suffix: suffix.replace("#", `${tens}`).replace("#", `${ones}`) }
    })
  const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}[a-z0-9]$/)

  test("the suffix itself and every name below it belong to the provider, or may do so", () => {
    fc.assert(
      fc.property(filledSuffix, fc.array(label, { maxLength: 3 }), ({ id, suffix }, labels) => {
        expect(listProviderIds(detectProvider([[...labels, suffix].join(".")]))).toContain(id)
      }),
      { numRuns: 500 }
    )
  })

  test("a prefix on its first label, or labels after it, make the name unknown", () => {
    fc.assert(
      fc.property(filledSuffix, label, ({ suffix }, letters) => {
        expect(providerOf(`zz${letters}${suffix}`)).toBe("unknown")
        expect(providerOf(`${suffix}.${letters}.example`)).toBe("unknown")
      }),
      { numRuns: 500 }
    )
  })
})
