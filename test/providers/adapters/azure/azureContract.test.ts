import { apiToken } from "../DescribedAdapter.ts"
import { testTokens } from "../tokenTests.ts"
import { testVendor } from "../vendorTests.ts"
import { azure } from "./azure.ts"
import { azureTokens, principal, refusal } from "./azureTokens.ts"

testVendor(azure)

const expired = `The provided client secret keys for app ${principal.clientSecret} are expired.`

testTokens(azure, {
  secret: "client_secret",
  requested: ({ form, path }) => [path, form.get("scope")],
  expected: [`/${principal.tenantId}/oauth2/v2.0/token`, "https://management.azure.com/.default"],
  refusals: [[refusal(401, "invalid_client", 7_000_222, expired), "authorization_expired"]],
  unusable: [apiToken(azureTokens.token)]
})
