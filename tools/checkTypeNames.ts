import { Glob } from "bun"
import { fileURLToPath } from "node:url"

/** Two or more files of `src` that export a type by the same name. */
interface DuplicateTypeName {
  readonly name: string
  readonly files: ReadonlyArray<string>
}

/**
 * Finds the type names that more than one file declares and exports: types, interfaces, classes, enums, and constants
 * in PascalCase, which are schemas and services. Re-exports name the same thing again and do not count.
 */
export const findDuplicateTypeNames = (
  sources: ReadonlyArray<{ readonly file: string; readonly text: string }>
): ReadonlyArray<DuplicateTypeName> => {
  const filesOf = new Map<string, Set<string>>()
  for (const { file, text } of sources) {
    for (const [, name = ""] of text.matchAll(exportedType)) {
      filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file))
    }
  }
  return [...filesOf]
    .filter(([, files]) => files.size > 1)
    .map(([name, files]) => ({ name, files: [...files].toSorted() }))
    .toSorted((first, second) => first.name.localeCompare(second.name))
}

/** An exported declaration as oxfmt writes it: at the start of a line, with single spaces. */
const exportedType =
  /^export (?:declare |abstract )*(?:type|interface|class|enum|const enum|const(?= [A-Z]\w*[a-z])) ([A-Za-z_$][\w$]*)/gm

/** The sources of the service. Declaration files are left out: they describe the types of another file to publish them. */
const readSources = async (directory: string) => {
  const files = (await Array.fromAsync(new Glob("**/*.ts").scan(directory))).filter((file) => !file.endsWith(".d.ts"))
  return Promise.all(
    files.map(async (file) => ({ file: `src/${file}`, text: await Bun.file(`${directory}/${file}`).text() }))
  )
}

/** Fails if two files of `src` export a type by the same name: part of `bun run check`. */
if (import.meta.main) {
  const duplicates = findDuplicateTypeNames(await readSources(fileURLToPath(new URL("../src", import.meta.url))))
  for (const { files, name } of duplicates) console.error(`${name} is the name of a type in ${files.join(" and in ")}`)
  if (duplicates.length > 0) process.exitCode = 1
}
