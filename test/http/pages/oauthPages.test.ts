import { expect, test } from "bun:test"
import { Array, Effect, Layer } from "effect"
import { FailureCode } from "../../../src/domain/connection/Connection.ts"
import { de } from "../../../src/web/words/de.ts"
import { en } from "../../../src/web/words/en.ts"
import { negotiatePageLanguage, oauthPageTexts } from "../../../src/web/words/oauthPages.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, send } from "../../support/testApi.ts"
import { adjustableMonotonicClock } from "../support/adjustableMonotonicClock.ts"

test("the language is the supported one that the browser prefers, else English", () => {
  const german = ["de", "de-CH, en;q=0.9", "fr, en;q=0.5, de;q=0.8", "DE", "en;q=0, de;q=0.1", "constructor, de;q=0.5"]
  const english = ["", "*", "fr", "en-GB,de;q=0.9", "de;q=0, fr", "den", "de;q=x", "constructor"]
  expect(german.map(negotiatePageLanguage)).toEqual(german.map(() => "de"))
  expect(english.map(negotiatePageLanguage)).toEqual(english.map(() => "en"))
})

test("both languages have every text, each in its own words", () => {
  const outcomes = [...FailureCode.literals, "not_completed"] as const
  const request = { domain: "a.example", provider: "Acme DNS", from: "https://shop.example" }
  const [english, german] = [oauthPageTexts.en, oauthPageTexts.de].map((words) => [
    words.confirmation(request),
    words.confirmation({ ...request, from: undefined }),
    words.allowed,
    words.expired,
    words.unavailable,
    words.tooManyAttempts,
    ...outcomes.map((outcome) => words.notAllowed(outcome))
  ])
  german?.forEach((text, index) => {
    const englishText = english?.[index]
    expect(text.sentences).toHaveLength(englishText?.sentences.length ?? 0)
    const both = [englishText?.title, ...(englishText?.sentences ?? [])]
    expect([text.title, ...text.sentences].filter((line) => line === "" || both.includes(line))).toEqual([])
  })
  for (const { confirmation } of [oauthPageTexts.en, oauthPageTexts.de]) {
    const text = JSON.stringify(confirmation(request))
    expect(Object.values(request).filter((name) => !text.includes(name))).toEqual([])
  }
})

test("a failure has the same reason on these pages as in the browser component", () => {
  for (const [tag, words] of [
    ["en", en],
    ["de", de]
  ] as const)
    for (const code of FailureCode.literals)
      expect(oauthPageTexts[tag].notAllowed(code).sentences[0]).toBe(words.failures[code].reason)
})

withLayer("the OAuth pages", apiInMemory(), (live) => {
  for (const [accepted, language, title] of [
    ["de-DE,de;q=0.9,en;q=0.8", "de", "Diese Seite gilt nicht mehr"],
    ["en-US,en;q=0.9", "en", "This page is no longer good"],
    ["ja", "en", "This page is no longer good"]
  ] as const)
    live(`are in the language of the browser: ${accepted}`, () =>
      Effect.gen(function* () {
        for (const path of ["/v1/oauth/start?ticket=none", "/v1/oauth/callback?state=none"]) {
          const answer = yield* send(path, { headers: { "accept-language": accepted } })
          const text = yield* Effect.promise(() => answer.text())
          expect([answer.status, answer.headers.get("content-language")]).toEqual([400, language])
          expect(answer.headers.get("vary")).toContain("Accept-Language")
          expect(text).toContain(`<html lang="${language}">`)
          expect(text).toContain(`<h1>${title}</h1>`)
        }
      })
    )
})

const limitedApi = Layer.provide(apiInMemory({ rates: { refused: 20 } }), adjustableMonotonicClock().layer)

withLayer("a limit of 20 refused credentials a minute", limitedApi, (live) => {
  live("counts unknown states and tickets too, and shows a page when it is reached", () =>
    Effect.gen(function* () {
      const unknown = "A".repeat(43)
      const callback = send(`/v1/oauth/callback?state=${unknown}`)
      const start = send(`/v1/oauth/start?ticket=${unknown}`)
      const pages = yield* Effect.replicateEffect(Effect.zip(callback, start), 10)
      expect(pages.flat().map(({ status }) => status)).toEqual(Array.replicate(400, 20))
      for (const request of [callback, start]) {
        const isRefused = Effect.filterOrFail(request, ({ status }) => status === 429)
        const refused = yield* Effect.orDie(Effect.raceAll(Array.replicate(isRefused, 30)))
        expect(refused.headers.has("retry-after")).toBe(true)
        expect(yield* Effect.promise(() => refused.text())).toContain(oauthPageTexts.en.tooManyAttempts.title)
      }
    })
  )
})
