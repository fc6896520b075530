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
 * Tests that print while the others do. That of "d" fails, unless it is run again and may pass then. "f" ends after it, and
 * has so many tests that `bun test` repeats the failures at its end.
 */
const source = (name: string) => `import { expect, test } from "bun:test"
import { existsSync, writeFileSync } from "node:fs"
const reached = "${join(directory, "d.reached")}"
test("first", async () => {
  if ("${name}" === "d") writeFileSync(reached, "")
  while ("${name}" === "f" && !existsSync(reached)) await Bun.sleep(50)
  for (let nth = 0; nth < 5; nth += 1) {
    console.log("${name} " + nth)
    await Bun.sleep(50)
  }
  const mayPass = process.env.PASSES_AGAIN !== undefined && existsSync(process.env.PASSES_AGAIN)
  if ("${name}" === "d" && !mayPass) {
    if (process.env.PASSES_AGAIN !== undefined) writeFileSync(process.env.PASSES_AGAIN, "")
    expect("d").toBe("passed")
  }
})
for (let nth = 0; "${name}" === "f" && nth < 20; nth += 1) test("more " + nth, () => {})`

beforeAll(() => names.forEach((name) => writeFileSync(join(directory, `${name}.test.ts`), source(name))))
afterAll(() => rmSync(directory, { recursive: true }))

const runTests = async (args: ReadonlyArray<string> = [], env: Record<string, string> = {}) => {
  const child = Bun.spawn([process.execPath, "run", program, ...args], {
    cwd: directory,
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe"
  })
  const [output, exitCode] = await Promise.all([child.stdout.text(), child.exited])
  return { exitCode, lines: output.split("\n") }
}

test("all test files run once, the output of each stays together, and a failure in one lane is that of the run", async () => {
  const { exitCode, lines } = await runTests()
  const alone = lines.findIndex((line) => line.startsWith("Failed beside the others"))
  const shown = lines.slice(0, alone).filter((line) => /^[a-f](\.[a-z]+)?(\.test\.ts:| \d)$/.test(line))
  expect(shown.toSorted()).toEqual(
    names.flatMap((name) => [0, 1, 2, 3, 4].map((nth) => `${name} ${nth}`).concat(`${name}.test.ts:`)).toSorted()
  )
  const together = Array.from({ length: names.length }, (_, nth) =>
    shown.slice(6 * nth, 6 * nth + 6).map((line) => line[0])
  )
  expect(together.map((block) => new Set(block).size)).toEqual(names.map(() => 1))
  expect(lines.slice(0, alone).filter((line) => line.startsWith("(fail)"))).toHaveLength(2)
  expect(lines[alone]).toBe("Failed beside the others, once more alone: d.test.ts")
  const summary = lines
    .slice(0, alone)
    .filter((line) => /exit code/.test(line))
    .join()
  expect([...summary.matchAll(/(\d+) pass/g)].reduce((sum, [, count]) => sum + Number(count), 0)).toBe(25)
  expect(summary).toContain("1 fail; exit code 1")
  expect(lines.slice(alone).filter((line) => line.startsWith("(fail)"))).toHaveLength(1)
  expect(exitCode).toBe(1)
}, 60_000)

test("a file that fails beside the others and passes alone fails nothing, and is named", async () => {
  const { exitCode, lines } = await runTests([], { PASSES_AGAIN: join(directory, "d.marker") })
  expect(lines.filter((line) => line.startsWith("(fail)"))).toHaveLength(2)
  expect(lines).toContain("Failed beside the others, once more alone: d.test.ts")
  expect(lines.filter((line) => line.startsWith("alone: "))).toEqual([
    expect.stringMatching(/^alone: 1 pass, 0 fail; exit code 0 after \d+ s$/)
  ])
  expect(exitCode).toBe(0)
}, 60_000)

test("arguments are those of bun test, and choose its files", async () => {
  const { exitCode, lines } = await runTests(["b.servers.test.ts"])
  expect(lines.filter((line) => line.endsWith(".test.ts:"))).toEqual(["b.servers.test.ts:"])
  expect(exitCode).toBe(0)
}, 60_000)
