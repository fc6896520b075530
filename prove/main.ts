import { Data, Effect } from "effect"
import { randomInt } from "node:crypto"
import { parseArgs } from "node:util"
import { isMet } from "../bench/Report.ts"
import { runProgram } from "../src/runProgram.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { labUnavailableReason } from "../test/support/lab/labAvailability.ts"
import type { ProofResult } from "./ProofResult.ts"
import { crash } from "./crash.ts"
import { database } from "./database.ts"
import { speed } from "./speed.ts"
import { takeover } from "./takeover.ts"

class ProofTooLong extends Data.TaggedError("ProofTooLong")<{ readonly message: string }> {}

/** What can be proven, each by its name, from a seed. */
const proofs: Readonly<Record<string, (seed: number) => Effect.Effect<ProofResult, never, Lab>>> = {
  speed: () => speed,
  crash,
  takeover,
  database
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { seed: { type: "string" } } })

/** `bun run prove <name> [--seed=n]`: one line of JSON; ends with 1 when a gate is missed or the time is over. */
const prove = Effect.gen(function* () {
  const [name = ""] = positionals
  const proof = proofs[name]
  if (proof === undefined) return yield* Effect.dieMessage(`there is no proof "${name}": ${Object.keys(proofs)}`)
  const reason = yield* Effect.promise(labUnavailableReason)
  if (reason !== undefined) return yield* Effect.dieMessage(reason)
  const seed = Number(values.seed ?? randomInt(2 ** 31))
  const { figures, targets } = yield* proof(seed).pipe(
    Effect.provide(Lab.layer),
    Effect.timeoutFail({
      duration: "10 minutes",
      onTimeout: () => new ProofTooLong({ message: "the proof took more than ten minutes" })
    })
  )
  const passed = targets.every((target) => target.kind === "aim" || isMet(target))
  const judged = targets.map((target) => ({ ...target, met: isMet(target) }))
  yield* Effect.sync(() =>
    process.stdout.write(`${JSON.stringify({ proof: name, seed, passed, figures, targets: judged })}\n`)
  )
  // The PostgreSQL of the run and the removers of its directories are still there; they end with this process.
  return yield* Effect.sync(() => process.exit(passed ? 0 : 1))
})

// The one line stands alone on standard output, whatever is logged.
console.log = console.error

// What is interrupted has proven nothing.
runProgram(Effect.onInterrupt(prove, () => Effect.sync(() => process.exit(130))))
