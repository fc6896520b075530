import { type ConnectionDocument, zoneName } from "./ConnectionDocument.ts"
import { zoneFile } from "./zoneFile.ts"

/** Puts a text into the clipboard; where the browser does not let it, marks what shows the text instead. */
export const copyOrSelect = async (text: string, shown: Element | null | undefined): Promise<"copied" | "marked"> => {
  try {
    await navigator.clipboard.writeText(text)
    return "copied"
  } catch {
    if (shown) getSelection()?.selectAllChildren(shown)
    return "marked"
  }
}

/** Saves what is new as a file that providers can import. */
export const downloadZoneFile = (connection: ConnectionDocument): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([zoneFile(connection)], { type: "text/dns" }))
  link.download = `${zoneName(connection)}.zone`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
