import type { AuthorizationServer } from "../oauth/OAuthSettings.ts"
import { makeOvhConsentClient } from "../oauth/OvhConsentClient.ts"
import type { CatalogAdapters } from "./CatalogAdapter.ts"

/**
 * "Integrate your OAuth client with Cloudflare" and "Create OAuth Client", with `client_secret_basic`. No refresh
 * token: a credential is kept no longer than an access token is valid.
 */
const cloudflareAuthorizationServer: AuthorizationServer = {
  authorizeUrl: "https://dash.cloudflare.com/oauth2/auth",
  tokenUrl: "https://dash.cloudflare.com/oauth2/token",
  revokeUrl: "https://dash.cloudflare.com/oauth2/revoke",
  tokenEndpointAuthMethod: "client_secret_basic",
  scopes: ["zone.read", "dns.write"]
}

/** DigitalOcean's documents, "DigitalOcean OAuth API" and "Token Scopes". */
export const digitalOceanAuthorizationServer: AuthorizationServer = {
  authorizeUrl: "https://cloud.digitalocean.com/v1/oauth/authorize",
  tokenUrl: "https://cloud.digitalocean.com/v1/oauth/token",
  revokeUrl: "https://cloud.digitalocean.com/v1/oauth/revoke",
  revocationAuthMethod: "bearer",
  tokenEndpointAuthMethod: "client_secret_post",
  scopes: ["domain:read", "domain:create", "domain:update", "domain:delete"]
}

/** What to know about writes at IONOS and at united-domains, a brand of it with the same API. */
const ionosLimitations = [
  "Needs an API key: the public prefix and the secret, with a dot between them.",
  "The provider rewrites the records of its own mail and web hosting when one of its features is switched on or off.",
  "The service does not write texts with quotes or backslashes there, and leaves records that are switched off as they are."
]

/** The adapters of the catalogued providers that the service writes to, one line for each. */
export const catalogAdapters: CatalogAdapters = {
  azure: {
    credential: "service_principal",
    provenBy: ["document", "recording", "judge", "trap"],
    limitations: [
      "Needs a service principal (an application in Microsoft Entra, with a secret) that has the role DNS Zone Contributor on the zone, and the resource group of the zone. The secret expires, and then a new one is needed.",
      "The service does not change record sets that point to an Azure resource (alias record sets), nor write texts with characters other than those of ASCII."
    ],
    load: () => import("../adapters/azure/makeAzureClient.ts").then(({ makeAzureClient }) => makeAzureClient)
  },
  cloudflare: {
    credential: "api_token",
    provenBy: ["document", "recording", "judge", "trap"],
    authorizationServer: cloudflareAuthorizationServer,
    limitations: [
      "The service does not change records that Cloudflare itself keeps (read-only, such as those of its mail routing), nor write empty texts there."
    ],
    load: () =>
      import("../adapters/cloudflare/makeCloudflareClient.ts").then(({ makeCloudflareClient }) => makeCloudflareClient)
  },
  desec: {
    credential: "api_token",
    provenBy: ["recording", "judge", "trap"],
    limitations: [
      "The service writes only to zones that are delegated to ns1.desec.io, ns2.desec.org or both, and to no other server: deSEC's API does not say which name servers serve a zone."
    ],
    load: () => import("../adapters/desec/makeDesecClient.ts").then(({ makeDesecClient }) => makeDesecClient)
  },
  digitalocean: {
    credential: "api_token",
    provenBy: ["document", "recording", "judge", "trap"],
    authorizationServer: digitalOceanAuthorizationServer,
    limitations: [
      "The service does not write a null MX there, nor empty texts, texts with backslashes or of more than 509 bytes in quotes, nor CAA values with a blank, semicolon or backslash."
    ],
    load: () =>
      import("../adapters/digitalocean/makeDigitalOceanClient.ts").then(
        ({ makeDigitalOceanClient }) => makeDigitalOceanClient
      )
  },
  dnsimple: {
    credential: "api_token",
    provenBy: ["document", "recording", "judge", "trap"],
    limitations: [
      "Needs an API access token of the account that has the zone, or of a person who has access to that account. From the plan Teams on, a token can be limited to single zones, with full access.",
      "The service leaves redirects (URL records), pools (POOL records) and records that are limited to some regions as they are, and writes to DNSimple only, not to other providers that are linked to the zone (integrated zones).",
      "The service does not write texts with an unpaired quote or a space at the end there."
    ],
    load: () =>
      import("../adapters/dnsimple/makeDnsimpleClient.ts").then(({ makeDnsimpleClient }) => makeDnsimpleClient)
  },
  gandi: {
    credential: "api_token",
    provenBy: ["recording", "judge", "trap"],
    limitations: [
      "Needs a personal access token of the organization that has the domain, with the right to manage its technical configuration; it expires after at most a year, and then a new one is needed.",
      "At the apex, the service writes an alias as ALIAS, except in a zone that Gandi signs (DNSSEC), which serves none."
    ],
    load: () => import("../adapters/gandi/makeGandiClient.ts").then(({ makeGandiClient }) => makeGandiClient)
  },
  godaddy: {
    credential: "api_token",
    provenBy: ["document", "trap"],
    limitations: [
      "Needs a personal access token with the scopes domains.domain:read and domains.dns:update; keys of the former API end with the year 2026. GoDaddy lets not every account use its API: the records of the others are entered by hand.",
      "The service does not write name servers, texts with quotes or backslashes, nor wildcards of other types than A, AAAA and CNAME there."
    ],
    load: () => import("../adapters/godaddy/makeGoDaddyClient.ts").then(({ makeGoDaddyClient }) => makeGoDaddyClient)
  },
  googleclouddns: {
    credential: "service_account",
    provenBy: ["document", "recording", "judge", "trap"],
    limitations: [
      "Needs the key file (JSON) of a service account in the project that has the zone, with the role DNS Administrator, or one with the permissions dns.managedZones.list, dns.resourceRecordSets.list, create, update and delete, and dns.changes.create.",
      "At the apex, the service writes an alias as ALIAS, which Google does not serve in a zone that it signs (DNSSEC).",
      "The service does not change records with a routing policy (weighted, by location or with failover)."
    ],
    load: () =>
      import("../adapters/googleclouddns/makeGoogleCloudDnsClient.ts").then(
        ({ makeGoogleCloudDnsClient }) => makeGoogleCloudDnsClient
      )
  },
  hetzner: {
    credential: "api_token",
    provenBy: ["document", "recording", "judge", "trap"],
    limitations: [
      "Needs an API token of the Hetzner Cloud project that has the zone; tokens of the former DNS Console do not work."
    ],
    load: () => import("../adapters/hetzner/makeHetznerClient.ts").then(({ makeHetznerClient }) => makeHetznerClient)
  },
  hostinger: {
    credential: "api_token",
    provenBy: ["document", "trap"],
    // Those below hostinger.com are of its former DNS.
    nameServers: /\.dns-parking\.com$/,
    limitations: [
      "Needs an API token, which opens the whole account. The service does not write texts with quotes or backslashes there, nor change a set with a record that is switched off."
    ],
    load: () =>
      import("../adapters/hostinger/makeHostingerClient.ts").then(({ makeHostingerClient }) => makeHostingerClient)
  },
  infomaniak: {
    credential: "api_token",
    provenBy: ["recording", "judge", "trap"],
    limitations: [
      "Needs an API token with the scopes dns:read and dns:write; one with the former scope domain does not work.",
      "Infomaniak takes 60 calls a minute, and refuses a second SPF text in a zone. The service does not write texts with other characters than those of ASCII there, and leaves addresses of its dynamic DNS as they are."
    ],
    load: () =>
      import("../adapters/infomaniak/makeInfomaniakClient.ts").then(({ makeInfomaniakClient }) => makeInfomaniakClient)
  },
  ionos: {
    credential: "api_token",
    provenBy: ["recording", "judge", "trap"],
    nameServers: /\.ui-dns\.(biz|com|de|org)$/,
    limitations: [...ionosLimitations, "The key is made without charge in every account."],
    load: () => import("../adapters/ionos/makeIonosClient.ts").then(({ makeIonosClient }) => makeIonosClient)
  },
  linode: {
    credential: "api_token",
    provenBy: ["document", "recording", "judge", "trap"],
    limitations: [
      "Needs a personal access token with the right to read and write Domains; it expires when its owner has chosen, and then a new one is needed.",
      "The service does not write CAA records with a flag or a space there, nor SRV records with the priority 0 or below a host of the zone."
    ],
    load: () => import("../adapters/linode/makeLinodeClient.ts").then(({ makeLinodeClient }) => makeLinodeClient)
  },
  namecom: {
    credential: "username_api_key",
    provenBy: ["document", "recording", "judge", "trap"],
    nameServers: /^ns\d[a-z]{3}\.name\.com$/,
    limitations: [
      "Needs the name of a user and an API token, which opens the whole account: Name.com has none for one domain. An account with two-step sign-in must let its API in, too.",
      "The service does not write CAA records there, nor texts with quotes, backslashes or a space at the end."
    ],
    load: () => import("../adapters/namecom/makeNamecomClient.ts").then(({ makeNamecomClient }) => makeNamecomClient)
  },
  netlify: {
    credential: "api_token",
    provenBy: ["document", "judge", "trap"],
    limitations: [
      "Needs a personal access token, which opens the whole account.",
      "The service writes the types that the zone has by Netlify's own list, and no null MX, no empty texts and no CAA values with bytes that are not UTF-8."
    ],
    load: () => import("../adapters/netlify/makeNetlifyClient.ts").then(({ makeNetlifyClient }) => makeNetlifyClient)
  },
  ovh: {
    credential: "none",
    provenBy: ["recording", "judge", "trap"],
    makeOAuthClient: makeOvhConsentClient,
    limitations: [
      "Customers consent at OVHcloud to an application that the operator has registered there, for the accounts of one region (Europe, Canada or the United States). Without it, the records are entered by hand.",
      "Each record is read by a call of its own; the service does not write texts with quotes or backslashes there."
    ],
    load: () => import("../adapters/ovh/makeOvhClient.ts").then(({ makeOvhClient }) => makeOvhClient)
  },
  porkbun: {
    credential: "api_key_secret",
    provenBy: ["recording", "judge", "trap"],
    nameServers: /\.porkbun\.com$/,
    limitations: [
      "Needs an API key with its secret key, limited to the domain where the account offers that, and API Access switched on for the domain in Porkbun's Domain Management.",
      "The service does not write texts with quotes, backslashes or a space at the end there, nor CAA values with spaces."
    ],
    load: () => import("../adapters/porkbun/makePorkbunClient.ts").then(({ makePorkbunClient }) => makePorkbunClient)
  },
  route53: {
    credential: "access_key_secret",
    takesAwsRole: true,
    provenBy: ["document", "recording", "judge", "trap"],
    limitations: [
      "The access key, or the role that the operator's own identity assumes, needs the permissions route53:ListHostedZonesByName, GetHostedZone, ListResourceRecordSets and ChangeResourceRecordSets.",
      "The service does not change alias records, nor records with a routing policy (weighted, latency, geolocation and so on) or a health check."
    ],
    load: () => import("../adapters/route53/makeRoute53Client.ts").then(({ makeRoute53Client }) => makeRoute53Client)
  },
  simply: {
    credential: "username_api_key",
    provenBy: ["judge", "trap"],
    nameServers: /^ns\d\.simply\.com$/,
    limitations: [
      "Needs the number of the account (S123456), as user name, and its API key, which opens the whole account.",
      "The service does not write aliases at the apex there, nor texts with quotes, backslashes, other characters than those of ASCII or a space at an end.",
      "Not seen at Simply.com itself: how it stores texts of more than 255 bytes and SRV, CAA and TLSA records, which TTLs it takes, and what it answers to too many calls."
    ],
    load: () => import("../adapters/simply/makeSimplyClient.ts").then(({ makeSimplyClient }) => makeSimplyClient)
  },
  spaceship: {
    credential: "api_key_secret",
    nameServers: /^launch[12]\.spaceship\.net$/,
    provenBy: ["document", "trap"],
    limitations: [
      "Needs an API key with its secret, which may read and write DNS records (dnsrecords:read, dnsrecords:write) and nothing else. It opens all domains of the account, whose API access must be on.",
      "The service leaves records that Spaceship keeps itself as they are, such as those of a URL redirect: it is disconnected in the Domain Manager first.",
      "The service writes no alias of the domain itself there, because nobody says how it is served, and no null MX, no texts with quotes, backslashes or a space at the end, and no CAA values with spaces. It is not known whether two SRV records of one service stay apart that have the same priority and weight."
    ],
    load: () =>
      import("../adapters/spaceship/makeSpaceshipClient.ts").then(({ makeSpaceshipClient }) => makeSpaceshipClient)
  },
  transip: {
    credential: "username_api_key",
    provenBy: ["recording", "judge", "trap"],
    nameServers: /^ns\d\.transip\.(eu|net|nl)$/,
    limitations: [
      "Needs the name of the account and the private key of a key pair, which opens the whole account and must not be limited to listed IP addresses (whitelist). The API must be switched on for the account.",
      "The service does not write texts with backslashes, backticks, other characters than those of ASCII or more than 1,024 characters there."
    ],
    load: () => import("../adapters/transip/makeTransipClient.ts").then(({ makeTransipClient }) => makeTransipClient)
  },
  unitedomains: {
    credential: "api_token",
    provenBy: ["trap"],
    limitations: [...ionosLimitations, "united-domains sells the use of its DNS API."],
    load: () =>
      import("../adapters/ionos/makeIonosClient.ts").then(({ makeUnitedDomainsClient }) => makeUnitedDomainsClient)
  },
  vercel: {
    credential: "api_token",
    provenBy: ["document", "recording", "judge", "trap"],
    limitations: [
      "Needs an access token whose scope is the team that has the domain; the service finds the team itself.",
      "Vercel lets an account create 100 records an hour. The service leaves the records that Vercel keeps itself as they are: they give way to those that it adds."
    ],
    load: () => import("../adapters/vercel/makeVercelClient.ts").then(({ makeVercelClient }) => makeVercelClient)
  },
  vultr: {
    credential: "api_token",
    provenBy: ["document", "recording", "judge", "trap"],
    limitations: [
      "Needs an API key, best that of a user who may only manage DNS, because the key of the owner opens the whole account. The Access Control List of the user must allow the addresses from which the service calls.",
      "All records of one type at a host have one TTL there: a record that comes beside others gets theirs, and Vultr refuses another TTL for one of them.",
      "The service does not write null MX records, texts with quotes nor CAA values with spaces there."
    ],
    load: () => import("../adapters/vultr/makeVultrClient.ts").then(({ makeVultrClient }) => makeVultrClient)
  },
  wix: {
    credential: "username_api_key",
    provenBy: ["trap"],
    limitations: [
      "Needs the id of the Wix account, as user name, and an API key of that account with the permission Manage Domains, which its owner or a co-owner makes. Wix does not offer that permission in every account.",
      "Only for domains bought at Wix or connected to it by name servers: the records of a domain that is pointed to Wix are at its registrar.",
      "The service does not write NS records there, nor texts with quotes, backslashes, other characters than those of ASCII or more than 1,000 characters."
    ],
    load: () => import("../adapters/wix/makeWixClient.ts").then(({ makeWixClient }) => makeWixClient)
  }
}
