import { Either } from "effect"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { definePureCommand } from "./defineCommand.ts"

export const recheck = definePureCommand(() => Either.right([LifecycleEvent.RecheckRequested()]))
