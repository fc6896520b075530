/** A key for signed transfers and updates (RFC 8945); `secret` is base64. */
export interface LabTsigKey {
  readonly name: string
  readonly algorithm: "hmac-sha256"
  readonly secret: string
}

/** The key of the lab. It is public. */
export const labKey: LabTsigKey = {
  name: "upd",
  algorithm: "hmac-sha256",
  secret: Buffer.from("known to everyone who reads this").toString("base64")
}
