import { expect } from "bun:test"
import { testTokens } from "../tokenTests.ts"
import { testVendor } from "../vendorTests.ts"
import { googleCloudDns } from "./googleCloudDns.ts"
import { googleTokens, keyFile, refuse, serviceAccount, validToken } from "./googleTokens.ts"

testVendor(googleCloudDns)

testTokens(googleCloudDns, {
  tokens: googleTokens,
  token: validToken,
  secret: "assertion",
  requested: ({ form }) => JSON.parse(Buffer.from(form.get("assertion")?.split(".")[1] ?? "", "base64url").toString()),
  expected: expect.objectContaining({
    iss: keyFile.client_email,
    scope: "https://www.googleapis.com/auth/ndev.clouddns.readwrite"
  }),
  refusals: [
    [refuse("Invalid JWT Signature."), "credential_invalid"],
    [refuse("in a reasonable timeframe"), "provider_unavailable"]
  ],
  unusable: [
    { ...keyFile, private_key: "no key" },
    { ...keyFile, type: "authorized_user" }
  ].map(serviceAccount)
})
