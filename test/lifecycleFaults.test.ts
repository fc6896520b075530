import { expect } from "bun:test"
import { Effect } from "effect"
import { describeLab } from "./support/lab/describeLab.ts"
import { afterSuccess, fiftyMegabytes, html, reset, status, trickle, wrongTypes } from "./support/lab/httpFaults.ts"
import type { HttpFault, Moment } from "./support/lab/PowerDnsProxy.ts"
import { type Connections, connections, journalled } from "./support/labConnections.ts"

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

const troubles = { "500": status(500), reset }

const nonsense = { html, wrongTypes, fiftyMegabytes, redirect: status(302, { location: "/elsewhere" }) }

const all = (faults: Readonly<Record<string, HttpFault>>, rest: Omit<Case, "about" | "fault">): ReadonlyArray<Case> =>
  Object.entries(faults).map(([about, fault]) => ({ about, fault, ...rest }))

const none = { entries: [] }
const unavailable = { code: "provider_unavailable", resumeState: "authorized", ...none }
const unread = { code: "provider_snapshot_failed", resumeState: "authorized", ...none }
const undecided = { code: "provider_unavailable", resumeState: "applying", entries: journalled("unknown") }

const cases: { readonly [_ in Moment]: ReadonlyArray<Case> } = {
  opening: [
    ...refusals("authorized").map((one) => ({ ...one, ...none })),
    ...all({ ...troubles, ...nonsense, trickle }, unavailable)
  ],
  reading: [
    ...refusals("authorized").map((one) => ({ ...one, ...none })),
    ...all(troubles, unavailable),
    ...all(nonsense, unread),
    { about: "trickle", fault: trickle, ...unread, code: "provider_snapshot_timeout" }
  ],
  writing: [
    ...refusals("applying").map((one) => ({ ...one, entries: journalled("failed") })),
    { about: "422", fault: status(422), code: "apply_rejected", entries: journalled("failed") },
    ...all({ ...troubles, ...nonsense }, undecided),
    { about: "trickle", fault: trickle, code: "apply_timeout", resumeState: "authorized", entries: undecided.entries },
    ...all(
      {
        "502-after": afterSuccess(status(502)),
        "reset-after": afterSuccess(reset),
        "slow-after": afterSuccess(trickle)
      },
      { entries: journalled("confirmed") }
    )
  ]
}

/** Takes a connection through the fault, and to the end after it. */
const live = ({ connectNew, credential, journal, proxy }: Connections, moment: Moment, { about, fault }: Case) =>
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
  const again = resumeState === undefined ? [] : journalled("confirmed")
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
          const at = yield* connections()
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
