import { expect, test } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, delimiter, dirname, join } from "node:path"
import about from "../../package.json" with { type: "json" }
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { temporaryDirectory } from "../support/TestPostgres.ts"
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
    "docs/adding-a-provider.md: runs-these-tests",
    "docs/adding-a-provider.md: needs-an-account",
    "docs/benchmarks.md: measures",
    "docs/benchmarks.md: measures",
    "docs/benchmarks.md: measures",
    "docs/benchmarks.md: measures",
    "docs/domain-connect.md: needs-providers",
    "docs/dry-run.md: live-dns",
    "docs/first-connection.md: needs-a-failure",
    "docs/operations.md: docker",
    "docs/operations.md: docker",
    "docs/operations.md: needs-an-older-database",
    "docs/operations.md: needs-a-postgresql",
    "docs/operations.md: needs-a-postgresql",
    "docs/own-dns-servers.md: needs-an-oauth-server",
    "docs/testing.md: runs-these-tests",
    "docs/testing.md: runs-these-tests",
    "docs/testing.md: installs-packages",
    "docs/testing.md: installs-packages",
    "docs/testing.md: runs-until-it-is-ended",
    "ops/README.md: needs-a-cluster",
    "ops/README.md: needs-a-cluster",
    "ops/README.md: docker",
    "ops/README.md: docker"
  ])
})

test("every shell block is marked as sh, with no other word than skip=… or until=…", () => {
  const blocks = pages.flatMap(({ text }) => fencedBlocks(text))
  expect(blocks.filter(({ language }) => ["bash", "shell", "zsh"].includes(language))).toEqual([])
  const marked = blocks.filter(({ info, language }) => language === "sh" && info !== "")
  expect(marked.filter((block) => (skippedFor(block) ?? endOf(block)) === undefined)).toEqual([])
})

test("the scripts and files that a skipped block runs are there", () => {
  const commands = pages.flatMap((page) =>
    shellBlocks(page).flatMap((block) => (skippedFor(block) === undefined ? [] : listPrograms(block.code)))
  )
  expect(commands.length).toBeGreaterThan(15)
  expect(commands.filter((program) => !(program in about.scripts) && !existsSync(join(root, program)))).toEqual([])
})

/** The scripts of the package and the files of the repository that a block runs. */
const listPrograms = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(/\b(?:bun run|npm run|npm(?= test)|bun test|sh|cd) (\w[\w./:-]+)/g)].map(
    ([, program = ""]) => program
  )

/** A block that does not end by itself is ended once it has printed this. */
const endOf = ({ info }: FencedBlock): string | undefined => /^until=(\S+)$/.exec(info)?.[1]

const runnable = pages
  .map((page) => ({ page, blocks: shellBlocks(page).filter((block) => skippedFor(block) === undefined) }))
  .filter(({ blocks }) => blocks.length > 0)

/** A copy of the repository, because some blocks write pages while tests of other processes read them. */
class WorkingCopy extends Context.Tag("test/WorkingCopy")<WorkingCopy, string>() {
  static readonly layer = Layer.scoped(
    WorkingCopy,
    Effect.acquireRelease(
      Effect.sync(() => {
        const copy = mkdtempSync(join(tmpdir(), "shell-blocks-"))
        cpSync(root, copy, { recursive: true, filter: isSource })
        symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
        return copy
      }),
      (copy) => Effect.sync(() => rmSync(copy, { recursive: true }))
    )
  )
}

const isSource = (path: string): boolean => !["node_modules", ".git", "dist"].includes(basename(path))

withLayer("the shell blocks", Layer.merge(DocumentedService.layer, WorkingCopy.layer), (live) => {
  for (const { blocks, page } of runnable)
    describeIfPossible(`of ${page.path}`, describeMissingProgram(blocks), () => live("run", () => runBlocks(blocks)))
})

const describeMissingProgram = (blocks: ReadonlyArray<FencedBlock>): string | undefined => {
  const missing = ["npm", "caddy"].filter(
    (program) =>
      blocks.some(({ code }) => new RegExp(`^[^#]*\\b${program} `, "m").test(code)) && Bun.which(program) === null
  )
  return missing.length > 0 ? `not installed: ${missing.join(", ")}` : undefined
}

const runBlocks = (blocks: ReadonlyArray<FencedBlock>) =>
  Effect.gen(function* () {
    const { apiKey, apiToken, environment, testKey, url } = yield* DocumentedService
    const path = [join(root, "node_modules/.bin"), dirname(process.execPath), process.env["PATH"]].join(delimiter)
    const home = temporaryDirectory()
    const copy = yield* WorkingCopy
    // Each page builds itself what it uses.
    rmSync(join(copy, "dist"), { recursive: true, force: true })
    const shell = yield* openShell(copy, {
      ...environment,
      XDG_DATA_HOME: home,
      XDG_CONFIG_HOME: home,
      PATH: path,
      HOME: process.env["HOME"] ?? "",
      NO_COLOR: "1"
    })
    let printed = ""
    for (const block of blocks) {
      const end = endOf(block)
      const code = end === undefined ? block.code : untilPrinted(end, block.code)
      const ids = lastIdsIn(printed)
      const variables = {
        API_KEY: apiKey,
        TEST_KEY: testKey,
        API_TOKEN: apiToken,
        SERVICE: url,
        SERVICE_URL: url,
        ...ids
      }
      const digest = yield* settledDigest(variables)
      const { hasFailed, output } = yield* shell.run(code.replaceAll("http://127.0.0.1:8080", url), {
        ...variables,
        DIGEST: digest
      })
      expect([code, output, hasFailed]).toEqual([code, expect.not.stringContaining('"error":{'), false])
      printed += output
    }
  })

/** Runs a block beside the service, on a port and a database of its own, until it has printed a text; else it fails. */
const untilPrinted = (end: string, block: string): string => `
  log=$(mktemp) && set -m
  (unset DATABASE_URL; export PORT=0 DATA_DIR=${temporaryDirectory()}
  ${block}) > $log 2>&1 &
  job=$! && set +m
  until grep -q '${end}' $log || ! kill -0 $job; do sleep 0.1; done
  grep '${end}' $log || cat $log
  kill -- -$job
  wait $job || true
  grep -q '${end}' $log`

/** The connection, the webhook endpoint and the key that were named last; of a key the one that was created first. */
const lastIdsIn = (printed: string) => ({
  CONNECTION_ID: printed.match(/con_[0-9a-z]{26}/g)?.at(-1) ?? "",
  ENDPOINT_ID: printed.match(/whe_[0-9a-z]{26}/g)?.at(-1) ?? "",
  KEY_ID: printed.match(/key_[0-9a-z]{26}/g)?.[0] ?? "",
  ADMIN_KEY: printed.match(/dcka_[0-9A-Za-z]{49}/g)?.at(-1) ?? "",
  ASK_PATH: printed.match(/\/v1\/domains\/allowed\/dcas_[0-9A-Za-z]{49}/g)?.at(-1) ?? ""
})

/** Waits until the phases have done what they can with the connection, and gives the digest of its plan. */
const settledDigest = (variables: {
  readonly SERVICE: string
  readonly API_KEY: string
  readonly TEST_KEY: string
  readonly CONNECTION_ID: string
}): Effect.Effect<string> =>
  Effect.promise(async () => {
    const { API_KEY, CONNECTION_ID, SERVICE, TEST_KEY } = variables
    if (CONNECTION_ID === "") return ""
    const read = (key: string) => fetch(`${SERVICE}/v1/connections/${CONNECTION_ID}`, { headers: { "x-api-key": key } })
    for (;;) {
      const answer = await read(API_KEY)
      const { connection }: any = await (answer.status === 404 ? await read(TEST_KEY) : answer).json()
      if (!passing.has(connection.state)) return connection.plan?.digest ?? ""
      await Bun.sleep(50)
    }
  })

const passing: ReadonlySet<string> = new Set(["requested", "authorized", "applying", "verifying", "disconnecting"])
