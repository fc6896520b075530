import { Effect } from "effect"
import { temporaryDirectory } from "../support/TestPostgres.ts"

export const shop = { host: "shop", type: "CNAME", value: "shops.example.net" }
export const apex = { host: "@", type: "CNAME", value: "shops.example.net" }
export const zone = [{ host: "shop", type: "A", value: "192.0.2.1", ttl: 300 }]

const contents: Readonly<Record<string, unknown>> = {
  "zone.json": zone,
  "intent.json": { domain: "example.com", records: [shop] },
  "shop.json": { intent: { records: [shop] } },
  "apex.json": { intent: { records: [apex] } },
  "broken.json": "{",
  "wrong.json": [{ host: "shop", type: "A", value: "192.0.2.1", ttl: "300" }],
  "twice.json": '{"records": [], "records": []}',
  "db.example": `$ORIGIN example.com.
$TTL 300
@     IN SOA ns1 hostmaster 1 2 3 4 5
@     IN NS  ns1
shop  IN A   192.0.2.1
shop  IN TXT "old" "-shop"
www.example.org. IN A 192.0.2.9
`,
  "db.broken": "@ 300 IN A 192.0.2.1\nshop 300 IN\n"
}

/** Words of a command line, in which `:` stands for a directory with these files. */
export const withFiles = (words: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const directory = temporaryDirectory()
    for (const [name, content] of Object.entries(contents)) {
      await Bun.write(`${directory}/${name}`, typeof content === "string" ? content : JSON.stringify(content))
    }
    return words.map((word) => word.replace(/^:/, `${directory}/`))
  })
