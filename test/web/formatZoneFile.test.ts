import { expect, test } from "bun:test"
import { formatZoneFile } from "../../src/web/formatZoneFile.ts"

const connectionWith = (
  ...records: ReadonlyArray<{ readonly host: string; readonly [field: string]: unknown }>
): any => ({
  plan: {
    changes: records.map((record) => ({
      action: "create",
      after: { ...record, name: record.host === "@" ? "example.com" : `${record.host}.example.com` }
    }))
  }
})

test("a zone file has each new record in the format of RFC 1035, and no removed or updated record", () => {
  const connection = connectionWith(
    { host: "@", type: "A", value: "192.0.2.1", ttl: 300 },
    { host: "www", type: "CNAME", value: "shops.example.net", ttl: 3600 },
    { host: "@", type: "MX", value: "mx.example.net", ttl: 3600, priority: 10 },
    { host: "@", type: "MX", value: ".", ttl: 3600, priority: 0 },
    { host: "_sip._tcp", type: "SRV", value: "5 5060 sip.example.net", ttl: 3600, priority: 1 },
    { host: "@", type: "CAA", value: '0 issue "ca.example.net"', ttl: 3600 },
    { host: "t", type: "TXT", value: 'say "hi" \\ grüß', ttl: 60 }
  )
  connection.plan.changes.push({ action: "delete", before: { host: "old", type: "A", value: "192.0.2.9", ttl: 300 } })
  const spf = { host: "@", type: "TXT", value: "v=spf1 mx -all", ttl: 300 }
  connection.plan.changes.push({ action: "update", before: spf, after: { ...spf, value: "v=spf1 mx a -all" } })
  expect(formatZoneFile(connection).split("\n")).toEqual([
    "example.com. 300 IN A 192.0.2.1",
    "www.example.com. 3600 IN CNAME shops.example.net.",
    "example.com. 3600 IN MX 10 mx.example.net.",
    "example.com. 3600 IN MX 0 .",
    "_sip._tcp.example.com. 3600 IN SRV 1 5 5060 sip.example.net.",
    'example.com. 3600 IN CAA 0 issue "ca.example.net"',
    't.example.com. 60 IN TXT "say \\"hi\\" \\\\ gr\\195\\188\\195\\159"',
    ""
  ])
})

test("a text of more than 255 bytes is split into character strings", () => {
  const connection = connectionWith({ host: "t", type: "TXT", value: "x".repeat(600), ttl: 60 })
  expect(formatZoneFile(connection)).toBe(
    `t.example.com. 60 IN TXT "${"x".repeat(255)}" "${"x".repeat(255)}" "${"x".repeat(90)}"\n`
  )
})

const dataOf = (type: string, value: string) =>
  formatZoneFile(connectionWith({ host: "t", type, value, ttl: 60 })).replace("t.example.com. 60 IN ", "")

test("names end in a dot wherever the type has them", () => {
  expect(dataOf("HTTPS", "1 svc.example.net alpn=h2,h3")).toBe("HTTPS 1 svc.example.net. alpn=h2,h3\n")
  expect(dataOf("SVCB", '1 . key667="a b"')).toBe('SVCB 1 . key667="a b"\n')
  expect(dataOf("NAPTR", '1 2 "U" "E2U+sip" "!^.*$!sip:a b!" .')).toBe('NAPTR 1 2 "U" "E2U+sip" "!^.*$!sip:a b!" .\n')
  expect(dataOf("NAPTR", '1 2 "S" "SIP+D2U" "" sip.example.net')).toBe('NAPTR 1 2 "S" "SIP+D2U" "" sip.example.net.\n')
  expect(dataOf("NAPTR", String.raw`1 2 "\" " "" "" a.example`)).toBe(
    String.raw`NAPTR 1 2 "\" " "" "" a.example.` + "\n"
  )
  expect(dataOf("TLSA", "3 1 1 abcd")).toBe("TLSA 3 1 1 abcd\n")
})
