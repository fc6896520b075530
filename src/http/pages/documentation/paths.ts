import { slugOf } from "../html.ts"

/** The paths of the pages, as links between them name them; `renderShell` makes them relative. */
export const introductionPath = "/docs"
export const authenticationPath = "/docs/authentication"
export const objectsPath = "/docs/objects"
export const webhookEventsPath = "/docs/webhook-events"
export const guidesPath = "/docs/guides"

export const groupPath = (tag: string): string => `/docs/api/${slugOf(tag)}`

export const operationPath = (tag: string, operationId: string): string => `${groupPath(tag)}#${operationId}`

export const objectPath = (name: string): string => `${objectsPath}#${name}`

/** The key of the page that is shown where there is nothing: its links depend on the depth of the path. */
export const notFoundKeyOf = (path: string): string => `not found${"/".repeat(path.split("/").length - 1)}`
