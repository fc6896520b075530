import type { ConnectionDocument, ObservationsDocument } from "./ConnectionDocument.ts"
import type { ReportedDiagnosis } from "./eventDetails.ts"
import { hasSlip, listTasks } from "./manualTasks.ts"
import type { ViewModel } from "./ViewModel.ts"

/** An event for the page, with what its `detail` has besides the id and the state. */
export interface PageEvent {
  readonly name: "connected" | "failed" | "degraded" | "disconnected" | "diagnosis"
  readonly detail: object
}

/** The events of a connection that has come to another state. */
export const listStateEvents = ({ failure, leftovers = [], state }: ConnectionDocument): ReadonlyArray<PageEvent> => {
  switch (state) {
    case "active":
      return [{ name: "connected", detail: {} }]
    case "failed":
      return [{ name: "failed", detail: { failure } }]
    case "degraded":
      return [{ name: "degraded", detail: {} }]
    case "disconnected":
      return [{ name: "disconnected", detail: { leftovers } }]
    default:
      return []
  }
}

/** What is wrong with records by the last answers of the servers; nothing that is only awaited. */
export const listDiagnoses = (
  connection: ConnectionDocument,
  observations: ObservationsDocument | undefined,
  saved: ReadonlySet<string>
): ReadonlyArray<ReportedDiagnosis> =>
  listTasks({ connection, observations } satisfies Pick<ViewModel, "connection" | "observations">).flatMap((task) =>
    hasSlip(task, saved) && task.observation?.diagnosis
      ? [{ name: task.record.name, type: task.record.type, code: task.observation.diagnosis.code }]
      : []
  )
