import type { BunRequest } from "bun"
import { Context, Option } from "effect"
import { testModePath } from "../../domain/testModePath.ts"

/** Finds the address of the client of a request, behind trusted proxies; none once the client has gone away. */
export type FindClient = () => Option.Option<string>

/** Responds to a request that a server has received. */
export type RequestHandler = (request: BunRequest, findClient: FindClient) => Promise<Response>

/**
 * Where the requests of test mode go: to a service of its own in this process, which shares nothing with the live one but
 * its port. Without a layer there is none, and every request is for this service.
 */
export class TestModeRequests extends Context.Reference<TestModeRequests>()("http/TestModeRequests", {
  defaultValue: (): { readonly respond: Option.Option<RequestHandler> } => ({ respond: Option.none() })
}) {}

/** Whether a request is for test mode: by its path, else by the environment of its API key, browser token or admin key. */
export const isTestModeRequest = ({ headers, url }: Pick<Request, "headers" | "url">): boolean => {
  const path = url.indexOf("/", url.indexOf("://") + 3)
  if (url.startsWith(`${testModePath}/`, path)) return true
  if (headers.get("x-admin-key")?.startsWith("dcka_test_") === true) return true
  const apiKey = headers.get("x-api-key")
  return apiKey === null
    ? /^Bearer dct_test_/i.test(headers.get("authorization") ?? "")
    : apiKey.startsWith("dck_test_")
}

/** The URL of a request of test mode as the handlers there know it: its path and query. */
export const withoutTestModePath = (url: string): string =>
  url.startsWith(`${testModePath}/`) ? url.slice(testModePath.length) : url
