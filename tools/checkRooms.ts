import { Glob } from "bun"
import { dirname, join, normalize } from "node:path"

/** A folder of `src`, or of a room: its files use those of the rooms before it, and never one after it. */
interface Room {
  readonly name: string
  /** What its files may not use although it stands before them: rooms, single files and packages. */
  readonly without?: ReadonlyArray<string>
  /** The rooms within, in their order. */
  readonly rooms?: ReadonlyArray<Room>
}

const named = (...names: ReadonlyArray<string>): ReadonlyArray<Room> => names.map((name) => ({ name }))

/** The rooms of `src` in their order, as in the code map of the README; the files beside them come last. */
const rooms: ReadonlyArray<Room> = [
  // A library of its own: of the service it knows nothing, and the service of it only what it exports.
  { name: "domainConnect", without: ["@effect/", "bun$"] },
  { name: "runtime", without: ["@effect/"] },
  { name: "domain", without: ["runtime/", "@effect/"] },
  // A plan is computed from values: of the runtime it knows only that a computation may be long.
  { name: "planning", without: ["runtime/(?!LongComputation)", "@effect/"] },
  { name: "persistence" },
  { name: "security" },
  { name: "limits" },
  { name: "dns", without: ["planning/"] },
  { name: "providers" },
  {
    name: "lifecycle",
    rooms: named(
      "state",
      "commit",
      "control",
      "authorize",
      "plan",
      "verify",
      "apply",
      "commands",
      "phases",
      "scheduler"
    )
  },
  { name: "webhooks" },
  { name: "administration" },
  { name: "testmode" },
  // It runs in browsers: of the service it knows words of the domain only.
  { name: "web", without: ["(?!domain/|web/)[a-z]+/", "effect", "@effect/", "node:", "bun$"] },
  {
    name: "http",
    rooms: [
      { name: "contract", without: ["web/"] },
      { name: "pipeline", without: ["web/"] },
      { name: "endpoints", without: ["web/"] },
      { name: "pages" }
    ]
  },
  { name: "settings", without: ["web/"] },
  { name: "cli", without: ["http/", "settings/", "web/"] }
]

/** The packages run in Node, Bun, Deno and workers, and depend on nothing. */
const packagesMayNotUse = ["src/", "effect", "@effect/", "node:", "bun$"]

/** The modules that a file imports, relative ones by their path from the root. */
const importsOf = (path: string, text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?:^|\n)(?:import|export)[^"';]*?from "([^"]+)"|import\("([^"]+)"\)/g)].map(
    ([, from = "", dynamic = ""]) => {
      const module = from === "" ? dynamic : from
      return module.startsWith(".") ? normalize(join(dirname(path), module)) : module
    }
  )

const isForbidden = (module: string, patterns: ReadonlyArray<string>): boolean =>
  patterns.some((pattern) => new RegExp(`^${pattern}`).test(module))

/** What is wrong with an import, from the place in the order that both have. */
const findFault = (path: string, module: string, within: ReadonlyArray<Room>): string | undefined => {
  const [name = ""] = path.split("/")
  const [used = ""] = module.split("/")
  const position = within.findIndex((room) => room.name === name)
  const room = within[position]
  if (room === undefined) return undefined
  if (isForbidden(module, room.without ?? [])) return `${name} knows nothing of ${module}`
  if (used === name && module.includes("/"))
    return findFault(path.slice(name.length + 1), module.slice(name.length + 1), room.rooms ?? [])
  const usedPosition = within.findIndex((other) => other.name === used)
  if (usedPosition > position) return `${name} stands before ${used}`
  return within === rooms && usedPosition === -1 && module.endsWith(".ts")
    ? `${name} stands before ${module}`
    : undefined
}

/** A circle of files, of which none can be read before the others; an import of types counts, too. */
const findCircle = (imports: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<string> | undefined => {
  const done = new Set<string>()
  const visit = (file: string, way: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const imported of imports.get(file) ?? []) {
      const circle = visit(imported, [...way, file])
      if (circle !== undefined) return circle
    }
    done.add(file)
    return undefined
  }
  for (const file of imports.keys()) {
    const circle = visit(file, [])
    if (circle !== undefined) return circle
  }
  return undefined
}

const files = [...new Glob("{src,packages}/**/*.ts").scanSync()].filter((file) => !file.includes("node_modules/"))
const imports = new Map<string, ReadonlyArray<string>>()
for (const file of files) imports.set(file, importsOf(file, await Bun.file(file).text()))

const circle = findCircle(imports)
const faults = [...imports].flatMap(([file, modules]) =>
  modules.flatMap((module) => {
    const fault = file.startsWith("packages/")
      ? isForbidden(module, packagesMayNotUse)
        ? `packages know nothing of ${module}`
        : undefined
      : findFault(file.replace(/^src\//, ""), module.replace(/^src\//, ""), rooms)
    return fault === undefined ? [] : [`${file}: ${fault}`]
  })
)
if (circle !== undefined) faults.push(`a circle: ${circle.join(" → ")}`)

/** Fails where a room uses one that comes after it, or files go in a circle: part of `bun run check`. */
if (faults.length > 0) {
  console.error(faults.join("\n"))
  process.exitCode = 1
}
