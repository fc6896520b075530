import { fileURLToPath } from "node:url"
import durations from "../test/durations.json" with { type: "json" }

const root = fileURLToPath(new URL("..", import.meta.url))
const path = `${root}test/durations.json`

/** Writes how many milliseconds each file took, by name, so that a change shows only what was measured. */
const writeDurations = (files: Readonly<Record<string, number>>) => {
  const sorted = Object.fromEntries(Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return Bun.write(path, `${JSON.stringify({ version: durations.version, files: sorted }, undefined, 2)}\n`)
}

/** Runs test files one after the other in one lane; `bun test` adds what each took. */
const measure = (files: ReadonlyArray<string>): Promise<number> => {
  const namespace = `${root}test/support/lab/network-namespace.sh`
  const options = ["--timeout", "600000", `--timings=${path}`, "--update-timings"]
  const command = ["sh", namespace, process.execPath, "test", ...options, ...files.map((file) => `./${file}`)]
  return Bun.spawn(command, { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).exited
}

/**
 * Renews `test/durations.json`: measures the test files of the arguments, without any those that it lacks, and forgets
 * those that are gone.
 */
if (import.meta.main) {
  const known: Readonly<Record<string, number>> = durations.files
  const found = [...new Bun.Glob("test/**/*.test.{ts,tsx}").scanSync({ cwd: root })]
  const present = new Set(found.filter((file) => !file.includes("node_modules")))
  const chosen = process.argv.slice(2)
  const measured = chosen.length > 0 ? chosen : [...present].filter((file) => known[file] === undefined)
  await writeDurations(Object.fromEntries(Object.entries(known).filter(([file]) => present.has(file))))
  if (measured.length > 0) {
    process.exitCode = await measure(measured)
    const renewed: typeof durations = await Bun.file(path).json()
    await writeDurations(renewed.files)
  }
}
