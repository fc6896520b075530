import { HttpClient } from "@effect/platform"
import type { FakeVendor } from "./FakeVendor.ts"
import { httpClientWithin } from "./httpClientWithin.ts"

/** The server of a vendor that exchanges credentials for access tokens, at a host of its own. */
export type TokenServer = Pick<FakeVendor<never>, "baseUrl" | "react">

/** Hands requests for tokens to their server, without a connection, and sends all others through a client. */
export const withTokenServer = (http: HttpClient.HttpClient, tokens: TokenServer): HttpClient.HttpClient => {
  const direct = httpClientWithin(tokens)
  const origin = new URL(tokens.baseUrl).origin
  return HttpClient.make((request, url) => (url.origin === origin ? direct : http).execute(request))
}
