import { BunContext } from "@effect/platform-bun"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { Effect } from "effect"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { buildClient } from "../../tools/buildClient.ts"
import { fencedBlocks, pages, withoutCode } from "../docs/pages.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { patience } from "../support/patience.ts"
import { runCommand, tsc } from "../support/runCommand.ts"

const folder = mkdtempSync(join(tmpdir(), "packed-client-"))
const installed = join(folder, "project", "node_modules", "@domain-connection", "client")

/** Packs the client, and installs the tarball in an empty project, as its reader does. */
const installPacked = async () => {
  const project = join(folder, "project")
  mkdirSync(project)
  await Effect.runPromise(Effect.provide(buildClient(join(folder, "built")), BunContext.layer))
  runCommand(folder, "npm", "pack", "./built", "--silent")
  const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"))
  writeFileSync(join(project, "package.json"), '{ "type": "module" }')
  runCommand(project, "npm", "install", "--offline", "--silent", "--no-audit", "--no-fund", join("..", tarball))
}

/** What the examples use of their surroundings: the variables of Node, and the code of the reader. */
const surroundings = `declare const process: { readonly env: Readonly<Record<string, string | undefined>> }
declare const queue: { readonly add: (...parts: ReadonlyArray<unknown>) => Promise<void> }
declare const digest: string
declare const showPlanAgain: () => void
`

/** The code of the examples of a page, which build on each other. */
const examplesOf = (text = "") =>
  fencedBlocks(text)
    .filter(({ language }) => language === "ts")
    .map(({ code }) => code)
    .join("\n")

const readReadme = () => readFileSync(join(installed, "README.md"), "utf8")

describeIfPossible("the package that npm packs", Bun.which("npm") === null ? "npm is not installed" : undefined, () => {
  beforeAll(installPacked, patience)
  afterAll(() => rmSync(folder, { recursive: true }))

  test("has a README each of whose links leads to a file in the package", () => {
    const links = [...withoutCode(readReadme()).matchAll(/\]\(([^)\s]+)\)|<(https?:[^>]+)>/g)].map(
      ([, link, address]) => link ?? address ?? ""
    )
    expect(links).not.toEqual([])
    expect(links.filter((link) => !existsSync(join(installed, link)))).toEqual([])
  })

  test("has, where it is this whole repository, a README each of whose links leads to a file in it", () => {
    const root = fileURLToPath(new URL("../..", import.meta.url))
    const [packed] = JSON.parse(runCommand(root, "npm", "pack", "--dry-run", "--json", "--loglevel=error"))
    const paths: ReadonlyArray<string> = packed.files.map(({ path }: { readonly path: string }) => path)
    const text = withoutCode(readFileSync(join(root, "README.md"), "utf8"))
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, link = ""]) => link)
    expect(links.length).toBeGreaterThan(50)
    expect(links.filter((link) => !paths.some((path) => path === link || path.startsWith(`${link}/`)))).toEqual([])
  })

  test("has a README, and beside it pages, whose examples compile with tsc --strict", () => {
    const project = join(folder, "project")
    const guides = ["docs/sdk.md", "docs/webhooks.md"].map((path) => pages.find((page) => page.path === path)?.text)
    const modules = [readReadme(), ...guides].map((text, index) => {
      const examples = examplesOf(text)
      expect(examples).not.toBe("")
      writeFileSync(join(project, `page${index}.ts`), examples)
      return `page${index}.ts`
    })
    writeFileSync(join(project, "surroundings.d.ts"), surroundings)
    // Each page is a module of its own.
    const options = ["--strict", "--noEmit", "--module", "nodenext", "--moduleDetection", "force", "--target", "esnext"]
    runCommand(project, tsc, ...options, "--types", "", "surroundings.d.ts", ...modules)
  })
})
