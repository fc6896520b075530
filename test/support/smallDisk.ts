import { Data, Effect } from "effect"
import { closeSync, openSync, rmSync, writeSync } from "node:fs"
import { temporaryDirectory } from "./TestPostgres.ts"

/** The machine does not allow to mount file systems. */
class MountRefused extends Data.TaggedError("MountRefused")<{ readonly message: string }> {}

/** A file system of its own with a fixed size, which a test can fill and free again. */
interface SmallDisk {
  readonly directory: string
  /** Takes all the space that is left. */
  readonly fill: Effect.Effect<void>
  readonly free: Effect.Effect<void>
}

/** Mounts a small file system in memory. It is unmounted with the scope, and in the lab's namespace at the latest with that. */
export const mountSmallDisk = (megabytes: number) =>
  Effect.gen(function* () {
    const directory = temporaryDirectory()
    yield* Effect.acquireRelease(
      execute("mount", "-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", directory),
      () => Effect.ignore(execute("umount", "--lazy", directory))
    )
    const filler = `${directory}/filler`
    const disk: SmallDisk = {
      directory,
      fill: Effect.sync(() => writeUntilFull(filler)),
      free: Effect.sync(() => rmSync(filler))
    }
    return disk
  })

/** Why no small file system can be mounted here, if none can. */
export const mountRefusal = (): Promise<string | undefined> =>
  Effect.runPromise(
    Effect.scoped(mountSmallDisk(1)).pipe(
      Effect.as(undefined),
      Effect.catchAll(({ message }) => Effect.succeed(message))
    )
  )

const execute = (...command: ReadonlyArray<string>) =>
  Effect.suspend(() => {
    const { stderr, success } = Bun.spawnSync([...command], { stderr: "pipe" })
    return success ? Effect.void : new MountRefused({ message: stderr.toString().trim() })
  })

const writeUntilFull = (path: string): void => {
  const file = openSync(path, "a")
  for (let size = 1 << 20; size >= 1;) {
    try {
      writeSync(file, Buffer.alloc(size))
    } catch {
      size >>= 1
    }
  }
  closeSync(file)
}
