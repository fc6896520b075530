/** The response codes that decide what a response means (RFC 1035 section 4.1.1); `nameError` is NXDOMAIN. */
export const noError = 0
export const formatError = 1
export const nameError = 3
export const refused = 5
