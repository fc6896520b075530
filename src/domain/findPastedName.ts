import { Option } from "effect"
import type { ValueIssue } from "./ErrorDetail.ts"

/** A text that is no name because of what is around the name, as in a URL that was copied from a browser. */
interface PastedName {
  /** The end of the code of the issue, after the field that the text was sent in. */
  readonly kind: "is_url" | "is_email" | "has_trailing_slash" | "has_path" | "has_port" | "has_space"
  readonly message: string
  /** What may be the name inside. */
  readonly inside: string
}

/** Describes a text that is not a valid name but holds something around one; `suggest` gives the valid name inside, if any. */
export const findPastedName = (
  input: string,
  subject: "domain" | "host",
  suggest: (inside: string, isUrl: boolean) => Option.Option<string>
): Option.Option<ValueIssue> =>
  Option.map(parsePastedName(input), ({ inside, kind, message }) => {
    const suggestion = suggest(inside, kind === "is_url")
    const issue = { code: `${subject}_${kind}`, message: `${message}; write the name alone` }
    return Option.isNone(suggestion) ? issue : { ...issue, suggestion: suggestion.value }
  })

const parsePastedName = (input: string): Option.Option<PastedName> => {
  const text = input.trim()
  const authority = text.replace(scheme, "")
  const isUrl = authority !== text && !/^mailto:/i.test(text)
  const [address = ""] = authority.split(/[/?#\\]/, 1)
  const hostAndPort = address.slice(address.lastIndexOf("@") + 1)
  const inside = hostAndPort.replace(/^([^:]+):\d{1,5}$/, "$1")
  const found = (kind: PastedName["kind"], message: string) => Option.some({ kind, message, inside })
  if (isUrl) return found("is_url", "a URL is not a name")
  if (/[^@]@[^@]/.test(address)) return found("is_email", "an e-mail address is not a name")
  if (authority === `${address}/`) return found("has_trailing_slash", "a name has no slash at its end")
  if (address !== authority) return found("has_path", "a name has no path")
  if (inside !== hostAndPort) return found("has_port", "a name has no port")
  return whiteSpace.test(input) ? found("has_space", "a name has no spaces") : Option.none()
}

const scheme = /^(?:(?:https?|ftp|wss?|mailto):|[a-z][a-z\d+.-]*:(?=\/\/)|(?=\/\/))\/*/i

/** Without the byte order mark, which nobody sees and which is refused as a character of no name. */
const whiteSpace = /[^\S\ufeff]/u
