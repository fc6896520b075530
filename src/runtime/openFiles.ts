import { Context } from "effect"
import { readdirSync, readFileSync } from "node:fs"

/** How many descriptors this process may have open; infinite where the system does not say (`/proc` is Linux). */
export class OpenFileLimit extends Context.Reference<OpenFileLimit>()("runtime/OpenFileLimit", {
  defaultValue: () => readOpenFileLimit()
}) {}

const readOpenFileLimit = (): number => {
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

/** Whether so many descriptors are open that nothing may keep another: a fifth stays free. Counts once a second. */
export const makeDescriptorCheck = (
  limit = readOpenFileLimit(),
  count = () => listOpenFiles().length
): (() => boolean) => {
  let open = 0
  let countedAt = -Infinity
  return () => {
    const now = performance.now()
    if (now - countedAt > 1_000) {
      open = count()
      countedAt = now
    }
    open += 1
    return open > limit * 0.8
  }
}
