import { HttpClient } from "@effect/platform"
import type { FakeVendor } from "./FakeVendor.ts"
import { httpClientWithin } from "./httpClientWithin.ts"
import type { VendorAnswer } from "./VendorCall.ts"

/** The server of a vendor that exchanges credentials for access tokens, at a host of its own. */
export interface TokenServer extends Pick<FakeVendor<never>, "baseUrl" | "react"> {
  /** The token that it grants. */
  readonly token: string
}

/** A request for a token. */
export interface TokenRequest {
  readonly path: string
  readonly form: URLSearchParams
}

/** Makes a server that grants its token unless something is wrong with a request; the first of these faults counts. */
export const makeTokenServer = (
  { baseUrl, token }: Pick<TokenServer, "baseUrl" | "token">,
  faults: (request: TokenRequest) => ReadonlyArray<readonly [isFaulty: boolean, refusal: VendorAnswer]>
): TokenServer => ({
  baseUrl,
  token,
  react: async ({ method, target, text }) => {
    if (method !== "POST") return { status: 404 }
    const [refusal] = faults({ path: target, form: new URLSearchParams(text) }).filter(([isFaulty]) => isFaulty)
    return refusal?.[1] ?? { status: 200, body: { access_token: token, expires_in: 3599, token_type: "Bearer" } }
  }
})

/** Hands requests for tokens to their server, without a connection, and sends all others through a client. */
export const withTokenServer = (http: HttpClient.HttpClient, tokens: TokenServer): HttpClient.HttpClient => {
  const direct = httpClientWithin(tokens)
  const origin = new URL(tokens.baseUrl).origin
  return HttpClient.make((request, url) => (url.origin === origin ? direct : http).execute(request))
}
