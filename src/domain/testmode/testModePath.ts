/** The path below which all of test mode can be reached too, for what carries no credential in a header, such as pages. */
export const testModePath = "/test-mode"
