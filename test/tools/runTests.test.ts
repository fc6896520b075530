import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("../../tools/runTests.ts", import.meta.url))

const directory = mkdtempSync(join(tmpdir(), "run-tests-"))

/** With files for each lane. */
const names = ["a", "b.servers", "c.postgres", "d", "e.browser", "f"]

/**
 * Tests that print while the others do. That of "d" fails. "f" ends after it, and has so many tests that `bun test` repeats
 * the failures at its end. "a" and "b" skip tests, for one reason and for another.
 */
const source = (name: string) => `import { describe, expect, test } from "bun:test"
import { existsSync, writeFileSync } from "node:fs"
const reached = "${join(directory, "d.reached")}"
test("first", async () => {
  if ("${name}" === "d") writeFileSync(reached, "")
  while ("${name}" === "f" && !existsSync(reached)) await Bun.sleep(50)
  for (let nth = 0; nth < 5; nth += 1) {
    console.log("${name} " + nth)
    await Bun.sleep(50)
  }
  if ("${name}" === "d") expect("d").toBe("passed")
})
if ("${name}".match(/^[ab]/)) describe.skip("more (skipped: needs a thing (of another kind))", () => test("x", () => {}))
if ("${name}" === "a") test.skip("odd (skipped: needs root)", () => {})
for (let nth = 0; "${name}" === "f" && nth < 20; nth += 1) test("more " + nth, () => {})`

beforeAll(() => names.forEach((name) => writeFileSync(join(directory, `${name}.test.ts`), source(name))))
afterAll(() => rmSync(directory, { recursive: true }))

const runTests = async (args: ReadonlyArray<string> = []) => {
  const child = Bun.spawn([process.execPath, "run", program, ...args], {
    cwd: directory,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe"
  })
  const [output, exitCode] = await Promise.all([child.stdout.text(), child.exited])
  return { exitCode, lines: output.trimEnd().split("\n") }
}

/** The lines after those of the lanes. */
const summaryOf = (lines: ReadonlyArray<string>) => lines.slice(lines.findLastIndex(isOfLane) + 1)

const isOfLane = (line: string) => /: exit code \d+ after \d+ s$/.test(line)

test("all test files run once, the output of each stays together, and a failure in one lane is that of the run", async () => {
  const { exitCode, lines } = await runTests()
  const shown = lines
    .slice(0, lines.findIndex(isOfLane))
    .filter((line) => /^[a-f](\.[a-z]+)?(\.test\.ts:| \d)$/.test(line))
  expect(shown.toSorted()).toEqual(
    names.flatMap((name) => [0, 1, 2, 3, 4].map((nth) => `${name} ${nth}`).concat(`${name}.test.ts:`)).toSorted()
  )
  const together = Array.from({ length: names.length }, (_, nth) =>
    shown.slice(6 * nth, 6 * nth + 6).map((line) => line[0])
  )
  expect(together.map((block) => new Set(block).size)).toEqual(names.map(() => 1))
  expect(exitCode).toBe(1)
})

test("the last lines are each failure with its reason, each reason of skipped tests once, and the numbers", async () => {
  const summary = summaryOf((await runTests()).lines)
  expect(summary.filter((line) => line.startsWith("Failed in "))).toEqual(["Failed in d.test.ts:"])
  expect(summary).toContain('Expected: "passed"')
  expect(summary.filter((line) => line.startsWith("(fail)"))).toEqual([expect.stringContaining("first")])
  expect(summary).toContain("To run what failed alone: npm test -- d.test.ts")
  expect(summary.slice(-3, -1).toSorted()).toEqual([
    "1 skipped: needs root",
    "2 skipped: needs a thing (of another kind)"
  ])
  expect(summary.at(-1)).toBe("25 passed, 1 failed, 3 skipped")
})

test("arguments are those of bun test, and choose its files", async () => {
  const { exitCode, lines } = await runTests(["b.servers.test.ts"])
  expect(lines.filter((line) => line.endsWith(".test.ts:"))).toEqual(["b.servers.test.ts:"])
  expect(summaryOf(lines)).toEqual(["", "1 skipped: needs a thing (of another kind)", "1 passed, 0 failed, 1 skipped"])
  expect(exitCode).toBe(0)
})

test("a file that cannot be loaded, and a lane that ends without a failed test, are failures with a reason", async () => {
  const broken = join(directory, "broken")
  writeFileSync(`${broken}.test.ts`, 'throw new Error("cannot be loaded")')
  writeFileSync(join(directory, "gone.test.ts"), "process.exit(7)")
  try {
    const loaded = summaryOf((await runTests(["./broken.test.ts"])).lines)
    expect(loaded).toContain("Failed in broken.test.ts:")
    expect(loaded).toContain("error: cannot be loaded")
    expect(loaded.at(-1)).toBe("0 passed, 1 failed, 0 skipped")
    const { exitCode, lines } = await runTests(["./gone.test.ts"])
    expect(summaryOf(lines)).toContain("ended with exit code 7, and no test that failed")
    expect([exitCode, lines.at(-1)]).toEqual([1, "0 passed, 1 failed, 0 skipped"])
  } finally {
    rmSync(`${broken}.test.ts`)
    rmSync(join(directory, "gone.test.ts"))
  }
})
