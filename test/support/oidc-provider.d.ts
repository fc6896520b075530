/** What we use of it: it comes without types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http"

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    on(event: `${"access_token" | "authorization_code" | "refresh_token"}.saved`, hear: (token: Token) => void): this
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: InteractionResult): Promise<void>
    readonly AccessToken: TokenModel
    readonly RefreshToken: TokenModel
    readonly Grant: new (of: { readonly accountId: string; readonly clientId: string }) => Grant
  }

  interface Configuration {
    readonly clients: ReadonlyArray<{
      readonly client_id: string
      readonly client_secret: string
      readonly redirect_uris: ReadonlyArray<string>
      readonly grant_types: ReadonlyArray<"authorization_code" | "refresh_token">
      readonly response_types: ReadonlyArray<"code">
      readonly token_endpoint_auth_method: "client_secret_basic" | "client_secret_post" | "none"
    }>
    readonly scopes: ReadonlyArray<string>
    readonly cookies: { readonly keys: ReadonlyArray<string> }
    readonly features: {
      readonly devInteractions: { readonly enabled: boolean }
      readonly revocation: { readonly enabled: boolean }
    }
    readonly pkce: { readonly required: () => boolean }
    readonly interactions: { readonly url: (context: unknown, interaction: { readonly uid: string }) => string }
    readonly findAccount: (
      context: unknown,
      accountId: string
    ) => { readonly accountId: string; readonly claims: () => { readonly sub: string } }
    readonly issueRefreshToken: () => boolean
    readonly rotateRefreshToken: () => boolean
    /** In seconds. */
    readonly ttl: Readonly<
      Record<"AccessToken" | "AuthorizationCode" | "Grant" | "Interaction" | "RefreshToken" | "Session", number>
    >
  }

  /** What the server asks the customer. */
  interface Interaction {
    readonly params: { readonly client_id: string; readonly scope: string }
    readonly prompt: { readonly name: "login" | "consent" }
    readonly session?: { readonly accountId: string }
  }

  type InteractionResult =
    | { readonly error: "access_denied" }
    | { readonly login: { readonly accountId: string } }
    | { readonly consent: { readonly grantId: string } }

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  interface Token {
    /** The secret itself. */
    readonly jti: string
    readonly grantId: string
    readonly isValid: boolean
    destroy(): Promise<void>
  }

  interface TokenModel {
    find(secret: string): Promise<Token | undefined>
    revokeByGrantId(grantId: string): Promise<void>
  }
}
