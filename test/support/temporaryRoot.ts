import { readFileSync, statfsSync } from "node:fs"
import { freemem, tmpdir } from "node:os"

const gibibyte = 2 ** 30

const inMemory = "/dev/shm"

/**
 * Where tests make their directories: in memory, because databases on a slow disk wait for it at every commit and for
 * seconds at their first start; on the disk where memory is short. What is measured with the same parts stays on the disk.
 */
export const temporaryRoot = (): string => (hasRoomInMemory() ? inMemory : tmpdir())

const hasRoomInMemory = (): boolean =>
  process.env["NODE_ENV"] === "test" &&
  canExecuteInMemory &&
  freemem() > 8 * gibibyte &&
  freeBytesOf(inMemory) > 4 * gibibyte

/** PostgreSQL's program is copied beside its data. */
const canExecuteInMemory =
  process.platform === "linux" &&
  readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .some((line) => line.includes(` ${inMemory} tmpfs rw`) && !line.includes("noexec"))

const freeBytesOf = (directory: string): number => {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}
