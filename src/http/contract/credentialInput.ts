import { Record, Schema } from "effect"
import { type directCredentialKinds, findCredentialFaults, TsigAlgorithm } from "../../domain/provider/Credential.ts"
import { boundedRecord } from "../../domain/values/boundedSchemas.ts"

const maxLength = 16_384

const text = (description: string) =>
  Schema.String.annotations({ jsonSchema: { type: "string", minLength: 1, maxLength, description } })

/** The fields of each kind of credential, for the OpenAPI document. */
const fieldsByKind: Readonly<Record<(typeof directCredentialKinds)[number], Schema.Struct.Fields>> = {
  api_token: { apiToken: text("An API token that may change the records of the zone.") },
  api_key_secret: { apiKey: text("The public half of a key."), apiSecret: text("Its secret half.") },
  username_api_key: {
    username: text("The name of the account, or its id where the provider takes that."),
    apiKey: text("An API key of the account.")
  },
  access_key_secret: { accessKeyId: text("The id of an access key."), secretAccessKey: text("Its secret.") },
  aws_role: {
    roleArn: text(
      "The ARN of a role that `authorizationInputs.roleTrust` may assume, with the id of the connection as external id."
    )
  },
  service_account: { json: text("The text of a Google service account's key file.") },
  service_principal: {
    tenantId: text("The id of the directory (tenant) of Microsoft Entra in which the application is registered."),
    clientId: text("The id of the application (client)."),
    clientSecret: text("The value of a secret of the application, not the id of the secret."),
    subscriptionId: text("The id of the Azure subscription that has the zone."),
    resourceGroup: text("The name of the resource group that has the zone.")
  },
  tsig_key: {
    name: text("The name of the key, such as `key.example.com`."),
    algorithm: TsigAlgorithm,
    secret: text("The key in Base64.")
  }
}

const schemaNames = {
  api_token: "ApiTokenCredential",
  api_key_secret: "ApiKeySecretCredential",
  username_api_key: "UsernameApiKeyCredential",
  access_key_secret: "AccessKeySecretCredential",
  aws_role: "AwsRoleCredential",
  service_account: "ServiceAccountCredential",
  service_principal: "ServicePrincipalCredential",
  tsig_key: "TsigKeyCredential"
} as const

/** The schemas of all kinds of credentials, to which that of a credential refers. */
export const credentialSchemas = Record.toEntries(fieldsByKind).map(([kind, fields]) =>
  Schema.Struct({ kind: Schema.Literal(kind), ...fields }).annotations({ identifier: schemaNames[kind] })
)

const references = Record.map(schemaNames, (name) => `#/components/schemas/${name}`)

/** The fields of any credential; `kind` may be left out, because the provider of the connection determines it. */
export const CredentialInput = boundedRecord({
  max: 20,
  maxLength,
  documentation: {
    description:
      "A credential of the kind that the provider's `authorizationInputs.directCredential` names. One without `kind` is accepted too, as clients sent it before there was this field: the provider tells it.",
    oneOf: Object.values(references).map(($ref) => ({ $ref })),
    discriminator: { propertyName: "kind", mapping: references }
  },
  findFaults: findCredentialFaults
}).annotations({ identifier: "CredentialInput" })
