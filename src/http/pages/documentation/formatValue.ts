/** How a value is written: as JSON, or as a literal of TypeScript. */
type Notation = "json" | "typescript"

const width = 76

/** Writes a value with two spaces of indentation, a part in one line if it fits; it begins at `column`. */
export const formatValue = (
  value: unknown,
  notation: Notation,
  indentation = "",
  column: number = indentation.length
): string => {
  const line = formatLine(value, notation)
  if (column + line.length < width || typeof value !== "object" || value === null) return line
  const deeper = `${indentation}  `
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"]
  const entries = Array.isArray(value)
    ? value.map((entry) => formatValue(entry, notation, deeper))
    : Object.entries(value).map(([name, entry]) => {
        const key = `${formatKey(name, notation)}: `
        return key + formatValue(entry, notation, deeper, deeper.length + key.length)
      })
  return `${open}\n${entries.map((entry) => deeper + entry).join(",\n")}\n${indentation}${close}`
}

const formatLine = (value: unknown, notation: Notation): string => {
  if (Array.isArray(value)) return `[${value.map((entry) => formatLine(entry, notation)).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const entries = Object.entries(value).map(
    ([key, entry]) => `${formatKey(key, notation)}: ${formatLine(entry, notation)}`
  )
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`
}

const formatKey = (key: string, notation: Notation): string =>
  notation === "typescript" && /^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key)
