import { Data, Effect } from "effect"
import { randomInt } from "node:crypto"
import { parseArgs } from "node:util"
import { isMet } from "../bench/Report.ts"
import { runProgram } from "../src/runProgram.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { labUnavailableReason } from "../test/support/lab/labAvailability.ts"
import type { ProofOptions } from "./ProofOptions.ts"
import type { ProofResult } from "./ProofResult.ts"
import { proveAll } from "./all.ts"
import { alerts } from "./alerts.ts"
import { causes } from "./causes.ts"
import { clock } from "./clock.ts"
import { crash } from "./crash.ts"
import { database } from "./database.ts"
import { descriptors, load } from "./load.ts"
import { outage } from "./outage.ts"
import { events } from "./events.ts"
import { providerHelp, proveProvider } from "./provider.ts"
import { responsive, responsiveHelp } from "./responsive.ts"
import { rotation } from "./rotation.ts"
import { speed } from "./speed.ts"
import { takeover } from "./takeover.ts"
import { upgrade, upgradeHelp } from "./upgrade.ts"
import { watch } from "./watch.ts"

class ProofTooLong extends Data.TaggedError("ProofTooLong")<{ readonly message: string }> {}

/** The proofs in the lab, by name. */
const proofs: Readonly<Record<string, (options: ProofOptions) => Effect.Effect<ProofResult, never, Lab>>> = {
  speed: () => speed,
  crash: ({ seed }) => crash(seed),
  takeover: ({ seed }) => takeover(seed),
  database: ({ seed }) => database(seed),
  rotation: () => rotation,
  outage: () => outage,
  clock: () => clock,
  load,
  descriptors,
  alerts,
  causes,
  events,
  responsive,
  upgrade,
  watch
}

/** Why a proof cannot run where the lab can. */
const missingPrograms: Readonly<Record<string, () => string | undefined>> = {
  alerts: () => (Bun.which("prometheus") === null ? "not installed: prometheus" : undefined)
}

const help = `bun run prove [--short]                     all proofs, and a table
bun run prove <proof> [--seed=<number>]

speed
crash
takeover
database
rotation
outage
clock
load [--short]
descriptors
alerts [--only=<alert>,…]
causes [--only=<cause>,…]
events [--short]
watch [--short]
${responsiveHelp}
${upgradeHelp}
${providerHelp}`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    short: { type: "boolean", default: false },
    only: { type: "string" },
    "behind-caddy": { type: "boolean", default: false },
    from: { type: "string" },
    zone: { type: "string" },
    "name-servers": { type: "string" },
    recording: { type: "string" },
    pause: { type: "string" },
    help: { type: "boolean", default: false }
  }
})

/** `bun run prove <name>`: prints one line of JSON; exits with 1 if a gate is missed or the time is over. */
const prove = Effect.gen(function* () {
  if (values.help) return yield* Effect.sync(() => process.stdout.write(`${help}\n`))
  const [name, id] = positionals
  if (name === undefined)
    return yield* Effect.flatMap(proveAll(values.short), (hasPassed) =>
      Effect.sync(() => process.exit(hasPassed ? 0 : 1))
    )
  const seed = Number(values.seed ?? randomInt(2 ** 31))
  const { figures, targets } = yield* name === "provider"
    ? proveProvider({ ...values, id, nameServers: values["name-servers"] })
    : proveInLab(name, seed)
  const passed = targets.every((target) => target.kind === "aim" || isMet(target))
  const checkedTargets = targets.map((target) => ({ ...target, met: isMet(target) }))
  yield* Effect.sync(() =>
    process.stdout.write(`${JSON.stringify({ proof: name, seed, passed, figures, targets: checkedTargets })}\n`)
  )
  // PostgreSQL and the removers of its directories end with this process.
  return yield* Effect.sync(() => process.exit(passed ? 0 : 1))
})

const proveInLab = (name: string, seed: number) =>
  Effect.gen(function* () {
    const proof = proofs[name]
    if (proof === undefined)
      return yield* Effect.dieMessage(`there is no proof "${name}": ${Object.keys(proofs)}, provider`)
    const reason = (yield* Effect.promise(labUnavailableReason)) ?? missingPrograms[name]?.()
    if (reason !== undefined) {
      yield* Effect.sync(() => process.stdout.write(`${JSON.stringify({ proof: name, skipped: reason })}\n`))
      return yield* Effect.sync(() => process.exit(1))
    }
    return yield* proof({
      seed,
      isShort: values.short,
      only: values.only,
      isBehindCaddy: values["behind-caddy"],
      from: values.from
    }).pipe(
      // Attacks go through a resolver that forgets everything; elsewhere it keeps answers, as those of operators do.
      Effect.provide(name === "responsive" ? Lab.layer : Lab.layerWithCache),
      Effect.timeoutFail({
        // `events` waits five minutes for some attempts, and has 10,000 transitions to make on whatever machine it is.
        duration: "2 hours",
        onTimeout: () => new ProofTooLong({ message: "the proof took more than two hours" })
      })
    )
  })

// Standard output holds only the line of JSON; logs go to standard error.
console.log = console.error

// An interrupted proof fails.
runProgram(Effect.onInterrupt(prove, () => Effect.sync(() => process.exit(130))))
