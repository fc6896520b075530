/** Formats a table in Markdown, its columns padded as the formatter of this repository pads them. */
export const markdownTable = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((cells) => Bun.stringWidth(cells[column] ?? "")))
  )
  const line = (cells: ReadonlyArray<string>) =>
    `| ${widths.map((width, column) => padded(cells[column] ?? "", width)).join(" | ")} |`
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n")
}

const padded = (cell: string, width: number) => cell + " ".repeat(width - Bun.stringWidth(cell))
