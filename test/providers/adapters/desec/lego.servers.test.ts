import { testLego } from "../lego.ts"
import { desec, validToken } from "./desec.ts"

testLego({
  adapter: desec,
  dns: "desec",
  environment: (isRefused) => ({ DESEC_TOKEN: isRefused ? "wrong" : validToken }),
  refusedBy: '401: body: {"detail":"Invalid token."}',
  alone: { ttl: 3600, methods: "GET POST GET PATCH" },
  beside: { ttl: 7200, methods: "GET PATCH GET PATCH", text: 'say "hi" \\ ;' }
})
