import type { ObservationStatus } from "../../domain/RecordObservation.ts"

/** Whether servers serve the desired records; `unknown` where none of them answered. */
export type VerificationVerdict = "right" | "wrong" | "unknown"

/** The verdict over the statuses of all required records; `right` if there are none. */
export const verdictFrom = (statuses: ReadonlyArray<ObservationStatus>): VerificationVerdict => {
  if (statuses.some((status) => status === "different" || status === "missing")) return "wrong"
  return statuses.every((status) => status === "present") ? "right" : "unknown"
}

/** The status of one record over several servers: a server that lacks it counts most, then one that serves it. */
export const combineStatuses = (statuses: ReadonlyArray<ObservationStatus>): ObservationStatus =>
  worstFirst.find((status) => statuses.includes(status)) ?? "unknown"

const worstFirst = ["different", "missing", "present"] as const
