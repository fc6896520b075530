import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { type Configuration, Provider } from "oidc-provider"
import { freePort } from "./freePort.ts"

/** What a customer says at the provider. */
export type CustomerDecision = "yes" | "no"

/** Answers a request in the server's place; `false` leaves it to the server. */
export type RequestInterceptor = (request: IncomingMessage, response: ServerResponse) => boolean

/** A real authorization server on loopback, with one client that the operator of the service has registered. */
export interface TestOAuthServer {
  readonly issuer: string
  /** What `PROVIDERS_FILE` says of it. */
  readonly settings: object
  /** What every customer says from now on, in place of being asked on a page. */
  readonly setCustomerDecision: (says: CustomerDecision) => void
  /** In force until the next call. */
  readonly intercept: (meddle: RequestInterceptor) => void
  /** Whether the server would take a bearer token now. */
  readonly isTokenValid: (token: string) => Promise<boolean>
  /** Forgets every access token, as a server may that is restarted; refresh tokens stay good. */
  readonly dropAccessTokens: () => Promise<void>
  /** Revokes all that the customer has allowed, as they can in their account. */
  readonly revokeGrants: () => Promise<void>
  /** The paths that were called by POST, with their grant type. */
  readonly calls: Array<string>
  /** Every code and token that was ever issued. */
  readonly secrets: ReadonlySet<string>
}

export const clientSecret = "a-secret-of-the-operator"

interface OAuthServerOptions {
  readonly redirectUri: string
  /** How long its access tokens are good. */
  readonly accessTokenSeconds?: number
  /** Whether it asks customers on pages of its own; else all say yes at once. */
  readonly hasPages?: boolean
}

export const startOAuthServer = (options: OAuthServerOptions): Effect.Effect<TestOAuthServer, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => open(options)),
      ({ http }) => Effect.promise(() => closed(http))
    ),
    ({ server }) => server
  )

const open = async ({ accessTokenSeconds = 3_600, hasPages = false, redirectUri }: OAuthServerOptions) => {
  const issuer = `http://127.0.0.1:${freePort()}`
  const world: { says: CustomerDecision | undefined; meddle: RequestInterceptor } = {
    says: hasPages ? undefined : "yes",
    meddle: () => false
  }
  const calls: Array<string> = []
  const secrets = new Set<string>()
  const grants = new Set<string>()
  const provider = new Provider(issuer, configurationOf(redirectUri, accessTokenSeconds))
  for (const event of ["access_token", "authorization_code", "refresh_token"] as const) {
    provider.on(`${event}.saved`, ({ grantId, jti }) => {
      secrets.add(jti)
      grants.add(grantId)
    })
  }
  const serve = provider.callback()
  const http = createServer((request, response) => {
    if (request.method === "POST") calls.push(request.url ?? "")
    if (world.meddle(request, response)) return
    if (request.url?.startsWith("/interaction/")) void interact(provider, world.says, request, response)
    else serve(request, response)
  })
  await new Promise<void>((resolve) => http.listen(Number(new URL(issuer).port), "127.0.0.1", resolve))
  const server: TestOAuthServer = {
    issuer,
    settings: {
      authorizeUrl: `${issuer}/auth`,
      tokenUrl: `${issuer}/token`,
      revokeUrl: `${issuer}/token/revocation`,
      issuer,
      clientId: "domain-connections",
      clientSecret,
      scopes: ["dns.write"]
    },
    setCustomerDecision: (says) => void (world.says = says),
    intercept: (meddle) => void (world.meddle = meddle),
    isTokenValid: async (token) => (await provider.AccessToken.find(token))?.isValid === true,
    dropAccessTokens: async () => {
      for (const secret of secrets) await (await provider.AccessToken.find(secret))?.destroy()
    },
    revokeGrants: async () => {
      for (const grantId of grants) {
        await provider.AccessToken.revokeByGrantId(grantId)
        await provider.RefreshToken.revokeByGrantId(grantId)
      }
    },
    calls,
    secrets
  }
  return { http, server }
}

const closed = (http: Server) =>
  new Promise<void>((resolve) => {
    http.closeAllConnections()
    http.close(() => resolve())
  })

const configurationOf = (redirectUri: string, accessTokenSeconds: number): Configuration => ({
  clients: [
    {
      client_id: "domain-connections",
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_basic"
    }
  ],
  scopes: ["dns.write"],
  cookies: { keys: ["a key of the tests"] },
  features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
  pkce: { required: () => true },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  issueRefreshToken: () => true,
  rotateRefreshToken: () => true,
  ttl: {
    AccessToken: accessTokenSeconds,
    AuthorizationCode: 60,
    Grant: 3_600,
    Interaction: 600,
    RefreshToken: 3_600,
    Session: 600
  }
})

/** The customer signs in and says yes, or no; without a word of theirs they are asked. */
const interact = async (
  provider: Provider,
  before: CustomerDecision | undefined,
  request: IncomingMessage,
  response: ServerResponse
) => {
  const { params, prompt, session } = await provider.interactionDetails(request, response)
  const says = before ?? (await saidOnPage(request))
  if (says === undefined) return response.writeHead(200, { "content-type": "text/html" }).end(pages[prompt.name])
  if (says === "no") return provider.interactionFinished(request, response, { error: "access_denied" })
  if (prompt.name === "login") {
    return provider.interactionFinished(request, response, { login: { accountId: "customer" } })
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? "", clientId: params.client_id })
  grant.addOIDCScope(params.scope)
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
}

const saidOnPage = async (request: IncomingMessage): Promise<CustomerDecision | undefined> => {
  if (request.method !== "POST") return undefined
  const form = new URLSearchParams(Buffer.concat(await Array.fromAsync(request)).toString())
  return form.get("says") === "yes" ? "yes" : "no"
}

const page = (title: string, form: string): string => `<!doctype html>
  <html lang="en">
    <title>${title}</title>
    <body style="font: 16px/1.5 system-ui; max-width: 24rem; margin: 4rem auto">
      <h1>${title}</h1>
      <form method="post">${form}</form>`

const pages = {
  login: page(
    "Sign in",
    `<p><label>User name <input name="user" required></label>
     <p><label>Password <input name="password" type="password" required></label>
     <p><button name="says" value="yes">Sign in</button>`
  ),
  consent: page(
    "Let domain-connections change your DNS?",
    `<button name="says" value="yes">Allow</button> <button name="says" value="no">Deny</button>`
  )
}
