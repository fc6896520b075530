/** A key file as Google's console creates it, with a key that opens nothing. */
export const googleServiceAccount = {
  type: "service_account",
  project_id: "bakery-4711",
  private_key_id: "0f0f0f0f",
  private_key: "-----BEGIN PRIVATE KEY-----\nbm8ga2V5\n-----END PRIVATE KEY-----\n",
  client_email: "dns@bakery-4711.iam.gserviceaccount.com",
  client_id: "104711",
  auth_uri: "https://accounts.google.com/o/oauth2/auth",
  token_uri: "https://evil.example/token"
} as const

/** The fields of an Azure service principal, with a secret that opens nothing. */
export const azureServicePrincipal = {
  tenantId: "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
  clientId: "11111111-2222-3333-4444-555555555555",
  clientSecret: "a~s3cret",
  subscriptionId: "66666666-7777-8888-9999-000000000000",
  resourceGroup: "dns_(test).1"
} as const
