import { DateTime } from "effect"
import type { ConnectionInspection, ConnectionSummary } from "../domain/connection/ConnectionInspection.ts"

/** A connection as a line of a list. */
export const formatSummary = (summary: ConnectionSummary): string =>
  [
    summary.id,
    summary.domain,
    summary.state,
    ...(summary.failure === undefined ? [] : [summary.failure]),
    summary.providerId ?? "provider unknown",
    `${summary.applicationId}/${summary.tenantId}`,
    ...(summary.overdueSeconds > 0 ? [`${summary.phase ?? "phase"} overdue for ${summary.overdueSeconds} s`] : [])
  ].join("  ")

/** An inspection for people. */
export const formatInspection = (inspection: ConnectionInspection): string => {
  const { allowedActions, explanation, mayAct, records, summary, waitsFor } = inspection
  const { attempt, dueAt, phase, takenBy } = summary
  return [
    formatSummary(summary),
    `Waits for: ${waitsFor}. ${explanation}`,
    `Who may act: ${mayAct.join(", ") || "nobody"}. An operator may: ${allowedActions.join(", ") || "nothing"}.`,
    ...(phase === undefined
      ? []
      : [
          `Phase: ${phase}, attempt ${attempt}${dueAt === undefined ? "" : `, due ${format(dueAt)}`}${takenBy === undefined ? "" : `, taken by ${takenBy}`}`
        ]),
    ...(inspection.nextCheckAt === undefined ? [] : [`Next check: ${format(inspection.nextCheckAt)}`]),
    ...(inspection.credentialUntil === undefined ? [] : [`Credential until: ${format(inspection.credentialUntil)}`]),
    ...(inspection.connection.failure?.details ?? []).map(({ message }) => `Failure: ${message}`),
    ...section(
      "Timeline",
      inspection.timeline.map(
        ({ failure, from, occurredAt, replan, to }) =>
          `${format(occurredAt)}  ${from ?? "new"} → ${to}${suffix(failure)}${suffix(replan)}`
      )
    ),
    ...section(
      "Records",
      records.records.flatMap(({ diagnosis, expected, observed, status }) => [
        `${expected.type} ${expected.host}: ${status}${suffix(diagnosis?.code)}`,
        ...(diagnosis === undefined ? [] : [`    ${diagnosis.fix}`]),
        ...observed.map(({ server, silence, status }) => `    ${server}: ${status}${suffix(silence)}`)
      ])
    ),
    ...section(
      "Changes at the provider",
      inspection.providerCalls.map(
        ({ action, host, plannedAt, providerId, status, type }) =>
          `${format(plannedAt)}  ${providerId}  ${action} ${type} ${host}: ${status}`
      )
    ),
    ...section(
      "Webhooks",
      inspection.deliveries.map(
        ({ attempts, createdAt, endpointId, lastAttempt, status, type }) =>
          `${format(createdAt)}  ${type}  ${endpointId}: ${status} after ${attempts}${suffix(lastAttempt?.error)}`
      )
    ),
    ...section(
      "Who did what",
      inspection.audit.map(
        ({ action, actor, occurredAt }) => `${format(occurredAt)}  ${action}  ${actor.type} ${actor.name ?? actor.id}`
      )
    )
  ].join("\n")
}

const format = (moment: DateTime.Utc): string => DateTime.formatIso(moment)

const suffix = (text: string | undefined): string => (text === undefined ? "" : ` (${text})`)

const section = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : ["", `${title}:`, ...lines.map((line) => `  ${line}`)]
