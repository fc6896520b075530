import { Redacted } from "effect"

/** The URL of a database for people, without the password and with no parameter but the directory of a socket. */
export const formatDatabaseUrl = (url: Redacted.Redacted): string => {
  const { host, pathname, searchParams, username } = new URL(Redacted.value(url))
  const socketDirectory = searchParams.get("host")
  const user = username === "" ? "" : `${username}@`
  return `postgresql://${user}${host}${pathname}${socketDirectory === null ? "" : `?host=${socketDirectory}`}`
}

/** The whole URL of a database, with a placeholder for each password. */
export const maskPasswords = (url: Redacted.Redacted, placeholder: string): string => {
  const masked = new URL(Redacted.value(url))
  if (masked.password !== "") masked.password = placeholder
  for (const name of ["password", "sslpassword"]) {
    if (masked.searchParams.has(name)) masked.searchParams.set(name, placeholder)
  }
  return masked.href
}
