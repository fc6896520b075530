import type { OAuthSettings } from "../oauth/OAuthSettings.ts"

/** The authorization server of a provider of the catalogue, without the client that an operator has to register there. */
export interface KnownServer extends Pick<OAuthSettings, "authorizeUrl" | "tokenUrl" | "revokeUrl" | "scopes"> {
  /** Whether a client without a secret is let in, on the condition of PKCE by S256. */
  readonly publicClients: boolean
  readonly sources: ReadonlyArray<string>
}

/**
 * Where the customers of some providers of the catalogue could agree to be written for, by id, as it was documented in
 * November 2026. They are offered once the service has an adapter that writes there.
 */
export const knownServers: Readonly<Record<string, KnownServer>> = {
  cloudflare: {
    authorizeUrl: "https://dash.cloudflare.com/oauth2/auth",
    tokenUrl: "https://dash.cloudflare.com/oauth2/token",
    revokeUrl: "https://dash.cloudflare.com/oauth2/revoke",
    scopes: ["zone.read", "dns.write"],
    publicClients: true,
    sources: [
      "https://developers.cloudflare.com/fundamentals/oauth/create-an-oauth-client/",
      "https://developers.cloudflare.com/fundamentals/oauth/integrate-with-cloudflare/"
    ]
  },
  digitalocean: {
    authorizeUrl: "https://cloud.digitalocean.com/v1/oauth/authorize",
    tokenUrl: "https://cloud.digitalocean.com/v1/oauth/token",
    revokeUrl: "https://cloud.digitalocean.com/v1/oauth/revoke",
    scopes: ["domain:read", "domain:create", "domain:update", "domain:delete"],
    publicClients: true,
    sources: ["https://docs.digitalocean.com/documentation/oauth"]
  },
  /** Its scope is unused, its token is for the whole account and does not expire; there is nothing to give it back to. */
  dnsimple: {
    authorizeUrl: "https://dnsimple.com/oauth/authorize",
    tokenUrl: "https://api.dnsimple.com/v2/oauth/access_token",
    scopes: [],
    publicClients: true,
    sources: ["https://github.com/dnsimple/dnsimple-developer/blob/main/content/v2/oauth.md"]
  }
}
