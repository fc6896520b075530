import { FileSystem } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { resolve } from "node:path"

/**
 * The URL of a database for people, with no parameter but the directory of a socket. The password is left out, or
 * replaced by a placeholder.
 */
export const formatDatabaseUrl = (url: Redacted.Redacted, placeholder = ""): string => {
  const { host, password, pathname, searchParams, username } = new URL(Redacted.value(url))
  const socketDirectory = searchParams.get("host")
  const shownPassword = password === "" || placeholder === "" ? "" : `:${placeholder}`
  const user = username === "" ? "" : `${username}${shownPassword}@`
  return `postgresql://${user}${host}${pathname}${socketDirectory === null ? "" : `?host=${socketDirectory}`}`
}

/** The absolute path of a data directory, and whether it holds an embedded database already. */
export const findEmbeddedDatabase = (dataDirectory: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const exists = yield* Effect.orElseSucceed(files.exists(`${dataDirectory}/postgres`), () => false)
    const path = yield* Effect.orElseSucceed(files.realPath(dataDirectory), () => resolve(dataDirectory))
    return { path, exists }
  })
