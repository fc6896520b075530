$ORIGIN example.com.
$TTL 3600
@     IN SOA  ns1.example.net. hostmaster 1 7200 3600 1209600 3600
@     IN NS   ns1.example.net.
@     IN NS   ns2.example.net.
@     IN MX   10 mail
@     IN TXT  "v=spf1 mx include:_spf.google.com -all"
mail  IN A    192.0.2.25
shop  300 IN A 192.0.2.46
