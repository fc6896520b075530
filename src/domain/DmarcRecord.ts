import { Array, Option } from "effect"
import type { ValueIssue } from "./ErrorDetail.ts"

/** A DMARC record (RFC 9989 section 4.7) as far as it can be read: what is no tag is ignored, as receivers do. */
export interface DmarcRecord {
  readonly text: string
  /** Values by name in lower case: `v`, then `p` (`none` where the text has none), then the others in their order. */
  readonly tags: ReadonlyMap<string, string>
  /** The names that the text gives more than once; `tags` has the first value of each. */
  readonly duplicates: ReadonlyArray<string>
  /** Whether it begins with `v=DMARC1`; receivers discard a record that does not (RFC 9989 section 4.10). */
  readonly isVersioned: boolean
}

/** Whether a host is where receivers look for a DMARC record (RFC 9989 section 4.5). */
export const isDmarcHost = (host: string): boolean => /^_dmarc(\.|$)/.test(host)

/** Whether a text at a `_dmarc` host is meant as a DMARC record, however badly it is written. */
export const isDmarc = (text: string): boolean => /(^|;)\s*v\s*=\s*dmarc1/i.test(text)

/** Reads a DMARC record without judging it. */
export const parseDmarc = (text: string): DmarcRecord => {
  const parts = text.toWellFormed().split(";").map(tagIn)
  const occurrences = Map.groupBy(Array.getSomes(parts), ([name]) => name)
  return {
    text,
    tags: inOrder([...occurrences.values()].flatMap(([first]) => (first === undefined ? [] : [first]))),
    duplicates: [...occurrences].filter(([, tags]) => tags.length > 1).map(([name]) => name),
    isVersioned: Option.exists(Option.flatten(Array.head(parts)), isVersion)
  }
}

/** The record that has these tags, written `v`, `p`, and the others in the order given. */
export const dmarcFromTags = (tags: Iterable<DmarcTag>): DmarcRecord =>
  parseDmarc(
    Array.fromIterable(inOrder(tags))
      .map(([name, value]) => `${name}=${value}`)
      .join("; ")
  )

/** Whether it begins with `v=DMARC1` and `p` is a policy; a record without `p` has the policy `none`. */
export const isValidDmarc = ({ isVersioned, tags }: DmarcRecord): boolean =>
  isVersioned && Option.isSome(policyRank(tags.get("p")))

/** From 0 for `none` to 2 for `reject`. */
export const policyRank = (policy = ""): Option.Option<number> => Option.fromNullable(ranks.get(policy.toLowerCase()))

/** Whether two sets of tags say the same, order and spelling aside. */
export const hasEqualTags = (one: DmarcRecord["tags"], other: DmarcRecord["tags"]): boolean =>
  one.size === other.size &&
  [...one].every(([name, value]) => {
    const counterpart = other.get(name)
    return counterpart !== undefined && unspelled(name, value) === unspelled(name, counterpart)
  })

/** Why a wanted text is no DMARC record (RFC 9989 section 4.8). */
export const checkDmarcValue = (value: string): Option.Option<ValueIssue> => {
  const { duplicates, isVersioned } = parseDmarc(value)
  const message = isVersioned
    ? Option.orElse(Option.firstSomeOf(value.split(";").map(partRefusal)), () =>
        Option.map(Array.head(duplicates), (name) => `the tag ${shown(name)} is given more than once`)
      )
    : Option.some("a DMARC record begins with the tag v=DMARC1, in this spelling (RFC 9989 section 4.7)")
  return Option.map(message, (reason) => ({ code: "value_is_no_dmarc", message: reason }))
}

/** Why a wanted tag is none; a tag that nobody knows may have any value of printable ASCII. */
export const checkDmarcTag = (name: string, value: string): Option.Option<ValueIssue> =>
  Option.orElse(checkDmarcTagName(name), () =>
    Option.map(
      Array.findFirst([...anyValue, ...Option.toArray(ruleFor(name))], ([isKept]) => !isKept(value)),
      ([, rule]) => ({ code: "dmarc_tag_value_invalid", message: `the tag ${shown(name)} ${rule}` })
    )
  )

/** Why a name is not one that a tag can have (RFC 6376 section 3.2, whose syntax DMARC follows). */
export const checkDmarcTagName = (name: string): Option.Option<ValueIssue> =>
  isTagName(name)
    ? Option.none()
    : Option.some({
        code: "dmarc_tag_name_invalid",
        message: "the name of a tag is a letter, followed by letters, digits and underscores (RFC 6376 section 3.2)"
      })

const isTagName = (name: string): boolean => /^[a-z][a-z0-9_]*$/i.test(name)

type DmarcTag = readonly [name: string, value: string]

const version: DmarcTag = ["v", "DMARC1"]
const ranks: ReadonlyMap<string, number> = new Map([
  ["none", 0],
  ["quarantine", 1],
  ["reject", 2]
])

const inOrder = (tags: Iterable<DmarcTag>): ReadonlyMap<string, string> => new Map([version, ["p", "none"], ...tags])

/** The name is written in any case, the value is not (RFC 9989 section 4.8). */
const isVersion = ([name, value]: DmarcTag): boolean => name === version[0] && value === version[1]

const tagIn = (part: string): Option.Option<DmarcTag> => {
  const [start, name] = /^[ \t\r\n]*([a-z][a-z0-9_]*)[ \t\r\n]*=/i.exec(part) ?? []
  return start !== undefined && name !== undefined
    ? Option.some([name.toLowerCase(), trimmed(part.slice(start.length))])
    : Option.none()
}

/** `String.trim` would also take what receivers do not count as white space. */
const trimmed = (text: string): string => text.replace(/^[ \t\r\n]+|(?<![ \t\r\n])[ \t\r\n]+$/g, "")

const partRefusal = (part: string, index: number, parts: ReadonlyArray<string>): Option.Option<string> =>
  Option.match(tagIn(part), {
    onNone: () =>
      index === parts.length - 1 && trimmed(part) === ""
        ? Option.none()
        : Option.some(`tag ${index + 1} of the value is not written name=value (RFC 9989 section 4.8)`),
    onSome: ([name, value]) => Option.map(checkDmarcTag(name, value), ({ message }) => message)
  })

const shown = (name: string): string => (name.length > 20 ? `${name.slice(0, 20)}…` : name)

const listed = (value: string): ReadonlyArray<string> => value.split(",").map(trimmed)

/** A size limit behind `!` is obsolete and allowed (RFC 9989 section 4.8). */
const isUri = (uri: string): boolean =>
  /^(mailto:[^\s,!@]+@[^\s,!@]+|(?!mailto:)[a-z][a-z0-9+.-]*:[^\s,!]+)(!\d+[kmgt]?)?$/i.test(uri)

type Rule = readonly [isKept: (value: string) => boolean, rule: string]

const anyValue: ReadonlyArray<Rule> = [
  [(value) => trimmed(value) !== "", "needs a value (RFC 9989 section 4.8)"],
  [
    (value) => /^[\x20-\x3a\x3c-\x7e]+$/.test(value),
    "may hold only printable ASCII without semicolons (RFC 9989 section 4.8)"
  ]
]

const oneOf = (...values: ReadonlyArray<string>): Rule => [
  (value) => values.includes(value.toLowerCase()),
  `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)} (RFC 9989 section 4.7)`
]

const policy = oneOf(...ranks.keys())
const alignment = oneOf("r", "s")
const uris: Rule = [
  (value) => listed(value).every(isUri),
  "must be URIs such as mailto:dmarc@example.com, separated by commas (RFC 9989 section 4.6)"
]

const rules: ReadonlyMap<string, Rule> = new Map([
  ["p", policy],
  ["sp", policy],
  ["np", policy],
  ["adkim", alignment],
  ["aspf", alignment],
  ["rua", uris],
  ["ruf", uris],
  ["psd", oneOf("y", "n", "u")],
  ["t", oneOf("y", "n")],
  [
    "fo",
    [
      (value) => /^[01ds](:[01ds])*$/i.test(value),
      "must be of 0, 1, d and s, separated by colons (RFC 9989 section 4.7)"
    ]
  ],
  ["pct", [(value) => /^(\d{1,2}|100)$/.test(value), "must be a whole number from 0 to 100 (RFC 7489 section 6.3)"]]
])

const ruleFor = (name: string): Option.Option<Rule> => Option.fromNullable(rules.get(name.toLowerCase()))

/** Letter case and the spaces of a list do not matter in the tags whose values are words and URIs. */
const unspelled = (name: string, value: string): string =>
  rules.get(name) === uris ? listed(value).join(",") : rules.has(name) ? value.toLowerCase() : value
