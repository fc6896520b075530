import { Glob } from "bun"
import { fileURLToPath } from "node:url"

/** Two or more files that declare a type by the same name. */
interface DuplicateTypeName {
  readonly name: string
  readonly files: ReadonlyArray<string>
}

/**
 * Finds the type names that more than one file declares, exported or not: types, interfaces, classes, enums, namespaces,
 * constants in PascalCase, which are schemas and services, and new names that an export gives. Exports by the same name
 * do not count.
 */
export const findDuplicateTypeNames = (
  sources: ReadonlyArray<{ readonly file: string; readonly text: string }>
): ReadonlyArray<DuplicateTypeName> => {
  const filesOf = new Map<string, Set<string>>()
  for (const { file, text } of sources) {
    for (const name of listTypeNames(text)) filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file))
  }
  return [...filesOf]
    .filter(([, files]) => files.size > 1)
    .map(([name, files]) => ({ name, files: [...files].toSorted() }))
    .toSorted((first, second) => first.name.localeCompare(second.name))
}

const listTypeNames = (text: string): ReadonlyArray<string> => {
  const lists = [...text.matchAll(exportList)].map(([, list = ""]) => list)
  const declarations = [typeDeclaration, namespaceExport].flatMap((pattern) => [...text.matchAll(pattern)])
  return [...declarations, ...lists.flatMap((list) => [...list.matchAll(renaming)])].map(([, name = ""]) => name)
}

/** A declaration as oxfmt writes it: at the start of a line, with single spaces. */
const typeDeclaration =
  /^(?:export )?(?:default )?(?:declare |abstract )*(?:type|interface|class|enum|namespace|const enum|const(?= [A-Z]\w*[a-z])) ([A-Za-z_$][\w$]*)/gm

const namespaceExport = /^export (?:type )?\* as ([A-Z]\w*[a-z]\w*)/gm

const exportList = /^export (?:type )?\{([^}]*)\}/gm

const renaming = /\bas ([A-Z]\w*[a-z]\w*)/g

/** An identifier of the OpenAPI document that is the name of another type, or that two schemas have. */
interface MisleadingIdentifier {
  readonly identifier: string
  readonly schemas: ReadonlyArray<string>
}

/**
 * Finds the `identifier` annotations, which name the schemas of the OpenAPI document, that are the name of another type, or
 * that two schemas have. A published form has the identifier of its type: the schema `PlanDocument` has `Plan`.
 */
export const findMisleadingIdentifiers = (
  sources: ReadonlyArray<{ readonly file: string; readonly text: string }>
): ReadonlyArray<MisleadingIdentifier> => {
  const types = new Set(sources.flatMap(({ text }) => listTypeNames(text)))
  const schemasOf = new Map<string, Map<string, string>>()
  for (const { file, text } of sources) {
    for (const { identifier, schema } of listIdentifiers(text))
      schemasOf.set(
        identifier,
        (schemasOf.get(identifier) ?? new Map<string, string>()).set(`${schema} in ${file}`, schema)
      )
  }
  return [...schemasOf]
    .filter(
      ([identifier, schemas]) =>
        schemas.size > 1 || (types.has(identifier) && ![...schemas.values()].every(isFormOf(identifier)))
    )
    .map(([identifier, schemas]) => ({ identifier, schemas: [...schemas.keys()].toSorted() }))
    .toSorted((first, second) => first.identifier.localeCompare(second.identifier))
}

const isFormOf =
  (identifier: string) =>
  (schema: string): boolean =>
    schema.startsWith(identifier) && ["", "Document", "Request", "Response"].includes(schema.slice(identifier.length))

/** The identifiers in a text, each with the declaration around it, or with the schema that is annotated once more. */
const listIdentifiers = (text: string) => {
  const declarations = [...text.matchAll(declaration)]
  return [...text.matchAll(identifierAnnotation)].map((found) => {
    const [, annotated, identifier = ""] = found
    const around = declarations.findLast(({ index }) => index < found.index)?.[1] ?? ""
    return { identifier, schema: annotated === identifier ? identifier : around }
  })
}

const declaration = /^(?:export )?(?:const|class|function) ([A-Za-z_$][\w$]*)/gm

/** An annotation as oxfmt writes it, with the name of the schema that is annotated, if it has one. */
const identifierAnnotation =
  /(?:\b([A-Z]\w*)\.annotations\(\s*(?:HttpApiSchema\.annotations\(\s*)?\{\s*)?\bidentifier: "(\w+)"/g

/** The sources in these folders, except generated clients, which name the types of the OpenAPI document. */
const readSources = async (folders: ReadonlyArray<string>) => {
  const root = fileURLToPath(new URL("..", import.meta.url))
  const files = await Array.fromAsync(new Glob(`{${folders.join(",")}}/**/*.ts`).scan(root))
  return Promise.all(
    files
      .filter((file) => !/^tools\/openapi-checks\/|\/node_modules\/|^packages\/client\/generated\//.test(file))
      .map(async (file) => ({ file, text: await Bun.file(`${root}${file}`).text() }))
  )
}

/** Fails if a name stands for two types, or an identifier for two schemas: part of `bun run check`. */
if (import.meta.main) {
  const sources = await readSources(["src", "test", "tools", "bench", "prove", "packages"])
  const duplicates = findDuplicateTypeNames(sources)
  const misleading = findMisleadingIdentifiers(sources.filter(({ file }) => file.startsWith("src/")))
  for (const { files, name } of duplicates) console.error(`${name} is the name of a type in ${files.join(" and in ")}`)
  for (const { identifier, schemas } of misleading)
    console.error(`${identifier} is the name of another type, or the identifier of ${schemas.join(" and of ")}`)
  if (duplicates.length + misleading.length > 0) process.exitCode = 1
}
