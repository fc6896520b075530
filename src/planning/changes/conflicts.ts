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

/** What no intent can ask for comes only where a zone is restored, and stands beside everything but a CNAME. */
const conflictOf = (role: string): Conflict => byRole.get(role) ?? { replaces: "nothing", excludes: ["CNAME"] }

const byRole: ReadonlyMap<string, Conflict> = new Map(Object.entries(conflicts))

/** Which members of its own set a wanted record replaces: all, those of its kind (`onceOnlyKind`), or none. */
export const replaces = (wanted: string): Conflict["replaces"] => conflictOf(wanted).replaces

/** Whether live records of another role cannot stand beside the wanted one. */
export const excludes = (wanted: string, other: string): boolean => {
  const excluded = conflictOf(wanted).excludes
  return wanted !== other && (excluded === "all" || excluded.includes(other))
}

/** Whether live records of another role must be gone before the wanted one can be stored. */
export const needsRoom = (wanted: string, other: string): boolean =>
  excludes(wanted, other) && !(canOverlap.has(wanted) && canOverlap.has(other))

const canOverlap: ReadonlySet<string> = new Set(["A", "AAAA", "HTTPS", "SVCB"])
