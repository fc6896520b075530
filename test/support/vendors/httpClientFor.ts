import { HttpClient, HttpClientRequest } from "@effect/platform"
import { httpClient } from "../../providers/httpClient.ts"
import type { FakeVendor } from "./FakeVendor.ts"

/**
 * Sends requests for the vendors' own hosts to their fakes, for tests in one process. Throws at a request for any other
 * host. It follows no redirect, as the service's client does.
 */
export const httpClientFor = (
  ...fakes: ReadonlyArray<Pick<FakeVendor<never>, "baseUrl" | "origin">>
): HttpClient.HttpClient =>
  HttpClient.mapRequest(httpClient, (request) => {
    const url = new URL(request.url)
    const fake = fakes.find(({ baseUrl }) => new URL(baseUrl).origin === url.origin)
    if (fake === undefined) throw new Error(`no fake stands for ${url.origin}`)
    return HttpClientRequest.setUrl(request, fake.origin + request.url.slice(url.origin.length))
  })
