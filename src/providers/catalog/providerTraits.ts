import { anyTtl, type Capabilities, type TtlRange } from "../../domain/provider/Provider.ts"

/** The known traits of a provider besides its name servers. A capability in neither list is unknown, never assumed. */
export interface ProviderTraits {
  readonly referenceUrl?: string
  readonly supports?: ReadonlyArray<keyof Capabilities>
  readonly lacks?: ReadonlyArray<keyof Capabilities>
  readonly limitations?: ReadonlyArray<string>
  /** What it does not support in a zone that it signs. */
  readonly lacksIfSigned?: ReadonlyArray<keyof Capabilities>
  /** Whether it may flatten any alias: by a setting of the record or of the zone, or for a target in the same zone. */
  readonly flattensAliases?: boolean
  /** The addresses with which it answers for a record that it proxies, as networks. */
  readonly proxyNetworks?: ReadonlyArray<string>
}

const commonTypes = ["subdomainNSModification", "caaRecords", "spfRecords"] as const

/**
 * Traits by id: record types in API or documentation (`ALIAS`, `ANAME` for flattening, `URL` for redirect),
 * and limitations that a customer should know beforehand.
 */
export const providerTraits: Readonly<Record<string, ProviderTraits>> = {
  allinkl: {
    limitations: [
      "Its API takes only the password of the account, so the service does not use it: the customer enters the records."
    ]
  },
  aruba: {
    limitations: ["It has no API for customers: they enter the records."]
  },
  azure: {
    referenceUrl: "https://learn.microsoft.com/azure/dns/",
    supports: [...commonTypes, "wildcardRecords"],
    lacks: ["cnameFlattening"],
    limitations: ["At the apex, an alias can point only to an Azure resource, not to any host name."]
  },
  buddyns: {
    limitations: ["BuddyNS copies the zone from a primary server; records are changed at that primary, not at BuddyNS."]
  },
  bunny: {
    referenceUrl: "https://docs.bunny.net/",
    supports: commonTypes
  },
  cloudflare: {
    referenceUrl: "https://developers.cloudflare.com/dns/",
    supports: [...commonTypes, "cnameFlattening", "wildcardRecords"],
    flattensAliases: true,
    // https://www.cloudflare.com/ips-v4 and ips-v6
    proxyNetworks: [
      "173.245.48.0/20",
      "103.21.244.0/22",
      "103.22.200.0/22",
      "103.31.4.0/22",
      "141.101.64.0/18",
      "108.162.192.0/18",
      "190.93.240.0/20",
      "188.114.96.0/20",
      "197.234.240.0/22",
      "198.41.128.0/17",
      "162.158.0.0/15",
      "104.16.0.0/13",
      "104.24.0.0/14",
      "172.64.0.0/13",
      "131.0.72.0/22",
      "2400:cb00::/32",
      "2606:4700::/32",
      "2803:f800::/32",
      "2405:b500::/32",
      "2405:8100::/32",
      "2a06:98c0::/29",
      "2c0f:f248::/32"
    ]
  },
  cloudns: {
    referenceUrl: "https://www.cloudns.net/wiki/",
    supports: [...commonTypes, "cnameFlattening", "wildcardRecords", "wwwRedirect"]
  },
  desec: {
    referenceUrl: "https://desec.readthedocs.io/",
    supports: [...commonTypes, "wildcardRecords"],
    lacks: ["cnameFlattening"]
  },
  digitalocean: {
    referenceUrl: "https://docs.digitalocean.com/products/networking/dns/",
    supports: commonTypes,
    lacks: ["cnameFlattening"]
  },
  dnsimple: {
    referenceUrl: "https://support.dnsimple.com/",
    supports: [...commonTypes, "cnameFlattening", "wildcardRecords", "wwwRedirect"]
  },
  dnsmadeeasy: {
    referenceUrl: "https://support.dnsmadeeasy.com/",
    supports: [...commonTypes, "cnameFlattening", "wwwRedirect"]
  },
  exoscale: {
    referenceUrl: "https://community.exoscale.com/",
    supports: [...commonTypes, "cnameFlattening", "wwwRedirect"]
  },
  gandi: {
    referenceUrl: "https://docs.gandi.net/",
    supports: [...commonTypes, "cnameFlattening", "wildcardRecords"],
    lacksIfSigned: ["cnameFlattening"]
  },
  godaddy: {
    referenceUrl: "https://www.godaddy.com/help",
    supports: ["caaRecords", "spfRecords", "wildcardRecords"],
    lacks: ["cnameFlattening"]
  },
  googleclouddns: { referenceUrl: "https://cloud.google.com/dns/docs" },
  hetzner: {
    referenceUrl: "https://docs.hetzner.com/networking/dns/record-types/overview/",
    supports: [...commonTypes, "wildcardRecords"],
    lacks: ["cnameFlattening"]
  },
  hostinger: {
    referenceUrl: "https://hpanel.hostinger.com/profile/api",
    supports: ["subdomainNSModification", "caaRecords", "spfRecords", "cnameFlattening"]
  },
  hover: {
    limitations: ["It has no API for customers: they enter the records."]
  },
  infomaniak: {
    referenceUrl: "https://developer.infomaniak.com/docs/api",
    supports: [...commonTypes, "wildcardRecords"],
    lacks: ["cnameFlattening"]
  },
  inwx: {
    limitations: [
      "Its API takes only the password of an account, so the service does not use it: the customer enters the records."
    ]
  },
  ionos: {
    referenceUrl: "https://developer.hosting.ionos.com/docs/dns",
    supports: [...commonTypes, "wildcardRecords"],
    lacks: ["cnameFlattening"]
  },
  linode: {
    referenceUrl: "https://techdocs.akamai.com/cloud-computing/docs/dns-manager",
    supports: [...commonTypes, "wildcardRecords"],
    lacks: ["cnameFlattening"],
    limitations: ["The zone is managed in Akamai Cloud (formerly Linode), which is not Akamai Edge DNS."]
  },
  loopia: {
    limitations: [
      "Its API reads one name with each call, 60 a minute, so the service does not use it: the customer enters the records."
    ]
  },
  namecheap: {
    referenceUrl: "https://www.namecheap.com/support/knowledgebase/",
    supports: ["spfRecords"],
    limitations: [
      "Zones on registrar-servers.com are edited in Namecheap's domain list, those on namecheaphosting.com in the cPanel of the web hosting.",
      "Each write by its API replaces the zone, of which the API does not show all, so the service does not use it: the customer enters the records."
    ]
  },
  namecom: {
    referenceUrl: "https://www.name.com/support",
    supports: ["subdomainNSModification", "cnameFlattening", "spfRecords"],
    lacks: ["caaRecords"]
  },
  namesilo: {
    limitations: [
      "The service does not use its API, whose key stands in the address of each call: the customer enters the records, which are served up to 15 minutes later."
    ]
  },
  netlify: { referenceUrl: "https://docs.netlify.com/manage/domains/configure-domains/netlify-dns/" },
  nsone: { referenceUrl: "https://www.ibm.com/docs/en/ns1-connect" },
  onecom: {
    limitations: ["It has no API for customers: they enter the records."]
  },
  ovh: {
    referenceUrl: "https://help.ovhcloud.com/csm/en-dns-edit-dns-zone?id=kb_article_view&sysparm_article=KB0051682",
    supports: [...commonTypes, "wildcardRecords"],
    lacks: ["cnameFlattening"]
  },
  porkbun: {
    referenceUrl: "https://kb.porkbun.com/",
    supports: [...commonTypes, "cnameFlattening", "wildcardRecords", "wwwRedirect"]
  },
  route53: {
    referenceUrl: "https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/Welcome.html",
    supports: [...commonTypes, "wildcardRecords"],
    lacks: ["cnameFlattening"],
    limitations: [
      "At the apex, an alias can point only to an AWS resource or to a record of the same zone, not to any host name."
    ]
  },
  simply: {
    referenceUrl: "https://www.simply.com/en/docs/api/",
    supports: commonTypes,
    lacks: ["cnameFlattening"]
  },
  spaceship: {
    referenceUrl: "https://docs.spaceship.dev/",
    supports: [...commonTypes, "wildcardRecords"]
  },
  squarespace: {
    limitations: ["It has no API for customers: they apply a template of Domain Connect, or enter the records."]
  },
  strato: {
    limitations: ["It has no API for customers: they enter the records."]
  },
  transip: {
    referenceUrl: "https://api.transip.nl/rest/docs.html",
    supports: [...commonTypes, "cnameFlattening"]
  },
  unitedomains: {
    referenceUrl: "https://www.united-domains.de/dns-apidoc/",
    supports: [...commonTypes, "wildcardRecords"],
    lacks: ["cnameFlattening"]
  },
  vercel: {
    referenceUrl: "https://vercel.com/docs/domains",
    supports: [...commonTypes, "cnameFlattening", "wildcardRecords"]
  },
  vultr: {
    referenceUrl: "https://docs.vultr.com/",
    supports: [...commonTypes, "wildcardRecords"],
    lacks: ["cnameFlattening"]
  },
  wix: {
    referenceUrl: "https://support.wix.com/en/article/adding-or-updating-cname-records-in-your-wix-account",
    supports: ["spfRecords"],
    lacks: ["caaRecords", "cnameFlattening"]
  }
}

/** The range of a provider with a documented minimum and no known maximum. */
const atLeast = (minimum: number): TtlRange => ({ minimum, maximum: anyTtl.maximum })

/**
 * The TTLs that a provider stores on every plan, each with its source. No entry: unknown. Values between bounds may be
 * rounded to an unknown list (ClouDNS).
 */
export const ttlRanges: Readonly<Record<string, TtlRange>> = {
  // Alibaba Cloud help, "TTL": free edition 600 to 86400; dearer editions from 60 or from 1.
  aliyun: { minimum: 600, maximum: 86_400 },
  // Azure Proactive Resiliency Library, dnsZones: "between 1 and 2147483647 seconds".
  azure: { minimum: 1, maximum: 2_147_483_647 },
  // OpenAPI document, dns-records_ttl (Enterprise from 30); Cloudflare docs, "Time to Live": "Auto" is 300 seconds.
  cloudflare: { minimum: 60, maximum: 86_400, automatic: { written: 1, served: 300 } },
  // ClouDNS wiki, article 58, as listed in lego's client: 60, 300, 900 … 2592000.
  cloudns: { minimum: 60, maximum: 2_592_000 },
  // deSEC docs, RRset `ttl`: at most 86400; desec-io/desec-stack issue 216: a domain's minimum is 3600 by default.
  desec: { minimum: 3600, maximum: 86_400 },
  // neatnik/omg.lol issue 37: "DigitalOcean enforces a minimum value of 30".
  digitalocean: atLeast(30),
  // DNSimple support, "What is Time-to-Live?": from 1 minute up to 3 days.
  dnsimple: { minimum: 60, maximum: 259_200 },
  // OpenAPI document, record `ttl`: created from 0, changed only to more than 0.
  exoscale: atLeast(1),
  // The API's refusal, quoted in octodns/octodns issue 1234: "60 is less than minimum value 300"; 30 days as others say.
  gandi: { minimum: 300, maximum: 2_592_000 },
  // OpenAPI document of version 3, DNS Record `ttl`.
  godaddy: { minimum: 600, maximum: 86_400 },
  // OpenAPI document, resource_record_set_to_create `ttl`.
  hetzner: { minimum: 60, maximum: 2_147_483_647 },
  // Huawei Cloud help, public record sets, "TTL": 1 to 2147483647.
  huaweicloud: { minimum: 1, maximum: 2_147_483_647 },
  // libdns writes no less: its Infomaniak provider, `ToInfomaniakRecord`.
  infomaniak: atLeast(60),
  // The API's refusal, in inwx/ansible-collection issue 6 and its documentation since: 300 to 864000.
  inwx: { minimum: 300, maximum: 864_000 },
  // lego refuses less, for IONOS and united-domains; acme.sh writes 60 to IONOS, which nobody else confirms.
  ionos: atLeast(300),
  // OpenAPI document, record `ttl_sec`; 0 is the zone's default, so no fixed TTL (linode/manager issue 6553).
  linode: {
    minimum: 300,
    maximum: 2_419_200,
    allowed: [300, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 172_800, 345_600, 604_800, 1_209_600, 2_419_200]
  },
  // Namecheap API, namecheap.domains.dns.setHosts, `TTL`: "any value between 60 to 60000".
  namecheap: { minimum: 60, maximum: 60_000 },
  // OpenAPI document, DNSCreateRecordBody `ttl`: "name.com allows a minimum TTL of 300".
  namecom: atLeast(300),
  // lego, its NameSilo provider: 3600 to 2592000; the minimum also in jeessy2/ddns-go pull request 796.
  namesilo: { minimum: 3600, maximum: 2_592_000 },
  // OVHcloud's Terraform provider, ovh_domain_zone_record `ttl`: "it shall be >= to 60"; the API stores less as 60.
  ovh: atLeast(60),
  // Porkbun API, "DNS Create Record", `ttl`, as its clients quote it: "The minimum and the default is 600 seconds."
  porkbun: atLeast(600),
  // OpenAPI document, schema TTL.
  route53: { minimum: 0, maximum: 2_147_483_647 },
  // Posh-ACME writes no less: its Simply plugin, `ttl`.
  simply: atLeast(60),
  // OpenAPI document, ResourceRecordCreateOrUpdateItem `ttl`.
  spaceship: { minimum: 60, maximum: 3600 },
  // lego refuses less.
  unitedomains: atLeast(300),
  // OpenAPI document, `ttl` of every kind of record in POST /v2/domains/{domain}/records.
  vercel: { minimum: 60, maximum: 2_147_483_647 },
  // The author of certbot-dns-wedos, in its issue 9: "the minimum TTL for WEDOS is 300 seconds".
  wedos: atLeast(300)
}
