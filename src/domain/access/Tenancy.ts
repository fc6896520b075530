import { Schema } from "effect"

/** The form of application and tenant ids, in words. */
export const tenancyIdRule = "1 to 100 letters, digits, dots, hyphens or underscores, the first a letter or digit"

const Name = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, {
    message: () => `must be ${tenancyIdRule}`
  })
)

/** The application (a product of the platform) that an API key belongs to: 1 to 100 characters. */
export const ApplicationId = Name.pipe(
  Schema.annotations({ description: "The application that the API key belongs to." }),
  Schema.brand("ApplicationId")
)
export type ApplicationId = typeof ApplicationId.Type

/** The tenant (an account of the application, such as one shop) that an API key belongs to: 1 to 100 characters. */
export const TenantId = Name.pipe(
  Schema.annotations({ description: "The id of a tenant of the application." }),
  Schema.brand("TenantId")
)
export type TenantId = typeof TenantId.Type

/** The owner of a row; the stores read and write the rows of customers only with it. */
export interface Tenancy {
  readonly applicationId: ApplicationId
  readonly tenantId: TenantId
}

/** Names a tenant in maps and logs; neither id contains a slash. */
export const toTenantKey = ({ applicationId, tenantId }: Tenancy): string => `${applicationId}/${tenantId}`

/** A permission of an API key. */
export const KeyScope = Schema.Literal(
  "connections:read",
  "connections:write",
  "tokens:issue",
  "webhooks:read",
  "webhooks:write",
  "audit:read"
).annotations({ identifier: "KeyScope", description: "A permission of an API key." })
export type KeyScope = typeof KeyScope.Type

export const allKeyScopes: ReadonlyArray<KeyScope> = KeyScope.literals

/** The scopes of a new key by default: those of its tenant alone. Webhooks and the audit log show all tenants. */
export const tenantKeyScopes: ReadonlyArray<KeyScope> = ["connections:read", "connections:write", "tokens:issue"]

/** The name of an API key or admin key, for those who administer it. */
export const KeyName = Schema.String.pipe(
  Schema.pattern(/^[^\p{Cc}]{1,100}$/u, { message: () => "must be 1 to 100 characters in one line" })
).annotations({
  jsonSchema: { type: "string", minLength: 1, maxLength: 100, description: "Who or what uses the key." }
})

export const ApiKeyId = Schema.String.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type
