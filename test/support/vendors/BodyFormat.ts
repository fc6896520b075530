import { parseXml, XmlElement, XmlText } from "@rgrove/parse-xml"

/** How a vendor writes bodies. */
export interface BodyFormat {
  readonly contentType: string
  readonly encode: (body: unknown) => string
  /** Throws if it cannot. */
  readonly decode: (text: string) => unknown
}

export const jsonFormat: BodyFormat = {
  contentType: "application/json",
  encode: JSON.stringify,
  decode: JSON.parse
}

/**
 * XML of a namespace, in which a body is an object with its root element. Each of the items, with blanks between them, has a
 * list, which is named by its plural; other elements are objects, or texts.
 */
export const xmlFormat = (namespace: string, items = ""): BodyFormat => {
  const itemOf = new Map(items.split(" ").map((item) => [`${item}s`, item]))

  const encodeContent = (name: string, content: unknown): string => {
    const parts = Array.isArray(content)
      ? content.map((item) => [itemOf.get(name) ?? "", item] as const)
      : typeof content === "object" && content !== null
        ? Object.entries(content)
        : undefined
    return parts === undefined ? escapeText(String(content)) : parts.map((part) => encodeElement(...part)).join("")
  }
  const encodeElement = (name: string, content: unknown): string =>
    content === undefined ? "" : `<${name}>${encodeContent(name, content)}</${name}>`

  const decodeContent = ({ children, name, text }: XmlElement): unknown => {
    const parts = children.filter((child) => child instanceof XmlElement)
    const decoded = parts.map((part) => [part.name, decodeContent(part)] as const)
    const names = new Set(parts.map((part) => part.name))
    if (parts.length > 0 && children.some((child) => child instanceof XmlText && child.text.trim() !== ""))
      throw new Error(`text beside the elements of <${name}>`)
    const item = itemOf.get(name)
    if (item === undefined && names.size < parts.length) throw new Error(`an element twice in <${name}>`)
    if (item === undefined) return parts.length === 0 ? text : Object.fromEntries(decoded)
    if ([...names].some((each) => each !== item)) throw new Error(`other elements than <${item}> in <${name}>`)
    return decoded.map(([, content]) => content)
  }

  return {
    contentType: "text/xml",
    encode: (body) =>
      `<?xml version="1.0"?>\n${Object.entries(Object(body))
        .map(([name, content]) => `<${name} xmlns="${namespace}">${encodeContent(name, content)}</${name}>`)
        .join("")}`,
    decode: (text) => {
      const { root } = parseXml(text)
      if (root === null) throw new Error("no root")
      return { [root.name]: decodeContent(root) }
    }
  }
}

const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
