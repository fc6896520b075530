import { expect, test } from "bun:test"
import { evidence } from "./evidence.ts"

const adapters = `${import.meta.dir}/../../../src/providers/adapters/`

/** How many lines the files of an adapter have together. */
const countLines = async (folder: string): Promise<number> => {
  const files = [...new Bun.Glob("**/*.ts").scanSync(`${adapters}${folder}`)]
  const texts = await Promise.all(files.map((file) => Bun.file(`${adapters}${folder}/${file}`).text()))
  return texts.reduce((total, text) => total + text.split("\n").length - 1, 0)
}

for (const { provider, adapter = provider, name } of evidence)
  test(`the adapter of ${name} has at most 260 lines (decision 51)`, async () => {
    const lines = await countLines(adapter)
    expect(lines).toBeGreaterThan(100)
    expect(lines).toBeLessThanOrEqual(260)
  })
