import { Effect } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { symlinkSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { temporaryDirectory } from "../../test/support/TestPostgres.ts"

/** An older version of the service, whose files are in a directory of its own. */
export interface OlderVersion {
  readonly commit: string
  /** The version that was asked for, and where it comes from. */
  readonly description: string
  readonly directory: string
}

/**
 * Checks an older version out: a given tag or commit, else the newest tag, else a commit of the history before most of the
 * migrations that move rows. It runs with the packages of this version.
 */
export const checkOutOlderVersion = (given: string | undefined): Effect.Effect<OlderVersion> =>
  Effect.sync(() => {
    const tag = given === undefined ? newestTag() : undefined
    const revision = given ?? tag ?? commitWithoutTag
    const commit = git("rev-parse", "--short", `${revision}^{commit}`).trim()
    const directory = temporaryDirectory()
    execFileSync("tar", ["-x", "-C", directory], { input: execFileSync("git", ["archive", commit], inRepository) })
    symlinkSync(`${repository}/node_modules`, `${directory}/node_modules`)
    const description =
      given === undefined
        ? tag === undefined
          ? `${commit}, since there is no tag (--from takes a tag or a commit)`
          : `${tag}, the newest tag`
        : given
    return { commit, description, directory }
  })

/** The service with the migrations up to 0014. */
const commitWithoutTag = "ba1a013b"

const repository = fileURLToPath(new URL("../..", import.meta.url))

const inRepository = { cwd: repository, maxBuffer: 1 << 30 }

const git = (...args: ReadonlyArray<string>): string => execFileSync("git", args, { ...inRepository, encoding: "utf8" })

const newestTag = (): string | undefined => {
  const { status, stdout } = spawnSync("git", ["describe", "--tags", "--abbrev=0"], {
    ...inRepository,
    encoding: "utf8"
  })
  return status === 0 ? stdout.trim() : undefined
}
