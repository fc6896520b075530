import { describe, expect, test } from "bun:test"
import { Either, Record } from "effect"
import { type IntentRequest, resolveIntent } from "../../../src/domain/connection/Intent.ts"

/** The codes and suggestions of the faults of a record. */
const refusalOf = (record: IntentRequest["records"][number]) => {
  const resolved = resolveIntent({ domain: "example.com", records: [record] })
  return Either.isRight(resolved) ? "accepted" : resolved.left.flatMap(({ code, suggestion }) => [code, suggestion])
}

describe("an intent", () => {
  test("reports an SRV host at which no program looks, and suggests the right one", () => {
    const hosts = {
      "_sip.__tls": ["srv_host_malformed", "_sip._tls"],
      "sip._tcp.eu": ["srv_host_malformed", "_sip._tcp.eu"],
      "SIP.UDP": ["srv_host_malformed", "_sip._udp"],
      _sip: ["srv_host_malformed", undefined],
      "@": ["srv_host_malformed", undefined],
      "www.shop": ["srv_host_malformed", undefined],
      "_tcp._sip": ["srv_host_malformed", "_sip._tcp"],
      "_sip._tpc": ["srv_host_malformed", "_sip._tcp"],
      "_sip._tsl.eu": ["srv_host_malformed", "_sip._tls.eu"],
      _sip_tls: ["srv_host_malformed", "_sip._tls"],
      "_sip-_tls.eu": ["srv_host_malformed", "_sip._tls.eu"],
      "shop._sip._tls": ["srv_host_malformed", "_sip._tls.shop"],
      "_ldap._tcp.office._sites": "accepted",
      "_sips._dtls": "accepted",
      "_foo._bar": "accepted",
      "_UDP._stun.eu": ["srv_host_malformed", "_stun._udp.eu"],
      "_ldap._tcp.dc._msdcs": "accepted",
      "_printer._sub._http._tcp": "accepted",
      "*": "accepted"
    }
    expect(
      Object.fromEntries(
        Object.keys(hosts).map((host) => [host, refusalOf({ host, type: "SRV", value: "1 443 sip.example.net" })])
      )
    ).toEqual(hosts)
  })

  test("reports a target of one label, which no server finds, and suggests the host of the domain", () => {
    const targets = {
      CNAME: ["shops", "shops.example.com"],
      MX: ["mx.", "mx.example.com"],
      NS: ["ns1", "ns1.example.com"],
      SRV: ["1 443 sip", "1 443 sip.example.com"],
      HTTPS: ["1 cdn alpn=h2", "1 cdn.example.com alpn=h2"]
    } as const
    expect(
      Record.map(targets, ([value], type) => refusalOf({ host: type === "SRV" ? "_sip._tls" : "www", type, value }))
    ).toEqual(Record.map(targets, ([, suggestion]) => ["target_is_single_label", suggestion]))
    expect(refusalOf({ host: "_sip._tls", type: "SRV", value: "1 443 ." })).toBe("accepted")
  })

  test("reports a policy or key of mail where no program looks for it, and suggests the host", () => {
    const texts = {
      DMARC: "v=DMARC1; p=none",
      DKIM: "v=DKIM1; p=MIGf",
      STS: "v=STSv1; id=1",
      RPT: "v=TLSRPTv1; rua=mailto:a@b.example"
    }
    const hosts = {
      "DMARC @": "_dmarc",
      "DMARC dmarc": "_dmarc",
      "DMARC __dmarc.shop": "_dmarc.shop",
      "DMARC shop._dmarc": "_dmarc.shop",
      "DKIM @": undefined,
      "DKIM s1.domainkey": "s1._domainkey",
      "DKIM s1_domainkey.shop": "s1._domainkey.shop",
      "STS mta-sts": "_mta-sts",
      "RPT smtp.tls": "_smtp._tls",
      "RPT _smtp.tls.shop": "_smtp._tls.shop"
    }
    const refusals = Object.keys(hosts).map((place) => {
      const [kind = "", host = ""] = place.split(" ")
      return [place, refusalOf({ host, type: "TXT", value: texts[kind as keyof typeof texts] })]
    })
    expect(refusals).toEqual(Object.entries(hosts).map(([place, meant]) => [place, ["host_malformed", meant]]))
    expect(refusalOf({ host: "customer.dmarc-hosting", type: "TXT", value: texts.DMARC })).toBe("accepted")
    expect(refusalOf({ host: "other.example._report._dmarc", type: "TXT", value: "v=DMARC1" })).toBe("accepted")
  })
})
