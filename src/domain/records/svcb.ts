import { defineServiceBinding } from "./serviceBinding.ts"

export const svcb = defineServiceBinding("SVCB", { code: 64, order: 9 })
