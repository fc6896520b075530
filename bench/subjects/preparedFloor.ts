import { pgTag } from "./pgTag.ts"
import { serveHandwritten } from "./serveHandwritten.ts"

/** The floor with every statement prepared, as this service prepares its own. */
serveHandwritten(pgTag({ prepared: true }))
