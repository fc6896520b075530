import type { HttpServerRequest } from "@effect/platform/HttpServerRequest"
import { Effect, Layer } from "effect"
import { allowedCode } from "../../testmode/makeTestOAuthClient.ts"
import { type LanguageTag, negotiateLanguage } from "../../web/words/languageOf.ts"
import { oauthPaths, PublicUrl } from "../PublicUrl.ts"
import { addPublicRoute } from "../middleware/RouteTable.ts"
import { respondWithPage } from "./customerPage.ts"

/** The page that replaces the sign-in at a provider in test mode: the customer allows or denies there. */
export const TestSignInRoutes = Layer.effectDiscard(
  Effect.gen(function* () {
    const callback = (yield* PublicUrl).pathOf(oauthPaths.callback)

    yield* addPublicRoute("/v1/test/sign-in", ({ headers, url }: HttpServerRequest) => {
      const state = new URLSearchParams(url.slice(url.indexOf("?") + 1)).get("state") ?? ""
      const returnWith = (answer: Record<string, string>) => `${callback}?${new URLSearchParams({ ...answer, state })}`
      const language = negotiateLanguage(headers["accept-language"] ?? "")
      const { allow, deny, ...text } = texts[language]
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

const texts: {
  readonly [_ in LanguageTag]: {
    readonly title: string
    readonly sentences: ReadonlyArray<string>
    readonly allow: string
    readonly deny: string
  }
} = {
  en: {
    title: "Test DNS: a sign-in of test mode",
    sentences: [
      "Here your customer signs in at the provider and allows the change. This is a test: no provider is asked, and no real domain changes."
    ],
    allow: "Allow",
    deny: "Deny"
  },
  de: {
    title: "Test DNS: eine Anmeldung im Testmodus",
    sentences: [
      "Hier meldet sich Ihr Kunde beim Anbieter an und erlaubt die Änderung. Dies ist ein Test: Kein Anbieter wird gefragt, und keine echte Domain ändert sich."
    ],
    allow: "Erlauben",
    deny: "Ablehnen"
  }
}
