import { expect, test } from "bun:test"
import { evidence } from "./evidence.ts"

const adapters = `${import.meta.dir}/../../../src/providers/adapters/`

/** These came before the fake that vendors share, or have judges and traps of their own kind. */
const longTests: ReadonlySet<string> = new Set(["cloudflare", "hetzner"])

/** How many lines the files of a folder have together. */
const countLines = async (folder: string): Promise<number> => {
  const files = [...new Bun.Glob("**/*.ts").scanSync(folder)]
  const texts = await Promise.all(files.map((file) => Bun.file(`${folder}/${file}`).text()))
  return texts.reduce((total, text) => total + text.split("\n").length - 1, 0)
}

for (const { provider, adapter = provider, name } of evidence) {
  test(`the adapter of ${name} has at most 250 lines (decision 51)`, async () => {
    const lines = await countLines(`${adapters}${adapter}`)
    expect(lines).toBeGreaterThan(100)
    expect(lines).toBeLessThanOrEqual(250)
  })

  if (!longTests.has(adapter))
    test(`the tests of the adapter of ${name} have at most 600 lines`, async () => {
      const lines = await countLines(`${import.meta.dir}/${adapter}`)
      expect(lines).toBeGreaterThan(100)
      expect(lines).toBeLessThanOrEqual(600)
    })
}
