import { expect, test } from "bun:test"
import { Struct } from "effect"
import { FailureCode } from "../../src/domain/connection/Connection.ts"
import { seriousByDefault, Warning } from "../../src/domain/plan/Warning.ts"
import { interpolate, interpolateCount } from "../../src/web/ViewModel.ts"
import { en } from "../../src/web/words/en.ts"
import { isLanguageTag, languageNames } from "../../src/web/words/languageOf.ts"
import { loadWords } from "../../src/web/words/loadWords.ts"

/** Every text of a language by its path. */
const textsOf = (words: object, place = ""): ReadonlyArray<readonly [place: string, text: string]> =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${place}${key}`, value] as const] : textsOf(value, `${place}${key}.`)
  )

const placesIn = (text: string) => [...new Set([...text.matchAll(/\{\w+\}/g)].map(([place]) => place))].toSorted()

const described = (words: object) => textsOf(words).map(([place, text]) => [place, placesIn(text)])

const languages = await Promise.all(
  Object.keys(languageNames)
    .filter(isLanguageTag)
    .map(async (tag) => [tag, await loadWords(tag)] as const)
)

const untold = ["ttl_adjusted", "txt_value_split", "record_repeated"].map((code) => `warnings.${code}`)

for (const [tag, words] of languages.filter(([tag]) => tag !== "en")) {
  test(`has the same texts as English with the same placeholders: ${tag}`, () => {
    expect(described(words).toSorted()).toEqual(described(en).toSorted())
  })

  test(`is empty only where a text tells a customer nothing: ${tag}`, () => {
    const empty = textsOf(words).filter(([, text]) => text === "")
    expect(empty.map(([place]) => place).toSorted()).toEqual(untold.toSorted())
  })

  test(`repeats no sentence of English: ${tag}`, () => {
    const english = new Map(textsOf(en))
    const alike = textsOf(words).filter(([place, text]) => text === english.get(place) && text.includes(" "))
    expect(alike).toEqual([])
  })
}

test("whoever confirms a serious warning confirms a deed", () => {
  const named = Struct.keys(en.deeds)
  expect([...seriousByDefault].filter((code) => !named.some((each) => each === code))).toEqual([])
})

test("no warning speaks of a name without naming it, since it may be about several", () => {
  const texts = languages
    .filter(([tag]) => tag === "en" || tag === "de")
    .flatMap(([, { warnings }]) => Object.values(warnings))
  expect(texts.filter((text) => /this name|diese[mnrs]? Namen?\b/i.test(text))).toEqual([])
})

test("every warning and every failure has a text", () => {
  expect(Object.keys(en.warnings).toSorted()).toEqual([...Warning.literals].toSorted())
  expect(Object.keys(en.failures).toSorted()).toEqual([...FailureCode.literals].toSorted())
})

test("a number of things has the form that its language wants", async () => {
  const { entryMany } = await loadWords("pl")
  const formOf = (count: number) => interpolateCount(entryMany, count, { locale: "pl", values: {} })
  expect([2, 4, 5, 12, 22, 25].map(formOf)).toEqual([
    "2 wpisy",
    "4 wpisy",
    "5 wpisów",
    "12 wpisów",
    "22 wpisy",
    "25 wpisów"
  ])
  expect(interpolateCount(en.entryMany, 3, { locale: "en", values: {} })).toBe("3 entries")
  // Ten minutes and eleven minutes are different words there.
  expect((await loadWords("ar")).byHandEffort).not.toMatch(/\{minutes\} \p{L}/u)
})

test("a text from right to left keeps each name whole, whose parts would else change their places", async () => {
  const { diagnoses } = await loadWords("ar")
  const name = "_dmarc.a-very-long-name-of-a-shop.example.com"
  const { found } = diagnoses.doubled_zone
  expect(interpolate(found, { name })).toBe(found.replaceAll("{name}", `\u2068${name}\u2069`))
  expect(interpolate(en.diagnoses.doubled_zone.found, { name })).toContain(name)
  expect(interpolate(en.diagnoses.doubled_zone.found, { name })).not.toMatch(/[\u2066-\u2069]/)
})

test("a connection that ended without a write says what we did, for its customer may have entered something", async () => {
  const said = await Promise.all([loadWords("en"), loadWords("de")])
  expect(said.map(({ canceledText }) => canceledText)).toEqual([
    "We changed nothing. What you entered yourself stays as it is.",
    "Wir haben nichts geändert. Was Sie selbst eingetragen haben, bleibt."
  ])
  for (const [, { canceledText, expiredText }] of languages) expect(expiredText).toContain(canceledText)
})

test("a provider whose name nobody knows begins no sentence, since it is written small there", () => {
  const starts = languages.flatMap(([tag, words]) =>
    textsOf(words)
      .filter(([, text]) => /(^|[.?!] ?){provider}/.test(text) && /^\p{Ll}/u.test(words.yourProvider))
      .map(([place]) => `${tag} ${place}`)
  )
  expect(starts.filter((place) => /answer|corrected|slips/.test(place))).toEqual([])
})

test("who asks is named in the case that its sentence wants, also where the platform has no name", async () => {
  const { mailSenders, theShop, websiteNew } = await loadWords("de")
  expect([mailSenders, websiteNew].map((text) => interpolate(text, { names: "shop.de", who: theShop }))).toEqual([
    "Danach darf die Shop-Plattform für Sie Mail verschicken.",
    "Heute sehen Besucher von shop.de nichts. Danach sehen sie die Shop-Plattform."
  ])
  const contracted = languages.filter(([tag]) => tag === "it" || tag === "pt-BR").flatMap(([, words]) => textsOf(words))
  expect(contracted.filter(([, text]) => /\b(di|de|da|a|in|em) {who}/.test(text))).toEqual([])
})
