import { Either } from "effect"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { definePureCommand } from "./defineCommand.ts"

/** Verifies the records now instead of at the next scheduled check. */
export const recheck = definePureCommand(() => Either.right([LifecycleEvent.RecheckRequested()]))
