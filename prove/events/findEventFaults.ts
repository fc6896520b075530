import type { ConnectionState } from "../../src/domain/connection/Connection.ts"
import type { WebhookEventType } from "../../src/domain/webhook/WebhookEvent.ts"
import { connectionEventOf } from "../../src/lifecycle/state/connectionEvents.ts"

/** An event of a connection as a receiver got it. */
export interface EventReceipt {
  readonly webhookId: string
  readonly connectionId: string
  readonly type: string
  readonly version: number
  readonly formerState?: ConnectionState | undefined
  /** The state of the connection in the event. */
  readonly state: ConnectionState
}

/** A change of state, as the timeline of a connection has it. */
export interface TimelineStep {
  readonly from?: ConnectionState | undefined
  readonly to: ConnectionState
}

/** What is wrong with the events that a receiver got, by connection. */
export interface EventFaults {
  /** Transitions whose event never came. */
  readonly lost: ReadonlyArray<string>
  /** Events of no transition, or by two ids. */
  readonly surplus: ReadonlyArray<string>
  /** Connections whose events, ordered by version, are not their timeline. */
  readonly disordered: ReadonlyArray<string>
  /** Connections of which a receiver that ignores lower versions believes another state than the last. */
  readonly misleading: ReadonlyArray<string>
}

/** Compares the events of connections, in the order in which they came, with their timelines. */
export const findEventFaults = (
  timelines: ReadonlyMap<string, ReadonlyArray<TimelineStep>>,
  received: ReadonlyArray<EventReceipt>
): EventFaults => {
  const faults = {
    lost: Array.of<string>(),
    surplus: Array.of<string>(),
    disordered: Array.of<string>(),
    misleading: Array.of<string>()
  }
  const eventsOf = Map.groupBy(received, ({ connectionId }) => connectionId)
  for (const [id, steps] of timelines) {
    const expected = steps.flatMap(({ from, to }) => {
      const type = eventOf({ from, to })
      return type === undefined ? [] : [describeStep(type, from)]
    })
    const events = eventsOf.get(id) ?? []
    const once = [...new Map(events.map((event) => [event.webhookId, event])).values()]
    const steplist = once.map(({ formerState, type }) => describeStep(type, formerState))
    for (const step of expected) if (count(expected, step) > count(steplist, step)) faults.lost.push(`${id}: ${step}`)
    for (const step of new Set(steplist))
      if (count(steplist, step) > count(expected, step)) faults.surplus.push(`${id}: ${step}`)
    if (!isInOrder(once, expected)) faults.disordered.push(id)
    const last = steps.at(-1)
    const hasEvent = last !== undefined && eventOf(last) !== undefined
    if (hasEvent && believedState(events) !== last.to) faults.misleading.push(id)
  }
  for (const id of eventsOf.keys()) if (!timelines.has(id)) faults.surplus.push(id)
  return faults
}

/** The event of a step of these connections: what discovery leads to has a plan, and no intent changes later. */
const eventOf = ({ from, to }: TimelineStep): WebhookEventType | undefined =>
  connectionEventOf(from === undefined ? undefined : { state: from }, {
    state: to,
    ...(from === "requested" ? { plan: "a plan" } : {})
  })

const describeStep = (type: WebhookEventType | string, from: ConnectionState | undefined): string =>
  `${type} from ${from ?? "nothing"}`

const count = (all: ReadonlyArray<string>, one: string): number => all.filter((each) => each === one).length

/** Whether the versions order the events as the timeline does; those of one write share a version, in any order. */
const isInOrder = (events: ReadonlyArray<EventReceipt>, expected: ReadonlyArray<string>): boolean => {
  const groups = [...Map.groupBy(events, ({ version }) => version)].toSorted(([first], [second]) => first - second)
  let at = 0
  return groups.every(([, group]) => {
    const steps = expected.slice(at, (at += group.length)).toSorted()
    const came = group.map(({ formerState, type }) => describeStep(type, formerState)).toSorted()
    return steps.length === came.length && steps.every((step, nth) => step === came[nth])
  })
}

/** What a receiver believes that keeps the version of each connection, and ignores events with a lower one. */
const believedState = (events: ReadonlyArray<EventReceipt>): ConnectionState | undefined => {
  let known: EventReceipt | undefined
  for (const event of events) if (known === undefined || event.version >= known.version) known = event
  return known?.state
}
