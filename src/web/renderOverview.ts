import { html } from "lit"
import type { ConnectionOverview } from "../domain/connection/ConnectionInspection.ts"
import { renderTable, renderTime } from "./renderTable.ts"

/** How providers, phases and webhooks are. */
export const renderOverview = ({
  failingEndpoints,
  failures,
  phases,
  states,
  webhooks
}: typeof ConnectionOverview.Encoded) =>
  html`<section aria-labelledby="providers">
      <h2 id="providers">Failures of the last day, by provider</h2>
      ${renderTable(
        ["Provider", "Failure", "Connections"],
        failures.map(({ count, failure, providerId }) => [providerId ?? "unknown", failure, `${count}`])
      )}
    </section>
    <section aria-labelledby="endpoints">
      <h2 id="endpoints">Webhooks that fail</h2>
      ${renderTable(
        ["Endpoint", "Application", "Since", "Paused"],
        failingEndpoints.map(({ applicationId, failingSince, id, pauseReason }) => [
          id,
          applicationId,
          failingSince === undefined ? undefined : renderTime(failingSince),
          pauseReason
        ])
      )}
    </section>
    <section aria-labelledby="queues">
      <h2 id="queues">What waits</h2>
      ${renderTable(
        ["Queue", "Due", "Oldest"],
        [
          ["phases", `${phases.waiting}`, `${Math.round(phases.oldestSeconds)} s`],
          ["webhooks", `${webhooks.waiting}`, `${Math.round(webhooks.oldestSeconds)} s`]
        ]
      )}
    </section>
    <section aria-labelledby="states">
      <h2 id="states">Connections</h2>
      ${renderTable(
        ["State", "Connections"],
        states.map(({ count, state }) => [state, `${count}`])
      )}
    </section>`
