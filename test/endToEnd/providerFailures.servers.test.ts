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
import { approvalOf } from "../support/TestConnection.ts"
import { expectedJournal, type LabConnections, labConnections } from "../support/labConnections.ts"

interface FaultCase {
  readonly about: string
  readonly fault: HttpFault
  /** The failure code; without one the connection becomes active despite the fault. */
  readonly code?: string
  readonly resumeState?: string
  /** The journal entries during the fault. */
  readonly entries: ReadonlyArray<string>
}

/** Refusals by the provider, after which nothing was written. */
const refusals = (currentState: string): ReadonlyArray<Omit<FaultCase, "entries">> => [
  { about: "401", fault: status(401), code: "credential_invalid", resumeState: "awaiting_authorization" },
  { about: "403", fault: status(403), code: "authorization_insufficient_scope", resumeState: "awaiting_authorization" },
  { about: "404", fault: status(404), code: "authorization_zone_mismatch", resumeState: "awaiting_authorization" },
  { about: "423", fault: status(423), code: "provider_zone_locked", resumeState: "authorized" },
  { about: "429", fault: status(429, { "retry-after": "1" }), code: "provider_rate_limited", resumeState: currentState }
]

const outages = { "500": status(500), reset: resetConnection }

const invalidResponses = {
  html: htmlBody,
  wrongTypes,
  redirect: status(302, { location: "/elsewhere" })
}

const all = (
  faults: Readonly<Record<string, HttpFault>>,
  rest: Omit<FaultCase, "about" | "fault">
): ReadonlyArray<FaultCase> => Object.entries(faults).map(([about, fault]) => ({ about, fault, ...rest }))

const noEntries = { entries: [] }
const tooLarge = {
  about: "fiftyMegabytes",
  fault: oversizedBody,
  code: "zone_too_large",
  resumeState: "authorized",
  ...noEntries
}
const unavailable = { code: "provider_unavailable", resumeState: "authorized", ...noEntries }
const unreadable = { code: "provider_snapshot_failed", resumeState: "authorized", ...noEntries }
const unknownOutcome = { code: "provider_unavailable", resumeState: "applying", entries: expectedJournal("unknown") }

const cases: { readonly [_ in ProxyPhase]: ReadonlyArray<FaultCase> } = {
  opening: [
    ...refusals("authorized").map((refusal) => ({ ...refusal, ...noEntries })),
    ...all({ ...outages, ...invalidResponses, trickle: slowResponse }, unavailable),
    tooLarge
  ],
  reading: [
    ...refusals("authorized").map((refusal) => ({ ...refusal, ...noEntries })),
    ...all(outages, unavailable),
    ...all(invalidResponses, unreadable),
    tooLarge,
    { about: "trickle", fault: slowResponse, ...unreadable, code: "provider_snapshot_timeout" }
  ],
  writing: [
    ...refusals("applying").map((refusal) => ({ ...refusal, entries: expectedJournal("failed") })),
    {
      about: "422",
      fault: status(422),
      code: "apply_rejected",
      resumeState: "authorized",
      entries: expectedJournal("failed")
    },
    ...all({ ...outages, ...invalidResponses, fiftyMegabytes: oversizedBody }, unknownOutcome),
    {
      about: "trickle",
      fault: slowResponse,
      code: "apply_timeout",
      resumeState: "authorized",
      entries: unknownOutcome.entries
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

/** Runs a connection into the fault, and to `active` after it. */
const runCase = (
  { createConnection, credential, journal, proxy }: LabConnections,
  moment: ProxyPhase,
  { about, fault }: FaultCase
) =>
  Effect.gen(function* () {
    const domain = `${about}-${moment}.com`.toLowerCase()
    const connection = yield* createConnection(domain)
    if (moment !== "writing") yield* proxy.injectFault(domain, moment, fault)
    yield* connection.command("authorization", credential)
    if (moment === "writing") {
      const { plan } = yield* connection.waitForState("planned")
      yield* proxy.injectFault(domain, moment, fault)
      yield* connection.command("approval", approvalOf(plan))
    }
    const { failure } = yield* connection.waitForState("failed", "active")
    const entries = yield* journal(connection)
    const written = proxy.writesTo(domain)
    yield* proxy.heal(domain)
    if (failure?.retryable) {
      yield* connection.command("retry")
      const { state } = yield* connection.waitForState("awaiting_authorization", "planned", "active")
      if (state === "awaiting_authorization") yield* connection.command("authorization", credential)
      if (state !== "active") {
        const { plan } = yield* connection.waitForState("planned")
        yield* connection.command("approval", approvalOf(plan))
      }
      yield* connection.waitForState("active")
    }
    const outcome = { code: failure?.code, resumeState: failure?.resumeState, entries, written }
    return { ...outcome, atTheEnd: yield* journal(connection), writtenAtTheEnd: proxy.writesTo(domain) }
  })

/** After a refusal the retry plans again. A write with an unknown outcome is checked, and repeated only if it was not applied. */
const expected = ({ code, entries, resumeState }: FaultCase) => {
  const isUnknown = entries[0]?.startsWith("unknown") === true
  const afterRetry = resumeState === undefined ? [] : expectedJournal("confirmed")
  const written = code === undefined ? 1 : 0
  return {
    code,
    resumeState,
    entries,
    written,
    atTheEnd: isUnknown ? afterRetry : [...entries, ...afterRetry],
    writtenAtTheEnd: afterRetry.length > 0 ? 1 : written
  }
}

describeLab("a failing provider", (live) => {
  for (const moment of ["opening", "reading", "writing"] as const)
    live(`while ${moment} fails connections that can resume, each change written once`, () =>
      Effect.gen(function* () {
        const connections = yield* labConnections()
        const outcomes = yield* Effect.forEach(
          cases[moment],
          (testCase) =>
            Effect.map(runCase(connections, moment, testCase), (outcome) => [testCase.about, outcome] as const),
          { concurrency: 4 }
        ).pipe(Effect.provide(connections.service))
        expect<unknown>(Object.fromEntries(outcomes)).toEqual(
          Object.fromEntries(cases[moment].map((testCase) => [testCase.about, expected(testCase)]))
        )
      })
    )
})
