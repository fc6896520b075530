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

/** The sources in these folders, but the checks of the OpenAPI document, whose generated clients name the same types. */
const readSources = async (folders: ReadonlyArray<string>) => {
  const root = fileURLToPath(new URL("..", import.meta.url))
  const files = await Array.fromAsync(new Glob(`{${folders.join(",")}}/**/*.ts`).scan(root))
  return Promise.all(
    files
      .filter((file) => !/^tools\/openapi-checks\/|\/node_modules\//.test(file))
      .map(async (file) => ({ file, text: await Bun.file(`${root}${file}`).text() }))
  )
}

/** Fails if two files declare a type by the same name: part of `bun run check`. */
if (import.meta.main) {
  const duplicates = findDuplicateTypeNames(await readSources(["src", "test", "tools", "bench", "prove"]))
  for (const { files, name } of duplicates) console.error(`${name} is the name of a type in ${files.join(" and in ")}`)
  if (duplicates.length > 0) process.exitCode = 1
}
