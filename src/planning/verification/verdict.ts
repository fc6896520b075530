import type { ObservationStatus } from "../../domain/RecordObservation.ts"

/** Whether what some servers show is what is wanted. */
export type Verdict = "right" | "wrong" | "unknown"

/** What several servers say of one record: any that lacks it counts, else those that show it, if any does. */
export const combineStatuses = (statuses: ReadonlyArray<ObservationStatus>): ObservationStatus =>
  worstFirst.find((status) => statuses.includes(status)) ?? "unknown"

const worstFirst = ["different", "missing", "present"] as const

/** What the statuses of all records that are required come to; right where none is. */
export const verdictFrom = (statuses: ReadonlyArray<ObservationStatus>): Verdict => {
  if (statuses.some((status) => status === "different" || status === "missing")) return "wrong"
  return statuses.every((status) => status === "present") ? "right" : "unknown"
}
