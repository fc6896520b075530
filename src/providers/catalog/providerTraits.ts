import type { Capabilities } from "../../domain/Provider.ts"

/** What is known about a provider besides its name servers. A capability in neither list is unknown, never assumed. */
export interface ProviderTraits {
  readonly referenceUrl?: string
  readonly supports?: ReadonlyArray<keyof Capabilities>
  readonly lacks?: ReadonlyArray<keyof Capabilities>
  readonly limitations?: ReadonlyArray<string>
}

const commonTypes = ["subdomainNSModification", "caaRecords", "spfRecords"] as const

/**
 * The traits of the few providers about which more is known, by id: record types in their API or documentation (`ALIAS`
 * and `ANAME` count as CNAME flattening, `URL` as redirect), and limitations that a customer should know beforehand.
 */
export const providerTraits: Readonly<Record<string, ProviderTraits>> = {
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
    supports: [...commonTypes, "cnameFlattening", "wildcardRecords"]
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
    supports: commonTypes
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
    supports: [...commonTypes, "cnameFlattening", "wildcardRecords"]
  },
  godaddy: {
    referenceUrl: "https://www.godaddy.com/help",
    supports: ["caaRecords", "spfRecords"]
  },
  googleclouddns: {
    referenceUrl: "https://cloud.google.com/dns/docs",
    limitations: [
      "Domains of the former Google Domains use the same name servers and are managed at Squarespace Domains; the name servers alone cannot tell which of the two it is."
    ]
  },
  hetzner: {
    referenceUrl: "https://docs.hetzner.com/networking/dns/record-types/overview/",
    supports: commonTypes
  },
  linode: {
    referenceUrl: "https://techdocs.akamai.com/cloud-computing/docs/dns-manager",
    supports: commonTypes,
    limitations: ["The zone is managed in Akamai Cloud (formerly Linode), which is not Akamai Edge DNS."]
  },
  namecheap: {
    referenceUrl: "https://www.namecheap.com/support/knowledgebase/",
    supports: ["spfRecords"],
    limitations: [
      "Zones on registrar-servers.com are edited in Namecheap's domain list, those on namecheaphosting.com in the cPanel of the web hosting."
    ]
  },
  namecom: {
    referenceUrl: "https://www.name.com/support",
    supports: ["subdomainNSModification", "cnameFlattening", "spfRecords"]
  },
  nsone: {
    referenceUrl: "https://www.ibm.com/docs/en/ns1-connect",
    limitations: [
      "Netlify and others serve their customers' zones from the same name servers; the name servers alone cannot tell an NS1 customer from theirs."
    ]
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
  vercel: {
    referenceUrl: "https://vercel.com/docs/domains",
    supports: [...commonTypes, "cnameFlattening", "wildcardRecords"]
  },
  vultr: {
    referenceUrl: "https://docs.vultr.com/",
    supports: [...commonTypes, "wildcardRecords"]
  }
}
