import { Console, Effect } from "effect"
import { parseArgs } from "node:util"
import { runProgram } from "../src/runProgram.ts"
import { operations } from "./operations.ts"
import { allowedDomains } from "./allowedDomains.ts"
import { coldDiscovery } from "./coldDiscovery.ts"
import { component } from "./component.ts"
import { detection } from "./detection.ts"
import { domainConnect } from "./domainConnect.ts"
import { drain } from "./drain.ts"
import { growth } from "./growth.ts"
import { connectionQuestions } from "./connectionQuestions.ts"
import { memory, memoryAfter } from "./memory.ts"
import { planning } from "./planning.ts"
import { providers } from "./providers.ts"
import { formatReport, isMet } from "./Report.ts"
import { requestLog } from "./requestLog.ts"
import { startUp } from "./startUp.ts"
import { streams } from "./streams.ts"
import { throughput } from "./throughput.ts"
import { watch } from "./watch.ts"
import { webhooks } from "./webhooks.ts"

/** The parts of the benchmark, by the names that `--only` accepts. */
const parts = {
  http: throughput,
  drain,
  memory,
  memoryAfter,
  log: requestLog,
  start: startUp,
  dns: coldDiscovery,
  questions: connectionQuestions,
  detect: detection,
  solve: domainConnect,
  providers,
  growth,
  streams,
  component,
  webhooks,
  allowed: allowedDomains,
  operations,
  plan: planning,
  watch
}

const allParts = Object.keys(parts).join()

const { values } = parseArgs({
  options: { only: { type: "string", default: allParts }, json: { type: "boolean", default: false } }
})

/** `bun run bench [--only=http,drain,memory,memoryAfter,log,start,dns,questions,detect,solve,providers,growth,streams,component,webhooks,allowed,operations,plan,watch] [--json]`: exits with 1 if a gate is missed. */
const bench = Effect.gen(function* () {
  const only = values.only.split(",")
  const unknown = only.filter((name) => !Object.hasOwn(parts, name))
  if (unknown.length > 0) return yield* Effect.dieMessage(`there is no part ${unknown.join()}; there are ${allParts}`)
  const chosen = Object.entries(parts).filter(([name]) => only.includes(name))
  const reports = yield* Effect.forEach(chosen, ([name, part]) =>
    part.pipe(
      Effect.tap((report) => (values.json ? Effect.void : Console.log(formatReport(report)))),
      Effect.map(({ figures, targets }) => [name, { figures, targets }] as const)
    )
  )
  if (values.json) yield* Console.log(JSON.stringify(Object.fromEntries(reports)))
  const isPassed = reports.every(([, { targets }]) => targets.every((target) => target.kind === "aim" || isMet(target)))
  // PostgreSQL and the removers of its directories end with this process.
  return yield* Effect.sync(() => process.exit(isPassed ? 0 : 1))
})

runProgram(bench)
