import { toUnicodeName } from "./toUnicodeName.ts"

/** The names of the services that mail servers belong to, each once; the server's own name where its service is unknown. */
export const listMailServices = (servers: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(servers.map(mailServiceOf))
]

const mailServiceOf = (server: string): string =>
  mailServices.find(([pattern]) => pattern.test(`.${server.replace(/\.$/, "")}`))?.[1] ?? toUnicodeName(server)

/** By the ends of the names of their servers, as each service tells its customers to enter them. */
const mailServices: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\.google(mail)?\.com$/i, "Google Workspace"],
  [/\.(outlook\.com|mx\.microsoft)$/i, "Microsoft 365"],
  [/\.zoho\.\w+(\.\w+)?$/i, "Zoho Mail"],
  [/\.protonmail\.ch$/i, "Proton Mail"],
  [/\.icloud\.com$/i, "iCloud Mail"],
  [/\.messagingengine\.com$/i, "Fastmail"],
  [/\.(yandex\.(net|ru))$/i, "Yandex Mail"],
  [/\.(kundenserver\.de|ionos\.\w+|1and1\.\w+)$/i, "IONOS"],
  [/\.rzone\.de$/i, "STRATO"],
  [/\.kasserver\.com$/i, "ALL-INKL"],
  [/\.mailbox\.org$/i, "mailbox.org"],
  [/\.ovh\.(net|ca)$/i, "OVHcloud"],
  [/\.gandi\.net$/i, "Gandi"],
  [/\.infomaniak\.\w+$/i, "Infomaniak"],
  [/\.secureserver\.net$/i, "GoDaddy"],
  [/\.(registrar-servers|privateemail)\.com$/i, "Namecheap"],
  [/\.hostinger\.com$/i, "Hostinger"],
  [/\.(pphosted\.com|ppe-hosted\.com)$/i, "Proofpoint"],
  [/\.mimecast(-offshore)?\.com$/i, "Mimecast"],
  [/\.mx\.cloudflare\.net$/i, "Cloudflare Email Routing"]
]
