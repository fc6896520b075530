import { expect, test } from "bun:test"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("../../tools/runLoadedTests.ts", import.meta.url))

/** The processes that are children of the process with this id, without those that have ended. */
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number)

const isRunning = (pid: number) => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
  } catch {
    return false
  }
}

const untilTrue = async (isTrue: () => boolean) => {
  while (!isTrue()) await Bun.sleep(20)
}

/** Runs the program in a directory whose `npm test` is this script; returns what the script has written into `runs`. */
const runLoaded = async (script: string, args: ReadonlyArray<string>, end?: NodeJS.Signals) => {
  const cwd = mkdtempSync(join(tmpdir(), "run-loaded-"))
  try {
    writeFileSync(join(cwd, "package.json"), JSON.stringify({ scripts: { test: script } }))
    writeFileSync(join(cwd, "runs"), "")
    const runs = () => readFileSync(join(cwd, "runs"), "utf8").trim().split("\n").filter(Boolean)
    const child = Bun.spawn([process.execPath, "run", program, ...args], {
      cwd,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore"
    })
    await untilTrue(() => runs().length > 0 || child.exitCode !== null)
    const children = child.exitCode === null ? childrenOf(child.pid) : []
    if (end !== undefined) child.kill(end)
    const exitCode = await child.exited
    // The busy loops notice within a moment that they are alone.
    await untilTrue(() => !children.some(isRunning))
    return { exitCode, runs: runs(), children: children.length }
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

test("the tests run three times, beside two busy loops, which end with them", async () => {
  const { children, exitCode, runs } = await runLoaded("echo run >>runs; sleep 1", [])
  expect([exitCode, runs.length]).toEqual([0, 3])
  // `npm test` is the third one.
  expect(children).toBe(3)
})

test("the first run that fails is the last, and arguments are those of npm test", async () => {
  const script = 'run() { echo "$@" >>runs; [ $(wc -l <runs) -lt 2 ]; }; run'
  expect(await runLoaded(script, ["--times=5", "one.test.ts"])).toMatchObject({
    exitCode: 1,
    runs: ["one.test.ts", "one.test.ts"]
  })
})

test("the busy loops end even if the program is killed", async () => {
  const { children } = await runLoaded("echo run >>runs; sleep 5", [], "SIGKILL")
  expect(children).toBe(3)
})
