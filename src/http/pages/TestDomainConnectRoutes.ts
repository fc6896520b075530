import { HttpServerResponse } from "@effect/platform"
import type { HttpServerRequest } from "@effect/platform/HttpServerRequest"
import { Effect, Layer, Option } from "effect"
import { TestDomainConnect } from "../../testmode/TestDomainConnect.ts"
import { negotiatePageLanguage, oauthPageTexts } from "../../web/words/oauthPages.ts"
import { PublicUrl, testDomainConnectPath } from "../PublicUrl.ts"
import { servePage } from "../pipeline/Endpoints.ts"
import { noReferrer, respondWithPage } from "./customerPage.ts"

/**
 * The page of test mode's provider of Domain Connect. The link that allows is the signed one itself with an answer,
 * so that it is verified again.
 */
export const TestDomainConnectRoutes = Layer.effectDiscard(
  Effect.gen(function* () {
    const { of, pathOf } = yield* PublicUrl
    const provider = yield* TestDomainConnect

    yield* servePage(`${testDomainConnectPath}${applyPath}`, (request: HttpServerRequest) =>
      Effect.gen(function* () {
        const language = negotiatePageLanguage(request.headers["accept-language"] ?? "")
        const { allow, deny, refused, ...text } = oauthPageTexts[language].testDomainConnect
        const link = new URL(of(request.url))
        const found = yield* provider.open(link)
        if (Option.isNone(found)) return respondWithPage({ status: 403, language, ...refused })
        const { apply, returnUrl } = found.value
        if (link.searchParams.get(answer) === "allow") {
          const isApplied = yield* apply
          return HttpServerResponse.redirect(returnUrl(isApplied ? undefined : "server_error"), {
            status: 303,
            headers: noReferrer
          })
        }
        return respondWithPage({
          status: 200,
          language,
          ...text,
          links: [
            { text: allow, url: `${pathOf(request.url)}&${answer}=allow` },
            { text: deny, url: returnUrl("user_cancel") }
          ]
        })
      })
    )
  })
)

const applyPath = "/v2/domainTemplates/providers/:providerId/services/:serviceId/apply"

/** Not a variable of a template, none of which may begin like this. */
const answer = "dc.answer"
