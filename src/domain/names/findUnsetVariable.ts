import { isAtOrBelow, registeredDomainOf } from "./DomainName.ts"
import type { ValueIssue } from "../error/ErrorDetail.ts"

/**
 * Finds what programs write for a variable without a value: the whole name, or a label below the registered domain.
 * `parent` is what the name is relative to. A name that is really so called ends in a dot.
 */
export const findUnsetName = (
  name: string,
  subject: "domain" | "host" | "value",
  parent?: string
): ValueIssue | undefined => {
  const plain = name.trim().toLowerCase()
  const owned = parent === undefined ? registeredDomainOf(plain) : isAtOrBelow(plain, parent) ? parent : ""
  const below = name.slice(0, name.length - owned.length)
  const word = wholeText.exec(name)?.[1] ?? (name.endsWith(".") ? undefined : label.exec(below)?.[1])
  return word === undefined
    ? undefined
    : describe(subject, `${word}; a name that is really so called is written with a final dot`)
}

/** Finds what programs write for a variable without a value: the whole text, or what follows a sign in it. */
export const findUnsetText = (text: string): ValueIssue | undefined => {
  const word = wholeText.exec(text)?.[1] ?? assigned.exec(text)?.[1]
  return word === undefined ? undefined : describe("value", word)
}

const describe = (subject: "domain" | "host" | "value", rest: string): ValueIssue => ({
  code: `${subject}_is_unset`,
  message: `a program seems to have written a variable without a value: ${rest}`
})

/** What JavaScript and Python write. In lower case, `none` and `nan` are names. */
const wholeText = /^\s*(undefined|null|NaN|None|.*\[object \w+\].*)\s*$/

const label = /(?:^|\.)(undefined|null|NaN)(?=\.|$)/

const assigned = /[=:./@"](undefined|null|NaN)(?=[=./;,"\s]|$)/
