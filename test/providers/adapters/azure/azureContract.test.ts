import { apiToken } from "../DescribedAdapter.ts"
import { testTokens } from "../tokenTests.ts"
import { testVendor } from "../vendorTests.ts"
import { azure } from "./azure.ts"
import { azureTokens, principal } from "./azureTokens.ts"

testVendor(azure)

const description = `AADSTS7000222: The provided client secret keys for app ${principal.clientSecret} are expired.`

testTokens(azure, {
  secret: "client_secret",
  requested: ({ form, path }) => [path, form.get("scope")],
  expected: [`/${principal.tenantId}/oauth2/v2.0/token`, "https://management.azure.com/.default"],
  refusals: [
    [{ status: 401, body: { error: "invalid_client", error_description: description } }, "authorization_expired"]
  ],
  unusable: [apiToken(azureTokens.token)]
})
