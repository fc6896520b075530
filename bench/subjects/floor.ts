import { pgTag } from "./pgTag.ts"
import { serveHandwritten } from "./serveHandwritten.ts"

/** The floor: by hand on `pg` as it is used by default, which has PostgreSQL parse and plan each statement anew. */
serveHandwritten(pgTag({ prepared: false }))
