import { type ConnectionDocument, zoneNameOf } from "./ConnectionDocument.ts"
import { formatZoneFile } from "./formatZoneFile.ts"

/** Downloads the new records as a zone file that DNS providers can import. */
export const downloadZoneFile = (connection: ConnectionDocument): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([formatZoneFile(connection)], { type: "text/dns" }))
  link.download = `${zoneNameOf(connection)}.zone`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
