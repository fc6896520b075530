import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Duration, Effect, Option, Redacted } from "effect"
import { OAuthFlow, type OAuthOutcome, type RedirectStart } from "../../lifecycle/authorize/OAuthFlow.ts"
import { sha256 } from "../../security/secrets.ts"
import { negotiateLanguage, type OAuthPageTexts, oauthPageTexts } from "../../web/words/oauthPages.ts"
import { oauthPaths, PublicUrl } from "../PublicUrl.ts"
import { type CustomerPage, customerPage, redirectTo } from "./customerPage.ts"

/** The two pages of a visit to a provider. What each of them does is done by GET only; HEAD shows that it is there. */
export const OAuthRoutes = HttpLayerRouter.use((router) =>
  Effect.gen(function* () {
    const visits = yield* OAuthFlow
    const publicUrl = yield* PublicUrl
    const redirectUri = publicUrl.of(oauthPaths.callback)

    yield* router.add("GET", oauthPaths.start, (request) =>
      request.method === "HEAD"
        ? Effect.succeed(HttpServerResponse.empty())
        : visits.start(Redacted.make(queryOf(request).get("ticket") ?? ""), redirectUri).pipe(
            Effect.map(
              Option.match({
                onNone: () => gone(request),
                onSome: (departure) => withBrowserSecret(departing(departure, request), departure, publicUrl.isSecure)
              })
            ),
            Effect.catchTag("StoreUnavailable", () => Effect.succeed(unavailable(request)))
          )
    )
    yield* router.add("GET", oauthPaths.callback, (request) =>
      Effect.gen(function* () {
        if (request.method === "HEAD") return HttpServerResponse.empty()
        const answer = queryOf(request)
        const cookie = cookieName(answer.get("state") ?? "", publicUrl.isSecure)
        const browser = Redacted.make(request.cookies[cookie] ?? "")
        const arrival = yield* visits.complete({ answer, browser }, redirectUri)
        return Option.match(arrival, {
          onNone: () => gone(request),
          onSome: (come) => withoutBrowserSecret(arrived(come, request), cookie, publicUrl.isSecure)
        })
      }).pipe(Effect.catchTag("StoreUnavailable", () => Effect.succeed(unavailable(request))))
    )
  })
)

const queryOf = ({ url }: HttpServerRequest.HttpServerRequest): URLSearchParams =>
  new URLSearchParams(url.slice(url.indexOf("?") + 1))

/**
 * Who comes straight from the page that sent them goes on to the provider. Who does not, perhaps because somebody sent
 * them a link, is told first what they are about to allow.
 */
const departing = (
  { authorizeUrl, domain, from, provider }: RedirectStart,
  request: HttpServerRequest.HttpServerRequest
) => {
  const cameFrom = Option.map(
    Option.liftPredicate(request.headers["referer"] ?? "", URL.canParse),
    (url) => new URL(url).origin
  )
  if (Option.exists(from, (origin) => Option.contains(cameFrom, origin))) return redirectTo(authorizeUrl)
  return saying(request, 200, ({ confirmation: asked }) => {
    const { goOn, ...text } = asked({ domain, provider, from: Option.getOrUndefined(from) })
    return { ...text, link: { url: authorizeUrl, text: goOn } }
  })
}

const arrived = ({ connectionId, outcome, returnUrl }: OAuthOutcome, request: HttpServerRequest.HttpServerRequest) => {
  if (Option.isNone(returnUrl))
    return outcome === "authorized"
      ? saying(request, 200, ({ allowed }) => allowed)
      : saying(request, 400, ({ notAllowed }) => notAllowed(outcome))
  const url = new URL(returnUrl.value)
  url.searchParams.set("connection", connectionId)
  url.searchParams.set("result", outcome)
  return redirectTo(url.href)
}

const gone = (request: HttpServerRequest.HttpServerRequest) => saying(request, 400, (words) => words.expired)

const unavailable = (request: HttpServerRequest.HttpServerRequest) => saying(request, 503, (words) => words.unavailable)

/** A page in the language of the customer's browser. */
const saying = (
  { headers }: HttpServerRequest.HttpServerRequest,
  status: number,
  text: (words: OAuthPageTexts) => Pick<CustomerPage, "title" | "sentences" | "link">
) => {
  const language = negotiateLanguage(headers["accept-language"] ?? "")
  return customerPage({ status, language, ...text(oauthPageTexts[language]) })
}

/** One cookie for each visit, so that visits in several tabs do not disturb each other. */
const cookieName = (state: string, isSecure: boolean): string =>
  `${isSecure ? "__Host-" : ""}dcs_oauth_${Buffer.from(sha256(state)).toString("hex").slice(0, 16)}`

const cookieOptions = (isSecure: boolean) => ({ path: "/", httpOnly: true, secure: isSecure, sameSite: "lax" }) as const

const withBrowserSecret = (
  answer: HttpServerResponse.HttpServerResponse,
  { browser, lifetime, state }: RedirectStart,
  isSecure: boolean
) =>
  HttpServerResponse.unsafeSetCookie(answer, cookieName(state, isSecure), Redacted.value(browser), {
    ...cookieOptions(isSecure),
    maxAge: Duration.toSeconds(lifetime) * 1_000
  })

const withoutBrowserSecret = (answer: HttpServerResponse.HttpServerResponse, name: string, isSecure: boolean) =>
  HttpServerResponse.unsafeSetCookie(answer, name, "", { ...cookieOptions(isSecure), maxAge: 0 })
