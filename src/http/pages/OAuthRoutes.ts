import { HttpServerResponse } from "@effect/platform"
import type { HttpServerRequest } from "@effect/platform/HttpServerRequest"
import { Duration, Effect, Either, Layer, Option, Redacted } from "effect"
import { actAs } from "../../domain/access/Actor.ts"
import { OAuthFlow, type OAuthOutcome, type RedirectStart } from "../../lifecycle/authorize/OAuthFlow.ts"
import type { OAuthFailure } from "../../providers/oauth/OAuthClient.ts"
import { MasterKeyMissing, type StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { Unauthenticated } from "../../security/ApiKeys.ts"
import { isOAuthSecret } from "../../security/OAuthSessions.ts"
import { sha256 } from "../../security/secrets.ts"
import { negotiatePageLanguage, type OAuthPageTexts, oauthPageTexts } from "../../web/words/oauthPages.ts"
import { oauthPaths, PublicUrl } from "../PublicUrl.ts"
import { releasePermit } from "../../limits/ConcurrencyLimiter.ts"
import type { RateLimited } from "../../limits/limitErrors.ts"
import { CredentialGate } from "../../limits/CredentialGate.ts"
import { servePage } from "../pipeline/Endpoints.ts"
import { actorOf, Exchange, type RequestExchange } from "../pipeline/Exchange.ts"
import { type CustomerPage, noReferrer, respondWithPage } from "./customerPage.ts"

/** The two pages of OAuth, before and after the provider. Only GET has an effect; HEAD shows that the page exists. */
export const OAuthRoutes = Layer.effectDiscard(
  Effect.gen(function* () {
    const gate = yield* CredentialGate
    const oauthFlow = yield* OAuthFlow
    const publicUrl = yield* PublicUrl
    const redirectUri = publicUrl.of(oauthPaths.callback)

    /** Counts an unknown ticket or state like a refused credential. */
    const checkSecret = <A>(
      exchange: RequestExchange,
      secret: Redacted.Redacted,
      find: Effect.Effect<Option.Option<A>, StoreUnavailable>
    ) =>
      gate.check(exchange, {
        credential: secret,
        isWellFormed: isOAuthSecret(Redacted.value(secret)),
        verification: Effect.flatMap(
          find,
          Either.fromOption(() => Unauthenticated.error)
        )
      })

    const handleStart = Effect.fnUntraced(function* (request: HttpServerRequest) {
      const ticket = Redacted.make(queryOf(request).get("ticket") ?? "")
      const found: FoundStart = oauthFlow.start(ticket, redirectUri).pipe(
        Effect.map(Option.map((start) => Effect.succeed(start))),
        Effect.catchTag("OAuthFailure", (failure) => Effect.succeedSome(Effect.fail(failure)))
      )
      const start = yield* yield* checkSecret(yield* Exchange, ticket, found)
      return withBrowserSecret(redirectOrConfirm(start, request), start, publicUrl.isSecure)
    })

    const handleCallback = Effect.fnUntraced(function* (request: HttpServerRequest) {
      const answer = queryOf(request)
      const cookie = cookieNameOf(answer.get("state") ?? "", publicUrl.isSecure)
      const browser = Redacted.make(request.cookies[cookie] ?? "")
      const state = Redacted.make(answer.get("state") ?? "")
      const exchange = yield* Exchange
      const completion = yield* checkSecret(
        exchange,
        state,
        oauthFlow
          .complete({ answer, browser }, redirectUri)
          .pipe(actAs(actorOf(exchange, { type: "provider", id: "unknown" })))
      )
      releasePermit(exchange)
      return withoutBrowserSecret(redirectOrShowOutcome(yield* completion, request), cookie, publicUrl.isSecure)
    })

    yield* servePage(oauthPaths.start, answerGetOnly(handleStart))
    yield* servePage(oauthPaths.callback, answerGetOnly(handleCallback))
  })
)

const answerGetOnly =
  <R>(page: (request: HttpServerRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse, PageError, R>) =>
  (request: HttpServerRequest): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
    request.method === "HEAD"
      ? Effect.succeed(HttpServerResponse.empty())
      : Effect.catchTags(page(request), {
          StoreUnavailable: (error) =>
            Effect.succeed(
              // The next load reaches another process, and the customer need not begin again.
              error instanceof MasterKeyMissing
                ? HttpServerResponse.setHeader(showUnavailable(request), "refresh", "2")
                : showUnavailable(request)
            ),
          // The session stays open: the customer loads the page again.
          OAuthFailure: (failure) =>
            Effect.as(Effect.logWarning("An authorization was not started", failure), showUnavailable(request)),
          Unauthenticated: () => Effect.succeed(showExpired(request)),
          RateLimited: (error) => Effect.succeed(showTooManyAttempts(request, error))
        })

/** The ticket is known, even if the provider does not answer. */
type FoundStart = Effect.Effect<Option.Option<Effect.Effect<RedirectStart, OAuthFailure>>, StoreUnavailable>

type PageError = StoreUnavailable | OAuthFailure | Unauthenticated | RateLimited

const queryOf = ({ url }: HttpServerRequest): URLSearchParams => new URLSearchParams(url.slice(url.indexOf("?") + 1))

/** Redirects a browser from the page that started the flow. Any other first reads what it is about to allow. */
const redirectOrConfirm = ({ authorizeUrl, domain, from, provider }: RedirectStart, request: HttpServerRequest) => {
  const referrer = Option.map(
    Option.liftPredicate(request.headers["referer"] ?? "", URL.canParse),
    (url) => new URL(url).origin
  )
  if (Option.exists(from, (origin) => Option.contains(referrer, origin))) return redirectTo(authorizeUrl)
  return showText(request, 200, ({ confirmation }) => {
    const { goOn, ...text } = confirmation({ domain, provider, from: Option.getOrUndefined(from) })
    return { ...text, links: [{ url: authorizeUrl, text: goOn }] }
  })
}

/** Redirects to the platform's page with the outcome or, if it named none, shows the outcome. */
const redirectOrShowOutcome = ({ connectionId, outcome, returnUrl }: OAuthOutcome, request: HttpServerRequest) => {
  if (Option.isNone(returnUrl)) {
    switch (outcome) {
      case "authorized":
        return showText(request, 200, ({ allowed }) => allowed)
      case "returned":
        return showText(request, 200, ({ returned }) => returned)
      default:
        return showText(request, 400, ({ notAllowed }) => notAllowed(outcome))
    }
  }
  const url = new URL(returnUrl.value)
  url.searchParams.set("connection", connectionId)
  url.searchParams.set("result", outcome)
  return redirectTo(url.href)
}

const showExpired = (request: HttpServerRequest) => showText(request, 400, ({ expired }) => expired)

const showUnavailable = (request: HttpServerRequest) => showText(request, 503, ({ unavailable }) => unavailable)

const showTooManyAttempts = (request: HttpServerRequest, { retryAfterSeconds = 1 }: RateLimited) =>
  HttpServerResponse.setHeader(
    showText(request, 429, ({ tooManyAttempts }) => tooManyAttempts),
    "retry-after",
    String(retryAfterSeconds)
  )

/** A page in the language of the customer's browser. */
const showText = (
  { headers }: HttpServerRequest,
  status: number,
  text: (texts: OAuthPageTexts) => Pick<CustomerPage, "title" | "sentences" | "links">
) => {
  const language = negotiatePageLanguage(headers["accept-language"] ?? "")
  return respondWithPage({ status, language, ...text(oauthPageTexts[language]) })
}

/** Each session has its own cookie, so that sessions in several tabs do not disturb each other. */
const cookieNameOf = (state: string, isSecure: boolean): string =>
  `${isSecure ? "__Host-" : ""}dcs_oauth_${Buffer.from(sha256(state)).toString("hex").slice(0, 16)}`

const cookieOptionsOf = (isSecure: boolean) =>
  ({ path: "/", httpOnly: true, secure: isSecure, sameSite: "lax" }) as const

const withBrowserSecret = (
  response: HttpServerResponse.HttpServerResponse,
  { browser, lifetime, state }: RedirectStart,
  isSecure: boolean
) =>
  HttpServerResponse.unsafeSetCookie(response, cookieNameOf(state, isSecure), Redacted.value(browser), {
    ...cookieOptionsOf(isSecure),
    maxAge: Duration.toSeconds(lifetime) * 1_000
  })

const withoutBrowserSecret = (response: HttpServerResponse.HttpServerResponse, name: string, isSecure: boolean) =>
  HttpServerResponse.unsafeSetCookie(response, name, "", { ...cookieOptionsOf(isSecure), maxAge: 0 })

/** Redirects a browser to a URL outside this service. */
const redirectTo = (url: string) => HttpServerResponse.empty({ status: 303, headers: { location: url, ...noReferrer } })
