/** The first label of the domain whose connection is copied; the digits become the number of the copy. */
export const copiedName = "u00000000"

/** The tenant of that connection; the copies have a thousand tenants, of which this is one. */
export const copiedTenant = "shop-000000"
