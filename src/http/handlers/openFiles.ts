import { readdirSync, readFileSync } from "node:fs"

/** How many descriptors this process may have open; infinite where the system does not say (`/proc` is Linux). */
const readLimit = (): number => {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]
    return limit === undefined ? Infinity : Number(limit)
  } catch {
    return Infinity
  }
}

const countOpen = (): number => {
  try {
    return readdirSync("/proc/self/fd").length
  } catch {
    return 0
  }
}

/**
 * Returns a function that tells whether this process has so many descriptors open that it must not accept what keeps another one:
 * a fifth stays free for requests, the database and DNS. It counts them at most once a second.
 */
export const makeDescriptorCheck = (limit = readLimit(), count = countOpen): (() => boolean) => {
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
