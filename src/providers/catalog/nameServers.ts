/** The source that assigns a suffix to a provider; each is public, and only facts were taken from it. */
type NameServerSource =
  /** dns-lexicon/dns-lexicon 3.25.1, `get_nameservers()` of its providers. */
  | "lexicon"
  /** jakejarvis/domainstack.io, its catalog of DNS providers. */
  | "domainstack"
  /** indianajson/can-i-take-over-dns, its list of name servers. */
  | "can-i-take-over-dns"
  /** enthec/webappanalyzer, its `dns.NS` and `dns.SOA` patterns, rewritten as suffixes. */
  | "webappanalyzer-facts"
  /** DNSControl/dnscontrol, the default name servers of its providers. */
  | "dnscontrol"
  /** reynoldharbin/checkDnsProvider, its domains of name servers. */
  | "checkDnsProvider"
  /** Configurations and notes in public repositories, or the provider's own help, which name the server for the provider. */
  | "public-texts"

/**
 * A provider and its name servers' suffixes, which match whole labels. `#` matches one digit; a suffix with `#`
 * has no other digits.
 */
export interface ProviderNameServers {
  readonly id: string
  readonly name: string
  readonly suffixes: Readonly<Record<string, ReadonlyArray<NameServerSource>>>
}

/**
 * Every provider with a suffix in a source, by id. If customers own names below it (public suffix list: ALL-INKL, Linode,
 * Mythic Beasts, Sakura, Scaleway, Yandex Cloud), only the part that serves zones is listed. Several share others.
 */
export const nameServers: ReadonlyArray<ProviderNameServers> = [
  { id: "000domains", name: "000Domains", suffixes: { "000domains.com": ["can-i-take-over-dns"] } },
  { id: "123reg", name: "123 Reg", suffixes: { "123-reg.co.uk": ["public-texts"] } },
  { id: "34sp", name: "34SP.com", suffixes: { "34sp.com": ["webappanalyzer-facts"] } },
  {
    id: "a2",
    name: "A2 Hosting",
    suffixes: { "a2hosting.com": ["public-texts"], "stableserver.net": ["public-texts"] }
  },
  { id: "above", name: "Above.com (parking)", suffixes: { "above.com": ["public-texts"] } },
  { id: "afraid", name: "FreeDNS (afraid.org)", suffixes: { "afraid.org": ["domainstack"] } },
  { id: "afternic", name: "Afternic (parking)", suffixes: { "afternic.com": ["public-texts"] } },
  { id: "akamai", name: "Akamai Edge DNS", suffixes: { "akam.net": ["domainstack"] } },
  {
    id: "aliyun",
    name: "Alibaba Cloud DNS",
    suffixes: { "hichina.com": ["lexicon", "domainstack"], "alidns.com": ["domainstack"] }
  },
  { id: "allinkl", name: "ALL-INKL", suffixes: { "ns#.kasserver.com": ["webappanalyzer-facts"] } },
  {
    id: "aruba",
    name: "Aruba.it",
    suffixes: {
      "technorail.com": ["webappanalyzer-facts"],
      "arubadns.net": ["public-texts"],
      "arubadns.cz": ["public-texts"]
    }
  },
  { id: "arvancloud", name: "ArvanCloud", suffixes: { "arvancloud.ir": ["lexicon"] } },
  { id: "aurora", name: "PCextreme AuroraDNS", suffixes: { "auroradns.eu": ["lexicon"] } },
  {
    id: "azure",
    name: "Microsoft Azure DNS",
    suffixes: {
      "azure-dns.com": ["lexicon", "domainstack", "can-i-take-over-dns"],
      "azure-dns.net": ["lexicon", "domainstack", "can-i-take-over-dns"],
      "azure-dns.org": ["lexicon", "domainstack", "can-i-take-over-dns"],
      "azure-dns.info": ["lexicon", "domainstack", "can-i-take-over-dns"]
    }
  },
  {
    id: "beget",
    name: "Beget",
    suffixes: { "beget.com": ["public-texts"], "beget.pro": ["public-texts"], "beget.ru": ["public-texts"] }
  },
  { id: "bigcommerce", name: "BigCommerce", suffixes: { "bigcommerce.com": ["can-i-take-over-dns"] } },
  {
    id: "bizland",
    name: "BizLand",
    suffixes: { "bizland.com": ["can-i-take-over-dns"], "click2site.com": ["can-i-take-over-dns"] }
  },
  { id: "bluehost", name: "Bluehost", suffixes: { "bluehost.com": ["domainstack", "webappanalyzer-facts"] } },
  { id: "bodis", name: "Bodis (parking)", suffixes: { "bodis.com": ["public-texts"] } },
  { id: "buddyns", name: "BuddyNS", suffixes: { "buddyns.com": ["checkDnsProvider"] } },
  { id: "bunny", name: "bunny.net DNS", suffixes: { "bunny.net": ["domainstack"] } },
  {
    id: "cloudflare",
    name: "Cloudflare",
    suffixes: { "cloudflare.com": ["lexicon", "domainstack", "can-i-take-over-dns"] }
  },
  {
    id: "cloudns",
    name: "ClouDNS",
    suffixes: { "cloudns.net": ["lexicon", "domainstack", "can-i-take-over-dns"], "cloudns.uk": ["domainstack"] }
  },
  { id: "cloudxns", name: "CloudXNS", suffixes: { "cloudxns.net": ["lexicon"] } },
  { id: "cnr", name: "CentralNic Reseller / RRPproxy", suffixes: { "rrpproxy.net": ["dnscontrol"] } },
  { id: "combell", name: "Combell", suffixes: { "combell.net": ["public-texts"], "combell.eu": ["public-texts"] } },
  { id: "conoha", name: "ConoHa", suffixes: { "conoha.io": ["lexicon"] } },
  {
    id: "constellix",
    name: "Constellix",
    suffixes: { "constellix.com": ["lexicon", "domainstack"], "constellix.net": ["domainstack"] }
  },
  { id: "contabo", name: "Contabo", suffixes: { "contabo.net": ["webappanalyzer-facts"] } },
  { id: "crazydomains", name: "Crazy Domains", suffixes: { "crazydomains.com": ["public-texts"] } },
  { id: "csc", name: "CSC", suffixes: { "cscdns.net": ["checkDnsProvider"], "cscdns.uk": ["checkDnsProvider"] } },
  {
    id: "cyberfolks",
    name: "cyber_Folks",
    suffixes: { "cyberfolks.pl": ["public-texts"], "cyber-folks.pl": ["public-texts"] }
  },
  { id: "cyon", name: "cyon", suffixes: { "cyon.ch": ["public-texts"] } },
  {
    id: "dan",
    name: "Dan.com (parking)",
    suffixes: { "dan.com": ["public-texts"], "undeveloped.com": ["public-texts"] }
  },
  {
    id: "desec",
    name: "deSEC",
    suffixes: { "ns1.desec.io": ["lexicon", "dnscontrol"], "ns2.desec.org": ["lexicon", "dnscontrol"] }
  },
  {
    id: "digitalocean",
    name: "DigitalOcean",
    suffixes: { "digitalocean.com": ["lexicon", "domainstack", "can-i-take-over-dns"] }
  },
  { id: "dinahosting", name: "Dinahosting", suffixes: { "dinahosting.com": ["lexicon"] } },
  { id: "dnscale", name: "DNScale", suffixes: { "dnscale.eu": ["dnscontrol"] } },
  { id: "dnsever", name: "DNSEver", suffixes: { "dnsever.com": ["checkDnsProvider"] } },
  {
    id: "dnsimple",
    name: "DNSimple",
    suffixes: {
      "dnsimple.com": ["lexicon", "domainstack", "can-i-take-over-dns", "dnscontrol"],
      "dnsimple-edge.net": ["domainstack", "dnscontrol"],
      "dnsimple-edge.org": ["domainstack", "dnscontrol"]
    }
  },
  {
    id: "dnsmadeeasy",
    name: "DNS Made Easy",
    suffixes: { "dnsmadeeasy.com": ["lexicon", "domainstack", "can-i-take-over-dns"] }
  },
  { id: "dnspark", name: "DNSPark", suffixes: { "dnspark.com": ["lexicon"] } },
  { id: "dnspod", name: "DNSPod (Tencent)", suffixes: { "dnspod.net": ["domainstack"] } },
  { id: "dnsservices", name: "DNS.services", suffixes: { "dns.services": ["lexicon"] } },
  { id: "domaincom", name: "Domain.com", suffixes: { "domain.com": ["can-i-take-over-dns"] } },
  { id: "domainfactory", name: "DomainFactory", suffixes: { "namespace4you.de": ["webappanalyzer-facts"] } },
  { id: "domainpeople", name: "DomainPeople", suffixes: { "domainpeople.com": ["can-i-take-over-dns"] } },
  { id: "domeneshop", name: "Domeneshop", suffixes: { "hyp.net": ["public-texts"] } },
  {
    id: "dotster",
    name: "Dotster",
    suffixes: { "dotster.com": ["can-i-take-over-dns"], "nameresolve.com": ["can-i-take-over-dns"] }
  },
  {
    id: "dreamhost",
    name: "DreamHost",
    suffixes: { "dreamhost.com": ["lexicon", "domainstack", "can-i-take-over-dns"] }
  },
  { id: "dyn", name: "Oracle Dyn", suffixes: { "dns.dyn.com": ["domainstack"], "dynect.net": ["checkDnsProvider"] } },
  { id: "dynadot", name: "Dynadot", suffixes: { "dynadot.com": ["public-texts"], "dyna-ns.net": ["public-texts"] } },
  { id: "dynu", name: "Dynu", suffixes: { "dynu.com": ["lexicon"] } },
  {
    id: "easydns",
    name: "easyDNS",
    suffixes: {
      "easydns.net": ["lexicon", "domainstack", "can-i-take-over-dns"],
      "easydns.com": ["domainstack", "can-i-take-over-dns"],
      "easydns.org": ["domainstack", "can-i-take-over-dns"],
      "easydns.ca": ["domainstack"],
      "easydns.info": ["domainstack", "can-i-take-over-dns"]
    }
  },
  { id: "easyname", name: "easyname", suffixes: { "easyname.eu": ["lexicon"] } },
  { id: "enom", name: "eNom", suffixes: { "name-services.com": ["checkDnsProvider"] } },
  { id: "entrydns", name: "EntryDNS", suffixes: { "entrydns.net": ["domainstack"] } },
  {
    id: "eurodns",
    name: "EuroDNS",
    suffixes: {
      "eurodns.com": ["domainstack"],
      "eurodns.org": ["domainstack"],
      "eurodns.eu": ["domainstack"],
      "eurodns.biz": ["domainstack"]
    }
  },
  { id: "euserv", name: "EUserv", suffixes: { "euserv.com": ["lexicon"] } },
  {
    id: "exoscale",
    name: "Exoscale",
    suffixes: {
      "exoscale.ch": ["lexicon", "domainstack"],
      "exoscale.com": ["domainstack"],
      "exoscale.net": ["domainstack"],
      "exoscale.io": ["domainstack"]
    }
  },
  { id: "fastcomet", name: "FastComet", suffixes: { "fcomet.com": ["webappanalyzer-facts"] } },
  { id: "fasthosts", name: "Fasthosts", suffixes: { "livedns.co.uk": ["public-texts"] } },
  { id: "fastmail", name: "Fastmail", suffixes: { "messagingengine.com": ["domainstack"] } },
  { id: "fatcow", name: "FatCow (Newfold)", suffixes: { "fatcow.com": ["public-texts"] } },
  { id: "flexibleengine", name: "Flexible Engine (Orange)", suffixes: { "orange-business.com": ["lexicon"] } },
  { id: "gandi", name: "Gandi", suffixes: { "gandi.net": ["lexicon", "domainstack", "can-i-take-over-dns"] } },
  { id: "gcore", name: "Gcore DNS", suffixes: { "gcorelabs.net": ["dnscontrol"] } },
  { id: "gehirn", name: "Gehirn", suffixes: { "gehirn.jp": ["lexicon"] } },
  { id: "gidinet", name: "Gidinet", suffixes: { "gidinet.com": ["dnscontrol"] } },
  { id: "glesys", name: "GleSYS", suffixes: { "glesys.com": ["lexicon"] } },
  {
    id: "godaddy",
    name: "GoDaddy",
    suffixes: { "godaddy.com": ["lexicon"], "domaincontrol.com": ["lexicon", "domainstack"] }
  },
  {
    id: "googleclouddns",
    name: "Google Cloud DNS",
    suffixes: { "googledomains.com": ["lexicon", "domainstack", "can-i-take-over-dns"] }
  },
  { id: "gransy", name: "Gransy / Subreg", suffixes: { "gransy.com": ["lexicon"] } },
  { id: "gratisdns", name: "GratisDNS", suffixes: { "gratisdns.dk": ["lexicon"] } },
  { id: "greengeeks", name: "GreenGeeks", suffixes: { "greengeeks.com": ["public-texts"] } },
  { id: "helhost", name: "Helhost", suffixes: { "helhost.com": ["webappanalyzer-facts"] } },
  {
    id: "henet",
    name: "Hurricane Electric",
    suffixes: { "he.net": ["lexicon", "domainstack", "can-i-take-over-dns"] }
  },
  { id: "hetzner", name: "Hetzner", suffixes: { "hetzner.de": ["domainstack"], "hetzner.com": ["domainstack"] } },
  { id: "homepl", name: "home.pl", suffixes: { "home.pl": ["public-texts"] } },
  { id: "hostens", name: "Hostens", suffixes: { "hostens.com": ["webappanalyzer-facts"] } },
  { id: "hosteurope", name: "Host Europe", suffixes: { "hosteurope.com": ["webappanalyzer-facts"] } },
  { id: "hostgator", name: "HostGator", suffixes: { "hostgator.com": ["webappanalyzer-facts"] } },
  { id: "hostingde", name: "hosting.de", suffixes: { "hosting.de": ["lexicon", "dnscontrol"] } },
  {
    id: "hostinger",
    name: "Hostinger",
    suffixes: {
      "hostinger.com": ["can-i-take-over-dns", "webappanalyzer-facts"],
      "dns-parking.com": ["webappanalyzer-facts"]
    }
  },
  { id: "hostingukraine", name: "Hosting Ukraine", suffixes: { "ukraine.com.ua": ["webappanalyzer-facts"] } },
  { id: "hostiq", name: "HOSTiQ", suffixes: { "hostiq.ua": ["webappanalyzer-facts"] } },
  { id: "hostpapa", name: "HostPapa", suffixes: { "hostpapa.com": ["public-texts"] } },
  { id: "hostpoint", name: "Hostpoint", suffixes: { "hostpoint.ch": ["webappanalyzer-facts"] } },
  { id: "hover", name: "Hover", suffixes: { "hover.com": ["lexicon", "domainstack", "can-i-take-over-dns"] } },
  { id: "httpnet", name: "http.net", suffixes: { "routing.net": ["lexicon"] } },
  {
    id: "huaweicloud",
    name: "Huawei Cloud DNS",
    suffixes: {
      "huaweicloud-dns.com": ["dnscontrol"],
      "huaweicloud-dns.net": ["dnscontrol"],
      "huaweicloud-dns.org": ["dnscontrol"]
    }
  },
  { id: "idcloudhost", name: "IDCloudHost", suffixes: { "cloudhost.id": ["webappanalyzer-facts"] } },
  {
    id: "infomaniak",
    name: "Infomaniak",
    suffixes: { "infomaniak.com": ["lexicon"], "infomaniak.ch": ["webappanalyzer-facts"] }
  },
  {
    id: "inmotion",
    name: "InMotion Hosting",
    suffixes: { "inmotionhosting.com": ["public-texts"], "servconfig.com": ["public-texts"] }
  },
  { id: "internetbs", name: "Internet.bs", suffixes: { "topdns.com": ["lexicon"] } },
  {
    id: "inwx",
    name: "INWX",
    suffixes: {
      "ns.inwx.de": ["lexicon"],
      "ns2.inwx.de": ["lexicon"],
      "ns3.inwx.eu": ["lexicon"],
      "ns4.inwx.com": ["lexicon"],
      "ns5.inwx.net": ["lexicon"],
      "ns.domrobot.com": ["lexicon"],
      "ns.domrobot.net": ["lexicon"],
      "ns.domrobot.org": ["lexicon"],
      "ns.domrobot.info": ["lexicon"],
      "ns.domrobot.biz": ["lexicon"]
    }
  },
  {
    id: "ionos",
    name: "IONOS",
    suffixes: {
      "ui-dns.com": ["lexicon", "webappanalyzer-facts"],
      "ui-dns.org": ["lexicon", "webappanalyzer-facts"],
      "ui-dns.de": ["lexicon", "webappanalyzer-facts"],
      "ui-dns.biz": ["lexicon", "webappanalyzer-facts"],
      "ionos.com": ["domainstack"],
      "1and1.com": ["domainstack"]
    }
  },
  { id: "joker", name: "Joker.com", suffixes: { "ns.joker.com": ["lexicon"] } },
  { id: "kmk", name: "KMK Hosting", suffixes: { "kmkhosting.net": ["webappanalyzer-facts"] } },
  { id: "leaseweb", name: "Leaseweb", suffixes: { "leaseweb.nl": ["webappanalyzer-facts"] } },
  {
    id: "linode",
    name: "Akamai Cloud (Linode)",
    suffixes: { "ns#.linode.com": ["lexicon", "domainstack", "can-i-take-over-dns"] }
  },
  { id: "liquidweb", name: "Liquid Web", suffixes: { "liquidweb.com": ["webappanalyzer-facts"] } },
  { id: "locaweb", name: "Locaweb", suffixes: { "locaweb.com.br": ["public-texts"] } },
  { id: "loopia", name: "Loopia", suffixes: { "loopia.se": ["public-texts"] } },
  { id: "luadns", name: "LuaDNS", suffixes: { "luadns.com": ["lexicon"] } },
  {
    id: "markmonitor",
    name: "MarkMonitor",
    suffixes: { "markmonitor.com": ["checkDnsProvider"], "markmonitor.zone": ["checkDnsProvider"] }
  },
  { id: "mediatemple", name: "Media Temple", suffixes: { "mediatemple.net": ["can-i-take-over-dns"] } },
  { id: "memset", name: "Memset", suffixes: { "memset.com": ["lexicon"] } },
  { id: "mijndomein", name: "Mijndomein", suffixes: { "mijndomein.nl": ["public-texts"] } },
  {
    id: "misaka",
    name: "Misaka",
    suffixes: {
      "m1ns.com": ["lexicon"],
      "m1ns.net": ["lexicon"],
      "m1ns.org": ["lexicon"],
      "m1ns.one": ["lexicon"],
      "m1ns.moe": ["lexicon"],
      "m1ns.xyz": ["lexicon"],
      "m1ns.fyi": ["lexicon"],
      "m1ns.app": ["lexicon"],
      "m1ns.be": ["lexicon"],
      "m1ns.io": ["lexicon"],
      "m1ns.uk": ["lexicon"],
      "m1ns.us": ["lexicon"],
      "m1ns.im": ["lexicon"],
      "reversedns.org": ["lexicon"],
      "ns53.net": ["lexicon"]
    }
  },
  {
    id: "mittwald",
    name: "Mittwald",
    suffixes: {
      "agenturserver.de": ["webappanalyzer-facts"],
      "agenturserver.co": ["webappanalyzer-facts"],
      "agenturserver.it": ["webappanalyzer-facts"]
    }
  },
  { id: "mydomain", name: "MyDomain", suffixes: { "mydomain.com": ["can-i-take-over-dns"] } },
  { id: "mythicbeasts", name: "Mythic Beasts", suffixes: { "ns#.mythic-beasts.com": ["lexicon", "dnscontrol"] } },
  {
    id: "namecheap",
    name: "Namecheap",
    suffixes: {
      "registrar-servers.com": ["lexicon", "domainstack", "can-i-take-over-dns"],
      "namecheaphosting.com": ["domainstack", "can-i-take-over-dns"]
    }
  },
  { id: "namecom", name: "Name.com", suffixes: { "name.com": ["lexicon", "can-i-take-over-dns"] } },
  {
    id: "namesilo",
    name: "NameSilo",
    suffixes: { "namesilo.com": ["lexicon", "domainstack"], "dnsowl.com": ["public-texts"] }
  },
  { id: "nazwa", name: "nazwa.pl", suffixes: { "nazwa.pl": ["public-texts"], "nazwadns.pl": ["public-texts"] } },
  { id: "netcup", name: "netcup", suffixes: { "netcup.net": ["lexicon", "dnscontrol"] } },
  { id: "netlify", name: "Netlify", suffixes: {} },
  { id: "netnames", name: "NetNames (CSC)", suffixes: { "netnames.net": ["checkDnsProvider"] } },
  {
    id: "networksolutions",
    name: "Network Solutions",
    suffixes: { "worldnic.com": ["domainstack", "can-i-take-over-dns"], "register.com": ["domainstack"] }
  },
  { id: "nfsn", name: "NearlyFreeSpeech.NET", suffixes: { "nearlyfreespeech.net": ["lexicon"] } },
  { id: "nicru", name: "RU-CENTER (nic.ru)", suffixes: { "nic.ru": ["public-texts"] } },
  {
    id: "njalla",
    name: "Njalla",
    suffixes: { "1-you.njalla.no": ["lexicon"], "2-can.njalla.in": ["lexicon"], "3-get.njalla.fo": ["lexicon"] }
  },
  { id: "nsone", name: "NS1 (IBM)", suffixes: { "nsone.net": ["lexicon", "domainstack", "can-i-take-over-dns"] } },
  { id: "oci", name: "Oracle Cloud DNS", suffixes: { "oraclecloud.net": ["domainstack"] } },
  { id: "onamae", name: "お名前.com (GMO)", suffixes: { "dnsv.jp": ["public-texts"] } },
  { id: "onecom", name: "one.com", suffixes: { "one.com": ["domainstack", "webappanalyzer-facts"] } },
  { id: "online", name: "Online.net (Scaleway Dedibox)", suffixes: { "online.net": ["lexicon"] } },
  { id: "opensrs", name: "OpenSRS / Tucows", suffixes: { "systemdns.com": ["dnscontrol"] } },
  {
    id: "ovh",
    name: "OVHcloud",
    suffixes: { "ovh.net": ["lexicon", "domainstack"], "anycast.me": ["lexicon"], "ovh.co.uk": ["domainstack"] }
  },
  { id: "packetframe", name: "Packetframe", suffixes: { "packetframe.com": ["dnscontrol"] } },
  { id: "parkingcrew", name: "ParkingCrew (parking)", suffixes: { "parkingcrew.net": ["public-texts"] } },
  { id: "pointhq", name: "PointDNS", suffixes: { "pointhq.com": ["lexicon"] } },
  { id: "porkbun", name: "Porkbun", suffixes: { "porkbun.com": ["lexicon", "domainstack"] } },
  {
    id: "proserve",
    name: "Proserve",
    suffixes: {
      "dn-s.nl": ["webappanalyzer-facts"],
      "appserved.nl": ["webappanalyzer-facts"],
      "firstfind.nl": ["webappanalyzer-facts"],
      "firstfind.net": ["webappanalyzer-facts"]
    }
  },
  {
    id: "quiccloud",
    name: "QUIC.cloud",
    suffixes: { "quicns.net": ["webappanalyzer-facts"], "quicns.com": ["webappanalyzer-facts"] }
  },
  {
    id: "rackspace",
    name: "Rackspace",
    suffixes: {
      "rackspacecloud.com": ["lexicon"],
      "rackspace.com": ["domainstack"],
      "stabletransit.com": ["checkDnsProvider"]
    }
  },
  { id: "rage4", name: "Rage4", suffixes: { "rage4.com": ["lexicon"], "r4ns.net": ["domainstack"] } },
  { id: "rcodezero", name: "RcodeZero", suffixes: { "rcode0.net": ["lexicon"] } },
  { id: "regfish", name: "regfish", suffixes: { "regfish-ns.net": ["lexicon"] } },
  { id: "registerit", name: "Register.it", suffixes: { "register.it": ["public-texts"] } },
  {
    id: "registrobr",
    name: "Registro.br",
    suffixes: { "auto.dns.br": ["public-texts"], "sec.dns.br": ["public-texts"] }
  },
  { id: "regru", name: "REG.RU", suffixes: { "reg.ru": ["can-i-take-over-dns", "webappanalyzer-facts"] } },
  {
    id: "route53",
    name: "Amazon Route 53",
    suffixes: {
      "awsdns-##.com": ["lexicon", "domainstack"],
      "awsdns-##.net": ["lexicon", "domainstack"],
      "awsdns-##.org": ["lexicon", "domainstack"],
      "awsdns-##.co.uk": ["lexicon", "domainstack"],
      "amzndns.com": ["domainstack"],
      "amzndns.net": ["domainstack"],
      "amzndns.org": ["domainstack"],
      "amzndns.co.uk": ["domainstack"]
    }
  },
  { id: "sabahost", name: "Saba.Host", suffixes: { "saba.host": ["webappanalyzer-facts"] } },
  { id: "safedns", name: "ANS / UKFast SafeDNS", suffixes: { "ukfast.net": ["lexicon", "webappanalyzer-facts"] } },
  {
    id: "sakuracloud",
    name: "Sakura Internet",
    suffixes: {
      "gslb#.sakura.ne.jp": ["lexicon", "webappanalyzer-facts"],
      "gslb##.sakura.ne.jp": ["lexicon", "webappanalyzer-facts"]
    }
  },
  { id: "sav", name: "Sav.com", suffixes: { "sav.com": ["public-texts"] } },
  { id: "scaleway", name: "Scaleway", suffixes: { "dom.scw.cloud": ["lexicon"] } },
  { id: "sedo", name: "Sedo (parking)", suffixes: { "sedoparking.com": ["public-texts"] } },
  { id: "simply", name: "Simply.com / UnoEuro", suffixes: { "simply.com": ["public-texts"] } },
  {
    id: "siteground",
    name: "SiteGround",
    suffixes: { "sgvps.net": ["webappanalyzer-facts"], "siteground.net": ["webappanalyzer-facts"] }
  },
  { id: "softlayer", name: "IBM SoftLayer", suffixes: { "softlayer.com": ["lexicon", "dnscontrol"] } },
  {
    id: "spaceship",
    name: "Spaceship",
    suffixes: { "spaceship.com": ["domainstack"], "spaceship.net": ["domainstack"] }
  },
  { id: "squarespace", name: "Squarespace", suffixes: { "squarespacedns.com": ["domainstack"] } },
  { id: "strato", name: "STRATO", suffixes: { "strato-rz.de": ["webappanalyzer-facts"] } },
  { id: "tanglednetwork", name: "Tangled Network", suffixes: { "tanglednetwork.com": ["webappanalyzer-facts"] } },
  { id: "tierranet", name: "TierraNet", suffixes: { "domaindiscover.com": ["can-i-take-over-dns"] } },
  { id: "timeweb", name: "Timeweb", suffixes: { "timeweb.cloud": ["lexicon"] } },
  {
    id: "transip",
    name: "TransIP",
    suffixes: { "transip.net": ["public-texts"], "transip.nl": ["public-texts"], "transip.eu": ["public-texts"] }
  },
  {
    id: "ultradns",
    name: "UltraDNS (Vercara/DigiCert)",
    suffixes: {
      "ultradns.net": ["lexicon", "domainstack"],
      "ultradns.com": ["domainstack", "can-i-take-over-dns"],
      "ultradns.org": ["domainstack"],
      "ultradns.co.uk": ["domainstack"],
      "ultradns.biz": ["domainstack"],
      "ultradns.info": ["domainstack"]
    }
  },
  {
    id: "unitedomains",
    name: "united-domains",
    suffixes: { "udag.de": ["public-texts"], "udag.net": ["public-texts"], "udag.org": ["public-texts"] }
  },
  { id: "valuedomain", name: "Value Domain", suffixes: { "value-domain.com": ["lexicon"] } },
  {
    id: "ventraip",
    name: "VentraIP",
    suffixes: { "nameserver.net.au": ["webappanalyzer-facts"], "hostingplatform.net.au": ["webappanalyzer-facts"] }
  },
  { id: "vercel", name: "Vercel", suffixes: { "vercel-dns.com": ["lexicon", "domainstack"] } },
  { id: "verisign", name: "Verisign Managed DNS", suffixes: { "verisigndns.com": ["checkDnsProvider"] } },
  { id: "vultr", name: "Vultr", suffixes: { "vultr.com": ["lexicon", "domainstack"] } },
  { id: "webhostuk", name: "WebHostUK", suffixes: { "dnshostcentral.com": ["webappanalyzer-facts"] } },
  { id: "websupport", name: "Websupport", suffixes: { "websupport.sk": ["public-texts"] } },
  {
    id: "wedos",
    name: "WEDOS",
    suffixes: { "wedos.net": ["lexicon"], "wedos.eu": ["lexicon"], "wedos.cz": ["lexicon"], "wedos.com": ["lexicon"] }
  },
  { id: "wix", name: "Wix", suffixes: { "wixdns.net": ["domainstack"] } },
  { id: "wordpresscom", name: "WordPress.com", suffixes: { "wordpress.com": ["domainstack"] } },
  { id: "world4you", name: "World4You", suffixes: { "world4you.at": ["webappanalyzer-facts"] } },
  { id: "xserver", name: "Xserver", suffixes: { "xserver.jp": ["webappanalyzer-facts"] } },
  {
    id: "yahoo",
    name: "Yahoo Small Business",
    suffixes: { "yns1.yahoo.com": ["can-i-take-over-dns"], "yns2.yahoo.com": ["can-i-take-over-dns"] }
  },
  { id: "yalinhost", name: "YalinHost", suffixes: { "yalinhost.com": ["webappanalyzer-facts"] } },
  { id: "yandex", name: "Yandex 360 DNS", suffixes: { "yandex.com": ["lexicon"] } },
  { id: "yandexcloud", name: "Yandex Cloud DNS", suffixes: { "ns#.yandexcloud.net": ["lexicon"] } },
  { id: "zilore", name: "Zilore", suffixes: { "zilore.net": ["lexicon"] } },
  { id: "zoneedit", name: "Zoneedit", suffixes: { "zoneedit.com": ["domainstack"] } },
  { id: "zonomi", name: "Zonomi", suffixes: { "zonomi.com": ["lexicon"] } }
]
