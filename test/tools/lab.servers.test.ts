import { expect } from "bun:test"
import { fileURLToPath } from "node:url"
import { testIfPossible } from "../support/describeIfPossible.ts"
import { labUnavailableReason } from "../support/lab/labAvailability.ts"

const lab = fileURLToPath(new URL("../../tools/lab.ts", import.meta.url))

testIfPossible(
  "the lab prints the addresses of an editor and a connect page, which open outside of its network, and how to disconnect",
  await labUnavailableReason(),
  async () => {
    const child = Bun.spawn([process.execPath, "run", lab, "strato", "corner-shop.de"], {
      env: { PATH: process.env["PATH"] },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe"
    })
    const output = await readUntil(child.stdout, "Disconnect: ")
    const [editor = "", connect = ""] = output.match(/http:\S+/g) ?? []
    expect(output).toStartWith(`STRATO: ${editor}\nConnect: ${connect}\nDisconnect: curl -X POST `)
    expect(await fetch(editor).then((page) => page.text())).toContain("corner-shop.de")
    expect(await fetch(connect).then(({ status }) => status)).toBe(200)
    child.kill("SIGTERM")
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ""])
  }
)

/** Reads until the text has come with the rest of its line; the stream stays open. */
const readUntil = async (stream: ReadableStream<Uint8Array>, end: string): Promise<string> => {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let text = ""
  while (!text.includes(end) || !text.endsWith("\n")) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
  }
  return text
}
