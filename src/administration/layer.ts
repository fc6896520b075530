import { Layer } from "effect"
import { Applications } from "./Applications.ts"
import { AskSecrets } from "./AskSecrets.ts"

/** Administers applications, for the HTTP API and the command line. */
export const administrationLayer = Layer.merge(Applications.layer, AskSecrets.layer)
