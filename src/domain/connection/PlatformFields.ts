import { Schema } from "effect"
import { boundedRecord } from "../values/boundedSchemas.ts"

/** The platform's own id of a connection, such as that of its shop: 1 to 200 printable characters. */
export const ExternalId = Schema.String.pipe(Schema.pattern(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,200}$/u)).annotations(
  {
    jsonSchema: {
      type: "string",
      minLength: 1,
      maxLength: 200,
      description: "The platform's own id; only one connection of a tenant has it until that ends."
    },
    message: () => ({ message: "must be 1 to 200 printable characters", override: true })
  }
)
export type ExternalId = typeof ExternalId.Type

/** Texts that a platform stores with a connection: at most 20, with names of up to 40 and values of up to 500 characters. */
export const Metadata = boundedRecord({
  max: 20,
  maxLength: 500,
  maxKeyLength: 40,
  description:
    "The platform's own texts, which the service stores and shows, also to the browsers of the connection, and nothing else."
})
export type Metadata = typeof Metadata.Type

export interface PlatformFields {
  readonly externalId?: ExternalId
  readonly metadata?: Metadata
}

export const platformFieldNames = ["externalId", "metadata"] as const

/** A change of single fields: `null` removes one, and metadata take the place of all that were there. */
export interface PlatformFieldsChange {
  readonly externalId?: ExternalId | null
  readonly metadata?: Metadata | null
}

export const changePlatformFields = (
  { externalId, metadata }: PlatformFields,
  { externalId: newId = externalId, metadata: newMetadata = metadata }: PlatformFieldsChange
): PlatformFields => ({
  ...(newId === undefined || newId === null ? {} : { externalId: newId }),
  ...(newMetadata === undefined || newMetadata === null ? {} : { metadata: newMetadata })
})
