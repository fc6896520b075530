/** An element of a document that Route 53 takes or sends; attributes are left out. */
export interface XmlNode {
  readonly name: string
  readonly children: ReadonlyArray<XmlNode>
  /** The text between the tags of an element without children. */
  readonly text: string
}

/** Parses a document without comments, CDATA and processing instructions; throws at anything else that is not well-formed. */
export const parseDocument = (text: string): XmlNode => {
  const document: OpenElement = { name: "", children: [], text: "" }
  const ancestors: Array<OpenElement> = []
  let current = document
  for (const token of text.replace(/^\s*<\?xml [^?]*\?>/, "").match(/<[^>]*>|[^<>]+/g) ?? []) {
    const [, slash, name = "", empty] = /^<(\/?)([A-Za-z]\w*)(?:\s+[\w:]+="[^"<]*")*\s*(\/?)>$/.exec(token) ?? []
    if (name === "") {
      if (token.startsWith("<")) throw new Error(`no tag: ${token}`)
      current.text += token
    } else if (slash === "/") {
      const parent = ancestors.pop()
      if (parent === undefined || current.name !== name) throw new Error(`</${name}> closes <${current.name}>`)
      parent.children.push(toNode(current))
      current = parent
    } else if (empty === "/") {
      current.children.push({ name, children: [], text: "" })
    } else {
      ancestors.push(current)
      current = { name, children: [], text: "" }
    }
  }
  const [root, ...others] = document.children
  if (current !== document || root === undefined || others.length > 0) throw new Error("no single root")
  return root
}

interface OpenElement {
  readonly name: string
  readonly children: Array<XmlNode>
  text: string
}

const toNode = ({ children, name, text }: XmlNode): XmlNode => {
  if (children.length > 0 && text.trim() !== "") throw new Error(`text beside the elements of <${name}>`)
  return { name, children, text: children.length > 0 ? "" : unescape(text) }
}

const unescape = (text: string): string =>
  text.replace(/&([^;&]*);?/g, (entity, name: string) => {
    const code = /^#x([\da-f]+)$/i.exec(name)?.[1] ?? Number(/^#(\d+)$/.exec(name)?.[1]).toString(16)
    return entities[name] ?? (code === "NaN" ? fail(`no entity: ${entity}`) : String.fromCodePoint(parseInt(code, 16)))
  })

const entities: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", apos: "'" }

const fail = (message: string): never => {
  throw new Error(message)
}

/** Encodes an element as Route 53 does, which also escapes quotes; an absent text leaves the element out. */
export const xml = (name: string, ...content: ReadonlyArray<string>): string => `<${name}>${content.join("")}</${name}>`

export const xmlText = (name: string, text: string | number | boolean | undefined): string =>
  text === undefined
    ? ""
    : xml(
        name,
        String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
      )

/** A whole document of the version 2013-04-01. */
export const xmlDocument = (name: string, ...content: ReadonlyArray<string>): string =>
  `<?xml version="1.0"?>\n${xml(name, ...content).replace(`<${name}>`, `<${name} xmlns="https://route53.amazonaws.com/doc/2013-04-01/">`)}`
