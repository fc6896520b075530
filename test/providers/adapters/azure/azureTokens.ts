import { Redacted } from "effect"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import { azureServicePrincipal } from "../../../domain/serviceAccounts.ts"
import { makeTokenServer } from "../../../support/vendors/TokenServer.ts"

export const principal = azureServicePrincipal

export const servicePrincipal = (more: Partial<Record<keyof typeof principal, string>> = {}): Credential => {
  const { clientSecret, ...fields } = { ...principal, ...more }
  return { _tag: "service_principal", ...fields, clientSecret: Redacted.make(clientSecret) }
}

export const refusal = (status: number, error: string, code: number, text: string) => ({
  status,
  body: { error, error_description: `AADSTS${code}: ${text}`, error_codes: [code] }
})

/** Microsoft's server of tokens, version 2 of the platform, which knows the application. */
export const azureTokens = makeTokenServer(
  { baseUrl: "https://login.microsoftonline.com", token: "eyJ0.azure-valid" },
  ({ form, path }) => {
    const isNot = (parameter: string, value: string) => form.get(parameter) !== value
    return [
      [path !== `/${principal.tenantId}/oauth2/v2.0/token`, refusal(400, "invalid_request", 90_002, "No such tenant.")],
      [isNot("grant_type", "client_credentials"), refusal(400, "unsupported_grant_type", 70_003, "grant type")],
      [isNot("client_id", principal.clientId), refusal(400, "unauthorized_client", 700_016, "No such application.")],
      [isNot("client_secret", principal.clientSecret), refusal(401, "invalid_client", 7_000_215, "Invalid secret.")],
      [isNot("scope", "https://management.azure.com/.default"), refusal(400, "invalid_scope", 70_011, "scope")]
    ]
  }
)
