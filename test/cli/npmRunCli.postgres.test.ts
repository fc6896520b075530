import { expect, test } from "bun:test"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import about from "../../package.json" with { type: "json" }
import { fencedBlocks, pages, root, withoutBlocks } from "../docs/pages.ts"
import { freshDatabase } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { environmentOf, exitResult } from "./commandLine.ts"

/** The programs of a person who has Node and npm, and no Bun. */
const programs = ["node", "npm", "sh", "env"]

const missing = programs.filter((program) => Bun.which(program) === null)

/** A directory with these programs alone. */
const makePath = (): string => {
  const path = join(temporaryDirectory(), "bin")
  mkdirSync(path)
  for (const program of programs) symlinkSync(Bun.which(program) ?? "", join(path, program))
  return path
}

describeIfPossible("npm run cli", missing.length === 0 ? undefined : `not installed: ${missing.join(", ")}`, () =>
  concurrentTest("runs the commands of the operator with Node and npm alone", () =>
    Effect.gen(function* () {
      const env = { ...environmentOf(yield* freshDatabase), PATH: makePath(), HOME: temporaryDirectory() }
      expect(spawnSync("sh", ["-c", "command -v bun"], { env }).status).not.toBe(0)
      const runNpm = (...args: ReadonlyArray<string>) => {
        const { status, stderr, stdout } = spawnSync("npm", ["run", "--silent", "cli", "--", ...args], {
          cwd: root,
          encoding: "utf8",
          env
        })
        return exitResult(status ?? -1, stdout, stderr)
      }
      const created = runNpm("keys", "create", "--application=shop", "--tenant=bakery", "--environment=test", "--json")
      expect([created.code, JSON.parse(created.out).key]).toEqual([0, expect.stringMatching(/^dck_test_/)])
      const listed = runNpm("keys", "list", "--environment=test")
      expect([listed.code, listed.out]).toEqual([0, expect.stringContaining("bakery")])
    })
  )
)

test("no command of the README needs a Bun on the path, and each script that it names installs first", () => {
  const readme = pages.find(({ path }) => path === "README.md")?.text ?? ""
  const commands = fencedBlocks(readme).flatMap(({ code, language }) => (language === "sh" ? code.split("\n") : []))
  expect(commands.filter((command) => /^(bunx?|npx) /.test(command))).toEqual([])
  const scripts = [...withoutBlocks(readme).matchAll(/`npm (?:run )?([a-z][\w:]*)/g)].map(([, script = ""]) => script)
  expect(scripts).toEqual(expect.arrayContaining(["start", "test", "demo", "cli", "webhook"]))
  const own = scripts.filter((script) => script in about.scripts)
  expect(own.filter((script) => !(`pre${script}` in about.scripts))).toEqual([])
})
