import { catalogAdapters } from "../../src/providers/catalog/catalogAdapters.ts"

/** Prints how many milliseconds it takes to load all adapters of the catalog, once the service's modules are loaded. */
await import("../../src/main.ts")
const startedAt = performance.now()
for (const { load } of Object.values(catalogAdapters)) await load()
console.log(performance.now() - startedAt)
