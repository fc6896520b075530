import { Array, Option } from "effect"
import { suggestName, type ValueIssue } from "../error/ErrorDetail.ts"

/** A DMARC record (RFC 9989 section 4.7); parts that are no tags are ignored, as by receivers. */
export interface DmarcRecord {
  readonly text: string
  /** Values by name in lower case: `v`, then `p` (`none` if the text has none), then the others in their order. */
  readonly tags: ReadonlyMap<string, string>
  /** The names that occur more than once; `tags` has the first value of each. */
  readonly duplicates: ReadonlyArray<string>
  /** Whether it begins with `v=DMARC1`; receivers discard a record that does not (RFC 9989 section 4.10). */
  readonly isVersioned: boolean
}

/** Whether receivers look for a DMARC record at this host (RFC 9989 section 4.5). */
export const isDmarcHost = (host: string): boolean => /^_dmarc(\.|$)/.test(host)

/** Whether a text at a `_dmarc` host is meant as a DMARC record, even if it is invalid. */
export const isDmarc = (text: string): boolean => /(^|;)\s*v\s*=\s*dmarc1/i.test(text)

/** Parses a DMARC record without checking it. */
export const parseDmarc = (text: string): DmarcRecord => {
  const parts = text.toWellFormed().split(";").map(parseTag)
  const occurrences = Map.groupBy(Array.getSomes(parts), ([name]) => name)
  return {
    text,
    tags: orderTags([...occurrences.values()].flatMap(([first]) => (first === undefined ? [] : [first]))),
    duplicates: [...occurrences].filter(([, tags]) => tags.length > 1).map(([name]) => name),
    isVersioned: Option.exists(Option.flatten(Array.head(parts)), isVersion)
  }
}

/** Makes a record of these tags: `v`, `p`, then the others in the given order. */
export const makeDmarcRecord = (tags: Iterable<DmarcTag>): DmarcRecord =>
  parseDmarc(
    Array.fromIterable(orderTags(tags))
      .map(([name, value]) => `${name}=${value}`)
      .join("; ")
  )

/** Whether it begins with `v=DMARC1` and `p` is a policy; a record without `p` has the policy `none`. */
export const isValidDmarc = ({ isVersioned, tags }: DmarcRecord): boolean =>
  isVersioned && Option.isSome(rankPolicy(tags.get("p")))

/** Ranks a policy from 0 for `none` to 2 for `reject`. */
export const rankPolicy = (policy = ""): Option.Option<number> => Option.fromNullable(ranks.get(policy.toLowerCase()))

/** Whether two sets of tags mean the same, apart from order and spelling. */
export const hasEqualTags = (left: DmarcRecord["tags"], right: DmarcRecord["tags"]): boolean =>
  normalizeDmarcTags(left) === normalizeDmarcTags(right)

/** A canonical form, equal for sets of tags that differ only in order and spelling. */
export const normalizeDmarcTags = (tags: DmarcRecord["tags"]): string =>
  JSON.stringify([...tags].map(([name, value]) => [name, canonicalTagValue(name, value)]).toSorted())

/** Checks that a desired text is a DMARC record (RFC 9989 section 4.8). */
export const checkDmarcValue = (value: string): Option.Option<ValueIssue> =>
  Option.map(findDmarcFault(value), (message) => {
    const suggestion = respellDmarc(value)
    const issue: ValueIssue = { code: "value_is_no_dmarc", message }
    return suggestion === undefined || Option.isSome(findDmarcFault(suggestion)) ? issue : { ...issue, suggestion }
  })

/** The record that is meant by a misspelled one; undefined where the text does not look like one. */
const respellDmarc = (value: string): string | undefined => {
  const parts = value
    .replace(misspelledVersion, "")
    .replace(/(?<![,\s])[,\s]+(?=(?:v|p|sp|np|adkim|aspf|fo|pct|rua|ruf|t|psd)\s*=)/gi, ";")
    .split(";")
    .map(trimWhitespace)
    .filter((part) => part !== "")
    .reduce<ReadonlyArray<string>>(
      // A second address behind a semicolon belongs to the list in front of it.
      (joined, part) =>
        /^mailto:/i.test(part) ? [...joined.slice(0, -1), `${joined.at(-1)},${part}`] : [...joined, part],
      []
    )
    .map(respellDmarcTag)
  const others = parts.filter((part) => !Option.exists(parseTag(part), ([name]) => name === "v"))
  const isMeant = isDmarc(value) || others.some((part) => Option.exists(parseTag(part), ([name]) => name === "p"))
  return isMeant ? [version.join("="), ...others].join("; ") : undefined
}

/** The version without the name of its tag, or with another separator after it. */
const misspelledVersion = /^\s*(v\s*=\s*)?dmarc1(?:[\s:;,]+|$)/i

const respellDmarcTag = (part: string): string => {
  const [, name = "", value = ""] = /^([a-z][a-z0-9_]*)\s*[=:]\s*(.*)$/is.exec(part) ?? []
  if (name === "") return part
  const meant = findMeantTag(name) ?? name
  return `${meant}=${respellings.get(meant.toLowerCase())?.(trimWhitespace(value)) ?? value}`
}

/** The known tag that an unknown one may mean. */
const findMeantTag = (name: string): string | undefined => {
  const known = [...rules.keys(), "rf", "ri", "v"]
  return known.includes(name.toLowerCase()) ? undefined : suggestName(name, known)
}

/** The fault of a text as a DMARC record, in words. */
const findDmarcFault = (value: string): Option.Option<string> => {
  const { duplicates, isVersioned, tags } = parseDmarc(value)
  return isVersioned
    ? Option.firstSomeOf([
        ...value.split(";").map(checkPart),
        Option.map(Array.head(duplicates), (name) => `the tag ${shorten(name)} is given more than once`),
        Array.findFirst(tags.keys(), describeUnknownTag)
      ])
    : Option.some("a DMARC record begins with the tag v=DMARC1, in this spelling (RFC 9989 section 4.7)")
}

const describeUnknownTag = (name: string): Option.Option<string> =>
  Option.map(
    Option.fromNullable(findMeantTag(name)),
    (meant) =>
      `receivers do not know the tag ${shorten(name)} and ignore it; ${meant} may be meant (RFC 9989 section 4.7)`
  )

/** Checks a desired tag; an unknown tag may have any value of printable ASCII. */
export const checkDmarcTag = (name: string, value: string): Option.Option<ValueIssue> =>
  Option.orElse(checkDmarcTagName(name), () =>
    Option.map(
      Array.findFirst([...anyValue, ...Option.toArray(ruleFor(name))], ([isValid]) => !isValid(value)),
      ([, rule]) => ({ code: "dmarc_tag_value_invalid", message: `the tag ${shorten(name)} ${rule}` })
    )
  )

/** Checks the name of a tag (RFC 6376 section 3.2, whose syntax DMARC follows). */
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

const orderTags = (tags: Iterable<DmarcTag>): ReadonlyMap<string, string> => new Map([version, ["p", "none"], ...tags])

/** The case of the name does not matter, that of the value does (RFC 9989 section 4.8). */
const isVersion = ([name, value]: DmarcTag): boolean => name === version[0] && value === version[1]

const parseTag = (part: string): Option.Option<DmarcTag> => {
  const [start, name] = /^[ \t\r\n]*([a-z][a-z0-9_]*)[ \t\r\n]*=/i.exec(part) ?? []
  return start !== undefined && name !== undefined
    ? Option.some([name.toLowerCase(), trimWhitespace(part.slice(start.length))])
    : Option.none()
}

/** `String.trim` would also take what receivers do not count as white space. */
export const trimWhitespace = (text: string): string => text.replace(/^[ \t\r\n]+|(?<![ \t\r\n])[ \t\r\n]+$/g, "")

const checkPart = (part: string, index: number, parts: ReadonlyArray<string>): Option.Option<string> =>
  Option.match(parseTag(part), {
    onNone: () =>
      index === parts.length - 1 && trimWhitespace(part) === ""
        ? Option.none()
        : Option.some(`tag ${index + 1} of the value is not written name=value (RFC 9989 section 4.8)`),
    onSome: ([name, value]) => Option.map(checkDmarcTag(name, value), ({ message }) => message)
  })

const shorten = (name: string): string => (name.length > 20 ? `${name.slice(0, 20)}…` : name)

const splitList = (value: string): ReadonlyArray<string> => value.split(",").map(trimWhitespace)

/** A size limit after `!` is obsolete but allowed (RFC 9989 section 4.8). */
const isUri = (uri: string): boolean => /^(mailto:[^\s,!@]+@[^\s,!@]+|https?:[^\s,!]+)(!\d+[kmgt]?)?$/i.test(uri)

type TagRule = readonly [isValid: (value: string) => boolean, rule: string]

const anyValue: ReadonlyArray<TagRule> = [
  [(value) => trimWhitespace(value) !== "", "needs a value (RFC 9989 section 4.8)"],
  [
    (value) => /^[\x20-\x3a\x3c-\x7e]+$/.test(value),
    "may hold only printable ASCII without semicolons (RFC 9989 section 4.8)"
  ]
]

const oneOf = (...values: ReadonlyArray<string>): TagRule => [
  (value) => values.includes(value.toLowerCase()),
  `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)} (RFC 9989 section 4.7)`
]

const policy = oneOf(...ranks.keys())
const alignment = oneOf("r", "s")
const uris: TagRule = [
  (value) => splitList(value).every(isUri),
  "must be URIs such as mailto:dmarc@example.com, separated by commas (RFC 9989 section 4.6)"
]

const rules: ReadonlyMap<string, TagRule> = new Map([
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

const respellWord =
  (choice: Readonly<Record<string, string>>) =>
  (value: string): string =>
    choice[value.toLowerCase()] ?? value

const respellPolicy = (value: string): string => suggestName(value, [...ranks.keys()]) ?? value
const respellAlignment = respellWord({ relaxed: "r", strict: "s" })
const respellFlag = respellWord({ yes: "y", true: "y", no: "n", false: "n" })

/** An address alone, or behind a misspelled scheme, becomes a URI. */
const respellUris = (value: string): string =>
  value
    .split(/[\s,]+/)
    .map((uri) => uri.replace(/^(?!mailto:)(?:(?!https?:)[a-z]+:)?(?=[^\s:/@]+@[^\s:/@]+$)/i, "mailto:"))
    .join(",")

/** What people write in place of the values that receivers know. */
const respellings: ReadonlyMap<string, (value: string) => string> = new Map([
  ["p", respellPolicy],
  ["sp", respellPolicy],
  ["np", respellPolicy],
  ["adkim", respellAlignment],
  ["aspf", respellAlignment],
  ["rua", respellUris],
  ["ruf", respellUris],
  ["t", respellFlag],
  ["psd", respellFlag],
  ["fo", (value: string) => value.replaceAll(/[\s,]+/g, ":")],
  ["pct", (value: string) => value.replace(/\s*%$/, "")]
])

const ruleFor = (name: string): Option.Option<TagRule> => Option.fromNullable(rules.get(name.toLowerCase()))

/** Letter case does not matter where the value is a keyword, spaces do not matter in a list of URIs. */
const canonicalTagValue = (name: string, value: string): string =>
  rules.get(name) === uris ? splitList(value).join(",") : rules.has(name) ? value.toLowerCase() : value
