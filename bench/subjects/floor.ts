import { pgTag } from "./pgTag.ts"
import { serveHandwritten } from "./serveHandwritten.ts"

/** The floor: the hand-written peer on `pg` by its defaults; PostgreSQL parses and plans each statement every time. */
serveHandwritten(pgTag({ prepared: false }))
