import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

/** Runs a function with a temporary folder. */
export const withFolder = async (body: (folder: URL) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "client-test-"))
  try {
    await body(pathToFileURL(`${folder}/`))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
