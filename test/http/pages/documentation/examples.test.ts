import { expect } from "bun:test"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { withLayer } from "../../../support/effectTest.ts"
import { apiInMemory } from "../../../support/testApi.ts"
import {
  crawlDocumentation,
  declaredOperations,
  findOperation,
  listShownExamples,
  openApi
} from "./DocumentationSite.ts"

const shown = Effect.map(crawlDocumentation, ({ served }) =>
  listShownExamples(served.values()).filter(({ page }) => page.startsWith("/docs/api/"))
)

/** The first example of a body, as the document has it. */
const exampleOf = (content: any = {}): unknown => {
  const [media] = Object.values<any>(content)
  const [example] = Object.values<any>(media?.examples ?? {})
  return example === undefined ? undefined : openApi.components.examples[example.$ref.split("/").at(-1)].value
}

/** Runs shell commands in which `curl` prints its arguments, and returns these. */
const readCurlArguments = (commands: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const variables = [...new Set(commands.join(" ").match(/\$[A-Z_]+/g))].map((name) => `${name.slice(1)}=a-value`)
  const script = ["set -eu", ...variables, String.raw`curl() { printf '%s\0' "$@"; printf '\1\0'; }`, ...commands].join(
    "\n"
  )
  const { status, stderr, stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8" })
  expect([status, stderr]).toEqual([0, ""])
  return stdout
    .split("\u0001\0")
    .slice(0, -1)
    .map((words) => words.split("\0").slice(0, -1))
}

withLayer("the examples of the documentation", apiInMemory(), (live) => {
  live("are on exactly one page for each operation: curl, the client, and the answer", () =>
    Effect.gen(function* () {
      const examples = yield* shown
      const ids = declaredOperations.map(({ operation }) => operation.operationId)
      expect(examples.map(({ operationId }) => operationId).toSorted()).toEqual(ids.toSorted())
      for (const { answer, client, curl, operationId } of examples)
        expect([operationId, curl.startsWith("curl "), client.includes(`client.${operationId}(`), answer]).toEqual([
          operationId,
          true,
          true,
          expect.not.stringContaining("absent")
        ])
    })
  )

  live("show the answer of the document", () =>
    Effect.gen(function* () {
      for (const { answer, operationId } of yield* shown) {
        const { operation } = findOperation(operationId)
        const success: any = Object.entries<any>(operation.responses).find(([status]) => status.startsWith("2"))?.[1]
        if (success.content === undefined) expect(answer).toBe("")
        else if ("application/json" in success.content) expect(JSON.parse(answer)).toEqual(exampleOf(success.content))
        else expect(answer).toMatch(/^event: \w+\ndata: \{/m)
      }
    })
  )

  live("show a body of each webhook event, as the document has it", () =>
    Effect.gen(function* () {
      const { served } = yield* crawlDocumentation
      const events = listShownExamples(served.values()).filter(({ page }) => page === "/docs/webhook-events")
      expect(events.map(({ operationId }) => operationId)).toEqual(Object.keys(openApi.webhooks))
      for (const { body, operationId } of events)
        expect(JSON.parse(body)).toEqual(exampleOf(openApi.webhooks[operationId].post.requestBody.content))
    })
  )

  live("call the operation by a well-formed command of a shell", () =>
    Effect.gen(function* () {
      const examples = yield* shown
      const calls = readCurlArguments(examples.map(({ curl }) => curl))
      examples.forEach(({ operationId }, index) => {
        const { method, operation, path } = findOperation(operationId)
        const words = calls[index] ?? []
        const valueOf = (option: string) => words[words.indexOf(option) + 1]
        const url = new URL(words.find((word) => word.startsWith("http")) ?? "")
        const body = words.includes("-d") ? JSON.parse(valueOf("-d") ?? "") : undefined
        const called = words.includes("-X") ? valueOf("-X") : body === undefined ? "GET" : "POST"
        expect([called, url.pathname]).toEqual([method, path.replaceAll(/\{\w+\}/g, "a-value")])
        expect(body).toEqual(exampleOf(operation.requestBody?.content))
        const [credential] = operation.security.flatMap(Object.keys)
        const headers = words
          .filter((_, position) => words[position - 1] === "-H")
          .map((header) => header.split(":")[0])
        if (credential !== undefined)
          expect(headers).toContain(openApi.components.securitySchemes[credential].name ?? "authorization")
        const required = operation.parameters.filter((parameter: any) => parameter.in === "query" && parameter.required)
        expect([...url.searchParams.keys()]).toEqual(required.map(({ name }: any) => name))
      })
    })
  )

  live("call the client by what its types allow", () =>
    Effect.gen(function* () {
      const { served } = yield* crawlDocumentation
      const examples = listShownExamples(served.values()).filter(({ client }) => client !== "absent")
      const [imports = ""] = examples.find(({ page }) => page === "/docs/authentication")?.client.split("\n\n") ?? []
      const names = [...new Set(declaredOperations.flatMap(({ operation }) => operation.parameters))]
        .filter((parameter: any) => parameter.in === "path" || parameter.required)
        .map(({ name }: any) => name)
      const source = [
        imports,
        "declare const process: { readonly env: { readonly [name: string]: string | undefined } }",
        "declare const client: DomainConnectionClient",
        ...[...new Set(names)].map((name) => `declare const ${name}: string`),
        ...examples.map(({ client }) => `async () => {\n${client.replace(imports, "")}\n}`)
      ].join("\n")
      const root = fileURLToPath(new URL("../../../../", import.meta.url))
      const folder = `${root}node_modules/.cache/documentation-examples`
      mkdirSync(folder, { recursive: true })
      writeFileSync(`${folder}/examples.ts`, source)
      writeFileSync(
        `${folder}/tsconfig.json`,
        JSON.stringify({
          compilerOptions: {
            target: "esnext",
            lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
            module: "preserve",
            strict: true,
            allowImportingTsExtensions: true,
            types: [],
            paths: { "@domain-connection/client": [`${root}packages/client/index.ts`] }
          },
          include: ["examples.ts"]
        })
      )
      const { status, stdout } = spawnSync(`${root}node_modules/.bin/tsc`, ["--noEmit", "--project", folder], {
        encoding: "utf8"
      })
      rmSync(folder, { recursive: true })
      expect([status, stdout]).toEqual([0, ""])
    })
  )
})
