import { Deferred, Effect } from "effect"
import type { PowerDnsGate } from "./PowerDnsGate.ts"
import type { ProofDatabase } from "./ProofDatabase.ts"
import { clearJournalPause, pauseAtStatus } from "./journalPause.ts"

/** A step of writing a plan: around a call to the provider, or when a change enters a status. */
export type WriteStep = "before_call" | "after_call" | "pending" | "sent" | "confirmed"

export const writeSteps: ReadonlyArray<WriteStep> = ["before_call", "after_call", "pending", "sent", "confirmed"]

interface KillOptions {
  readonly gate: PowerDnsGate
  readonly database: ProofDatabase
  readonly kill: Effect.Effect<unknown>
  /** How long to wait for the step. */
  readonly seconds: number
}

/** Kills the service at a step, or when the time for it is over; returns whether it was reached. */
export const killAtStep = (step: WriteStep, options: KillOptions) =>
  Effect.gen(function* () {
    const { database, gate, kill } = options
    const isReached = yield* reaches(step, options)
    yield* kill
    gate.interceptNext({})
    yield* clearJournalPause(database)
    return isReached
  })

const reaches = (step: WriteStep, { database, gate, kill, seconds }: KillOptions) =>
  Effect.gen(function* () {
    if (step !== "before_call" && step !== "after_call") return yield* pauseAtStatus(database, step, seconds)
    const reached = yield* Deferred.make<void>()
    const killed = Effect.zipRight(kill, Deferred.succeed(reached, undefined))
    gate.interceptNext(step === "before_call" ? { before: Effect.zipRight(killed, Effect.never) } : { after: killed })
    return (yield* Effect.timeoutOption(Deferred.await(reached), `${seconds} seconds`))._tag === "Some"
  })

/** Record sets that were written more than once, although each belongs to one connection and one plan. */
export const duplicateWrites = ({ patches }: PowerDnsGate): ReadonlyArray<string> => {
  const sets = patches.filter(({ isDone }) => isDone).flatMap(({ sets }) => sets)
  return [...Map.groupBy(sets, (set) => set)].flatMap(([set, all]) =>
    all.length > 1 ? [`${all.length} × ${set}`] : []
  )
}
