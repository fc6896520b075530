import { ConnectionState } from "../src/domain/connection/Connection.ts"
import type { LifecycleEvent } from "../src/lifecycle/state/LifecycleEvent.ts"
import { transitionTable } from "../src/lifecycle/state/transitionTable.ts"
import { formatMarkdownTable } from "./markdown.ts"

/** Lists every state with the work of the service, what a platform does, what its customer sees, and the allowed commands. */
export const formatLifecycleTable = (): string =>
  formatMarkdownTable(
    ["state", "what the service does", "what your platform does", "what the customer sees", "allowed commands"],
    ConnectionState.literals.map((state) => [
      `\`${state}\``,
      stateTexts[state].service,
      stateTexts[state].platform,
      stateTexts[state].customer,
      listAllowedCommands(state)
        .map((command) => `\`${command}\``)
        .join(", ") || "none"
    ])
  )

interface StateText {
  readonly service: string
  readonly platform: string
  readonly customer: string
}

const stateTexts: { readonly [_ in ConnectionState]: StateText } = {
  requested: {
    service: "Finds the zone and its provider, reads every authoritative name server, and makes a plan.",
    platform: "Waits, or shows that the domain is being checked.",
    customer: "Progress: the domain is being checked."
  },
  awaiting_authorization: {
    service:
      "Waits for a credential or for manual setup, by default for 7 days. A connection that has records in the zone does not expire here.",
    platform: "Shows the plan; sends `authorization` with what the customer chooses.",
    customer: "The changes with their warnings, then the ways to allow them."
  },
  authorizing: {
    service: "Waits for the customer to come back from the provider's sign-in, by default for 15 minutes.",
    platform: "Waits for the customer to come back to `returnUrl`.",
    customer: "A link to the provider, and a way to choose another method."
  },
  authorized: {
    service: "Reads the whole zone at the provider and plans again.",
    platform: "Waits.",
    customer: "Progress."
  },
  planned: {
    service:
      "Waits for the approval of exactly this plan, by default for 15 minutes; then plans again while a credential is stored, else expires.",
    platform: "Shows the plan; sends `approval` with its digest.",
    customer: "The changes as they are at the provider, and a button to approve them."
  },
  applying: {
    service: "Reads the zone once more, and writes each change after it is journalled.",
    platform: "Waits.",
    customer: "Progress: the changes are being made."
  },
  awaiting_manual: {
    service: "Checks the authoritative name servers at growing intervals, by default for 72 hours.",
    platform: "Shows the records to enter.",
    customer: "The records to enter, ready to copy, with the check results."
  },
  verifying: {
    service:
      "Asks every authoritative name server and the public resolvers until all of them show the records, by default for 24 hours.",
    platform: "Waits.",
    customer: "Progress, with the result for each record."
  },
  active: {
    service: "Checks the records, by default every hour.",
    platform: "Serves the domain.",
    customer: "Success: the domain is connected."
  },
  degraded: {
    service:
      "Checks at growing intervals, at last every half hour, and once more soon after a check that found out nothing. Becomes active again when the records are back; `retry` plans a repair.",
    platform: "Tells the customer; sends `retry` for a repair.",
    customer: "The missing records, and a button to repair them."
  },
  failed: {
    service:
      "Does nothing until somebody retries; with a `pendingIntent`, verifies the intent that counts. `failure` holds the reason and the state in which a retry resumes.",
    platform: "Shows the reason; sends `retry`, or creates another connection.",
    customer: "The reason, the next step, and a button to try again where that can help."
  },
  disconnecting: {
    service:
      "Removes the records of the connection and restores what they replaced, each change journalled. Where the customer does so by hand, checks the authoritative name servers at growing intervals, by default for 72 hours, until all of them show every change.",
    platform: "Waits, and no longer serves the domain.",
    customer: "Progress, or the changes to make by hand, with the check results."
  },
  expired: {
    service: "Nothing: the connection has ended.",
    platform: "Creates another connection if the customer still wants one.",
    customer: "The time is over; a new connection is needed."
  },
  canceled: {
    service: "Nothing: the connection has ended.",
    platform: "Creates another connection if the customer still wants one.",
    customer: "The connection was canceled."
  },
  disconnected: {
    service: "Nothing: the connection has ended. `leftovers` lists the records that could not be restored.",
    platform: "Stops serving the domain.",
    customer: "The domain is disconnected."
  }
}

type CommandName = "authorization" | "provider" | "approval" | "recheck" | "retry" | "update" | "cancel" | "disconnect"

/** The events by which each command begins. */
const commandEvents: { readonly [_ in CommandName]: ReadonlyArray<LifecycleEvent["_tag"]> } = {
  authorization: ["ManualChosen", "ManualAbandoned", "AuthorizationOpened", "Authorized"],
  provider: ["ProviderSelected"],
  approval: ["Approved"],
  recheck: ["RecheckRequested"],
  retry: ["Retried"],
  update: ["IntentChanged"],
  cancel: ["Canceled"],
  disconnect: ["DisconnectRequested"]
}

/** The commands of which at least one event is in the table of transitions for this state. */
export const listAllowedCommands = (state: ConnectionState): ReadonlyArray<string> =>
  Object.entries(commandEvents)
    .filter(([, events]) => events.some((event) => transitionTable[event][state] !== undefined))
    .map(([command]) => command)
