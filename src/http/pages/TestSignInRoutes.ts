import type { HttpServerRequest } from "@effect/platform/HttpServerRequest"
import { Effect, Layer } from "effect"
import { allowedCode } from "../../testmode/makeTestOAuthClient.ts"
import { negotiatePageLanguage, oauthPageTexts } from "../../web/words/oauthPages.ts"
import { oauthPaths, PublicUrl } from "../PublicUrl.ts"
import { servePage } from "../pipeline/Endpoints.ts"
import { respondWithPage } from "./customerPage.ts"

/** The page that replaces the sign-in at a provider in test mode: the customer allows or denies there. */
export const TestSignInRoutes = Layer.effectDiscard(
  Effect.gen(function* () {
    const callback = (yield* PublicUrl).pathOf(oauthPaths.callback)

    yield* servePage("/v1/test/sign-in", ({ headers, url }: HttpServerRequest) => {
      const state = new URLSearchParams(url.slice(url.indexOf("?") + 1)).get("state") ?? ""
      const returnWith = (answer: Record<string, string>) => `${callback}?${new URLSearchParams({ ...answer, state })}`
      const language = negotiatePageLanguage(headers["accept-language"] ?? "")
      const { allow, deny, ...text } = oauthPageTexts[language].testSignIn
      return Effect.succeed(
        respondWithPage({
          status: 200,
          language,
          ...text,
          links: [
            { text: allow, url: returnWith({ code: allowedCode }) },
            { text: deny, url: returnWith({ error: "access_denied" }) }
          ]
        })
      )
    })
  })
)
