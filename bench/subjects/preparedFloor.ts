import { pgTag } from "./pgTag.ts"
import { serveHandwritten } from "./serveHandwritten.ts"

/** The prepared floor: the hand-written peer on `pg`, with prepared statements like the service. */
serveHandwritten(pgTag())
