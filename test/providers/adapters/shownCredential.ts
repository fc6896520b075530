import { Redacted, Struct } from "effect"
import type { Credential } from "../../../src/domain/provider/Credential.ts"

/** The fields of a credential, as a customer sends them to authorize the service. */
export const shownCredential = (credential: Credential): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(Struct.omit(credential, "_tag")).map(([name, value]) => [
      name,
      Redacted.isRedacted(value) ? String(Redacted.value(value)) : String(value)
    ])
  )
