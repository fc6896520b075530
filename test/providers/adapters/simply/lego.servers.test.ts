import { testLego } from "../lego.ts"
import { simply, simplyVendorWithFormerPaths, validLogin } from "./simply.ts"

testLego({
  adapter: { ...simply, vendor: simplyVendorWithFormerPaths },
  dns: "simply",
  environment: (isRefused) => ({
    SIMPLY_ACCOUNT_NAME: validLogin.account,
    SIMPLY_API_KEY: isRefused ? "wrong" : validLogin.key
  }),
  refusedBy: "Invalid account authorization",
  alone: { ttl: 120, methods: "POST DELETE" },
  beside: { ttl: 120, methods: "POST DELETE", text: "say hi; and more" }
})
