import { fileURLToPath } from "node:url"
import durations from "../test/durations.json" with { type: "json" }
import { serverTests } from "./runTests.ts"

/** What a test file of the fast run takes at most, by `test/durations.json`: a new file belongs to it until it is measured. */
const maxMillis = 500

const slowTests = Object.entries(durations.files).flatMap(([file, millis]) => (millis > maxMillis ? [file] : []))

/** Runs the tests that say in seconds whether a change has broken something, with fewer drawn inputs: `npm run test:fast`. */
if (import.meta.main) {
  const ignored = [serverTests, ...slowTests].map((pattern) => `--path-ignore-patterns=${pattern}`)
  const timings = `--timings=${fileURLToPath(new URL("../test/durations.json", import.meta.url))}`
  const options = ["--timeout", "600000", "--parallel=2", "--no-isolate", timings, ...ignored]
  const child = Bun.spawn([process.execPath, "test", ...options, ...process.argv.slice(2)], {
    env: { PROPERTY_RUNS: "0.25", ...process.env },
    stdio: ["ignore", "inherit", "inherit"]
  })
  process.exitCode = await child.exited
}
