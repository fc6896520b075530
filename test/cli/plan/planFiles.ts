import { Effect } from "effect"
import { temporaryDirectory } from "../../support/TestPostgres.ts"

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
  "db.above": `@       300 IN NS  ns1
@       300 IN CAA 0 issue "digicert.com"
_dmarc  300 IN TXT "v=DMARC1; p=reject; sp=quarantine"
app     300 IN A   192.0.2.1
`,
  "db.wildcard": `* 300 IN A  192.0.2.1
* 300 IN MX 10 mx.example.net.
`,
  "db.mail": `@    300 IN MX  10 mail.example.com.
@    300 IN TXT "v=spf1 a:mail.example.com -all"
mail 300 IN A   192.0.2.9
`,
  "db.ring": `fruit  300 IN CNAME x.shop.example.com.
y.shop 300 IN A     192.0.2.1
`,
  "ring.json": { records: [{ host: "x", type: "CNAME", value: "fruit.example.com" }] },
  "mail.json": { records: [{ host: "mail", type: "A", value: "203.0.113.1" }] },
  "here.json": { records: [{ host: "@", type: "A", value: "203.0.113.1" }] },
  "token.json": { records: [{ host: "_v", type: "TXT", value: "token" }] },
  "policies.json": {
    records: [
      { host: "@", type: "CAA", value: '0 issue "letsencrypt.org"' },
      { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none", advancedDmarcOptions: { inheritRootDmarc: true } }
    ]
  },
  "providers.json": [
    {
      id: "acme",
      name: "Acme DNS",
      nameServers: ["ns.acme.example"],
      adapter: "powerdns",
      settings: { baseUrl: "https://dns.acme.example/api/v1" },
      capabilities: { cnameFlattening: "supported" }
    }
  ],
  "db.broken": "@ 300 IN A 192.0.2.1\nshop 300 IN\n"
}

/** Writes these files to a directory, which `:` abbreviates in command lines and in messages. */
export const planFiles: Effect.Effect<{
  readonly argsOf: (line: string) => ReadonlyArray<string>
  readonly shortenPaths: (text: string) => string
}> = Effect.promise(async () => {
  const directory = temporaryDirectory()
  for (const [name, content] of Object.entries(contents)) {
    await Bun.write(`${directory}/${name}`, typeof content === "string" ? content : JSON.stringify(content))
  }
  return {
    argsOf: (line) => line.split(" ").map((arg) => arg.replace(/^:/, `${directory}/`)),
    shortenPaths: (text) => text.replaceAll(`${directory}/`, ":")
  }
})
