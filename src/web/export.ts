import { type ConnectionDocument, zoneNameOf } from "./ConnectionDocument.ts"
import { formatZoneFile } from "./formatZoneFile.ts"

/** Copies a text to the clipboard; where the browser refuses, selects the element that shows the text. */
export const copyOrSelect = async (text: string, element: Element | null | undefined): Promise<"copied" | "marked"> => {
  try {
    await navigator.clipboard.writeText(text)
    return "copied"
  } catch {
    if (element) getSelection()?.selectAllChildren(element)
    return "marked"
  }
}

/** Downloads the new records as a zone file that DNS providers can import. */
export const downloadZoneFile = (connection: ConnectionDocument): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([formatZoneFile(connection)], { type: "text/dns" }))
  link.download = `${zoneNameOf(connection)}.zone`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
