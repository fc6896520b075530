import { Either } from "effect"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { pureCommand } from "./runCommand.ts"

/** Verifies the records now instead of at the next scheduled check. */
export const recheck = pureCommand(() => Either.right([LifecycleEvent.RecheckRequested()]))
