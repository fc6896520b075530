import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { Effect } from "effect"
import type { FakeVendor } from "./FakeVendor.ts"
import { toMessage } from "./VendorServer.ts"

/**
 * Hands requests for the vendor's own host to its fake, as `httpClientFor` does, without a connection for each: for the
 * thousands of calls of a fault matrix.
 */
export const httpClientWithin = ({ baseUrl, react }: Pick<FakeVendor<never>, "baseUrl" | "react">) =>
  HttpClient.make((request, url) =>
    Effect.gen(function* () {
      if (url.origin !== new URL(baseUrl).origin) throw new Error(`no fake stands for ${url.origin}`)
      const { headers, method } = request
      const target = url.pathname + url.search
      const received = { method, target, headers: new Headers(headers), text: bodyOf(request) }
      const reaction = yield* Effect.promise(() => react(received))
      if (reaction === "silence") return yield* Effect.never
      if (reaction === "cut") return yield* new HttpClientError.RequestError({ request, reason: "Transport" })
      const { headers: sent, text } = toMessage(reaction)
      const response = new Response(text === "" ? null : text, { status: reaction.status, headers: sent })
      return HttpClientResponse.fromWeb(request, response)
    })
  )

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): string => {
  if (body._tag === "Empty") return ""
  if (body._tag !== "Uint8Array") throw new Error(`a body of the kind ${body._tag} cannot be handed to a fake`)
  return new TextDecoder().decode(body.body)
}
