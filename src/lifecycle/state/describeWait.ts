import { finalStates } from "../../domain/connection/Connection.ts"
import type { WaitParty, WaitReason } from "../../domain/connection/ConnectionInspection.ts"
import { type ConnectionRecord, isRestoredByHand } from "../../domain/connection/ConnectionRecord.ts"
import { hasPermanentFailure } from "./listAllowedActions.ts"

export interface PhaseProgress {
  readonly isOverdue: boolean
  /** Whether it is due only later, as after an attempt that failed unexpectedly. */
  readonly isScheduled: boolean
  readonly isTaken: boolean
}

/** For what a connection waits, a sentence about it, and who can end the wait. */
interface Wait {
  readonly waitsFor: WaitReason
  readonly explanation: string
  readonly mayAct: ReadonlyArray<WaitParty>
}

/** Says for what a connection waits and who can end that. */
export const describeWait = (current: ConnectionRecord, phase: PhaseProgress): Wait => {
  const waitsFor = findWaitReason(current, phase)
  return { waitsFor, ...waits[waitsFor] }
}

const findWaitReason = (current: ConnectionRecord, { isOverdue, isScheduled, isTaken }: PhaseProgress): WaitReason => {
  const { connection, progress } = current
  const { delay, state } = connection
  if (finalStates.includes(state)) return "nothing"
  if (delay !== undefined) return "resolver"
  if (isTaken) return "running_phase"
  if (isOverdue) return "free_process"
  const nextAttempt = isScheduled ? "next_attempt" : "free_process"
  switch (state) {
    case "awaiting_authorization":
      return "authorization"
    case "authorizing":
      return "sign_in"
    case "planned":
      return "approval"
    case "awaiting_manual":
      return "manual_records"
    case "disconnecting":
    case "applying":
      if (isRestoredByHand(current)) return "manual_records"
      return progress.resumesAt === undefined ? nextAttempt : "provider_pause"
    case "verifying":
    case "degraded":
      return "dns_records"
    case "active":
      return "next_check"
    case "failed":
      return hasPermanentFailure(connection) ? "new_connection" : "retry"
    default:
      return nextAttempt
  }
}

const waits: Readonly<Record<WaitReason, Omit<Wait, "waitsFor">>> = {
  authorization: {
    explanation: "The customer has to choose how the records get into the zone. Send them a share link.",
    mayAct: ["customer", "platform"]
  },
  sign_in: { explanation: "The customer is at the sign-in of the provider.", mayAct: ["customer"] },
  approval: {
    explanation: "The customer has to approve the plan. Send them a share link.",
    mayAct: ["customer", "platform"]
  },
  manual_records: {
    explanation: "The customer has to change the records at the provider; `records` says what is there.",
    mayAct: ["customer"]
  },
  dns_records: {
    explanation: "Name servers do not have the records; `records` says what each answered. Check again, or repair.",
    mayAct: ["customer", "operator", "service"]
  },
  next_check: { explanation: "Everything is in place. The service checks again by itself.", mayAct: ["service"] },
  provider_pause: {
    explanation: "The provider asked the service to wait. It goes on by itself.",
    mayAct: ["provider", "service"]
  },
  resolver: {
    explanation: "No resolver answers. See the chapter on resolvers in the runbook.",
    mayAct: ["operator"]
  },
  next_attempt: {
    explanation: "The phase is due later, as after an attempt that failed. It begins by itself then.",
    mayAct: ["service"]
  },
  free_process: {
    explanation: "The phase is due. If it stays so, no process is free: see the chapter on a growing queue.",
    mayAct: ["operator", "service"]
  },
  running_phase: { explanation: "A process works on the phase.", mayAct: ["service"] },
  retry: {
    explanation: "It has failed, and a retry can help once the cause is gone.",
    mayAct: ["operator", "platform", "customer"]
  },
  new_connection: {
    explanation: "It has failed for good. The platform creates another one once the cause is gone.",
    mayAct: ["platform"]
  },
  nothing: { explanation: "The connection has ended.", mayAct: [] }
}
