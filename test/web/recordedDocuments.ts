import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import type { ConnectionDocument } from "../../src/domain/connection/ConnectionDocument.ts"
import type { ObservationsDocument } from "../../src/domain/plan/ObservationsDocument.ts"

/** A connection and its observations, as the service has sent both. */
interface RecordedDocument {
  readonly connection: ConnectionDocument
  readonly observations: ObservationsDocument
}

const folder = new URL("documents/", import.meta.url)

export const documentNames = (): ReadonlyArray<string> => readdirSync(folder).map((name) => name.replace(/\.json$/, ""))

/** The document with this name; `RECORD_DOCUMENTS=yes` records it again from the service in the lab. */
export const readDocument = (name: string): RecordedDocument =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"))

export const saveDocument = (name: string, document: RecordedDocument): void => {
  mkdirSync(folder, { recursive: true })
  const { pathname } = new URL(`${name}.json`, folder)
  writeFileSync(pathname, JSON.stringify(document))
  execFileSync("oxfmt", ["-c", ".ci/oxfmt.json", pathname])
}
