import { BunContext } from "@effect/platform-bun"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Effect } from "effect"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { componentPaths } from "../../src/http/pages/pageScripts.ts"
import { buildPackage } from "../../tools/buildPackage.ts"
import { patience } from "../support/patience.ts"
import { runCommand, tsc } from "../support/runCommand.ts"

/** Makes packages of this repository available to a project. */
const link = (project: string, ...packages: ReadonlyArray<string>) => {
  for (const name of packages) {
    mkdirSync(dirname(join(project, "node_modules", name)), { recursive: true })
    symlinkSync(
      fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url)),
      join(project, "node_modules", name)
    )
  }
}

const reactConsumer = `import { createElement } from "react"
import { DomainConnector } from "domain-connection-service/react"

export const page = createElement(DomainConnector, {
  token: "dct_…",
  connectionId: "con_1",
  words: { done: "Back to my shop" },
  className: "wide",
  onConnected: ({ detail }) => console.log(detail.state === "active"),
  onFailed: ({ detail }) => console.log(detail.failure.code === "credential_invalid"),
  onTokenExpired: () => {}
})
// @ts-expect-error There is no such event.
createElement(DomainConnector, { onOpened: () => {} })
// @ts-expect-error The token is a text.
createElement(DomainConnector, { token: 1 })
`

/** The package as it is installed from what is packed. */
const packed = mkdtempSync(join(tmpdir(), "packed-package-"))

beforeAll(async () => {
  const built = join(packed, "built")
  await Effect.runPromise(Effect.provide(buildPackage(built), BunContext.layer))
  runCommand(built, process.execPath, "pm", "pack", "--destination", packed)
  const [tarball = ""] = readdirSync(packed).filter((name) => name.endsWith(".tgz"))
  mkdirSync(join(packed, "installed"))
  runCommand(packed, "tar", "-xzf", tarball, "-C", "installed", "--strip-components=1")
}, patience)

afterAll(() => rmSync(packed, { recursive: true }))

/** Runs a function in an empty project with only the packed package installed. */
const inProject = async (body: (project: string) => unknown) => {
  const project = mkdtempSync(join(tmpdir(), "package-test-"))
  try {
    const installed = join(project, "node_modules", "domain-connection-service")
    cpSync(join(packed, "installed"), installed, { recursive: true })
    await body(project)
  } finally {
    rmSync(project, { recursive: true })
  }
}

const consumer = `import { DomainConnection, type FailureCode } from "domain-connection-service/connect"

const element: DomainConnection = document.createElement("domain-connection")
element.token = "dct_…"
element.baseUrl = "https://connect.example"
element.words = { done: "Back to my shop" }
element.addEventListener("connected", ({ detail }) => console.log(detail.connectionId, detail.state))
element.addEventListener("failed", ({ detail }) => {
  const code: FailureCode = detail.failure.code
  console.log(code === "credential_invalid", detail.failure.retryable)
})
element.addEventListener("closed", () => element.remove())
element.addEventListener("token-expired", function () {
  this.token = "dct_…"
})
element.addEventListener("click", (event) => console.log(event.clientX))
document.body.append(element, new DomainConnection())
class Widget extends DomainConnection {}
new Widget().addEventListener("failed", ({ detail }) => {
  const [first] = detail.failure.details ?? []
  console.log(first?.server, detail.failure.resumeState === "applying")
})
// @ts-expect-error The token is a text.
element.token = 1
// @ts-expect-error There is no such text.
element.words = { doen: "" }
// @ts-expect-error There is no such failure.
element.addEventListener("failed", ({ detail }) => detail.failure.code === "credential_invalit")
`

describe("the package", () => {
  test("contains the component and its types, and needs no other package", () =>
    inProject((project) => {
      const installed = join(project, "node_modules", "domain-connection-service")
      const files = readdirSync(installed, { recursive: true }).map(String).toSorted()
      const scripts = ["connect", ...componentPaths.map((path) => relative("/v1", path))]
      const component = [
        "ConnectionDocument.d.ts",
        "connect.d.ts",
        "eventDetails.d.ts",
        ...scripts,
        "words",
        "words/en.d.ts"
      ]
      const wrapper = ["react.d.ts", "react.js"]
      expect(files).toEqual(
        ["LICENSE", "LICENSE-lit.txt", ...component, ...wrapper, "package.json", "server.js"].toSorted()
      )
      expect(Object.keys(require(join(installed, "package.json")))).not.toContain("dependencies")
    }))

  test("can be bundled by a page and defines the element", () =>
    inProject(async (project) => {
      writeFileSync(join(project, "page.js"), 'import "domain-connection-service/connect"')
      const { outputs } = await Bun.build({ entrypoints: [join(project, "page.js")], target: "browser" })
      expect(await outputs[0]?.text()).toContain('customElements.define("domain-connection"')
    }))

  test("can be imported where pages are rendered on a server, without effect", () =>
    inProject((project) => {
      writeFileSync(join(project, "server.js"), 'import { DomainConnection } from "domain-connection-service/connect"')
      runCommand(project, process.execPath, "run", "server.js")
    }))

  test("renders on a server as a component of React, without defining the element", () =>
    inProject((project) => {
      link(project, "react", "react-dom")
      const program = `import { createElement } from "react"
        import { renderToString } from "react-dom/server"
        import { DomainConnector } from "domain-connection-service/react"
        const html = renderToString(createElement(DomainConnector, { token: "dct_1", className: "wide" }))
        if (html !== '<domain-connection class="wide"></domain-connection>') throw new Error(html)`
      writeFileSync(join(project, "server.mjs"), program)
      runCommand(project, "node", "server.mjs")
    }))

  test("has types for pages with React", () =>
    inProject((project) => {
      link(project, "react", "@types/react", "csstype")
      writeFileSync(join(project, "package.json"), '{ "type": "module" }')
      writeFileSync(join(project, "page.ts"), reactConsumer)
      const settings = ["--strict", "--skipLibCheck", "--lib", "esnext,dom", "--types", "", "--module", "nodenext"]
      runCommand(project, tsc, "--noEmit", ...settings, "page.ts")
    }))

  for (const resolution of [
    ["--module", "nodenext"],
    ["--module", "preserve", "--moduleResolution", "bundler"]
  ])
    test(`has types for pages with the strictest settings (${resolution.join(" ")})`, () =>
      inProject((project) => {
        writeFileSync(join(project, "package.json"), '{ "type": "module" }')
        writeFileSync(join(project, "page.ts"), consumer)
        const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"]
        runCommand(project, tsc, "--noEmit", ...strict, "--lib", "esnext,dom", "--types", "", ...resolution, "page.ts")
      }))
})
