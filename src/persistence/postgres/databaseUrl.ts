import { Either, Option, Redacted } from "effect"
import { readFileSync } from "node:fs"
import type { ConnectionOptions } from "node:tls"

/** How a session is protected, as `sslmode` names it (PostgreSQL, section 34.19). */
const sslModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const
type SslMode = (typeof sslModes)[number]

/** One way to reach the database: a server of the URL, with or without TLS. */
export interface DatabaseServer {
  /** The URL of this server alone, without the parameters of TLS. */
  readonly url: string
  /** Absent where the URL leaves it to the driver. */
  readonly ssl?: false | ConnectionOptions
}

/** A URL of PostgreSQL, which may name several servers: `new URL` takes one only. */
interface DatabaseUrlParts {
  /** The URL with the first server only. */
  readonly url: URL
  /** The servers of the authority as they are written, such as `a:5432,b:5432`. */
  readonly authority: string
}

const parse = (text: string): Option.Option<DatabaseUrlParts> => {
  const [, scheme = "", user = "", authority = "", rest = ""] =
    /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/s.exec(text) ?? []
  const [first = "", ...others] = authority.split(",")
  const urls = [first, ...others].map((server) => scheme + user + server + rest)
  return scheme !== "" && urls.every((url) => URL.canParse(url))
    ? Option.some({ url: new URL(scheme + user + first + rest), authority })
    : Option.none()
}

const partsOf = (url: Redacted.Redacted): DatabaseUrlParts =>
  Option.getOrThrowWith(parse(Redacted.value(url)), () => new Error("DATABASE_URL is no URL of PostgreSQL"))

/** Whether a text is a URL of PostgreSQL, whatever its parameters. */
export const isDatabaseUrl = (text: string): boolean => Option.isSome(parse(text))

/** Says what is wrong with the parameters of TLS of a URL, or nothing. */
export const findTlsFault = (url: Redacted.Redacted): Option.Option<string> => {
  const { searchParams } = partsOf(url).url
  const mode = searchParams.get("sslmode")
  if (mode !== null && !isSslMode(mode))
    return Option.some(`has the unknown sslmode ${JSON.stringify(mode)}; it takes ${sslModes.join(", ")}`)
  return mode === "verify-ca" && !searchParams.has("sslrootcert")
    ? Option.some("has sslmode=verify-ca, which needs sslrootcert: any certificate of a public authority would do")
    : Option.none()
}

const isSslMode = (mode: string): mode is SslMode => sslModes.some((known) => known === mode)

/** The ways to reach the database, in order. Fails with a sentence if a file of TLS cannot be read. */
export const listDatabaseServers = (
  databaseUrl: Redacted.Redacted
): Either.Either<ReadonlyArray<DatabaseServer>, string> =>
  Either.try({
    try: () => {
      const { authority, url } = partsOf(databaseUrl)
      const protections = takeProtections(url.searchParams)
      const servers = listServers(url, authority)
      return servers.flatMap((server) => protections.map((protection) => ({ url: server, ...protection })))
    },
    catch: (error) => `DATABASE_URL names a file of TLS that cannot be read: ${error}`
  })

/** The URL of each server; those of the parameter `host` count before those of the authority. */
const listServers = (url: URL, authority: string): ReadonlyArray<string> => {
  const hosts = (url.searchParams.get("host") ?? "").split(",")
  if (hosts.length > 1) {
    const ports = (url.searchParams.get("port") ?? "").split(",")
    return hosts.map((host, nth) => {
      const server = new URL(url)
      server.searchParams.set("host", host)
      const port = ports[nth] ?? ports[0] ?? ""
      if (port === "") server.searchParams.delete("port")
      else server.searchParams.set("port", port)
      return server.href
    })
  }
  return authority.split(",").map((server) => formatUrl(url, server))
}

/** Takes the parameters of TLS out of a URL: what they ask for, in the order in which it is tried. */
const takeProtections = (parameters: URLSearchParams): ReadonlyArray<Pick<DatabaseServer, "ssl">> => {
  const take = (name: string) => {
    const value = parameters.get(name)
    parameters.delete(name)
    return value ?? undefined
  }
  const mode = take("sslmode")
  const [root, cert, key] = [take("sslrootcert"), take("sslcert"), take("sslkey")]
  const passphrase = take("sslpassword")
  take("uselibpqcompat")
  const isSystem = root === "system"
  if (mode === undefined && root === undefined && cert === undefined) return [{}]
  if (mode === "disable") return [{ ssl: false }]
  const files: ConnectionOptions = {
    ...(root === undefined || isSystem ? {} : { ca: readFileSync(root, "utf8") }),
    ...(cert === undefined ? {} : { cert: readFileSync(cert, "utf8") }),
    ...(key === undefined ? {} : { key: readFileSync(key, "utf8") }),
    ...(passphrase === undefined ? {} : { passphrase })
  }
  if (mode === "allow" || mode === "prefer") return [{ ssl: { ...files, ...unverified } }, { ssl: false }]
  if (mode === "verify-full" || isSystem) return [{ ssl: { ...files, rejectUnauthorized: true } }]
  return [{ ssl: { ...files, ...(root === undefined ? unverified : anyName) } }]
}

const unverified = { rejectUnauthorized: false }

/** The certificate must come from the authority, for whatever name. */
const anyName = { rejectUnauthorized: true, checkServerIdentity: () => undefined }

const formatUrl = ({ hash, pathname, password, protocol, search, username }: URL, authority: string): string => {
  const user = username === "" ? "" : `${username}${password === "" ? "" : `:${password}`}@`
  return `${protocol}//${user}${authority}${pathname}${search}${hash}`
}

/** The URL of a database for people, without the password and with no parameter but the directory of a socket. */
export const formatDatabaseUrl = (databaseUrl: Redacted.Redacted): string => {
  const { authority, url } = partsOf(databaseUrl)
  const host = url.searchParams.get("host")
  const user = url.username === "" ? "" : `${url.username}@`
  return `postgresql://${user}${authority}${url.pathname}${host === null ? "" : `?host=${host}`}`
}

/** The whole URL of a database, with a placeholder for each password. */
export const maskPasswords = (databaseUrl: Redacted.Redacted, placeholder: string): string => {
  const { authority, url } = partsOf(databaseUrl)
  if (url.password !== "") url.password = placeholder
  for (const name of ["password", "sslpassword"]) {
    if (url.searchParams.has(name)) url.searchParams.set(name, placeholder)
  }
  return formatUrl(url, authority)
}
