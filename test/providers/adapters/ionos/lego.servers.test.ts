import { testLego } from "../lego.ts"
import { ionos, validKey } from "./ionos.ts"

testLego({
  adapter: ionos,
  dns: "ionos",
  environment: (isRefused) => ({ IONOS_API_KEY: isRefused ? "wrong.key" : validKey }),
  refusedBy: "401",
  alone: { ttl: 300, methods: "GET GET PATCH GET GET" },
  beside: { ttl: 300, methods: "GET GET PATCH GET GET", text: "say hi; and more" },
  // It looks for its own text without the quotes in which IONOS shows it.
  leavesText: true
})
