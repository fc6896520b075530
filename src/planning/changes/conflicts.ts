import type { Role } from "../Role.ts"

/** Which records of its own role a wanted record replaces, and which other roles cannot stand beside it. */
interface Conflict {
  readonly replaces: "set" | "kind" | "nothing"
  readonly excludes: ReadonlyArray<string> | "all"
}

/** Who conflicts with whom at the same host. */
const conflicts: { readonly [_ in Role]: Conflict } = {
  A: { replaces: "set", excludes: ["AAAA", "CNAME", "ALIAS", "HTTPS", "SVCB", "WEB"] },
  AAAA: { replaces: "set", excludes: ["A", "CNAME", "ALIAS", "HTTPS", "SVCB", "WEB"] },
  ALIAS: { replaces: "set", excludes: ["A", "AAAA", "HTTPS", "SVCB", "WEB"] },
  CNAME: { replaces: "set", excludes: "all" },
  MX: { replaces: "set", excludes: ["CNAME"] },
  TXT: { replaces: "kind", excludes: ["CNAME"] },
  SRV: { replaces: "set", excludes: ["CNAME"] },
  CAA: { replaces: "nothing", excludes: ["CNAME"] },
  NS: { replaces: "set", excludes: [] },
  DELEGATION: { replaces: "set", excludes: "all" }
}

/** Which members of its own set a wanted record replaces: all, those of its kind (`onceOnlyKind`), or none. */
export const replaces = (wanted: Role): Conflict["replaces"] => conflicts[wanted].replaces

/** Whether live records of another role cannot stand beside the wanted one. */
export const excludes = (wanted: Role, other: string): boolean => {
  const excluded = conflicts[wanted].excludes
  return wanted !== other && (excluded === "all" || excluded.includes(other))
}

/** Whether live records of another role must be gone before the wanted one can be stored. */
export const needsRoom = (wanted: Role, other: string): boolean =>
  excludes(wanted, other) && !(canOverlap.has(wanted) && canOverlap.has(other))

const canOverlap: ReadonlySet<string> = new Set(["A", "AAAA", "HTTPS", "SVCB"])
