import type { Provider } from "../../domain/provider/Provider.ts"

/** A form field of a credential: plain text, a secret, a multi-line secret, or one of several choices. */
export interface CredentialField {
  readonly name:
    | "apiToken"
    | "apiKey"
    | "apiSecret"
    | "username"
    | "accessKeyId"
    | "secretAccessKey"
    | "roleArn"
    | "json"
    | "tenantId"
    | "clientId"
    | "clientSecret"
    | "subscriptionId"
    | "resourceGroup"
    | "name"
    | "algorithm"
    | "secret"
  readonly kind: "text" | "secret" | "file" | ReadonlyArray<string>
}

type DirectCredentialKind = (typeof Provider.Encoded)["authorizationInputs"]["directCredential"]

/** The fields of each kind of credential. */
export const credentialFields: { readonly [_ in DirectCredentialKind]: ReadonlyArray<CredentialField> } = {
  api_token: [{ name: "apiToken", kind: "secret" }],
  api_key_secret: [
    { name: "apiKey", kind: "text" },
    { name: "apiSecret", kind: "secret" }
  ],
  username_api_key: [
    { name: "username", kind: "text" },
    { name: "apiKey", kind: "secret" }
  ],
  access_key_secret: [
    { name: "accessKeyId", kind: "text" },
    { name: "secretAccessKey", kind: "secret" }
  ],
  aws_role: [{ name: "roleArn", kind: "text" }],
  service_account: [{ name: "json", kind: "file" }],
  service_principal: [
    { name: "tenantId", kind: "text" },
    { name: "clientId", kind: "text" },
    { name: "clientSecret", kind: "secret" },
    { name: "subscriptionId", kind: "text" },
    { name: "resourceGroup", kind: "text" }
  ],
  tsig_key: [
    { name: "name", kind: "text" },
    { name: "algorithm", kind: ["hmac-sha256", "hmac-sha384", "hmac-sha512"] },
    { name: "secret", kind: "secret" }
  ],
  none: []
}

/** Where a key is made, what it must be allowed in the words of the provider's page, and how it is written. */
interface KeyPage {
  readonly url: string
  readonly rights?: string
  /** Whether every key can change the whole account. */
  readonly opensAccount?: true
  readonly form?: string
  /** The provider's own words for fields, as keys of the component's words. */
  readonly labels?: { readonly [_ in CredentialField["name"]]?: "accountId" | "privateKey" }
  /** The fields whose value has several lines at this provider. */
  readonly multiline?: ReadonlyArray<CredentialField["name"]>
  /** Where the provider lets other services in, if it does so for each domain. */
  readonly access?: { readonly url: string; readonly path: string }
}

/** The pages of the catalogued providers that take a key. */
export const keyPages: { readonly [providerId: string]: KeyPage } = {
  azure: {
    url: "https://portal.azure.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade",
    rights: "DNS Zone Contributor"
  },
  cloudflare: {
    url: "https://dash.cloudflare.com/profile/api-tokens",
    rights: "Zone · Zone · Read, Zone · DNS · Edit"
  },
  desec: { url: "https://desec.io/tokens" },
  digitalocean: {
    url: "https://cloud.digitalocean.com/account/api/tokens",
    rights: "domain: read, create, update, delete"
  },
  dnsimple: { url: "https://dnsimple.com/dashboard", rights: "Account · API & Access · Zones: Full access" },
  gandi: {
    url: "https://admin.gandi.net/organizations/account/pat",
    rights: "Manage domain name technical configurations"
  },
  godaddy: {
    url: "https://developer.godaddy.com/en/personal-access-token",
    rights: "domains.domain:read, domains.dns:update"
  },
  googleclouddns: {
    url: "https://console.cloud.google.com/iam-admin/serviceaccounts",
    rights:
      "dns.managedZones.list, dns.resourceRecordSets.list, dns.resourceRecordSets.create, dns.resourceRecordSets.update, dns.resourceRecordSets.delete, dns.changes.create"
  },
  hetzner: { url: "https://console.hetzner.com/", rights: "Security · API tokens · Read & Write" },
  hostinger: { url: "https://hpanel.hostinger.com/profile/api", opensAccount: true },
  infomaniak: {
    url: "https://manager.infomaniak.com/v3/ng/profile/user/token/list",
    rights: "dns:read, dns:write"
  },
  ionos: { url: "https://developer.hosting.ionos.com/keys", form: "publicprefix.secret" },
  linode: { url: "https://cloud.linode.com/profile/tokens", rights: "Domains: Read/Write" },
  namecom: {
    url: "https://www.name.com/account/settings/api",
    rights: "Account Settings · Security · Name.com API Access: ON",
    opensAccount: true
  },
  netlify: { url: "https://app.netlify.com/user/applications#personal-access-tokens", opensAccount: true },
  porkbun: {
    url: "https://porkbun.com/account/api",
    access: { url: "https://porkbun.com/account/domainsSpeedy", path: "Domain Management · Details · API Access: ON" }
  },
  route53: {
    url: "https://console.aws.amazon.com/iam/",
    rights:
      "route53:ListHostedZonesByName, route53:GetHostedZone, route53:ListResourceRecordSets, route53:ChangeResourceRecordSets"
  },
  simply: {
    url: "https://www.simply.com/en/controlpanel/account/",
    opensAccount: true,
    labels: { username: "accountId" }
  },
  spaceship: {
    url: "https://www.spaceship.com/application/api-manager/",
    rights: "dnsrecords:read, dnsrecords:write"
  },
  transip: {
    url: "https://www.transip.nl/cp/account/api/",
    rights: "API: On · Key pairs · Whitelisted IP: Off",
    opensAccount: true,
    labels: { apiKey: "privateKey" },
    multiline: ["apiKey"]
  },
  unitedomains: {
    url: "https://www.united-domains.de/help/faq-article/getting-started-with-the-united-domains-dns-api/",
    form: "publicprefix.secret"
  },
  vercel: { url: "https://vercel.com/account/settings/tokens", rights: "Scope: the team of the domain" },
  vultr: {
    url: "https://console.vultr.com/",
    rights: "Manage Organization · Users · API Access · Access Control List: Any IPv4, Any IPv6"
  },
  wix: {
    url: "https://manage.wix.com/account/api-keys",
    rights: "All account permissions · Manage Domains",
    labels: { username: "accountId" }
  }
}
