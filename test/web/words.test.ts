import { expect, test } from "bun:test"
import { FailureCode } from "../../src/domain/connection/Connection.ts"
import { Warning } from "../../src/domain/plan/Warning.ts"
import { de } from "../../src/web/words/de.ts"
import { en } from "../../src/web/words/en.ts"

/** Every text of a language by its path. */
const textsOf = (words: object, place = ""): ReadonlyArray<readonly [place: string, text: string]> =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${place}${key}`, value] as const] : textsOf(value, `${place}${key}.`)
  )

const placesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).toSorted()

const described = (words: object) => textsOf(words).map(([place, text]) => [place, placesIn(text)])

test("both languages have the same texts with the same placeholders", () => {
  expect(described(de)).toEqual(described(en))
})

test("no text is empty but of what tells a customer nothing, and none of German is still English", () => {
  const english = new Map(textsOf(en))
  const alike = textsOf(de).filter(([place, text]) => text === "" || text === english.get(place))
  const untold = ["ttl_adjusted", "txt_value_split", "record_repeated"].map((code) => `warnings.${code}`)
  // Words that are the same in both languages.
  expect(alike.map(([place]) => place).toSorted()).toEqual(
    ["fields.port", "fields.ttl", "topics.mail", "topics.website", ...untold].toSorted()
  )
})

test("no warning speaks of a name without naming it, since it may be about several", () => {
  const texts = [en, de].flatMap(({ warnings }) => Object.values(warnings))
  expect(texts.filter((text) => /this name|diese[mnrs]? Namen?\b/i.test(text))).toEqual([])
})

test("every warning and every failure has a text", () => {
  expect(Object.keys(en.warnings).toSorted()).toEqual([...Warning.literals].toSorted())
  expect(Object.keys(en.failures).toSorted()).toEqual([...FailureCode.literals].toSorted())
})
