import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { type Configuration, Provider } from "oidc-provider"
import { freePort } from "./freePort.ts"

/** The customer's answer on the provider's consent page. */
type CustomerDecision = "yes" | "no"

/** Answers a request in place of the server; `false` leaves it to the server. */
type RequestInterceptor = (request: IncomingMessage, response: ServerResponse) => boolean

/** A real authorization server on loopback, with one client registered by the operator of the service. */
export interface TestOAuthServer {
  readonly issuer: string
  /** Its settings in `PROVIDERS_FILE`. */
  readonly settings: object
  /** Makes every customer decide like this from now on, without a page. */
  readonly setCustomerDecision: (decision: CustomerDecision) => void
  /** Replaces the interceptor until the next call. */
  readonly intercept: (interceptor: RequestInterceptor) => void
  /** Whether the server currently accepts a bearer token. */
  readonly isTokenValid: (token: string) => Promise<boolean>
  /** Forgets every access token, as a restarted server may; refresh tokens stay valid. */
  readonly dropAccessTokens: () => Promise<void>
  /** Revokes all grants, as customers can in their account. */
  readonly revokeGrants: () => Promise<void>
  /** The paths of all POST requests. */
  readonly calls: Array<string>
  /** Every issued code and token. */
  readonly secrets: ReadonlySet<string>
}

export const clientSecret = "a-secret-of-the-operator"

interface OAuthServerOptions {
  readonly redirectUri: string
  /** The lifetime of its access tokens. */
  readonly accessTokenSeconds?: number
  /** Whether it asks customers on its own pages; otherwise all agree at once. */
  readonly hasPages?: boolean
}

export const startOAuthServer = (options: OAuthServerOptions): Effect.Effect<TestOAuthServer, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => open(options)),
      ({ http }) => Effect.promise(() => closeServer(http))
    ),
    ({ server }) => server
  )

const open = async ({ accessTokenSeconds = 3_600, hasPages = false, redirectUri }: OAuthServerOptions) => {
  const issuer = `http://127.0.0.1:${freePort()}`
  const behavior: { decision: CustomerDecision | undefined; intercept: RequestInterceptor } = {
    decision: hasPages ? undefined : "yes",
    intercept: () => false
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
    if (behavior.intercept(request, response)) return
    if (request.url?.startsWith("/interaction/")) void interact(provider, behavior.decision, request, response)
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
    setCustomerDecision: (decision) => void (behavior.decision = decision),
    intercept: (interceptor) => void (behavior.intercept = interceptor),
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

const closeServer = (http: Server) =>
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

/** Signs the customer in and grants or denies consent; without a preset decision it shows a page. */
const interact = async (
  provider: Provider,
  preset: CustomerDecision | undefined,
  request: IncomingMessage,
  response: ServerResponse
) => {
  const { params, prompt, session } = await provider.interactionDetails(request, response)
  const decision = preset ?? (await decisionOnPage(request))
  if (decision === undefined) return response.writeHead(200, { "content-type": "text/html" }).end(pages[prompt.name])
  if (decision === "no") return provider.interactionFinished(request, response, { error: "access_denied" })
  if (prompt.name === "login") {
    return provider.interactionFinished(request, response, { login: { accountId: "customer" } })
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? "", clientId: params.client_id })
  grant.addOIDCScope(params.scope)
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
}

const decisionOnPage = async (request: IncomingMessage): Promise<CustomerDecision | undefined> => {
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
