import { Redacted } from "effect"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import { azureServicePrincipal } from "../../../domain/serviceAccounts.ts"
import type { TokenServer } from "../../../support/vendors/TokenServer.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"

/** An access token of the application. */
export const validToken = "eyJ0.azure-valid"

export const principal = azureServicePrincipal

export const servicePrincipal = (more: Partial<Record<keyof typeof principal, string>> = {}): Credential => {
  const { clientSecret, ...fields } = { ...principal, ...more }
  return { _tag: "service_principal", ...fields, clientSecret: Redacted.make(clientSecret) }
}

const refuse = (status: number, error: string, code: number, text: string): VendorAnswer => ({
  status,
  body: { error, error_description: `AADSTS${code}: ${text}`, error_codes: [code] }
})

/** Answers a request for a token by version 2 of the platform. */
const answer = (tenant: string, form: URLSearchParams): VendorAnswer => {
  if (tenant !== principal.tenantId) return refuse(400, "invalid_request", 90_002, `Tenant '${tenant}' not found.`)
  if (form.get("grant_type") !== "client_credentials")
    return refuse(400, "unsupported_grant_type", 70_003, "grant type")
  if (form.get("client_id") !== principal.clientId)
    return refuse(400, "unauthorized_client", 700_016, "Application was not found in the directory.")
  if (form.get("client_secret") !== principal.clientSecret)
    return refuse(401, "invalid_client", 7_000_215, "Invalid client secret provided.")
  if (form.get("scope") !== "https://management.azure.com/.default")
    return refuse(400, "invalid_scope", 70_011, "The provided value for the input parameter 'scope' is not valid.")
  return {
    status: 200,
    body: { token_type: "Bearer", expires_in: 3599, ext_expires_in: 3599, access_token: validToken }
  }
}

/** Microsoft's server of tokens, which knows the application. */
export const azureTokens: TokenServer = {
  baseUrl: "https://login.microsoftonline.com",
  react: async ({ method, target, text }) => {
    const [, tenant = ""] = /^\/([^/]+)\/oauth2\/v2\.0\/token$/.exec(target) ?? []
    return method === "POST" && tenant !== "" ? answer(tenant, new URLSearchParams(text)) : { status: 404 }
  }
}
