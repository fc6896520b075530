import { expect } from "bun:test"
import { testTokens } from "../tokenTests.ts"
import { testVendor } from "../vendorTests.ts"
import { googleCloudDns } from "./googleCloudDns.ts"
import { keyFile, readAssertion, refuse, scope, serviceAccount } from "./googleTokens.ts"

testVendor(googleCloudDns)

testTokens(googleCloudDns, {
  secret: "assertion",
  requested: ({ form }) => readAssertion(form.get("assertion")).claims,
  expected: expect.objectContaining({ iss: keyFile.client_email, scope }),
  refusals: [
    [refuse("Invalid JWT Signature."), "credential_invalid"],
    [refuse("in a reasonable timeframe"), "provider_unavailable"]
  ],
  unusable: [
    { ...keyFile, private_key: "no key" },
    { ...keyFile, type: "authorized_user" }
  ].map(serviceAccount)
})
