import { createHash } from "node:crypto"

/** The digest of the data of an RRset, which a zone owner cannot give to another RRset. */
export const digestAnswer = (data: string): string =>
  createHash("sha256").update(data).digest("base64url").slice(0, digestLength)

/** 132 bits. */
const digestLength = 22
