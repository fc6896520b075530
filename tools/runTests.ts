import { fileURLToPath } from "node:url"
import { formatSummary, TestOutput, type TestSummary } from "./TestOutput.ts"

/** A part of the test files, run one after the other by one process. */
interface Lane {
  /** As the summary calls it. */
  readonly name: string
  readonly command: ReadonlyArray<string>
}

/** A lane that has ended. */
interface LaneResult {
  readonly name: string
  readonly exitCode: number
  readonly summary: TestSummary
  /** How many runs of a plan its fault matrices have made. */
  readonly matrixRuns: number
  readonly seconds: number
}

const namespace = fileURLToPath(new URL("../test/support/lab/network-namespace.sh", import.meta.url))
const durations = fileURLToPath(new URL("../test/durations.json", import.meta.url))

/** What the files that need a server, a database or a browser have in their names. */
const needs = ["servers", "postgres", "browser"]

/** The pattern of these files. */
export const serverTests = `**/*.{${needs.join(",")}}.test.ts`

const command = ["sh", namespace, process.execPath, "test", "--timeout", "600000"]

/** The last tier of the compiler costs tests 15 % more processor time than it saves: little of their code runs for long. */
const withoutLastTier = "BUN_JSC_useFTLJIT=0"

/**
 * The lanes beside each other. Three share the files that wait for other programs most of the time, by
 * `test/durations.json`. One has the files that compute, in two processes, which leave the processor to the others: those
 * have real clocks. Each has its own network namespace, because the lab has fixed addresses; where there are none, and
 * for chosen files, it is one lane.
 */
const planLanes = (args: ReadonlyArray<string>): ReadonlyArray<Lane> => {
  if (args.length > 0 || !namespacesDiffer()) return [{ name: "tests", command: [...command, ...args] }]
  const computing = ["--parallel=2", "--no-isolate", `--timings=${durations}`, `--path-ignore-patterns=${serverTests}`]
  const withoutServers = ["nice", "-n", "5", "env", withoutLastTier, ...command, ...computing]
  const waiting = ["1/3", "2/3", "3/3"].map((part) => {
    const files = needs.map((need) => `.${need}.test`)
    const options = [`--shard=${part}`, `--timings=${durations}`, "--pass-with-no-tests"]
    return { name: `with servers ${part}`, command: [...command, ...files, ...options] }
  })
  return [...waiting, { name: "without servers", command: withoutServers }]
}

const namespacesDiffer = (): boolean => {
  const show = ["readlink", "/proc/self/ns/net"]
  const [outside, inside] = [show, ["sh", namespace, ...show]].map((command) =>
    Bun.spawnSync(command).stdout.toString()
  )
  return outside !== inside
}

/** Runs a lane and prints its output, what `bun test` prints of a test file at once. */
const runLane = async ({ command, name }: Lane): Promise<LaneResult> => {
  const start = performance.now()
  const child = Bun.spawn(["sh", "-c", 'exec "$@" 2>&1', "sh", ...command], { stdin: "ignore", stdout: "pipe" })
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal))
  const output = new TestOutput()
  let matrixRuns = 0
  let block = ""
  for await (const line of linesOf(child.stdout)) {
    if (output.read(line)) {
      process.stdout.write(block)
      block = ""
    }
    block += `${line}\n`
    const [, runs = 0] = /^The fault matrix of .+: (\d+) runs of a plan\.$/.exec(line) ?? []
    matrixRuns += Number(runs)
  }
  process.stdout.write(block)
  const exitCode = await child.exited
  const seconds = Math.round((performance.now() - start) / 1000)
  return { name, exitCode, seconds, matrixRuns, summary: output.summarize(name, exitCode) }
}

const linesOf = async function* (output: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const chunk of output) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    yield* lines
  }
  if (rest !== "") yield rest
}

/** Runs all tests, or those that the arguments of `bun test` choose: `npm test`. */
if (import.meta.main) {
  const results = await Promise.all(planLanes(process.argv.slice(2)).map(runLane))
  for (const { exitCode, name, seconds } of results)
    process.stdout.write(`${name}: exit code ${exitCode} after ${seconds} s\n`)
  const runs = results.reduce((sum, { matrixRuns }) => sum + matrixRuns, 0)
  if (runs > 0) process.stdout.write(`All fault matrices: ${runs} runs of a plan\n`)
  process.stdout.write(formatSummary(results.map(({ summary }) => summary)))
  process.exitCode = results.some(({ exitCode }) => exitCode !== 0) ? 1 : 0
}
