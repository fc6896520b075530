import { describe, expect, test } from "bun:test"
import { Either, Option } from "effect"
import { ConnectionState, FailureCode, finalStates } from "../../../src/domain/Connection.ts"
import type { ConnectionRecord, Progress } from "../../../src/domain/ConnectionRecord.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { advance } from "../../../src/lifecycle/state/advance.ts"
import { failureAt } from "../../../src/lifecycle/state/failures.ts"
import { transitionTable } from "../../../src/lifecycle/state/transitionTable.ts"
import {
  authorized,
  checked,
  connectionRecordIn,
  consentTo,
  disconnectRequested,
  discovered,
  discoveryFailed,
  failed,
  noChanges,
  now,
  planned,
  planOf,
  restored
} from "./connectionRecords.ts"

/** Where each event may lead from each state, written by hand from the page of the design. */
const page: { readonly [State in ConnectionState]: Readonly<Record<string, string>> } = {
  requested: {
    Discovered: "awaiting_authorization, awaiting_manual, verifying",
    DiscoveryFailed: "failed",
    Canceled: "canceled"
  },
  awaiting_authorization: {
    Discovered: "awaiting_authorization",
    DiscoveryFailed: "awaiting_authorization",
    ManualChosen: "awaiting_manual, disconnecting",
    AuthorizationOpened: "authorizing",
    Authorized: "authorized",
    Verified: "active, awaiting_authorization",
    RecheckRequested: "awaiting_authorization",
    DisconnectRequested: "awaiting_authorization, disconnecting",
    Expired: "expired",
    Canceled: "canceled"
  },
  authorizing: {
    AuthorizationClosed: "awaiting_authorization",
    Authorized: "authorized",
    Failed: "failed",
    DisconnectRequested: "awaiting_authorization, disconnecting",
    Canceled: "canceled"
  },
  authorized: {
    Planned: "applying, disconnecting, planned, verifying",
    Failed: "failed"
  },
  planned: {
    Approved: "applying, disconnecting",
    PutBackRequested: "authorized",
    PlanInvalidated: "authorized",
    DisconnectRequested: "authorized, awaiting_authorization, disconnecting",
    Expired: "expired",
    Canceled: "canceled"
  },
  applying: {
    Applied: "verifying",
    PlanInvalidated: "authorized",
    Failed: "failed"
  },
  awaiting_manual: {
    ManualAbandoned: "awaiting_authorization",
    Verified: "awaiting_manual, expired, failed, verifying",
    RecheckRequested: "awaiting_manual",
    DisconnectRequested: "awaiting_authorization, disconnecting",
    Canceled: "canceled"
  },
  verifying: {
    Verified: "active, failed, verifying",
    RecheckRequested: "verifying",
    Failed: "failed",
    DisconnectRequested: "authorized, awaiting_authorization, disconnecting"
  },
  active: {
    Verified: "active, degraded",
    RecheckRequested: "active",
    DisconnectRequested: "authorized, awaiting_authorization, disconnecting"
  },
  degraded: {
    Discovered: "awaiting_authorization, degraded",
    DiscoveryFailed: "degraded",
    Verified: "active, degraded",
    RecheckRequested: "degraded",
    Retried: "degraded",
    DisconnectRequested: "authorized, awaiting_authorization, disconnecting"
  },
  failed: {
    Retried:
      "applying, authorized, authorizing, awaiting_authorization, awaiting_manual, disconnecting, requested, verifying",
    DisconnectRequested: "authorized, awaiting_authorization, disconnecting",
    Canceled: "canceled"
  },
  disconnecting: {
    RecordsInherited: "awaiting_authorization",
    Restored: "disconnected",
    PlanInvalidated: "authorized",
    Failed: "failed"
  },
  expired: {},
  canceled: {},
  disconnected: {}
}

test("the table of the code is the table of the design", () => expect(inWords(allowed)).toEqual(page))

test("what happens to connections of all kinds is the table, no more and no less", () =>
  expect(inWords(seen())).toEqual(page))

describe("of the final states", () => {
  for (const state of finalStates)
    test(`nothing leads out of ${state}`, () =>
      expect(kindsOf(state).flatMap((standing) => allEvents.filter(leads(standing)))).toEqual([]))
})

test("a refusal says what could not happen and where", () =>
  expect(advance(connectionRecordIn("active"), LifecycleEvent.Applied(), now)).toEqual(
    Either.left(expect.objectContaining({ _tag: "IllegalTransition", from: "active", event: "Applied" }))
  ))

type Step = readonly [from: ConnectionState, event: string, to: ConnectionState]

const inWords = (steps: ReadonlyArray<Step>) =>
  Object.fromEntries(
    ConnectionState.literals.map((state) => [
      state,
      Object.fromEntries(
        [
          ...Map.groupBy(
            steps.filter(([from]) => from === state),
            ([, event]) => event
          )
        ].map(([event, of]) => [event, [...new Set(of.map(([, , to]) => to))].toSorted().join(", ")])
      )
    ])
  )

const allowed: ReadonlyArray<Step> = Object.entries(transitionTable).flatMap(([event, leads]) =>
  ConnectionState.literals.flatMap((from) => (leads[from] ?? []).map((to): Step => [from, event, to]))
)

const perhaps = [true, false]

/** Nothing in the zone, what the service wrote, what the customer entered. */
const records: ReadonlyArray<Partial<Progress>> = [
  { wrote: false },
  { wrote: true },
  { entered: planOf().changes.map((change) => ({ change, at: now })) }
]

/** Connections in a state of every kind that makes a difference. */
const kindsOf = (state: ConnectionState): ReadonlyArray<ConnectionRecord> =>
  perhaps.flatMap((isRestoring) =>
    records.flatMap((progress) =>
      [undefined, consentTo(planOf())].flatMap((consent) =>
        failuresIn(state).map((failure) =>
          connectionRecordIn(state, {
            connection: {
              ...(isRestoring ? { direction: "restore" } : {}),
              ...(failure === undefined ? {} : { failure })
            },
            progress: { ...progress, ...(consent === undefined ? {} : { consent }) }
          })
        )
      )
    )
  )

const failable = ["requested", "authorizing", "authorized", "applying", "verifying", "disconnecting"] as const

const failuresIn = (state: ConnectionState) =>
  state === "failed"
    ? failable.flatMap((from) => FailureCode.literals.map((code) => failureAt({ state: from }, code, now)))
    : [undefined]

const allEvents: ReadonlyArray<LifecycleEvent> = [
  discovered(),
  discovered(planOf(noChanges)),
  discovered(planOf(), ["manual"]),
  discoveryFailed(),
  LifecycleEvent.ManualChosen(),
  LifecycleEvent.AuthorizationOpened(),
  LifecycleEvent.AuthorizationClosed({ because: Option.none() }),
  authorized(),
  authorized(Option.some(consentTo(planOf()))),
  LifecycleEvent.ManualAbandoned(),
  planned(),
  planned(planOf(noChanges)),
  LifecycleEvent.Approved(),
  LifecycleEvent.PutBackRequested({ putBack: [] }),
  LifecycleEvent.PlanInvalidated(),
  LifecycleEvent.Applied(),
  ...(["right", "wrong", "unknown"] as const).flatMap((verdict) =>
    perhaps.flatMap((isConfirmed) => perhaps.map((isTimedOut) => checked(verdict, { isConfirmed, isTimedOut })))
  ),
  LifecycleEvent.RecheckRequested(),
  ...FailureCode.literals.flatMap((code) => perhaps.map((wrote) => failed(code, wrote))),
  LifecycleEvent.Retried(),
  disconnectRequested(true),
  disconnectRequested(false),
  LifecycleEvent.RecordsInherited({ plan: planOf() }),
  restored,
  LifecycleEvent.Expired(),
  LifecycleEvent.Canceled()
]

const leads = (standing: ConnectionRecord) => (event: LifecycleEvent) => Either.isRight(advance(standing, event, now))

const seen = (): ReadonlyArray<Step> =>
  ConnectionState.literals.flatMap((from) =>
    kindsOf(from).flatMap((standing) =>
      allEvents.flatMap((event) =>
        Either.match(advance(standing, event, now), {
          onLeft: () => [],
          onRight: ({ connection }): ReadonlyArray<Step> => [[from, event._tag, connection.state]]
        })
      )
    )
  )
