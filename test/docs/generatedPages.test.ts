import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { caseIssueMeanings, inputErrorMeanings } from "../../src/cli/plan/BadInput.ts"
import { ConnectionState } from "../../src/domain/connection/Connection.ts"
import { errorMeanings } from "../../src/http/contract/errorMeanings.ts"
import { errorCodes } from "../../src/http/contract/errorResponses.ts"
import { transitionTable } from "../../src/lifecycle/state/transitionTable.ts"
import { listAllowedCommands } from "../../tools/lifecycleTable.ts"
import { formatConfigurationPage } from "../../tools/writeConfiguration.ts"
import { dryRunPagePath, withDryRunExample } from "../../tools/writeDryRunExample.ts"
import { formatErrorsAndWarningsPage } from "../../tools/writeErrorsAndWarnings.ts"
import { lifecyclePagePath, withLifecycleBlocks } from "../../tools/writeLifecycle.ts"
import { limitsPagePath, withLimits } from "../../tools/writeLimits.ts"
import { metricsPagePath, withMetrics } from "../../tools/writeMetrics.ts"
import { formatProviderEvidencePage } from "../../tools/writeProviderEvidence.ts"
import { formatProvidersPage, withWritableProviders } from "../../tools/writeProviders.ts"
import { formatTestModePage } from "../../tools/writeTestMode.ts"
import { webhooksPagePath, withWebhookEvents } from "../../tools/writeWebhookEvents.ts"

const read = (path: string | URL) => readFileSync(new URL(path, new URL("../../", import.meta.url)), "utf8")

describe("a generated page is up to date; after a change of its source run `bun run docs`", () => {
  test("docs/configuration.md", () => expect(read("docs/configuration.md")).toBe(formatConfigurationPage()))

  test("docs/errors-and-warnings.md", () =>
    expect(read("docs/errors-and-warnings.md")).toBe(formatErrorsAndWarningsPage()))

  test("docs/test-mode.md", () => expect(read("docs/test-mode.md")).toBe(formatTestModePage()))

  test("docs/provider-evidence.md", () => expect(read("docs/provider-evidence.md")).toBe(formatProviderEvidencePage()))

  test("docs/providers.md", () => expect(read("docs/providers.md")).toBe(formatProvidersPage()))

  test("README.md, its providers", () => {
    const page = read("README.md")
    expect(page).toBe(withWritableProviders(page))
  })

  test("docs/operations.md", () => {
    const page = read(metricsPagePath)
    expect(withMetrics(page)).toBe(page)
  })

  test("src/limits/README.md", () => {
    const page = read(limitsPagePath)
    expect(page).toBe(withLimits(page))
  })

  test("docs/webhooks.md", () => {
    const page = read(webhooksPagePath)
    expect(page).toBe(withWebhookEvents(page))
  })

  test("docs/lifecycle.md", () => {
    const page = read(lifecyclePagePath)
    expect(page).toBe(withLifecycleBlocks(page))
  })

  test("docs/dry-run.md", async () => {
    const page = read(dryRunPagePath)
    expect(page).toBe(await withDryRunExample(page))
  })
})

test("every error code of the API has a meaning, and every meaning belongs to a code", () => {
  const codes: ReadonlyArray<string> = Object.values(errorCodes).flat()
  expect(codes).toEqual([...new Set(codes)])
  expect(Object.keys(errorMeanings).toSorted()).toEqual(codes.toSorted())
})

test("only final states and states of uninterrupted work allow no command", () =>
  expect(ConnectionState.literals.filter((state) => listAllowedCommands(state).length === 0)).toEqual([
    "authorized",
    "applying",
    "expired",
    "canceled",
    "disconnected"
  ]))

test("the picture in the README has seven states, and each of its arrows is a transition of the table", () => {
  const arrows = [...read("README.md").matchAll(/^ {2}(\w+) --> (\w+):/gm)].map(([, from = "", to = ""]) => [from, to])
  const transitions = Object.values(transitionTable).flatMap((leads) =>
    Object.entries(leads).flatMap(([from, states]) => states.map((to) => `${from} ${to}`))
  )
  expect(new Set(arrows.flat()).size).toBe(7)
  expect(arrows.map((arrow) => arrow.join(" ")).filter((arrow) => !transitions.includes(arrow))).toEqual([])
})

test("docs/errors-and-warnings.md has every code of the command line's JSON", () => {
  const page = read("docs/errors-and-warnings.md")
  const codes = [...Object.keys(inputErrorMeanings), ...Object.keys(caseIssueMeanings)]
  // Whatever the command line can answer has one of these codes: any other does not compile.
  expect(codes).toContain("unknown_provider")
  expect(codes.filter((code) => !page.includes(`| \`${code}\``))).toEqual([])
})
