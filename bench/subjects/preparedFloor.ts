import { pgTag } from "./pgTag.ts"
import { serveByHand } from "./serveByHand.ts"

/** The floor with every statement prepared, as this service prepares its own. */
serveByHand(pgTag({ prepared: true }))
