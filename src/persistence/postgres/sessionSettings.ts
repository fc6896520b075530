import { Array, Option, Tuple } from "effect"

/** A setting of PostgreSQL and its value, as `SET` takes them. */
type SessionSetting = readonly [name: string, value: string]

/**
 * The settings that a session needs, and the URL without them, since a pooler drops or refuses them at the connect. Other
 * parts of `options` stay there, such as the name of a hosted database.
 */
export const splitSessionSettings = (
  databaseUrl: string
): { readonly url: string; readonly settings: ReadonlyArray<SessionSetting> } => {
  const url = new URL(databaseUrl)
  const { searchParams } = url
  const [rest, ofOptions] = parseOptions(splitWords(searchParams.get("options") ?? ""))
  const named = Array.filterMap(parameters, (name) => Option.fromNullable(takeParameter(searchParams, name)))
  if (rest.length === 0) searchParams.delete("options")
  else searchParams.set("options", rest.map((word) => word.replaceAll(/[\s\\]/g, "\\$&")).join(" "))
  return {
    url: url.href,
    // Of two with one name the last counts.
    settings: [
      ...new Map<string, string>([
        ["application_name", searchParams.get("application_name") ?? "domain-connection-service"],
        ["client_encoding", "UTF8"],
        ...named,
        ...ofOptions,
        ["lock_timeout", lockTimeout]
      ])
    ]
  }
}

/** How long a statement waits for a locked row, mostly that of a repeated idempotency key. */
const lockTimeout = "2s"

/** Parameters of a URL that the driver would send as settings when it connects. */
const parameters = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"]

const takeParameter = (searchParams: URLSearchParams, name: string): SessionSetting | undefined => {
  const value = searchParams.get(name)
  searchParams.delete(name)
  return value === null ? undefined : [name, value]
}

/** The words of `options`: a backslash keeps a space in a word (PostgreSQL, section 34.1.2). */
const splitWords = (options: string): ReadonlyArray<string> =>
  (options.match(/(?:\\.|[^\s\\])+/gs) ?? []).map((word) => word.replaceAll(/\\(.)/gs, "$1"))

/** Takes `-c name=value`, `-cname=value` and `--name=value` out of the options of a server. */
const parseOptions = (
  words: ReadonlyArray<string>
): readonly [rest: ReadonlyArray<string>, settings: ReadonlyArray<SessionSetting>] => {
  const [first, second, ...others] = words
  if (first === undefined) return [[], []]
  const joined = first === "-c" && second !== undefined
  const found = /^(?:-c|--)([\w.-]+)=(.*)$/s.exec(joined ? `-c${second}` : first)
  const [rest, settings] = parseOptions(joined ? others : words.slice(1))
  if (found === null) return [[...(joined ? [first, second] : [first]), ...rest], settings]
  const [, name = "", value = ""] = found
  return [rest, [Tuple.make(name.replaceAll("-", "_").toLowerCase(), value), ...settings]]
}
