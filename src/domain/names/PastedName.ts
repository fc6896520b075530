import { Option } from "effect"

/** A text that contains a name and more, such as a URL that was copied from a browser. */
interface PastedName {
  /** The end of the code of the issue, after the field that the text was sent in. */
  readonly kind:
    | "is_url"
    | "is_email"
    | "has_trailing_slash"
    | "has_path"
    | "has_port"
    | "has_space"
    | "has_punctuation"
  readonly message: string
  /** The part of the text that may be the name. */
  readonly inside: string
}

/** Parses a text with something around a possible name; none if there is nothing around it. */
export const parsePastedName = (input: string): Option.Option<PastedName> => {
  const trimmed = input.trim()
  const text = trimmed
    .replace(/^[^<>]*<([^<>]*)>[,;]?$/, "$1")
    .replace(openingPunctuation, "")
    .replace(closingPunctuation, "")
  const authority = text.replace(scheme, "")
  const isUrl = authority !== text && !/^mailto:/i.test(text)
  const [address = ""] = authority.split(/[/?#\\]/, 1)
  // "mail@" is meant as a name below the domain, "@example.org" as the domain.
  const named = address.replace(/@$/, "")
  const hostAndPort = named.slice(named.lastIndexOf("@") + 1)
  const inside = hostAndPort.replace(/^([^:]+):\d{0,5}$/, "$1")
  const found = (kind: PastedName["kind"], message: string) => Option.some({ kind, message, inside })
  if (isUrl) return found("is_url", "a URL is not a name")
  if (/[^@]@[^@]|^@[^@.]|[^@.]@$/.test(address)) return found("is_email", "an e-mail address is not a name")
  if (authority === `${address}/`) return found("has_trailing_slash", "a name has no slash at its end")
  if (address !== authority) return found("has_path", "a name has no path")
  if (inside !== hostAndPort) return found("has_port", "a name has no port")
  if (whiteSpace.test(input)) return found("has_space", "a name has no spaces")
  return text === trimmed ? Option.none() : found("has_punctuation", "a name has no quotes or punctuation around it")
}

/** The part of a text that may be an address: without a URL, a port, a prefix length, quotes or brackets around it. */
export const findPastedAddress = (value: string): string =>
  Option.match(parsePastedName(value), { onNone: () => value, onSome: ({ inside }) => inside }).replace(
    /^\[([\da-f:.]*)\](?::\d*)?$/i,
    "$1"
  )

const openingPunctuation = /^["'`´<(\p{Pi}\p{Pf}„‚「『]+/u
const closingPunctuation = /["'`´>)\p{Pi}\p{Pf}」』,;，、；]+\.?$/u

const scheme = /^(?:(?:https?|ftp|wss?|mailto):|https?(?=\/\/)|[a-z][a-z\d+.-]*:(?=\/\/)|(?=\/\/))\/*/i

/** Removes the byte order mark, which is invisible and refused in names. */
const whiteSpace = /[^\S\ufeff]/u
