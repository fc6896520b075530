import { FileSystem } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { resolve } from "node:path"

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

/** The absolute path of a data directory, and whether it holds an embedded database already. */
export const findEmbeddedDatabase = (dataDirectory: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const exists = yield* Effect.orElseSucceed(files.exists(`${dataDirectory}/postgres`), () => false)
    const path = yield* Effect.orElseSucceed(files.realPath(dataDirectory), () => resolve(dataDirectory))
    return { path, exists }
  })
