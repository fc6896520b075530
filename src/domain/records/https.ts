import { defineServiceBinding } from "./serviceBinding.ts"

export const https = defineServiceBinding("HTTPS", { code: 65, order: 8 })
