import { Either } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { parseTemplate, type Template } from "../../src/domainConnect/Template.ts"

/** The suite and the templates of the Domain Connect project, which are not part of this repository. */
export const domainConnectData = new URL("../../../shared/data/domain-connect/", import.meta.url).pathname

/** Why tests that read them are skipped. */
export const missingDomainConnectData = existsSync(domainConnectData)
  ? undefined
  : "../shared/data/domain-connect, with the suite of Domain Connect, is absent"

/** A template of the suite. */
export const readTemplate = (providerId: string, serviceId: string): Template =>
  Either.getOrThrowWith(
    parseTemplate(readFileSync(`${domainConnectData}templates-of-suite/${providerId}.${serviceId}.json`, "utf8")),
    (message) => new Error(message)
  )
