import { Effect, Option, Redacted } from "effect"
import { Provider } from "../../../src/domain/provider/Provider.ts"
import { Credentials } from "../../../src/security/Credentials.ts"
import { azureServicePrincipal, googleServiceAccount } from "../../domain/serviceAccounts.ts"
import { ownTenancy, sampleProvider } from "../../persistence/connectionFixtures.ts"
import { idIn } from "./commandFixtures.ts"

/** The decrypted credential that is stored for the connection of a path. */
export const storedCredential = (path: string) =>
  Effect.gen(function* () {
    const { load } = yield* Credentials
    const credential = yield* load({ ...ownTenancy, connectionId: idIn(path) })
    return Option.map(credential, ({ _tag, ...fields }) => ({
      kind: _tag,
      ...Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          Redacted.isRedacted(value) ? Redacted.value(value) : value
        ])
      )
    }))
  })

/** The kind of credential that a provider takes. */
export type DirectCredential = Provider["authorizationInputs"]["directCredential"]

/** A provider that takes a credential of this kind. */
export const providerAccepting = (directCredential: DirectCredential) =>
  Provider.make({ ...sampleProvider, authorizationInputs: { directCredential, providerSession: "none" } })

const secret = Buffer.from("a secret key").toString("base64")

/** A credential of each kind, without its `kind`. */
export const credentialsByKind: ReadonlyArray<readonly [DirectCredential, Readonly<Record<string, string>>]> = [
  ["api_token", { apiToken: "a-token-of-a-customer" }],
  ["api_key_secret", { apiKey: "a-key", apiSecret: "a-secret" }],
  ["username_api_key", { username: "somebody", apiKey: "a-key" }],
  ["access_key_secret", { accessKeyId: "an-id", secretAccessKey: "a-key" }],
  ["aws_role", { roleArn: "arn:aws:iam::123456789012:role/dns" }],
  ["service_account", { json: JSON.stringify(googleServiceAccount) }],
  ["service_principal", azureServicePrincipal],
  ["tsig_key", { name: "key.example.com", algorithm: "hmac-sha256", secret }]
]
