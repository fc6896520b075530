import { FastCheck as fc } from "effect"

const firstSurrogate = 0xd800
const surrogates = 0x800

const toCodePoint = (index: number): number => (index < firstSurrogate ? index : index + surrogates)

const toIndex = (codePoint: number): number => (codePoint < firstSurrogate ? codePoint : codePoint - surrogates)

/** Gives a part of a name that is dangerous in JavaScript, such as `__proto__`, back to fast-check, which tries them too. */
const indexOf = (character: unknown): number => {
  const [codePoint, ...others] = typeof character === "string" ? [...character] : []
  if (codePoint === undefined || others.length > 0) throw new Error("this is not one character")
  return toIndex(codePoint.codePointAt(0) ?? 0)
}

const unit = fc.nat({ max: toIndex(0x10ffff) }).map((index) => String.fromCodePoint(toCodePoint(index)), indexOf)

/** Any text: what `fc.string({ unit: "binary" })` draws, without its list of all code points, which takes a second to make. */
export const unicodeText: fc.Arbitrary<string> = fc.string({ unit })
