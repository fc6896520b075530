/** A zone of 26 records in an operator's own layout. */
export const operatorZoneFile = String.raw`
; example.com, as an operator keeps it
$TTL 1h
$ORIGIN example.com.
@		IN SOA	ns1 hostmaster.example.com. (
			2026112101	; serial
			2h		; refresh
			15m		; retry
			2w		; expire
			1h )		; minimum
		IN NS	ns1
		IN NS	ns2.example.net.
		IN A	192.0.2.10
		IN AAAA	2001:DB8:0:0:0:0:0:10

; mail
	300	IN MX	10 mail
	IN 300	MX	20 mx.backup.example.net.
@		TXT	"v=spf1 mx include:_spf.example.net" " -all"
_dmarc		TXT	v=DMARC1\;\ p=reject "; rua=mailto:r@example.com"
s1._domainkey	TXT	( "v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A"
			  "MIIBCgKCAQEA" ; the second half
			)
mail		A	192.0.2.25
_sip._tcp	SRV	10 60 5060 sip
sip		CNAME	mail

; web
www		1d CNAME	@
*.app		CNAME	edge.example.net.
@		CAA	0 issue "letsencrypt.org; validationmethods=dns-01"
		CAA	128 iodef mailto:ca@example.com
		HTTPS	1 . alpn="h3" ipv4hint=192.0.2.10
hello		TXT	"say \"hi\" \\ gr\195\188\195\159e; ok" 
		TYPE65280 \# 3 ( 01 02
			ff )
first\.last	RP	joe\.doe hello

; a part of the zone that others run
$ORIGIN shop.example.com.
@		NS	ns1
		NS	ns.example.net.
ns1	1h30m	A	192.0.2.53
@		DS	60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118
; ns1 of the whole zone
ns1.example.com.	A	192.0.2.1`

/** Its records, as `name ttl type [priority] value`. */
export const expectedZoneLines = [
  "example.com 3600 SOA ns1.example.com hostmaster.example.com 2026112101 7200 900 1209600 3600",
  "example.com 3600 NS ns1.example.com",
  "example.com 3600 NS ns2.example.net",
  "example.com 3600 A 192.0.2.10",
  "example.com 3600 AAAA 2001:db8::10",
  "example.com 300 MX 10 mail.example.com",
  "example.com 300 MX 20 mx.backup.example.net",
  "example.com 3600 TXT v=spf1 mx include:_spf.example.net -all",
  "_dmarc.example.com 3600 TXT v=DMARC1; p=reject; rua=mailto:r@example.com",
  "s1._domainkey.example.com 3600 TXT v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA",
  "mail.example.com 3600 A 192.0.2.25",
  "_sip._tcp.example.com 3600 SRV 10 60 5060 sip.example.com",
  "sip.example.com 3600 CNAME mail.example.com",
  "www.example.com 86400 CNAME example.com",
  "*.app.example.com 3600 CNAME edge.example.net",
  'example.com 3600 CAA 0 issue "letsencrypt.org; validationmethods=dns-01"',
  'example.com 3600 CAA 128 iodef "mailto:ca@example.com"',
  "example.com 3600 HTTPS 1 . alpn=h3 ipv4hint=192.0.2.10",
  'hello.example.com 3600 TXT say "hi" \\ grüße; ok',
  String.raw`hello.example.com 3600 TYPE65280 \# 3 0102ff`,
  String.raw`first\046last.example.com 3600 RP joe\046doe.example.com hello.example.com`,
  "shop.example.com 3600 NS ns1.shop.example.com",
  "shop.example.com 3600 NS ns.example.net",
  "ns1.shop.example.com 5400 A 192.0.2.53",
  "shop.example.com 3600 DS 60485 5 1 2bb183af5f22588179a53b0a98631fad1a292118",
  "ns1.example.com 3600 A 192.0.2.1"
]

/** The output of `named-compilezone -s relative` of BIND 9.18 for it. */
export const bindZoneFile = String.raw`
$ORIGIN .
$TTL 3600	; 1 hour
example.com		IN SOA	ns1.example.com. hostmaster.example.com. (
				2026112101 ; serial
				7200       ; refresh (2 hours)
				900        ; retry (15 minutes)
				1209600    ; expire (2 weeks)
				3600       ; minimum (1 hour)
				)
			NS	ns1.example.com.
			NS	ns2.example.net.
			A	192.0.2.10
$TTL 300	; 5 minutes
			MX	10 mail.example.com.
			MX	20 mx.backup.example.net.
$TTL 3600	; 1 hour
			TXT	"v=spf1 mx include:_spf.example.net" " -all"
			AAAA	2001:db8::10
			HTTPS	1 . alpn="h3" ipv4hint=192.0.2.10
			CAA	0 issue "letsencrypt.org; validationmethods=dns-01"
			CAA	128 iodef "mailto:ca@example.com"
$ORIGIN example.com.
_dmarc			TXT	"v=DMARC1; p=reject" "; rua=mailto:r@example.com"
s1._domainkey		TXT	"v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A" "MIIBCgKCAQEA"
_sip._tcp		SRV	10 60 5060 sip
$ORIGIN app.example.com.
*			CNAME	edge.example.net.
$ORIGIN example.com.
first\.last		RP	joe\.doe hello
hello			TXT	"say \"hi\" \\ gr\195\188\195\159e; ok"
			TYPE65280 \# 3 ( 0102FF )
mail			A	192.0.2.25
ns1			A	192.0.2.1
shop			NS	ns.example.net.
			NS	ns1.shop
			DS	60485 5 1 (
				2BB183AF5F22588179A53B0A98631FAD1A292118 )
$ORIGIN shop.example.com.
$TTL 5400	; 1 hour 30 minutes
ns1			A	192.0.2.53
$ORIGIN example.com.
$TTL 3600	; 1 hour
sip			CNAME	mail
$TTL 86400	; 1 day
www			CNAME	example.com.`
