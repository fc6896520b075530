import { pgTag } from "./pgTag.ts"
import { serveHandwritten } from "./serveHandwritten.ts"

/** The floor with prepared statements, like the service. */
serveHandwritten(pgTag({ prepared: true }))
