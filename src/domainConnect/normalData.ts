import { isIPv6 } from "node:net"

/** The data of a record in the one spelling that zones show, as far as its type has several; other text stays. */
export const normalizeData = (type: string, data: string): string => {
  if (type === "A") return data.trim()
  if (type === "AAAA") return normalizeIpv6(data.trim())
  return type === "CAA" ? normalizeCaa(data.trim()) : data
}

/** RFC 5952, which URLs follow. */
const normalizeIpv6 = (text: string): string =>
  isIPv6(text) && URL.canParse(`http://[${text}]/`) ? new URL(`http://[${text}]/`).hostname.slice(1, -1) : text

/** RFC 8659 section 4.1.1: a value without quotes is one word. */
const normalizeCaa = (text: string): string =>
  text.replace(
    /^(\d{1,3})\s+([a-z\d]+)\s+(?:"([^"]*)"|([^"\s]+))$/i,
    (_, flags: string, tag: string, quoted: string | undefined, word: string | undefined) =>
      `${Number(flags)} ${tag.toLowerCase()} "${quoted ?? word ?? ""}"`
  )
