import { Array, Option } from "effect"
import { trimWhitespace } from "./DmarcRecord.ts"

/** Whether two texts have the same tags in any order (RFC 6376 section 3.2); invalid ones equal themselves only. */
export const isSameDkimKey = (one: string, other: string): boolean =>
  one === other || Option.exists(normalize(one), (normal) => Option.contains(normalize(other), normal))

/** Whether a text revokes its key: it has an empty one (RFC 6376 section 3.6.1). */
export const isRevokedDkimKey = (text: string): boolean =>
  Option.exists(normalize(text), (normal) => normal.split(";").includes("p="))

/** The tags in order of their names, without white space around them and in the key itself. */
const normalize = (text: string): Option.Option<string> => {
  const parts = trimWhitespace(text).replace(/;$/, "").split(";")
  const tags = Array.getSomes(parts.map(parseTag))
  const names = tags.map(([name]) => name)
  const isRejected = tags.length < parts.length || new Set(names).size < names.length || names.indexOf("v") > 0
  return isRejected
    ? Option.none()
    : Option.some(
        tags
          .map(([name, value]) => `${name}=${value}`)
          .toSorted()
          .join(";")
      )
}

const parseTag = (part: string): Option.Option<readonly [name: string, value: string]> => {
  const [, name, value = ""] = /^([a-z][a-z0-9_]*)[ \t\r\n]*=(.*)$/is.exec(trimWhitespace(part)) ?? []
  return name === undefined
    ? Option.none()
    : Option.some([name, name === "p" ? value.replaceAll(/[ \t\r\n]/g, "") : trimWhitespace(value)])
}
