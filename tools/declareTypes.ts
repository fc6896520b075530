import { Option, Schema, SchemaAST } from "effect"

/**
 * Declares what schemas encode to as TypeScript types, by these names, with the descriptions of the fields. Where one of the
 * schemas is part of another, its name stands for it.
 */
export const declareTypes = (schemas: Readonly<Record<string, Schema.Schema.AnyNoContext>>): string => {
  const types = Object.entries(schemas).map(([name, schema]) => ({ name, ast: SchemaAST.encodedAST(schema.ast) }))
  const nameOf = new Map(types.map(({ ast, name }) => [ast, name]))
  return types.map(({ ast, name }) => `export type ${name} =${formatType(ast, nameOf)}\n`).join("\n")
}

const formatType = (ast: SchemaAST.AST, nameOf: ReadonlyMap<SchemaAST.AST, string>): string => {
  const format = (part: SchemaAST.AST): string => {
    const name = nameOf.get(part)
    return name === undefined ? formatType(part, nameOf) : ` ${name}`
  }
  if (SchemaAST.isStringKeyword(ast)) return " string"
  if (SchemaAST.isBooleanKeyword(ast)) return " boolean"
  if (SchemaAST.isLiteral(ast)) return ` ${JSON.stringify(ast.literal)}`
  if (SchemaAST.isUnion(ast)) return ast.types.map((type) => `\n  |${format(type)}`).join("")
  if (SchemaAST.isTypeLiteral(ast))
    return ` {\n${ast.propertySignatures.map((field) => formatField(field, format)).join("")}}`
  if (SchemaAST.isTupleType(ast) && ast.elements.length === 0)
    return ast.rest.map(({ type }) => ` ReadonlyArray<${format(type).trimStart()}>`).join("")
  throw new Error(`no declaration is known for a schema of the kind ${ast._tag}`)
}

const formatField = (
  { isOptional, name, type }: SchemaAST.PropertySignature,
  format: (type: SchemaAST.AST) => string
): string => {
  const comment = SchemaAST.getDescriptionAnnotation(type).pipe(
    Option.filter(isSentence),
    Option.match({ onNone: () => "", onSome: (description) => `  /** ${description} */\n` })
  )
  return `${comment}  readonly ${String(name)}${isOptional ? "?" : ""}:${format(type)}\n`
}

/** Effect describes each schema without a description of its own, such as "a string". */
const isSentence = (description: string): boolean => description.endsWith(".")
