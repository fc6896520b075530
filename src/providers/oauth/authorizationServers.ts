import type { AuthorizationServer } from "./OAuthSettings.ts"

/**
 * Cloudflare's documents, "Integrate your OAuth client with Cloudflare" and "Create OAuth Client", whose example has
 * `client_secret_basic`. A refresh token is not requested: a credential is kept no longer than an access token is valid.
 */
export const cloudflareAuthorizationServer: AuthorizationServer = {
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
