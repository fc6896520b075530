import { FetchHttpClient, HttpClient, HttpClientResponse } from "@effect/platform"
import { expect } from "bun:test"
import { Effect, Either, Fiber, Layer, Option, TestClock } from "effect"
import { CachedResolver } from "../../../src/dns/zone/Resolver.ts"
import { parseTemplate } from "../../../src/domainConnect/Template.ts"
import { Requester } from "../../../src/limits/RequestSource.ts"
import { DomainConnectDirectory } from "../../../src/providers/domainConnect/DomainConnectDirectory.ts"
import { template } from "../../support/DomainConnectLab.ts"
import { effect } from "../../support/effectTest.ts"

const website = Either.getOrThrow(parseTemplate(JSON.stringify(template)))

const address = "domainconnect.vercel.com"

const settings = { providerId: "vercel", providerName: "Vercel", urlSyncUX: `https://${address}/sync` }

const zone = { name: "customer.example", nameServers: [], providerIds: [] }

/** A provider that has settings for each zone and answers for each template with a status, or never for none. */
const setUp = (domainConnectHosts: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const provider: { status: number | undefined } = { status: 200 }
    const asked: Array<string> = []
    const http = HttpClient.make((request, { pathname }) =>
      Effect.suspend(() => {
        asked.push(pathname)
        const response = pathname.endsWith("/settings")
          ? Response.json({ ...settings, urlAPI: `https://${address}` })
          : provider.status === undefined
            ? undefined
            : new Response("", { status: provider.status })
        return response === undefined ? Effect.never : Effect.succeed(HttpClientResponse.fromWeb(request, response))
      })
    )
    const layer = DomainConnectDirectory.layer({
      domainConnectHosts,
      outboundAllow: [],
      outboundProxy: Option.some("http://proxy.example")
    }).pipe(
      Layer.provide([
        Layer.succeed(HttpClient.HttpClient, http),
        Layer.succeed(FetchHttpClient.RequestInit, {}),
        Layer.mock(CachedResolver, {
          lookUp: (questions) => Effect.succeed(questions.map((question) => [question, [address]] as const))
        })
      ])
    )
    const directory = yield* Effect.provide(DomainConnectDirectory, layer)
    const { provider: found } = yield* directory.discover(zone)
    const check = (requester: string) =>
      directory.checkTemplate(Option.getOrThrow(found), website, []).pipe(
        Effect.map(([first]) => first?.message),
        Effect.provideService(Requester, requester)
      )
    return { asked, check, found, provider }
  })

for (const other of ["a/one", "a/other"])
  effect(`a discovery for ${other} goes on where an interrupted one for a/one has asked the same`, () =>
    Effect.gen(function* () {
      const { check, provider } = yield* setUp()
      provider.status = undefined
      const first = yield* Effect.fork(check("a/one"))
      yield* TestClock.adjust("1 second")
      const second = yield* Effect.fork(check(other))
      yield* TestClock.adjust("100 millis")
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust("1500 millis")
      expect(yield* Fiber.join(second)).toBe(`platform.example/website: ${address} does not answer`)
    })
  )

for (const status of [429, 503])
  effect(`a ${status} is no answer, and the next discovery asks again`, () =>
    Effect.gen(function* () {
      const { check, provider } = yield* setUp()
      provider.status = status
      expect(yield* check("a/one")).toBe(`platform.example/website: ${address} does not answer: ${status}`)
      provider.status = 200
      expect(yield* check("a/other")).toBe("Vercel has platform.example/website")
    })
  )

for (const [status, message] of [
  [200, "Vercel has platform.example/website"],
  [404, "Vercel does not have platform.example/website (it answers 404)"]
] as const)
  effect(`a ${status} serves all customers for five minutes`, () =>
    Effect.gen(function* () {
      const { asked, check, provider } = yield* setUp()
      provider.status = status
      expect(yield* check("a/one")).toBe(message)
      provider.status = 500
      yield* TestClock.adjust("299 seconds")
      expect(yield* check("a/other")).toBe(message)
      expect(asked).toHaveLength(2)
      yield* TestClock.adjust("1 second")
      expect(yield* check("a/other")).toBe(`platform.example/website: ${address} does not answer: 500`)
    })
  )

effect("an operator's host that is a known provider's is asked as that provider", () =>
  Effect.gen(function* () {
    const { found } = yield* setUp([address])
    expect(Option.map(found, ({ profile }) => profile.id)).toEqual(Option.some("vercel"))
  })
)
