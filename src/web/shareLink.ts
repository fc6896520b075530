import type { ConnectionClient } from "./ConnectionClient.ts"

/** What a link to the hosted page says: the code that opens the connection, and who sends it. */
interface SharedLink {
  readonly code: string
  readonly sender: string
}

/** Makes a link by which somebody helps the customer; it contains no secret of the provider, and can be revoked. */
export const createShareLink = (client: ConnectionClient): Promise<string> => client.createShareLink()

/** Revokes every link to the connection, and closes what they opened. */
export const revokeShareLinks = (client: ConnectionClient): Promise<void> => client.revokeShareLinks()

/** Adds the name of who sends a link, as that person wants to be called; no server ever sees it. */
export const addSender = (link: string, sender: string): string =>
  sender.trim() === "" ? link : `${link}&from=${encodeURIComponent(cleanName(sender))}`

/** Reads the fragment of the address that a link opened. */
export const parseSharedLink = (fragment: string): SharedLink => {
  const [code = "", ...rest] = fragment.replace(/^#/, "").split("&")
  return { code, sender: cleanName(new URLSearchParams(rest.join("&")).get("from") ?? "") }
}

/** A name is a short text in one line: it must not look like a message of the page. */
const cleanName = (name: string): string =>
  name
    .replaceAll(/\s+|\p{C}+/gu, " ")
    .trim()
    .slice(0, longestName)

/** The longest name of a sender, in characters. */
export const longestName = 40
