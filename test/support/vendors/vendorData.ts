import { existsSync } from "node:fs"

/** The vendors' documents, recordings and facts. They are not part of the repository. */
export const vendorData = new URL("../../../../shared/data/", import.meta.url).pathname

/** Why tests that need the vendors' documents cannot run here; `undefined` when they can. For `describeIfPossible`. */
export const missingVendorData: string | undefined = existsSync(`${vendorData}vendor-facts.json`)
  ? undefined
  : "../shared/data, with the vendors' documents and recordings, is absent"
