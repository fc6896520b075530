import type { RoundTripLocation, RoundTrip } from "./RoundTrip.ts"

/** Records with their own merge rules: SPF, DMARC, DKIM, CAA. */
export const policies = {
  spf: (): RoundTrip => ({
    about: "SPF records that are created, merged, collapsed and kept",
    live: `
      merge    1800  TXT  "v=spf1 a mx " "include:_spf.mailprov.net -all"
      merge    1800  TXT  "beside it"
      double         TXT  "v=spf1 ip4:192.0.2.1 -all"
      double         TXT  "v=spf1 ip4:192.0.2.2 ~all"
      broken         TXT  "v=spf1 ip4:192.0.2.1 ip4:nonsense ?all"
      same           TXT  "V=SPF1  Include:_SPF.MailProv.net   -ALL"`,
    desired: [
      "new 300 TXT v=spf1 include:_spf.mailprov.net -all",
      "merge 300 TXT v=spf1 ip4:198.51.100.1 ~all",
      "double 300 TXT v=spf1 ip4:192.0.2.1 -all",
      "broken 300 TXT v=spf1 ip4:192.0.2.2 -all",
      "same 300 TXT v=spf1 include:_spf.mailprov.net -all"
    ],
    changes: 5,
    served: [
      "new 300 TXT v=spf1 include:_spf.mailprov.net -all",
      "merge 1800 TXT v=spf1 a mx include:_spf.mailprov.net ip4:198.51.100.1 -all",
      "merge 1800 TXT beside it",
      "double 300 TXT v=spf1 ip4:192.0.2.1 ip4:192.0.2.2 ~all",
      "broken 300 TXT v=spf1 ip4:192.0.2.1 ip4:192.0.2.2 ?all",
      "same 300 TXT V=SPF1  Include:_SPF.MailProv.net   -ALL"
    ]
  }),

  dmarc: (): RoundTrip => ({
    about: "DMARC records that get tags, are created and are kept",
    live: `
      _dmarc       1800  TXT  "v=DMARC1; p=none; " "rua=mailto:r@example.com"
      _dmarc.text        TXT  "not a policy"
      _dmarc.same        TXT  "v=DMARC1;p=quarantine;pct=50"`,
    desired: [
      "_dmarc 300 TXT v=DMARC1; p=none",
      "_dmarc.text 300 TXT v=DMARC1; p=none",
      "_dmarc.same 300 TXT v=DMARC1; p=none"
    ],
    dmarc: { overrideTags: { p: "quarantine" } },
    changes: 2,
    served: [
      "_dmarc 1800 TXT v=DMARC1; p=quarantine; rua=mailto:r@example.com",
      "_dmarc.text 300 TXT v=DMARC1; p=quarantine",
      "_dmarc.text 300 TXT not a policy",
      "_dmarc.same 300 TXT v=DMARC1;p=quarantine;pct=50"
    ]
  }),

  inherited: (): RoundTrip => ({
    about: "DMARC that is inherited from the domain above",
    live: '_dmarc TXT "v=DMARC1; p=reject; sp=quarantine; rua=mailto:r@example.com"',
    desired: ["_dmarc.mail 300 TXT v=DMARC1; p=none"],
    dmarc: { inheritRootDmarc: true },
    changes: 1,
    served: ["_dmarc.mail 300 TXT v=DMARC1; p=quarantine; rua=mailto:r@example.com"]
  }),

  dkim: ({ domain }: RoundTripLocation): RoundTrip => ({
    about: "a DKIM key that is replaced, and a correct one behind an alias",
    live: `
      s1._domainkey  60  TXT    "v=DKIM1; k=rsa; p=${"MIIB".repeat(55)}" "${"QAB0".repeat(40)}"
      s2._domainkey      CNAME  s2.keys
      s3._domainkey      CNAME  s2.keys
      s2.keys            TXT    "${keyOf("behind").slice(0, 200)}" "${keyOf("behind").slice(200)}"`,
    desired: [
      `s1._domainkey 300 TXT ${keyOf("new")}`,
      `s2._domainkey 300 TXT ${keyOf("behind")}`,
      `s3._domainkey 300 TXT ${keyOf("other")}`
    ],
    changes: 3,
    served: [
      `s1._domainkey 300 TXT ${keyOf("new")}`,
      `s2._domainkey 300 CNAME s2.keys.${domain}`,
      `s3._domainkey 300 TXT ${keyOf("other")}`
    ]
  }),

  caa: (): RoundTrip => ({
    about: "CAA entries with parameters beside existing ones",
    live: `
      both   CAA  0 issue "digicert.com"
      param  CAA  0 issue "letsencrypt.org;accounturi=https://ca.example/1"
      wild   CAA  0 issue "digicert.com"`,
    desired: [
      'new 300 CAA 0 issue "letsencrypt.org; accounturi=https://ca.example/acct/1; validationmethods=dns-01"',
      'new 300 CAA 0 issuewild ";"',
      'new 300 CAA 128 issue "pki.goog"',
      'new 300 CAA 0 iodef "mailto:security@example.com"',
      'both 300 CAA 0 issue "letsencrypt.org"',
      'param 300 CAA 0 issue "letsencrypt.org"',
      'wild 300 CAA 0 issuewild "letsencrypt.org"'
    ],
    policy: { validateCAA: false },
    changes: 8,
    served: [
      'new 300 CAA 0 issue "letsencrypt.org; accounturi=https://ca.example/acct/1; validationmethods=dns-01"',
      'new 300 CAA 0 issuewild ";"',
      'new 300 CAA 128 issue "pki.goog"',
      'new 300 CAA 0 iodef "mailto:security@example.com"',
      'both 300 CAA 0 issue "digicert.com"',
      'both 300 CAA 0 issue "letsencrypt.org"',
      'param 300 CAA 0 issue "letsencrypt.org;accounturi=https://ca.example/1"',
      'param 300 CAA 0 issue "letsencrypt.org"',
      'wild 300 CAA 0 issue "digicert.com"',
      'wild 300 CAA 0 issuewild "digicert.com"',
      'wild 300 CAA 0 issuewild "letsencrypt.org"'
    ]
  }),

  caaodd: (): RoundTrip => ({
    about: "CAA values with quotes, backslashes and blanks",
    live: String.raw`
      @  CAA  0 iodef "mailto:\"a\\b\"@example.com"
      @  CAA  0 issue "  ca.example ;  x=\195\164"`,
    desired: [
      String.raw`@ 300 CAA 0 iodef "mailto:\"a\\b\"@example.com"`,
      String.raw`@ 300 CAA 0 iodef "mailto:\"c d\"@example.com"`
    ],
    policy: { validateCAA: false },
    changes: 1,
    served: [
      String.raw`@ 300 CAA 0 iodef "mailto:\034a\092b\034@example.com"`,
      String.raw`@ 300 CAA 0 iodef "mailto:\034c d\034@example.com"`,
      String.raw`@ 300 CAA 0 issue "  ca.example ;  x=\195\164"`
    ]
  }),

  caasame: (): RoundTrip => ({
    about: "CAA entries that already exist or that restrict nothing",
    live: 'there CAA 0 issue "letsencrypt.org"',
    desired: ['there 300 CAA 0 issue "letsencrypt.org"', 'none 300 CAA 0 issue "letsencrypt.org"'],
    changes: 0,
    served: ['there 300 CAA 0 issue "letsencrypt.org"']
  })
}

/** A public key of about 400 bytes. */
const keyOf = (name: string): string => `v=DKIM1; k=rsa; p=${btoa(name)}${"MIIBIjANBgkqhkiG9w0B".repeat(19)}`
