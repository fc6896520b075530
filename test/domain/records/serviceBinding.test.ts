import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { Either } from "effect"
import { resolveIntent } from "../../../src/domain/connection/Intent.ts"
import { normalizeValue, type RecordType } from "../../../src/domain/records/recordTypes.ts"
import { describePlan, desiredRecords, zoneOf } from "../../support/planFixtures.ts"
import { rejected, unchanged } from "../outcomes.ts"
import { judgeRecordType } from "./judgeRecordType.ts"

const protocol = fc.constantFrom("h2", "h3", "http/1.1", "f\\\\\\\\oo\\\\,bar", "\\001")

const parameter = fc.oneof(
  fc.uniqueArray(protocol, { minLength: 1, maxLength: 3 }).map((list) => `alpn="${list.join(",")}"`),
  fc.constantFrom("port=8443", "PORT=0", "key3=1"),
  fc.constantFrom("ipv4hint=192.0.2.1", 'ipv4hint="192.0.2.1,192.0.2.2"'),
  fc.constantFrom("ipv6hint=2001:DB8:0::1", "ipv6hint=::,2001:db8::1"),
  fc.constant("ech=AEX+DQBBpQAgACDkAQ=="),
  fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => {
    const text = Array.from(bytes, (byte) => `\\${String(byte).padStart(3, "0")}`)
    return `key667="${text.join("")}"`
  })
)

const keyOf = (text: string) => text.split("=")[0]?.toLowerCase().replace("key3", "port")

const service = fc
  .tuple(
    fc.integer({ min: 1, max: 65_535 }),
    fc.constantFrom(".", "svc.example.net", "Svc.Example.NET."),
    fc.uniqueArray(parameter, { maxLength: 5, selector: keyOf }),
    fc.boolean()
  )
  .map(([priority, target, parameters, isMandatory]) => {
    const hasPort = parameters.some((text) => keyOf(text) === "port")
    return [priority, target, ...parameters, ...(hasPort && isMandatory ? ["mandatory=port"] : [])].join(" ")
  })

const alias = fc.constantFrom("0 pool.example.net", "0  Pool.Example.NET.")

const codesOf = (type: RecordType, ...values: ReadonlyArray<string>) =>
  Either.match(
    resolveIntent({ domain: "example.com", records: values.map((value) => ({ host: "www", type, value })) }),
    { onLeft: (details) => details.map(({ code }) => code), onRight: () => [] }
  )

for (const type of ["HTTPS", "SVCB"] as const)
  describe(`a service binding of the type ${type}`, () => {
    judgeRecordType(type, {
      outcomes: {
        ...unchanged("1 . alpn=h2,h3", "0 pool.example.net", "1 .", "16 foo.example.org alpn=h2,h3-19 port=443"),
        '1 . ALPN="h2,h3"': "1 . alpn=h2,h3",
        "1 . port=443 alpn=h2 mandatory=port,alpn": "1 . mandatory=port,alpn alpn=h2 port=443",
        "1 . ipv6hint=2001:DB8::0 key4=192.0.2.1": "1 . ipv4hint=192.0.2.1 ipv6hint=2001:db8::",
        '1 . dohpath="/q{?dns}" ohttp': '1 . key7="/q{?dns}" key8=""',
        ...rejected("value_malformed", "", "1", "x .", "0 a.example alpn=h2", "1 . alpn=", "1 . alpn=h2 alpn=h3"),
        ...rejected("value_malformed", "1 . port=65536", "1 . ipv4hint=::1", "1 . foo=bar", "1 . mandatory=port"),
        ...rejected("value_malformed", "1 . no-default-alpn", "1 . ech=!", "1 . key65535=a", "1 . no-default-alpn=1"),
        ...rejected("value_malformed", '1 . alpn=h2"', "1 . alpn=h2 \\"),
        ...rejected("target_is_ip_address", "1 192.0.2.1 alpn=h2")
      },
      suggestions: {
        "1 alpn=h2": ["target_has_bad_character", "1 . alpn=h2"],
        "alpn=h2,h3": ["value_malformed", "1 . alpn=h2,h3"],
        ". alpn=h2": ["value_malformed", "1 . alpn=h2"],
        "1 . alpn:h2": ["value_malformed", "1 . alpn=h2"],
        "1 . apln=h2 prot=8443": ["value_malformed", "1 . alpn=h2 port=8443"],
        "1 . alpn=h2, port=8443": ["value_malformed", "1 . alpn=h2 port=8443"],
        "1 . port=8443;alpn=h2": ["value_malformed", "1 . alpn=h2 port=8443"],
        "1 . ipv4hint=2001:db8::1": ["value_malformed", "1 . ipv6hint=2001:db8::1"],
        "1 . ipv4hint=192.0.2.1;192.0.2.2": ["value_malformed", "1 . ipv4hint=192.0.2.1,192.0.2.2"],
        "1 . foo=bar": ["value_malformed"],
        [`www.example.com. 300 IN ${type} 1 . alpn="h2"`]: ["value_malformed", "1 . alpn=h2"],
        "1 https://svc.example.net/ alpn=h2": ["target_is_url", "1 svc.example.net alpn=h2"]
      },
      spellings: fc.oneof({ weight: 9, arbitrary: service }, alias)
    })

    test("a value of any length in a zone is parsed or kept", () => {
      const long = `1 . alpn=${"a,".repeat(100_000)}b key9="${"x".repeat(200_000)}"`
      expect(normalizeValue(type, long).length).toBe(long.length)
      expect(normalizeValue(type, `1 . ${"alpn=a ".repeat(10_000)}`).length).toBeGreaterThan(70_000)
    })

    test("protocols that no client knows are refused, and suggested by their names", () => {
      const suggestions = {
        "1 . alpn=http/2,HTTP/3": "1 . alpn=h2,h3",
        "1 . alpn=http1.1": "1 . alpn=http/1.1",
        "1 . alpn=h2;port=8443": "1 . alpn=h2 port=8443",
        "1 . alpn=“h2”": undefined
      }
      const found = Object.keys(suggestions).map((value) =>
        Either.match(resolveIntent({ domain: "example.com", records: [{ host: "www", type, value }] }), {
          onLeft: (details) => details.map(({ code, suggestion }) => [value, code, suggestion]),
          onRight: () => []
        })
      )
      expect(found).toEqual(
        Object.entries(suggestions).map(([value, suggested]) => [[value, "value_malformed", suggested]])
      )
      expect(codesOf(type, "1 . alpn=h2,h3,http/1.1,h2c,dot")).toEqual([])
    })

    test("an alias is the only one of its host", () => {
      expect(codesOf(type, "1 .", "2 svc.example.net")).toEqual([])
      expect(codesOf(type, "0 svc.example.net", "1 .")).toEqual(["record_must_be_single", "record_must_be_single"])
    })

    test("stays beside the addresses of its host, and replaces others of its type", () => {
      const zone = zoneOf("www 300 A 192.0.2.1", `www 300 ${type} 1 . alpn="h2"`)
      expect(describePlan({ zone, desired: desiredRecords(`www 300 ${type} 1 . alpn=h2`) }).changes).toEqual([])
      expect(describePlan({ zone, desired: desiredRecords(`www 300 ${type} 1 . alpn=h3`) }).changes).toEqual([
        `update! | www 300 ${type} 1 . alpn=h2 | www 300 ${type} 1 . alpn=h3`
      ])
    })
  })
