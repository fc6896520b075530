import { expect } from "bun:test"
import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import { describeBrowser, openPage } from "./Chromium.ts"

/** A page of React around the component, which `render` gives other properties. */
const program = `
  import { createElement } from "react"
  import { createRoot } from "react-dom/client"
  import { flushSync } from "react-dom"
  import { DomainConnector } from "${fileURLToPath(new URL("../../src/web/react.ts", import.meta.url))}"
  const root = createRoot(document.body.appendChild(document.createElement("main")))
  window.heard = []
  const hear = (name) => (event) => window.heard.push([name, event.type])
  window.render = (props) => flushSync(() => root.render(props && createElement(DomainConnector, {
    baseUrl: "http://127.0.0.1:9",
    ...Object.fromEntries((props.listensTo ?? []).map((name) => [name, hear(name)])),
    ...props.properties
  })))`

const bundle = async (): Promise<string> => {
  const entry = "react-page.js"
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    files: { [entry]: program },
    target: "browser",
    define: { "process.env.NODE_ENV": '"production"' }
  })
  return outputs[0]?.text() ?? ""
}

describeBrowser("the component of React", (live) => {
  live("gives the element its properties before it notices that they are missing, and changes them", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.addScriptTag({ content: await bundle(), type: "module" })
        await page.waitForFunction("window.render !== undefined")
        await page.evaluate(
          `render({ listensTo: ["onTokenExpired"], properties: { token: "dct_1", connectionId: "con_1" } })`
        )
        const read = () =>
          page.evaluate(`(({ connectionId, token, words }) => [connectionId, token, words])(
            document.querySelector("domain-connection"))`)
        expect(await read()).toEqual(["con_1", "dct_1", {}])
        await page.evaluate(
          `render({ properties: { token: "dct_2", words: { done: "Back" }, connectionId: "con_1" } })`
        )
        expect(await read()).toEqual(["con_1", "dct_2", { done: "Back" }])
        expect(await page.evaluate("heard")).toEqual([])
      })
    })
  )

  live("calls the listener of an event, the newest one, and none after it is gone", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.addScriptTag({ content: await bundle(), type: "module" })
        await page.waitForFunction("window.render !== undefined")
        const properties = `properties: { token: "dct_1", connectionId: "con_1" }`
        const names = `["onConnected", "onFailed", "onClosed"]`
        await page.evaluate(`render({ listensTo: ${names}, ${properties} })`)
        await page.evaluate(`render({ listensTo: ${names}, ${properties} })`)
        await page.evaluate(`window.element = document.querySelector("domain-connection")
          for (const type of ["connected", "failed", "closed"]) element.dispatchEvent(new CustomEvent(type))`)
        const heard = [
          ["onConnected", "connected"],
          ["onFailed", "failed"],
          ["onClosed", "closed"]
        ]
        expect(await page.evaluate("heard")).toEqual(heard)
        await page.evaluate(`render({ ${properties} }); element.dispatchEvent(new CustomEvent("connected"))`)
        await page.evaluate(`render(null); element.dispatchEvent(new CustomEvent("failed"))`)
        expect(await page.evaluate("heard")).toEqual(heard)
        expect(await page.evaluate(`document.querySelector("domain-connection")`)).toBeNull()
      })
    })
  )
})
