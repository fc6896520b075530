/** What a check of `doctor` found; `next` says what to do about it. */
export interface DoctorFinding {
  readonly check: string
  readonly status: "ok" | "warn" | "fail"
  readonly found: string
  readonly next?: string
}

export const ok = (check: string, found: string): DoctorFinding => ({ check, status: "ok", found })

/** The service works, but worse than it could, or not for long. */
export const warn = (check: string, found: string, next: string): DoctorFinding => ({
  check,
  status: "warn",
  found,
  next
})

/** The service does not start, or cannot do its work. */
export const fail = (check: string, found: string, next: string): DoctorFinding => ({
  check,
  status: "fail",
  found,
  next
})
