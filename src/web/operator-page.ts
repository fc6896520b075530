import { html, LitElement, nothing } from "lit"
import type {
  ConnectionInspection,
  ConnectionOverview,
  ConnectionSummary
} from "../domain/connection/ConnectionInspection.ts"
import { OperatorRequests } from "./OperatorRequests.ts"
import { renderOverview } from "./renderOverview.ts"
import { formatTime, renderTable, renderTime } from "./renderTable.ts"

type Summary = typeof ConnectionSummary.Encoded
type Inspection = typeof ConnectionInspection.Encoded
type Overview = typeof ConnectionOverview.Encoded

/** Connections of a list, and where it goes on. */
interface FoundPage {
  readonly connections: ReadonlyArray<Summary>
  readonly nextCursor?: string
}

/** `<operator-page>`: an operator finds a connection, sees what it waits for, and acts. The key stays in this page alone. */
class OperatorPageElement extends LitElement {
  static override readonly properties = {
    overview: { state: true },
    found: { state: true },
    more: { state: true },
    inspection: { state: true },
    problem: { state: true }
  }

  declare private overview: Overview | undefined
  declare private found: ReadonlyArray<Summary>
  /** The query of the next page, if there is one. */
  declare private more: string | undefined
  declare private inspection: Inspection | undefined
  declare private problem: string
  #requests: OperatorRequests | undefined

  constructor() {
    super()
    this.found = []
    this.problem = ""
  }

  /** The style sheet is that of the page. */
  protected override createRenderRoot() {
    return this
  }

  protected override render() {
    return html`<main>
      <h1>Connections</h1>
      <p class="problem" role="alert">${this.problem}</p>
      ${this.overview === undefined ? this.#renderSignIn() : this.#renderAll(this.overview)}
    </main>`
  }

  #renderSignIn() {
    return html`<form @submit=${this.#signIn}>
      <label>Admin key <input name="key" type="password" autocomplete="off" required /></label>
      <button>Open</button>
    </form>`
  }

  #renderAll(overview: Overview) {
    return html`${this.#renderSearch()}${this.#renderFound()}
      ${this.inspection === undefined ? nothing : this.#renderInspection(this.inspection)}
      <div class="columns">${renderOverview(overview)}</div>`
  }

  #renderSearch() {
    return html`<form role="search" @submit=${this.#search}>
      <label>Domain or id <input name="text" autocomplete="off" /></label>
      <label
        >Show
        <select name="kind">
          <option value="">the newest</option>
          <option value="stuckSeconds=60">stuck</option>
          <option value="state=failed,degraded">failed or degraded</option>
          <option value="state=awaiting_authorization,planned,awaiting_manual">waiting for customers</option>
        </select></label
      >
      <button>Find</button>
    </form>`
  }

  #renderFound() {
    return html`<section aria-labelledby="found">
      <h2 id="found">Found</h2>
      ${renderTable(
        ["Domain", "State", "Failure", "Provider", "Tenant", "Overdue"],
        this.found.map((summary) => [
          html`<button class="link" @click=${() => this.#open(summary.id)}>${summary.domain}</button>`,
          summary.state,
          summary.failure,
          summary.providerId,
          `${summary.applicationId}/${summary.tenantId}`,
          summary.overdueSeconds > 0 ? `${summary.overdueSeconds} s` : undefined
        ])
      )}
      ${this.more === undefined ? nothing : html`<p><button @click=${this.#showMore}>Show more</button></p>`}
    </section>`
  }

  #renderInspection({ allowedActions, deliveries, explanation, mayAct, records, summary, ...inspection }: Inspection) {
    return html`<section aria-labelledby="inspected">
        <h2 id="inspected" tabindex="-1">${summary.domain}: ${summary.state}</h2>
        <p>${explanation}</p>
        <p>Who can end the wait: ${mayAct.join(", ") || "nobody"}.</p>
        ${renderFailure(inspection.connection.failure)}
        <p class="actions">
          ${allowedActions.map(
            (action) => html`<button @click=${() => this.#act(summary.id, action)}>${actionNames[action]}</button>`
          )}
        </p>
        <p>
          ${[
            summary.id,
            `attempt ${summary.attempt} of ${summary.phase ?? "no phase"}`,
            ...(inspection.nextCheckAt === undefined ? [] : [`next check ${formatTime(inspection.nextCheckAt)}`]),
            ...(inspection.credentialUntil === undefined
              ? []
              : [`credential until ${formatTime(inspection.credentialUntil)}`])
          ].join(", ")}
        </p>
      </section>
      <div class="columns">
        <section aria-labelledby="timeline">
          <h2 id="timeline">Timeline</h2>
          <ol>
            ${inspection.timeline.map(
              ({ failure, occurredAt, to }) => html`<li>${renderTime(occurredAt)} ${to} ${failure ?? ""}</li>`
            )}
          </ol>
        </section>
        <section aria-labelledby="answers">
          <h2 id="answers">What servers answer</h2>
          ${renderTable(
            ["Record", "Status", "Servers"],
            records.records.map(({ diagnosis, expected, observed, status }) => [
              `${expected.type} ${expected.host}`,
              diagnosis?.fix ?? status,
              html`${observed.map(({ server, silence, status }) => html`<div>${server}: ${silence ?? status}</div>`)}`
            ])
          )}
        </section>
        <section aria-labelledby="calls">
          <h2 id="calls">Changes at the provider</h2>
          ${renderTable(
            ["When", "Change", "Status"],
            inspection.providerCalls.map(({ action, host, plannedAt, status, type }) => [
              renderTime(plannedAt),
              `${action} ${type} ${host}`,
              status
            ])
          )}
        </section>
        <section aria-labelledby="deliveries">
          <h2 id="deliveries">Webhooks</h2>
          ${renderTable(
            ["Event", "Endpoint", "Status"],
            deliveries.map(({ attempts, endpointId, lastAttempt, status, type }) => [
              type,
              endpointId,
              `${status} after ${attempts} ${lastAttempt?.error ?? ""}`
            ])
          )}
        </section>
        <section aria-labelledby="audit">
          <h2 id="audit">Who did what</h2>
          ${renderTable(
            ["When", "Action", "Who"],
            inspection.audit.map(({ action, actor, occurredAt }) => [
              renderTime(occurredAt),
              action,
              `${actor.type} ${actor.name ?? actor.id}`
            ])
          )}
        </section>
      </div>`
  }

  readonly #signIn = (event: SubmitEvent) => {
    event.preventDefault()
    const key = readField(event, "key")
    this.#requests = new OperatorRequests(key.trim())
    void this.#try(async (requests) => {
      this.overview = (await requests.get<{ overview: Overview }>("/overview")).overview
      await this.#list(requests, "")
    })
  }

  readonly #search = (event: SubmitEvent) => {
    event.preventDefault()
    const text = readField(event, "text").trim()
    const kind = readField(event, "kind")
    void this.#try(async (requests) => {
      if (text.startsWith("con_")) return this.#show(requests, text)
      await this.#list(
        requests,
        [kind, text === "" ? "" : `domain=${encodeURIComponent(text)}`].filter(Boolean).join("&")
      )
    })
  }

  #open(id: string) {
    void this.#try((requests) => this.#show(requests, id))
  }

  #act(id: string, action: string) {
    void this.#try(async (requests) => {
      await requests.post(`/connections/${encodeURIComponent(id)}/${action}`)
      await this.#show(requests, id)
    })
  }

  readonly #showMore = () => {
    void this.#try(async (requests) => {
      const { found: before, more: query } = this
      if (query === undefined) return
      const { connections, more } = await this.#readPage(requests, query)
      // The button was pressed twice, or another search has begun meanwhile.
      if (this.found !== before) return
      const shown = before.length
      this.found = [...before, ...connections]
      this.more = more
      await this.updateComplete
      this.querySelectorAll<HTMLElement>("#found ~ table button")[shown]?.focus()
    })
  }

  async #list(requests: OperatorRequests, query: string) {
    this.inspection = undefined
    const { connections, more } = await this.#readPage(requests, query)
    this.found = connections
    this.more = more
  }

  async #readPage(requests: OperatorRequests, query: string) {
    const { connections, nextCursor } = await requests.get<FoundPage>(`/connections?${query}`)
    const parameters = new URLSearchParams(query)
    if (nextCursor !== undefined) parameters.set("cursor", nextCursor)
    return { connections, more: nextCursor === undefined ? undefined : parameters.toString() }
  }

  async #show(requests: OperatorRequests, id: string) {
    const path = `/connections/${encodeURIComponent(id)}`
    this.inspection = (await requests.get<{ inspection: Inspection }>(path)).inspection
    await this.updateComplete
    this.querySelector<HTMLElement>("#inspected")?.focus()
  }

  async #try(work: (requests: OperatorRequests) => Promise<void>) {
    if (this.#requests === undefined) return
    this.problem = ""
    try {
      await work(this.#requests)
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error)
    }
  }
}

const actionNames = { retry: "Retry", recheck: "Check now", cancel: "Cancel" } as const

const readField = ({ currentTarget }: Event, name: string): string =>
  currentTarget instanceof HTMLFormElement ? String(new FormData(currentTarget).get(name) ?? "") : ""

/** What went wrong, in the words of the service and of who refused, as of a provider. */
const renderFailure = (failure: Inspection["connection"]["failure"]) =>
  failure === undefined
    ? nothing
    : html`<p>${failure.code}: ${failure.message}</p>
        <ul>
          ${failure.details?.map(({ message }) => html`<li>${message}</li>`)}
        </ul>`

customElements.define("operator-page", OperatorPageElement)
