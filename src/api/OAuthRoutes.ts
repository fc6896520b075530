import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Duration, Effect, Option, Redacted } from "effect"
import type { FailureCode } from "../domain/Connection.ts"
import { type Arrival, type Departure, ProviderVisits } from "../lifecycle/access/ProviderVisits.ts"
import { sha256 } from "../security/secrets.ts"
import { customerPage, onTo } from "./customerPage.ts"
import { PublicUrl } from "./PublicUrl.ts"

/** Where the customer's browser sets out to the provider, and where it comes back: for anybody, in no API's words. */
export const oauthPaths = { start: "/v1/oauth/start", callback: "/v1/oauth/callback" } as const

/** The two pages of a visit to a provider. What each of them does is done by GET only; HEAD shows that it is there. */
export const OAuthRoutes = HttpLayerRouter.use((router) =>
  Effect.gen(function* () {
    const visits = yield* ProviderVisits
    const publicUrl = yield* PublicUrl
    const redirectUri = publicUrl.of(oauthPaths.callback)

    yield* router.add("GET", oauthPaths.start, (request) =>
      request.method === "HEAD"
        ? Effect.succeed(HttpServerResponse.empty())
        : visits.begin(Redacted.make(queryOf(request).get("ticket") ?? ""), redirectUri).pipe(
            Effect.map(
              Option.match({
                onNone: () => gone,
                onSome: (departure) => withBrowserSecret(departing(departure, request), departure, publicUrl.isSecure)
              })
            ),
            Effect.catchTag("StoreUnavailable", () => Effect.succeed(unavailable))
          )
    )
    yield* router.add("GET", oauthPaths.callback, (request) =>
      Effect.gen(function* () {
        if (request.method === "HEAD") return HttpServerResponse.empty()
        const answer = queryOf(request)
        const cookie = cookieName(answer.get("state") ?? "", publicUrl.isSecure)
        const browser = Redacted.make(request.cookies[cookie] ?? "")
        const arrival = yield* visits.end({ answer, browser }, redirectUri)
        return Option.match(arrival, {
          onNone: () => gone,
          onSome: (come) => withoutBrowserSecret(arrived(come), cookie, publicUrl.isSecure)
        })
      }).pipe(Effect.catchTag("StoreUnavailable", () => Effect.succeed(unavailable)))
    )
  })
)

const queryOf = ({ url }: HttpServerRequest.HttpServerRequest): URLSearchParams =>
  new URLSearchParams(url.slice(url.indexOf("?") + 1))

/**
 * Who comes straight from the page that sent them goes on to the provider. Who does not, perhaps because somebody sent
 * them a link, is told first what they are about to allow.
 */
const departing = (departure: Departure, { headers }: HttpServerRequest.HttpServerRequest) => {
  const { authorizeUrl, domain, from, provider } = departure
  const cameFrom = Option.map(
    Option.liftPredicate(headers["referer"] ?? "", URL.canParse),
    (url) => new URL(url).origin
  )
  return Option.exists(from, (origin) => Option.contains(cameFrom, origin))
    ? onTo(authorizeUrl)
    : customerPage({
        status: 200,
        title: `Allow changes to ${domain}?`,
        sentences: [
          `You are about to sign in to ${provider} and to allow the DNS records of ${domain} to be changed.`,
          Option.match(from, {
            onNone: () => "Go on only if you have just asked for this yourself.",
            onSome: (origin) => `Go on only if you have just asked for this yourself, at ${origin}.`
          }),
          "If somebody sent you here by a link, close this page."
        ],
        link: { url: authorizeUrl, text: `Go on to ${provider}` }
      })
}

const arrived = ({ connectionId, outcome, returnUrl }: Arrival) => {
  if (Option.isNone(returnUrl)) return customerPage(said(outcome))
  const url = new URL(returnUrl.value)
  url.searchParams.set("connection", connectionId)
  url.searchParams.set("result", outcome)
  return onTo(url.href)
}

const said = (outcome: Arrival["outcome"]) =>
  outcome === "authorized"
    ? { status: 200, title: "Thank you", sentences: ["You have allowed the changes. You can close this page now."] }
    : {
        status: 400,
        title: "Nothing was allowed",
        sentences: [reasons[outcome] ?? "The provider could not be asked.", "Close this page, and begin again."]
      }

const reasons: { readonly [_ in FailureCode | "not_completed"]?: string } = {
  authorization_denied: "You did not allow the changes at the provider.",
  authorization_expired: "It took too long.",
  authorization_insufficient_scope: "The provider allowed less than is needed.",
  not_completed: "The answer of the provider did not fit, or came too late."
}

const gone = customerPage({
  status: 400,
  title: "This page is no longer good",
  sentences: [
    "It was used before, is too old, or was begun in another browser. Nothing was changed.",
    "Close this page, and begin again where you came from."
  ]
})

const unavailable = customerPage({
  status: 503,
  title: "Please try again",
  sentences: ["The service cannot be reached for the moment. Go back where you came from, and begin again shortly."]
})

/** One cookie for each visit, so that visits in several tabs do not disturb each other. */
const cookieName = (state: string, isSecure: boolean): string =>
  `${isSecure ? "__Host-" : ""}dcs_oauth_${Buffer.from(sha256(state)).toString("hex").slice(0, 16)}`

const cookieOptions = (isSecure: boolean) => ({ path: "/", httpOnly: true, secure: isSecure, sameSite: "lax" }) as const

const withBrowserSecret = (
  answer: HttpServerResponse.HttpServerResponse,
  { browser, lifetime, state }: Departure,
  isSecure: boolean
) =>
  HttpServerResponse.unsafeSetCookie(answer, cookieName(state, isSecure), Redacted.value(browser), {
    ...cookieOptions(isSecure),
    maxAge: Duration.toSeconds(lifetime) * 1_000
  })

const withoutBrowserSecret = (answer: HttpServerResponse.HttpServerResponse, name: string, isSecure: boolean) =>
  HttpServerResponse.unsafeSetCookie(answer, name, "", { ...cookieOptions(isSecure), maxAge: 0 })
