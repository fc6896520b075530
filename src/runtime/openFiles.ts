import { Context } from "effect"
import { readdirSync, readFileSync } from "node:fs"

/** How many descriptors this process may have open; infinite where the system does not say (`/proc` is Linux). */
export class OpenFileLimit extends Context.Reference<OpenFileLimit>()("runtime/OpenFileLimit", {
  defaultValue: () => readOpenFileLimit()
}) {}

/** The limit of the system for open descriptors. */
export const readOpenFileLimit = (): number => {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]
    return limit === undefined ? Infinity : Number(limit)
  } catch {
    return Infinity
  }
}

/** The open descriptors of this process; none where the system does not say. */
export const listOpenFiles = (): ReadonlyArray<string> => {
  try {
    return readdirSync("/proc/self/fd")
  } catch {
    return []
  }
}
