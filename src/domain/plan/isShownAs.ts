import type { SeenRecord } from "./Diagnosis.ts"

/** Whether servers show a record so: with its priority in front, and cut where it is long. */
export const isShownAs = (
  { priority, type, value }: { readonly priority?: number; readonly type: string; readonly value: string },
  seen: Pick<SeenRecord, "type" | "value">
): boolean => {
  const text = priority === undefined ? value : `${priority} ${value}`
  const isCut = seen.value.endsWith("…")
  return type === seen.type && (isCut ? text.startsWith(seen.value.slice(0, -1)) : text === seen.value)
}
