import { expect } from "bun:test"
import { Effect } from "effect"
import type { HttpFault, ProxyPhase } from "../support/lab/PowerDnsProxy.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import {
  failAfterSuccess,
  htmlBody,
  oversizedBody,
  resetConnection,
  slowResponse,
  status,
  wrongTypes
} from "../support/lab/httpFaults.ts"
import { expectedJournal, type LabConnections, labConnections } from "../support/labConnections.ts"

interface Case {
  readonly about: string
  readonly fault: HttpFault
  /** The failure; without one the connection becomes active in spite of the fault. */
  readonly code?: string
  readonly resumeState?: string
  /** What the journal says of the changes while the fault lasts. */
  readonly entries: ReadonlyArray<string>
}

/** Whether the provider refused, so that nothing was written, or left it open. */
const refusals = (here: string): ReadonlyArray<Omit<Case, "entries">> => [
  { about: "401", fault: status(401), code: "credential_invalid", resumeState: "awaiting_authorization" },
  { about: "403", fault: status(403), code: "authorization_insufficient_scope", resumeState: "awaiting_authorization" },
  { about: "404", fault: status(404), code: "authorization_zone_mismatch", resumeState: "awaiting_authorization" },
  { about: "423", fault: status(423), code: "provider_zone_locked", resumeState: "authorized" },
  { about: "429", fault: status(429, { "retry-after": "1" }), code: "provider_rate_limited", resumeState: here }
]

const troubles = { "500": status(500), reset: resetConnection }

const nonsense = {
  html: htmlBody,
  wrongTypes,
  fiftyMegabytes: oversizedBody,
  redirect: status(302, { location: "/elsewhere" })
}

const all = (faults: Readonly<Record<string, HttpFault>>, rest: Omit<Case, "about" | "fault">): ReadonlyArray<Case> =>
  Object.entries(faults).map(([about, fault]) => ({ about, fault, ...rest }))

const none = { entries: [] }
const unavailable = { code: "provider_unavailable", resumeState: "authorized", ...none }
const unread = { code: "provider_snapshot_failed", resumeState: "authorized", ...none }
const undecided = { code: "provider_unavailable", resumeState: "applying", entries: expectedJournal("unknown") }

const cases: { readonly [_ in ProxyPhase]: ReadonlyArray<Case> } = {
  opening: [
    ...refusals("authorized").map((one) => ({ ...one, ...none })),
    ...all({ ...troubles, ...nonsense, trickle: slowResponse }, unavailable)
  ],
  reading: [
    ...refusals("authorized").map((one) => ({ ...one, ...none })),
    ...all(troubles, unavailable),
    ...all(nonsense, unread),
    { about: "trickle", fault: slowResponse, ...unread, code: "provider_snapshot_timeout" }
  ],
  writing: [
    ...refusals("applying").map((one) => ({ ...one, entries: expectedJournal("failed") })),
    { about: "422", fault: status(422), code: "apply_rejected", entries: expectedJournal("failed") },
    ...all({ ...troubles, ...nonsense }, undecided),
    {
      about: "trickle",
      fault: slowResponse,
      code: "apply_timeout",
      resumeState: "authorized",
      entries: undecided.entries
    },
    ...all(
      {
        "502-after": failAfterSuccess(status(502)),
        "reset-after": failAfterSuccess(resetConnection),
        "slow-after": failAfterSuccess(slowResponse)
      },
      { entries: expectedJournal("confirmed") }
    )
  ]
}

/** Takes a connection through the fault, and to the end after it. */
const live = ({ connectNew, credential, journal, proxy }: LabConnections, moment: ProxyPhase, { about, fault }: Case) =>
  Effect.gen(function* () {
    const domain = `${about}-${moment}.com`.toLowerCase()
    const connection = yield* connectNew(domain)
    if (moment !== "writing") yield* proxy.meddle(domain, moment, fault)
    yield* connection.command("authorization", credential)
    if (moment === "writing") {
      const { plan } = yield* connection.until("planned")
      yield* proxy.meddle(domain, moment, fault)
      yield* connection.command("approval", { digest: plan.digest })
    }
    const { failure } = yield* connection.until("failed", "active")
    const entries = yield* journal(connection)
    const written = proxy.writesTo(domain)
    yield* proxy.heal(domain)
    if (failure?.retryable) {
      yield* connection.command("retry")
      const { state } = yield* connection.until("awaiting_authorization", "planned", "active")
      if (state === "awaiting_authorization") yield* connection.command("authorization", credential)
      if (state !== "active") {
        const { plan } = yield* connection.until("planned")
        yield* connection.command("approval", { digest: plan.digest })
      }
      yield* connection.until("active")
    }
    const outcome = { code: failure?.code, resumeState: failure?.resumeState, entries, written }
    return { ...outcome, atTheEnd: yield* journal(connection), writtenAtTheEnd: proxy.writesTo(domain) }
  })

/** What was refused is planned anew; what may have been done is found out, and done only if it was not. */
const expected = ({ code, entries, resumeState }: Case) => {
  const isOpen = entries[0]?.startsWith("unknown") === true
  const again = resumeState === undefined ? [] : expectedJournal("confirmed")
  const written = code === undefined ? 1 : 0
  return {
    code,
    resumeState,
    entries,
    written,
    atTheEnd: isOpen ? again : [...entries, ...again],
    writtenAtTheEnd: again.length > 0 ? 1 : written
  }
}

describeLab("a provider in trouble", (lives) => {
  for (const moment of ["opening", "reading", "writing"] as const)
    lives(
      `while ${moment} leaves connections that say so and go on afterwards, each change written once`,
      () =>
        Effect.gen(function* () {
          const at = yield* labConnections()
          const lived = yield* Effect.forEach(
            cases[moment],
            (one) => Effect.map(live(at, moment, one), (outcome) => [one.about, outcome] as const),
            { concurrency: "unbounded" }
          ).pipe(Effect.provide(at.service))
          expect<unknown>(Object.fromEntries(lived)).toEqual(
            Object.fromEntries(cases[moment].map((one) => [one.about, expected(one)]))
          )
        }),
      60_000
    )
})
