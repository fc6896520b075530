export const policyHeader = "content-security-policy"

/** A page may talk to this service only, and no other page may put it into a frame. */
export const ownPagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The headers of the pages of this service. */
export const ownPageHeaders = {
  [policyHeader]: ownPagePolicy,
  // `/v1/oauth/start` redirects at once if the request comes from this page: it must see the referrer.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin"
}
