import { expect, test } from "bun:test"
import { Effect } from "effect"
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, delimiter, dirname, join } from "node:path"
import { withLayer } from "../support/effectTest.ts"
import { DocumentedService } from "./DocumentedService.ts"
import { openShell } from "./ShellSession.ts"
import { type FencedBlock, fencedBlocks, type Page, pages, root } from "./pages.ts"

const shellBlocks = ({ text }: Page): ReadonlyArray<FencedBlock> =>
  fencedBlocks(text).filter(({ language }) => language === "sh")

const skippedFor = ({ info }: FencedBlock): string | undefined => /^skip=([a-z-]+)$/.exec(info)?.[1]

test("the blocks that no test runs are these, for these reasons", () => {
  const skipped = pages.flatMap((page) =>
    shellBlocks(page).flatMap((block) =>
      skippedFor(block) === undefined ? [] : [`${page.path}: ${skippedFor(block)}`]
    )
  )
  expect(skipped).toEqual([
    "README.md: runs-these-tests",
    "docs/adding-a-provider.md: needs-the-lab",
    "docs/adding-a-provider.md: needs-an-account",
    "docs/benchmarks.md: measures",
    "docs/benchmarks.md: measures",
    "docs/benchmarks.md: measures",
    "docs/benchmarks.md: measures",
    "docs/benchmarks.md: measures",
    "docs/benchmarks.md: measures",
    "docs/dry-run.md: live-dns",
    "docs/embedding.md: long-running",
    "docs/embedding.md: builds-a-package",
    "docs/first-connection.md: endless",
    "docs/first-connection.md: needs-a-failure",
    "docs/operations.md: long-running",
    "docs/operations.md: docker",
    "docs/operations.md: docker",
    "docs/operations.md: needs-a-postgresql",
    "docs/own-dns-servers.md: needs-an-oauth-server",
    "docs/testing.md: runs-these-tests",
    "docs/testing.md: runs-these-tests",
    "docs/testing.md: installs-packages",
    "docs/testing.md: installs-packages",
    "examples/storefront/README.md: long-running"
  ])
})

test("every shell block is marked as sh, and has no other word than skip=… beside it", () => {
  const blocks = pages.flatMap(({ text }) => fencedBlocks(text))
  expect(blocks.filter(({ language }) => ["bash", "shell", "zsh"].includes(language))).toEqual([])
  const marked = blocks.filter(({ info, language }) => language === "sh" && info !== "")
  expect(marked.filter((block) => skippedFor(block) === undefined)).toEqual([])
})

const runnable = pages
  .map((page) => ({ page, blocks: shellBlocks(page).filter((block) => skippedFor(block) === undefined) }))
  .filter(({ blocks }) => blocks.length > 0)

/** A copy of the repository, because some blocks write pages while tests of other processes read them. */
const workingCopy = Effect.acquireRelease(
  Effect.sync(() => {
    const copy = mkdtempSync(join(tmpdir(), "shell-blocks-"))
    cpSync(root, copy, { recursive: true, filter: isSource })
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
    return copy
  }),
  (copy) => Effect.sync(() => rmSync(copy, { recursive: true }))
)

const isSource = (path: string): boolean => !["node_modules", ".git", "dist"].includes(basename(path))

withLayer("the shell blocks", DocumentedService.layer, (live) => {
  for (const { blocks, page } of runnable) {
    live(
      `of ${page.path} run`,
      () =>
        Effect.gen(function* () {
          const { apiKey, apiToken, environment, url } = yield* DocumentedService
          const path = [join(root, "node_modules/.bin"), dirname(process.execPath), process.env["PATH"]].join(delimiter)
          const shell = yield* openShell(yield* workingCopy, {
            ...environment,
            PATH: path,
            HOME: process.env["HOME"] ?? "",
            NO_COLOR: "1"
          })
          let printed = ""
          for (const { code } of blocks) {
            const variables = { API_KEY: apiKey, API_TOKEN: apiToken, SERVICE: url, ...lastIdsIn(printed) }
            const digest = yield* settledDigest(variables)
            const { hasFailed, output } = yield* shell.run(code.replaceAll("http://127.0.0.1:8080", url), {
              ...variables,
              DIGEST: digest
            })
            expect([code, output, hasFailed]).toEqual([code, expect.not.stringContaining('"error":{'), false])
            printed += output
          }
        }),
      180_000
    )
  }
})

/** The connection and the key that were named last; of a key the one that was created first. */
const lastIdsIn = (printed: string) => ({
  CONNECTION_ID: printed.match(/con_[0-9a-z]{26}/g)?.at(-1) ?? "",
  KEY_ID: printed.match(/key_[0-9a-z]{26}/g)?.[0] ?? ""
})

/** Waits until the phases have done what they can with the connection, and gives the digest of its plan. */
const settledDigest = (variables: {
  readonly SERVICE: string
  readonly API_KEY: string
  readonly CONNECTION_ID: string
}): Effect.Effect<string> =>
  Effect.promise(async () => {
    const { API_KEY, CONNECTION_ID, SERVICE } = variables
    if (CONNECTION_ID === "") return ""
    for (;;) {
      const answer = await fetch(`${SERVICE}/v1/connections/${CONNECTION_ID}`, { headers: { "x-api-key": API_KEY } })
      const { connection }: any = await answer.json()
      if (!passing.has(connection.state)) return connection.plan?.digest ?? ""
      await Bun.sleep(50)
    }
  })

const passing: ReadonlySet<string> = new Set(["requested", "authorized", "applying", "verifying", "disconnecting"])
