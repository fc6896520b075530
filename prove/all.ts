import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import { formatTable } from "../bench/Report.ts"

/** A promise of the README with the command that proves it. */
interface Promised {
  readonly promise: string
  /** The name of a proof with its options, or any other command of the repository. */
  readonly proof: ReadonlyArray<string> | { readonly command: ReadonlyArray<string> }
  /** `option`: `--short` shortens it; `same`: it takes minutes anyway; otherwise `--short` leaves it out. */
  readonly short?: "option" | "same"
}

const promises: ReadonlyArray<Promised> = [
  {
    promise: "Existing mail keeps working, by drawn zones and intents",
    proof: { command: ["bun", "test", "--timeout", "600000", "test/planning/planProperties.test.ts"] },
    short: "same"
  },
  {
    promise: "A complete connection, offline",
    proof: { command: ["bun", "run", "demo"] },
    short: "same"
  },
  { promise: "After a crash nothing is lost or written twice", proof: ["crash"] },
  { promise: "Another process continues within seconds", proof: ["takeover"] },
  { promise: "An absence of the database fails no connection", proof: ["database"] },
  { promise: "A change of the master key asks nobody again", proof: ["rotation"] },
  { promise: "An upgrade fails no request", proof: ["upgrade"], short: "option" },
  { promise: "Each change is told, in an order that shows", proof: ["events"], short: "option" },
  { promise: "Lost records are found in time, and no others reported", proof: ["watch"], short: "option" },
  { promise: "Webhooks survive an outage of 75 hours", proof: ["outage"], short: "same" },
  { promise: "Clocks an hour wrong change nothing", proof: ["clock"], short: "same" },
  {
    promise: "An hour of mixed load in 512 MiB; who leaves finds the zone as before",
    proof: ["load"],
    short: "option"
  },
  { promise: "64 descriptors are enough", proof: ["descriptors"], short: "same" },
  { promise: "No attack disturbs another tenant", proof: ["responsive"], short: "option" },
  { promise: "Every alert fires and clears", proof: ["alerts"], short: "same" },
  { promise: "Operators find five planted causes without SQL", proof: ["causes"], short: "same" },
  { promise: "A connection takes milliseconds, and few rows", proof: ["speed"] }
]

/** What became of a proof. */
interface ProofOutcome {
  readonly result: "passed" | "failed" | "skipped"
  /** Which gates it missed, or why it was left out. */
  readonly reason?: string
}

/** Runs all proofs one after the other and prints a table; true unless one failed. */
export const proveAll = (isShort: boolean): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const rows: Array<ReadonlyArray<string>> = [["promise", "command", "result", "time"]]
    let hasPassed = true
    for (const promised of promises) {
      const startedAt = performance.now()
      const { reason, result } = yield* prove(promised, isShort)
      hasPassed &&= result !== "failed"
      const row = [
        promised.promise,
        commandOf(promised, isShort)
          .slice(isProof(promised) ? 2 : 0)
          .join(" "),
        reason === undefined ? result : `${result}: ${reason}`,
        `${Math.round((performance.now() - startedAt) / 1_000)} s`
      ]
      rows.push(row)
      yield* Effect.logInfo(row.join(", "))
    }
    yield* Effect.sync(() => process.stdout.write(`${formatTable(rows).join("\n")}\n`))
    return hasPassed
  })

const prove = (promised: Promised, isShort: boolean): Effect.Effect<ProofOutcome> =>
  isShort && promised.short === undefined
    ? Effect.succeed({ result: "skipped", reason: "it has no short form" })
    : Effect.promise(async () => {
        const child = Bun.spawn([...commandOf(promised, isShort)], {
          cwd: fileURLToPath(new URL("..", import.meta.url)),
          stdin: "ignore",
          stdout: "pipe",
          stderr: "inherit"
        })
        const [text, code] = await Promise.all([child.stdout.text(), child.exited])
        return isProof(promised) ? readProof(text, code) : readCode(code)
      })

const isProof = ({ proof }: Promised): boolean => "length" in proof

const commandOf = ({ proof, short }: Promised, isShort: boolean): ReadonlyArray<string> =>
  "command" in proof
    ? proof.command
    : ["sh", "prove/prove.sh", ...proof, ...(isShort && short === "option" ? ["--short"] : [])]

const readCode = (code: number): ProofOutcome =>
  code === 0 ? { result: "passed" } : { result: "failed", reason: `it exits with ${code}` }

/** Reads the line of JSON that a proof prints. */
const readProof = (text: string, code: number): ProofOutcome => {
  const line = text.trim().split("\n").at(-1) ?? ""
  if (!line.startsWith("{")) return readCode(code === 0 ? -1 : code)
  const { passed, skipped, targets } = JSON.parse(line)
  // As for tests: what cannot run is skipped, and with CI it fails.
  if (skipped !== undefined)
    return { result: process.env["CI"] === "true" ? "failed" : "skipped", reason: `cannot run here: ${skipped}` }
  if (passed === true) return { result: "passed" }
  const missed = targets.filter(({ kind, met }: any) => kind === "gate" && !met)
  return { result: "failed", reason: missed.map(({ value, what }: any) => `${what}: ${value}`).join("; ") }
}
