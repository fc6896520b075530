import type { ProviderGuide } from "./ProviderGuide.ts"

export const guidesAToH: Readonly<Record<string, ProviderGuide>> = {
  "123reg": {
    loginUrl: "https://www.123-reg.co.uk/",
    helpUrl: "https://www.123-reg.co.uk/support/domains/how-do-i-set-up-a-cname-record-on-my-domain-name/",
    path: ["Domain Portfolio", "%domain%", "DNS", "Add New Record"],
    addButton: "Save",
    hostLabel: "Hostname",
    apex: "@",
    valueLabel: "Value"
  },
  a2: {
    checked: "2026-09",
    loginUrl: "https://my.hosting.com/",
    helpUrl: "https://kb.hosting.com/docs/hosting-com-dns-management"
  },
  aliyun: {
    checked: "2026-09",
    loginUrl: "https://dns.console.aliyun.com/",
    helpUrl: "https://www.alibabacloud.com/help/en/dns/pubz-add-parsing-record"
  },
  allinkl: {
    checked: "2026-09",
    loginUrl: "https://kas.all-inkl.com/",
    helpUrl: "https://all-inkl.com/en/support/tutorials/provider-change/setup/dns/how-to-add-a-txt-record_157.html",
    path: ["Membersbereich", "technische Verwaltung (KAS)", "%domain%", "DNS-Einstellungen"]
  },
  aruba: {
    checked: "2026-09",
    loginUrl: "https://admin.aruba.it/",
    helpUrl:
      "https://guide.aruba.it/hosting-e-domini/gestione-dns/gestione-name-server-e-record/gestire-record-txt-dmarc-dkim-spf"
  },
  azure: {
    checked: "2026-09",
    loginUrl: "https://portal.azure.com/",
    helpUrl: "https://learn.microsoft.com/en-us/azure/dns/dns-operations-recordsets-portal"
  },
  beget: { checked: "2026-09", loginUrl: "https://cp.beget.com/", helpUrl: "https://beget.com/en/kb/manual/dns" },
  bluehost: {
    checked: "2021",
    loginUrl: "https://my.bluehost.com/cgi/dm",
    helpUrl: "https://my.bluehost.com/hosting/help/559",
    path: ["Domains", "%domain%", "DNS", "Manage Advanced DNS Records"],
    addButton: "+ Add record",
    hostLabel: "Host Record",
    apex: "@",
    appendsZone: true,
    valueLabel: { TXT: "TXT Value", other: "Points To" },
    targetDot: false,
    srvFields: [
      ["service", "Service"],
      ["protocol", "Protocol"],
      ["host", "Host"],
      ["priority", "Priority"],
      ["weight", "Weight"],
      ["port", "Port"],
      ["target", "Points To"]
    ]
  },
  cloudflare: {
    checked: "2021",
    loginUrl: "https://dash.cloudflare.com/login",
    dnsPageUrl: "https://dash.cloudflare.com/?to=/:account/%domain%/dns",
    helpUrl: "https://developers.cloudflare.com/dns/manage-dns-records/how-to/create-dns-records/",
    path: ["%domain%", "DNS", "Records"],
    addButton: "Add record",
    hostLabel: "Name",
    apex: "@",
    appendsZone: true,
    valueLabel: { TXT: "Content", MX: "Mail server", CNAME: "Target" },
    targetDot: false,
    apexType: "CNAME",
    typeHints: { A: "dns_only", AAAA: "dns_only", CNAME: "dns_only" }
  },
  crazydomains: { helpUrl: "https://www.crazydomains.com.au/help/manage-dns-records-in-cpanel/" },
  digitalocean: {
    checked: "2026-07",
    loginUrl: "https://cloud.digitalocean.com/",
    dnsPageUrl: "https://cloud.digitalocean.com/networking/domains/%domain%",
    helpUrl: "https://docs.digitalocean.com/products/networking/dns/how-to/manage-records/",
    path: ["Networking", "Domains", "%domain%", "Create new record"],
    addButton: "Create Record",
    hostLabel: "Hostname",
    apex: "@",
    appendsZone: true,
    valueLabel: "Value"
  },
  dnsimple: {
    checked: "2026-07",
    dnsPageUrl: "https://dnsimple.com/dashboard",
    helpUrl: "https://support.dnsimple.com/articles/manage-cname-record/",
    path: ["Domains", "%domain%", "DNS", "Manage records"],
    addButton: "Add record",
    hostLabel: "Name",
    apex: "",
    appendsZone: true,
    valueLabel: "Content"
  },
  dreamhost: {
    checked: "2026",
    dnsPageUrl: "https://panel.dreamhost.com/index.cgi?tree=domain.dashboard",
    helpUrl: "https://help.dreamhost.com/hc/en-us/articles/215414867-How-do-I-add-custom-DNS-records-",
    path: ["Websites", "Manage Websites", "three dots", "DNS Settings"],
    addButton: "Add Record",
    hostLabel: "Host",
    apex: "",
    appendsZone: true,
    valueLabel: { CNAME: "Points to" }
  },
  dynadot: {
    checked: "2026",
    path: ["My Domains", "Manage Domains", "check", "Action", "DNS Settings", "Dynadot DNS"],
    addButton: "Save DNS",
    hostLabel: "Subdomain",
    appendsZone: true,
    valueLabel: "IP Address or Target Host"
  },
  enom: {
    checked: "2021",
    loginUrl: "https://www.enomcentral.com/domains/Domain-Manager.aspx?tab=registered",
    path: ["my domains", "%domain%", "Manage Domain", "Host Records"],
    hostLabel: "Host Name",
    apex: "@",
    appendsZone: true,
    valueLabel: "Address",
    targetDot: true,
    priorityLabel: "Pref",
    srvFields: [
      ["service", "Service"],
      ["protocol", "Protocol"],
      ["priority", "Priority"],
      ["weight", "Weight"],
      ["port", "Port"],
      ["target", "Target (Hostname)"]
    ],
    typeHints: { MX: "choose_custom_mail" }
  },
  fasthosts: {
    path: ["Domain Names", "DNS icon next to the domain", "CNAME Records", "Add CNAME Record"],
    addButton: "Save",
    hostLabel: "Host Name",
    valueLabel: { CNAME: "Points To" }
  },
  gandi: {
    checked: "2026",
    loginUrl: "https://id.gandi.net/login",
    dnsPageUrl: "https://admin.gandi.net",
    path: ["Domain", "%domain%", "DNS Records"],
    addButton: "Add",
    hostLabel: "Name",
    apex: "@",
    appendsZone: true,
    valueLabel: { CNAME: "Hostname" },
    targetDot: true
  },
  godaddy: {
    checked: "2021",
    loginUrl: "https://account.godaddy.com/products/?go_redirect=disabled",
    dnsPageUrl: "https://dcc.godaddy.com/control/%domain%/dns",
    helpUrl: "https://www.godaddy.com/help/manage-dns-records-680",
    path: ["Domains", "DNS of the domain"],
    addButton: "Add",
    hostLabel: "Host",
    apex: "@",
    appendsZone: true,
    valueLabel: { TXT: "TXT Value", MX: "Points to", CNAME: "Points to", SRV: "Target" },
    targetDot: false,
    srvFields: [
      ["service", "Service"],
      ["protocol", "Protocol"],
      ["host", "Name"],
      ["target", "Target"],
      ["priority", "Priority"],
      ["weight", "Weight"],
      ["port", "Port"]
    ],
    apexType: "none",
    hints: ["second_factor"]
  },
  hetzner: {
    checked: "2024",
    loginUrl: "https://accounts.hetzner.com/login",
    dnsPageUrl: "https://console.hetzner.com/",
    helpUrl: "https://docs.hetzner.com/networking/dns/record-types/txt-record/",
    path: ["Console", "DNS", "%domain%", "Records"],
    addButton: "Add record",
    hostLabel: "Name",
    apex: "@",
    appendsZone: true,
    valueLabel: "Value",
    targetDot: true
  },
  hosteurope: { helpUrl: "https://www.hosteurope.de/faq/domains/verwaltung/nameserver-eintraege/" },
  hostgator: {
    checked: "2026-07",
    dnsPageUrl: "https://portal.hostgator.com",
    path: ["Customer Portal", "Domains", "%domain%", "Advanced Tools", "Advanced DNS Records", "Manage"],
    hostLabel: "Name",
    apex: "@",
    appendsZone: true,
    valueLabel: "Value"
  },
  hostinger: {
    checked: "2026-07",
    loginUrl: "https://hpanel.hostinger.com/",
    dnsPageUrl: "https://hpanel.hostinger.com/domains",
    helpUrl: "https://www.hostinger.com/support/1583249-how-to-manage-dns-records-at-hostinger/",
    path: ["hPanel", "Domains", "%domain%", "DNS / Nameservers", "Manage DNS records"],
    addButton: "Add Record",
    hostLabel: "Name",
    apex: "@",
    appendsZone: true,
    valueLabel: { CNAME: "Target", A: "Points to", other: "Content" },
    apexType: "CNAME"
  },
  hover: {
    checked: "2026-09",
    loginUrl: "https://www.hover.com/domains",
    dnsPageUrl: "https://www.hover.com/control_panel",
    helpUrl: "https://support.hover.com/support/solutions/articles/201000064728",
    path: ["Manage Your Domains", "%domain%", "DNS"],
    addButton: "Add a record",
    hostLabel: "Hostname",
    apex: "@",
    appendsZone: true,
    valueLabel: { CNAME: "Target Name", TXT: "Content", A: "IP address", MX: "Hostname" },
    targetDot: false,
    srvFields: [
      ["host", "Hostname"],
      ["priority", "Priority"],
      ["weight", "Weight"],
      ["port", "Port"],
      ["target", "Target"]
    ],
    apexType: "none"
  }
}
