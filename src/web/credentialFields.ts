import type { Provider } from "../domain/Provider.ts"

/** A form field of a credential: plain text, a secret, a multi-line secret, or one of several choices. */
export interface CredentialField {
  readonly name:
    | "apiToken"
    | "apiKey"
    | "apiSecret"
    | "username"
    | "accessKeyId"
    | "secretAccessKey"
    | "json"
    | "name"
    | "algorithm"
    | "secret"
  readonly kind: "text" | "secret" | "file" | ReadonlyArray<string>
}

type CredentialKind = (typeof Provider.Encoded)["authorizationInputs"]["directCredential"]

/** The fields of each kind of credential. */
export const credentialFields: { readonly [_ in CredentialKind]: ReadonlyArray<CredentialField> } = {
  api_token: [{ name: "apiToken", kind: "secret" }],
  api_key_secret: [
    { name: "apiKey", kind: "text" },
    { name: "apiSecret", kind: "secret" }
  ],
  username_api_key: [
    { name: "username", kind: "text" },
    { name: "apiKey", kind: "secret" }
  ],
  access_key_secret: [
    { name: "accessKeyId", kind: "text" },
    { name: "secretAccessKey", kind: "secret" }
  ],
  service_account: [{ name: "json", kind: "file" }],
  tsig_key: [
    { name: "name", kind: "text" },
    { name: "algorithm", kind: ["hmac-sha256", "hmac-sha384", "hmac-sha512"] },
    { name: "secret", kind: "secret" }
  ],
  none: []
}
