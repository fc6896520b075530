import { pgTag } from "./pgTag.ts"
import { serveByHand } from "./serveByHand.ts"

/** The floor: by hand on `pg` as it is used by default, which has PostgreSQL parse and plan each statement anew. */
serveByHand(pgTag({ prepared: false }))
