import { Schema } from "effect"
import { ApplicationId } from "./Tenancy.ts"
import { DomainName } from "../names/DomainName.ts"

/** A label of DNS, in lower case, below which a public key is published. */
export const KeyLabel = Schema.String.pipe(
  Schema.pattern(/^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?$/, {
    message: () => "must be 1 to 63 lower-case letters, digits, '_' and '-'"
  })
)

/** The domain below which keys are published, as a caller writes it. */
export const KeyDomain = DomainName.pipe(
  Schema.maxLength(253),
  Schema.pattern(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/, {
    message: () => "must be a domain in lower case"
  })
)

/** Which key of an application it is: that of a label below the domain at which its public keys are published. */
export const DomainConnectKeyId = Schema.Struct({
  applicationId: ApplicationId,
  /** `syncPubKeyDomain` of the templates whose links it signs. */
  domain: DomainName,
  label: KeyLabel
})
export type DomainConnectKeyId = typeof DomainConnectKeyId.Type

/** A key with which links of Domain Connect are signed, without its private half. */
export const DomainConnectKey = Schema.Struct({
  ...DomainConnectKeyId.fields,
  /** SubjectPublicKeyInfo in Base64. */
  publicKey: Schema.String
})
export type DomainConnectKey = typeof DomainConnectKey.Type
