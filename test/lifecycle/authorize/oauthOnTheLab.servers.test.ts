import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect } from "effect"
import { HttpBrowser } from "../../support/HttpBrowser.ts"
import {
  allRows,
  captureLogs,
  consentInBrowser,
  createOAuthConnection,
  loadPage,
  type OAuthConnection,
  OAuthLab,
  oauthLab,
  sendFromPage,
  shop,
  startOAuth,
  stateOf,
  waitForState
} from "../../support/OAuthLab.ts"
import { clientSecret } from "../../support/TestOAuthServer.ts"
import { describeLab } from "../../support/lab/describeLab.ts"
import { get, jsonOf, post, send } from "../../support/testApi.ts"

const resultAt = (location: string | null) => Object.fromEntries(new URL(location ?? "").searchParams)

const command = (connected: OAuthConnection, name: string, body: object = {}) =>
  Effect.flatMap(post(`${connected.path}/${name}`, connected.key, body), jsonOf)

const problem = (response: Response) =>
  Effect.map(jsonOf(response), ({ error }) => [response.status, error?.details?.[0]?.code ?? error?.code])

const waitingWith = (failure?: string) => ({ state: "awaiting_authorization", failure })

const stateAndFailure = (connected: OAuthConnection) =>
  Effect.map(stateOf(connected), ({ failure, state }) => ({ state, failure: failure?.code }))

describeLab("OAuth at the provider", (live) => {
  live("leads from one click in the shop to records in the zone, and leaves no secret anywhere", () =>
    captureLogs(
      Effect.gen(function* () {
        const { server } = yield* OAuthLab
        const connection = yield* createOAuthConnection("clicked")
        const { plan, provider } = connection.connection
        expect(provider.availableAuthorizationMethods).toEqual(["oauth2_pkce", "direct_credential", "manual"])
        const browser = new HttpBrowser()
        const returnUrl = `${shop}/settings?tab=domain`
        const authorizeUrl = yield* startOAuth(connection, { returnUrl, approvedDigest: plan.digest })
        expect((yield* stateOf(connection)).state).toBe("authorizing")
        const back = yield* consentInBrowser(browser, authorizeUrl)
        expect((yield* Effect.promise(() => browser.load(back, {}, "HEAD"))).status).toBe(204)
        const { location, status } = yield* loadPage(browser, back)
        expect(status).toBe(303)
        expect(new URL(location ?? "").origin).toBe(shop)
        expect(resultAt(location)).toEqual({
          tab: "domain",
          connection: connection.connection.id,
          result: "authorized"
        })
        yield* waitForState(connection, "active")
        expect(browser.cookiesAt(new URL(authorizeUrl).origin).size).toBe(0)
        const { events } = yield* Effect.flatMap(get(`${connection.path}/events`, connection.key), jsonOf)
        expect(events.map(({ state, to }: any) => state ?? to).slice(0, 5)).toEqual([
          "requested",
          "awaiting_authorization",
          "authorizing",
          "authorized",
          "applying"
        ])
        const shown = [JSON.stringify(events), JSON.stringify(yield* stateOf(connection)), location ?? ""]
        const verifierAndState = [...new URL(back).searchParams.values()].filter((text) => text.length > 30)
        return {
          stored: [...shown, ...(yield* allRows)],
          secrets: [...server.secrets, ...verifierAndState, clientSecret],
          calls: server.calls
        }
      }).pipe(Effect.provide(oauthLab({ logLevel: "trace" })))
    ).pipe(
      Effect.map(({ lines, result: { calls, secrets, stored } }) => {
        expect(calls.filter((path) => path === "/token")).toHaveLength(1)
        expect(secrets.length).toBeGreaterThan(3)
        expect(lines.join()).toContain("The tables are up to date")
        const everything = [...lines, ...stored].join("\n")
        expect(secrets.filter((secret) => everything.includes(secret))).toEqual([])
        // The tokens are revoked once the work is done.
        expect(calls.filter((path) => path === "/token/revocation").length).toBeGreaterThan(0)
      })
    )
  )

  live("lets the customer deny access, and allow it the next time", () =>
    Effect.gen(function* () {
      const { server } = yield* OAuthLab
      const connection = yield* createOAuthConnection("hesitant")
      const browser = new HttpBrowser()
      server.setCustomerDecision("no")
      const denied = yield* loadPage(
        browser,
        yield* consentInBrowser(browser, yield* startOAuth(connection, { returnUrl: `${shop}/` }))
      )
      expect(resultAt(denied.location)).toMatchObject({ result: "authorization_denied" })
      const { failure, state } = yield* stateOf(connection)
      expect([state, failure.code, failure.resumeState]).toEqual([
        "awaiting_authorization",
        "authorization_denied",
        "awaiting_authorization"
      ])
      expect(failure.details).toMatchObject([{ answer: "the server reports access_denied" }])
      server.setCustomerDecision("yes")
      const allowed = yield* loadPage(browser, yield* consentInBrowser(browser, yield* startOAuth(connection)))
      expect([allowed.status, allowed.text.includes("You have allowed the changes")]).toEqual([200, true])
      expect((yield* waitForState(connection, "planned")).failure).toBeUndefined()
    }).pipe(Effect.provide(oauthLab()))
  )

  live("accepts no response twice, from another browser, connection or server, or too late", () =>
    Effect.gen(function* () {
      const { server } = yield* OAuthLab
      const sql = yield* SqlClient.SqlClient
      const one = yield* createOAuthConnection("one")
      const two = yield* createOAuthConnection("two")
      const browser = new HttpBrowser()
      const backOne = yield* consentInBrowser(browser, yield* startOAuth(one))
      const backTwo = yield* consentInBrowser(browser, yield* startOAuth(two))
      const refused = (url: string, inBrowser = browser) =>
        Effect.map(loadPage(inBrowser, url), ({ status, text }) =>
          expect([status, text.includes("no longer good")]).toEqual([400, true])
        )

      yield* refused(backOne, new HttpBrowser())
      const [name = ""] = [...browser.cookiesAt(new URL(backOne).origin).keys()]
      const forged = yield* Effect.promise(() =>
        new HttpBrowser().load(backOne, { cookie: `${name}=${"x".repeat(43)}` })
      )
      expect(forged.status).toBe(400)
      yield* refused(withParams(backOne, { state: "x".repeat(43) }))
      yield* refused(withParams(backOne, { state: "" }))
      yield* refused(`${backOne}&state=again`)
      expect([yield* stateAndFailure(one), yield* stateAndFailure(two)].map(({ state }) => state)).toEqual([
        "authorizing",
        "authorizing"
      ])
      expect(server.calls.filter((path) => path === "/token")).toEqual([])

      // PKCE rejects the code of one connection under the state of the other.
      const mixed = yield* loadPage(
        browser,
        withParams(backTwo, { code: new URL(backOne).searchParams.get("code") ?? "" })
      )
      expect(mixed.status).toBe(400)
      expect(yield* stateAndFailure(two)).toEqual(waitingWith("authorization_expired"))
      yield* refused(backTwo)

      for (const iss of ["https://evil.example", undefined]) {
        const back = yield* consentInBrowser(browser, yield* startOAuth(two))
        const answered = yield* loadPage(browser, withParams(back, { iss }))
        expect(answered.text).toContain("did not fit")
        expect(yield* stateAndFailure(two)).toEqual(waitingWith())
        yield* refused(back)
      }

      const backLate = yield* consentInBrowser(browser, yield* startOAuth(two))
      yield* sql`update oauth_sessions set expires_at = now() where connection_id = ${two.connection.id}`
      yield* refused(backLate)

      const reopened = yield* startOAuth(one)
      yield* refused(backOne)
      const back = yield* consentInBrowser(browser, reopened)
      expect((yield* loadPage(browser, back)).status).toBe(200)
      yield* refused(back)
      yield* waitForState(one, "planned")
    }).pipe(Effect.provide(oauthLab()))
  )

  live("shows the customer what they are about to allow, and redirects only to allowed URLs", () =>
    Effect.gen(function* () {
      const { publicUrl, server } = yield* OAuthLab
      const connection = yield* createOAuthConnection("linked")
      for (const returnUrl of [
        "https://evil.example/",
        `${shop}.evil.example/`,
        `${shop}@evil.example/`,
        `https://evil.example\\@shop.example.com/`,
        "http://shop.example.com/",
        "https://user:password@shop.example.com/",
        "javascript:alert(1)",
        "/settings",
        "//shop.example.com/"
      ]) {
        const answer = yield* sendFromPage(connection, "authorization", { method: "oauth2_pkce", returnUrl })
        expect(yield* problem(answer)).toEqual([400, "return_url_not_allowed"])
      }
      expect((yield* stateOf(connection)).state).toBe("awaiting_authorization")

      const authorizeUrl = yield* startOAuth(connection)
      const browsers = [new HttpBrowser(), new HttpBrowser()]
      const pages = yield* Effect.forEach(browsers, (browser) => loadPage(browser, authorizeUrl))
      for (const { headers, status, text } of pages) {
        expect([status, headers.get("referrer-policy")]).toEqual([200, "no-referrer"])
        expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
        expect(text).toContain("glued.com")
        expect(text).toContain(shop)
        expect(text).not.toContain("<script")
      }
      const [first, last] = pages.map(({ text }) => unescaped(/href="([^"]+)"/.exec(text)?.[1] ?? ""))
      expect(first?.startsWith(`${server.issuer}/auth?`)).toBe(true)
      const [earlierBrowser, laterBrowser] = browsers
      const toCallback = (next: string) => next.startsWith(`${publicUrl}/v1/oauth/callback`)
      const comeBack = (browser?: HttpBrowser, url?: string) =>
        Effect.flatMap(
          Effect.promise(async () => (await browser?.follow(url ?? "", toCallback)) ?? ""),
          (back) => loadPage(browser ?? new HttpBrowser(), back)
        )
      // Only the response to the latest start counts.
      expect((yield* comeBack(earlierBrowser, first)).status).toBe(400)
      expect((yield* comeBack(laterBrowser, last)).status).toBe(200)
      yield* waitForState(connection, "planned")
      const unknown = yield* loadPage(new HttpBrowser(), `${publicUrl}/v1/oauth/start?ticket=${"x".repeat(43)}`)
      expect(unknown.status).toBe(400)
    }).pipe(Effect.provide(oauthLab()))
  )

  live("gives the browser a secret that no other site and no script can read or set", () =>
    Effect.gen(function* () {
      const connection = yield* createOAuthConnection("secured")
      const atPublicHost = { headers: { host: "connect.example.com" } }
      const authorizeUrl = yield* startOAuth(connection, {}, atPublicHost.headers)
      const { host, pathname, search } = new URL(authorizeUrl)
      expect(host).toBe("connect.example.com")
      const answer = yield* send(`${pathname.replace("/dns", "")}${search}`, atPublicHost)
      const [cookie = ""] = answer.headers.getSetCookie()
      expect(
        cookie
          .replace(/[0-9a-f]{16}=\w{43}/, "id=secret")
          .split("; ")
          .toSorted()
      ).toEqual(["HttpOnly", "Max-Age=900", "Path=/", "SameSite=Lax", "Secure", "__Host-dcs_oauth_id=secret"])
      const redirect = new URLSearchParams(unescaped(yield* Effect.promise(() => answer.text()))).get("redirect_uri")
      expect(redirect).toBe("https://connect.example.com/dns/v1/oauth/callback")
    }).pipe(Effect.provide(oauthLab({ publicUrl: "https://connect.example.com/dns" })))
  )

  live("reports a token endpoint that fails or answers with invalid data", () =>
    Effect.gen(function* () {
      const { server } = yield* OAuthLab
      const connection = yield* createOAuthConnection("unlucky")
      const browser = new HttpBrowser()
      const answers: ReadonlyArray<readonly [number, string, string]> = [
        [500, "text/plain", "secret trouble"],
        [200, "text/html", "<h1>Welcome</h1>"],
        [200, "application/json", "{"],
        [200, "application/json", '{"access_token":"x","token_type":"mac"}'],
        [302, "text/plain", ""],
        [200, "application/json", `{"access_token":"${"x".repeat(70_000)}","token_type":"bearer"}`]
      ]
      for (const [status, type, body] of answers) {
        server.intercept((request, response) => {
          if (request.url !== "/token") return false
          response.writeHead(status, { "content-type": type, location: "https://evil.example/" }).end(body)
          return true
        })
        const back = yield* consentInBrowser(browser, yield* startOAuth(connection, { returnUrl: `${shop}/` }))
        const { location } = yield* loadPage(browser, back)
        expect(resultAt(location)).toMatchObject({ result: "provider_unavailable" })
        expect(yield* stateAndFailure(connection)).toEqual(waitingWith("provider_unavailable"))
      }
      const insufficientToken = '{"access_token":"x","token_type":"bearer","scope":"dns.read"}'
      server.intercept((request, response) => {
        if (request.url !== "/token") return false
        response.writeHead(200, { "content-type": "application/json" }).end(insufficientToken)
        return true
      })
      const back = yield* consentInBrowser(browser, yield* startOAuth(connection))
      expect((yield* loadPage(browser, back)).text).toContain("does not allow changing DNS entries")
      expect(yield* stateAndFailure(connection)).toEqual(waitingWith("authorization_insufficient_scope"))
    }).pipe(Effect.provide(oauthLab()))
  )

  live("repeats its response for the same idempotency key, and lets the customer choose another method instead", () =>
    Effect.gen(function* () {
      const connection = yield* createOAuthConnection("again")
      const body = { method: "oauth2_pkce", returnUrl: "https://anywhere.example/done" }
      const request = post(`${connection.path}/authorization`, connection.key, body, { "idempotency-key": "once" })
      const first = yield* Effect.flatMap(request, jsonOf)
      const again = yield* request
      expect(again.headers.get("idempotent-replayed")).toBe("true")
      expect((yield* jsonOf(again)).authorizeUrl).toBe(first.authorizeUrl)
      const manual = yield* command(connection, "authorization", { method: "manual" })
      expect(manual.connection.state).toBe("awaiting_manual")
      expect(yield* problem(yield* request)).toEqual([409, "state_conflict"])
      const late = yield* loadPage(new HttpBrowser(), first.authorizeUrl)
      expect(late.status).toBe(400)
    }).pipe(Effect.provide(oauthLab()))
  )

  live("refreshes a token that is about to expire, and one that the provider no longer knows", () =>
    Effect.gen(function* () {
      const { server } = yield* OAuthLab
      const connection = yield* createOAuthConnection("renewed")
      const browser = new HttpBrowser()
      yield* loadPage(browser, yield* consentInBrowser(browser, yield* startOAuth(connection)))
      const planned = yield* waitForState(connection, "planned")
      expect(server.calls.filter((path) => path === "/token").length).toBe(2)
      yield* command(connection, "approval", { digest: planned.plan.digest })
      yield* waitForState(connection, "active")
    }).pipe(
      Effect.provide(oauthLab({ accessTokenSeconds: 60 })),
      Effect.zipRight(
        Effect.gen(function* () {
          const { server } = yield* OAuthLab
          const connection = yield* createOAuthConnection("forgotten")
          const browser = new HttpBrowser()
          yield* loadPage(browser, yield* consentInBrowser(browser, yield* startOAuth(connection)))
          const { plan } = yield* waitForState(connection, "planned")
          yield* Effect.promise(server.dropAccessTokens)
          yield* command(connection, "approval", { digest: plan.digest })
          yield* waitForState(connection, "active")
          expect(server.calls.filter((path) => path === "/token").length).toBe(2)
        }).pipe(Effect.provide(oauthLab()))
      )
    )
  )

  live("requires a new authorization after the customer revoked it, and keeps no token", () =>
    Effect.gen(function* () {
      const { server } = yield* OAuthLab
      const sql = yield* SqlClient.SqlClient
      const connection = yield* createOAuthConnection("revoked")
      const browser = new HttpBrowser()
      yield* loadPage(browser, yield* consentInBrowser(browser, yield* startOAuth(connection)))
      const { plan } = yield* waitForState(connection, "planned")
      yield* Effect.promise(server.revokeGrants)
      yield* command(connection, "approval", { digest: plan.digest })
      const { failure } = yield* waitForState(connection, "failed")
      expect([failure.code, failure.resumeState]).toEqual(["authorization_revoked", "awaiting_authorization"])
      expect(failure.details).toHaveLength(1)
      expect(yield* sql`select * from credentials`).toEqual([])
      yield* loadPage(
        browser,
        yield* consentInBrowser(browser, yield* startOAuth(connection, { approvedDigest: plan.digest }))
      )
      yield* waitForState(connection, "active")

      yield* command(connection, "disconnect")
      const restored = yield* loadPage(browser, yield* consentInBrowser(browser, yield* startOAuth(connection)))
      expect(restored.status).toBe(200)
      const restore = yield* waitForState(connection, "planned")
      const before = server.calls.filter((path) => path === "/token/revocation").length
      yield* command(connection, "approval", {
        digest: restore.plan.digest,
        acknowledge: restore.plan.warnings
      })
      yield* waitForState(connection, "disconnected")
      yield* Effect.repeat(Effect.sleep("20 millis"), {
        until: () => server.calls.filter((path) => path === "/token/revocation").length >= before + 2
      })
    }).pipe(Effect.provide(oauthLab()))
  )
})

const withParams = (url: string, params: { readonly [name: string]: string | undefined }): string => {
  const changed = new URL(url)
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) changed.searchParams.delete(name)
    else changed.searchParams.set(name, value)
  }
  return changed.href
}

const unescaped = (html: string): string => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
