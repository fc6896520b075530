import type { ProviderGuide } from "./ProviderGuide.ts"

export const guidesIToZ: Readonly<Record<string, ProviderGuide>> = {
  infomaniak: {
    helpUrl: "https://www.infomaniak.com/en/support/faq/2000/change-dns-zone-simple-mode",
    path: ["Manager", "Domains", "%domain%", "DNS"]
  },
  inmotion: { helpUrl: "https://www.inmotionhosting.com/support/domain-names/create-cname-record/" },
  ionos: {
    checked: "2024-04",
    loginUrl: "https://login.ionos.com/",
    dnsPageUrl: "https://my.ionos.com/start-with-domain/dns",
    helpUrl: "https://www.ionos.com/help/domains/dns-settings/",
    path: ["Menu", "Domains and SSL", "gear of the domain", "DNS"],
    addButton: "Add record",
    hostLabel: "Host name",
    apex: { TXT: "", MX: "@" },
    appendsZone: true,
    valueLabel: { TXT: "Value", MX: "Points to", CNAME: "Alias" },
    ttl: { "1 hour": 3600 },
    hints: ["confirm_checkbox"],
    typeHints: { CNAME: "create_subdomain_first" }
  },
  loopia: {
    helpUrl: "https://support.loopia.com/wiki/dns-editor-a-and-cname-2/",
    path: ["Kundzon", "Mina domäner", "%domain%", "DNS-inställningar"]
  },
  namecheap: {
    checked: "2026-09",
    loginUrl: "https://www.namecheap.com/myaccount/login/",
    dnsPageUrl: "https://ap.www.namecheap.com/domains/domaincontrolpanel/%domain%/advancedns",
    helpUrl:
      "https://www.namecheap.com/support/knowledgebase/article.aspx/9646/2237/how-to-create-a-cname-record-for-your-domain/",
    path: ["Domain List", "Manage", "Advanced DNS", "Host Records"],
    addButton: "Add New Record",
    publishButton: "Save All Changes",
    hostLabel: "Host",
    apex: "@",
    appendsZone: true,
    valueLabel: "Value",
    targetDot: true,
    srvFields: [
      ["service", "Service"],
      ["protocol", "Protocol"],
      ["priority", "Priority"],
      ["weight", "Weight"],
      ["port", "Port"],
      ["target", "Target"]
    ],
    apexType: "none",
    servedWithinMinutes: 30,
    hints: ["save_and_publish"],
    typeHints: { MX: "choose_custom_mail" }
  },
  namecom: {
    checked: "2021",
    loginUrl: "https://www.name.com/account/domain",
    dnsPageUrl: "https://www.name.com/account/domain/details/%domain%/dns",
    path: ["My Domains", "%domain%", "Manage DNS Records"],
    addButton: "Add Record",
    hostLabel: "Host",
    apex: "",
    appendsZone: true,
    valueLabel: "Answer",
    targetDot: false,
    priorityLabel: "Prio",
    srvFields: [
      ["service", "Service"],
      ["weight", "Weight"],
      ["priority", "Prio"],
      ["protocol", "Protocol"],
      ["port", "Port"],
      ["target", "Target"]
    ],
    srvUnderscores: false
  },
  namesilo: {
    checked: "2026-07",
    dnsPageUrl: "https://www.namesilo.com/account_domains.php",
    helpUrl: "https://www.namesilo.com/Support/DNS-Manager",
    path: ["Domain Manager", "blue globe (Manage DNS) next to the domain"],
    addButton: "Submit",
    hostLabel: "Hostname",
    apex: "@",
    appendsZone: true,
    valueLabel: "Value",
    servedWithinMinutes: 15
  },
  networksolutions: {
    checked: "2021",
    loginUrl: "https://www.networksolutions.com/my-account/login",
    helpUrl: "https://www.networksolutions.com/help/article/manage-dns-adns-records",
    path: ["%domain%", "Advanced Tools", "Advanced DNS Records", "Manage"],
    hostLabel: { TXT: "Host", CNAME: "Alias" },
    withoutHost: ["MX"],
    apex: "@",
    appendsZone: true,
    valueLabel: { TXT: "Text", MX: "Mail Server", CNAME: "Other Host" },
    targetDot: true,
    srvFields: [
      ["service", "Service"],
      ["protocol", "Protocol"],
      ["priority", "Priority"],
      ["weight", "Weight"],
      ["port", "Port"],
      ["target", "Target"]
    ],
    ttl: "number",
    hints: ["save_and_publish"]
  },
  onecom: {
    checked: "2026-07",
    loginUrl: "https://login.one.com/",
    dnsPageUrl: "https://www.one.com/admin/",
    helpUrl: "https://help.one.com/hc/en-us/articles/115005595925-Manage-your-DNS-settings",
    path: ["Control panel", "Advanced settings", "DNS settings", "DNS records"],
    addButton: "Create new record",
    hostLabel: "Hostname",
    apex: "",
    appendsZone: true,
    valueLabel: { CNAME: "Domain name (alias of)", other: "Value" }
  },
  ovh: {
    checked: "2021",
    loginUrl: "https://www.ovh.com/manager/",
    helpUrl: "https://help.ovhcloud.com/csm/en-dns-edit-dns-zone?id=kb_article_view&sysparm_article=KB0051682",
    path: ["Control Panel", "Web Cloud", "Domain names", "%domain%", "DNS zone"],
    addButton: "Add an entry",
    publishButton: "Confirm",
    hostLabel: "Sub-domain",
    apex: "",
    appendsZone: true,
    valueLabel: { TXT: "Value", other: "Target" },
    targetDot: true,
    srvFields: [
      ["host", "Sub-domain"],
      ["priority", "Priority"],
      ["weight", "Weight"],
      ["port", "Port"],
      ["target", "Target"]
    ],
    hints: ["save_and_publish"]
  },
  porkbun: {
    checked: "2026-09",
    dnsPageUrl: "https://porkbun.com/account/dns/%domain%",
    helpUrl: "https://kb.porkbun.com/article/68-how-to-edit-dns-records",
    path: ["Account", "Domain Management", "Details", "edit icon next to DNS Records"],
    addButton: "Add Record",
    hostLabel: "Host",
    apex: "",
    appendsZone: true,
    valueLabel: "Answer",
    hints: ["delete_parking_records"]
  },
  registerit: { helpUrl: "https://www.register.it/assistenza/cambiare-dns/" },
  regru: {
    checked: "2026-09",
    loginUrl: "https://www.reg.ru/user/account/",
    helpUrl:
      "https://help.reg.ru/support/dns-servery-i-nastroyka-zony/nastroyka-resursnykh-zapisey-dns/nastroyka-resursnykh-zapisey-v-lichnom-kabinete"
  },
  route53: {
    checked: "2026-07",
    dnsPageUrl: "https://console.aws.amazon.com/route53/v2/hostedzones",
    helpUrl: "https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/resource-record-sets-creating.html",
    path: ["Hosted zones", "%domain%", "Create record"],
    addButton: "Create records",
    hostLabel: "Record name",
    apex: "",
    valueLabel: "Value"
  },
  shopify: {
    checked: "2026",
    helpUrl: "https://help.shopify.com/en/manual/domains/managing-domains/edit-dns-settings",
    path: ["Settings", "Domains", "%domain%", "DNS settings"],
    apex: ""
  },
  siteground: {
    checked: "2026-09",
    loginUrl: "https://login.siteground.com/",
    helpUrl: "https://www.siteground.com/kb/manage-dns-records-site-tools",
    apex: ""
  },
  spaceship: {
    checked: "2026",
    path: ["Domain Manager", "%domain%", "Nameservers & DNS", "Advanced DNS"],
    hostLabel: "Host",
    apex: "@",
    valueLabel: "Value",
    hints: ["delete_parking_records"]
  },
  squarespace: {
    checked: "2026-09",
    loginUrl: "https://account.squarespace.com/project-picker?client_id=helpcenter&redirect_url=%2Fsettings%2Fdomains",
    dnsPageUrl: "https://account.squarespace.com/domains/managed/%domain%/dns/dns-settings",
    helpUrl: "https://support.squarespace.com/hc/en-us/articles/360002101888",
    path: ["Domains", "%domain%", "DNS", "DNS Settings", "Custom records"],
    addButton: "Add record",
    hostLabel: "Host",
    apex: "@",
    appendsZone: true,
    valueLabel: { CNAME: "Alias Data", other: "Data" },
    hints: ["second_factor"]
  },
  strato: {
    loginUrl: "https://www.strato.de/apps/CustomerService",
    path: ["Kunden-Login", "Domains", "Domainverwaltung", "verwalten", "DNS"],
    hostLabel: { TXT: "Präfix" },
    apex: "",
    appendsZone: true,
    valueLabel: { TXT: "Wert" },
    targetDot: true,
    apexType: "none",
    hints: ["confirm_checkbox"],
    typeHints: {
      A: "create_subdomain_first",
      AAAA: "create_subdomain_first",
      CNAME: "create_subdomain_first",
      MX: "create_subdomain_first"
    }
  },
  transip: {
    checked: "2026-09",
    loginUrl: "https://www.transip.nl/cp/",
    helpUrl: "https://www.transip.eu/knowledgebase/527-the-dns-settings-web-hosting",
    path: ["Control panel", "%domain%", "DNS"],
    apex: "@"
  },
  unitedomains: { helpUrl: "https://www.uniteddomains.com/faq/question/14" },
  vercel: {
    checked: "2026-07",
    dnsPageUrl: "https://vercel.com/dashboard/domains",
    helpUrl: "https://vercel.com/docs/domains/managing-dns-records",
    path: ["Domains", "%domain%", "DNS Records"],
    addButton: "Add",
    hostLabel: "Name",
    apex: "",
    appendsZone: true
  },
  wix: {
    checked: "2021",
    loginUrl: "https://premium.wix.com/wix/api/mpContainerStaticController#/domains?referralAdditionalInfo=account",
    dnsPageUrl: "https://manage.wix.com/account/domains",
    helpUrl: "https://support.wix.com/en/article/adding-or-updating-cname-records-in-your-wix-account",
    path: ["Domains", "Domain Actions", "Manage DNS Records"],
    addButton: "+ Add Record",
    publishButton: "Save DNS",
    hostLabel: "Host Name",
    apex: "",
    appendsZone: true,
    valueLabel: { TXT: "TXT Value", other: "Value" },
    srvFields: [
      ["service", "Service"],
      ["protocol", "Protocol"],
      ["host", "Name"],
      ["weight", "Weight"],
      ["port", "Port"],
      ["target", "Target"],
      ["priority", "Priority"]
    ],
    hints: ["save_and_publish"],
    typeHints: { MX: "choose_custom_mail" }
  },
  wordpresscom: {
    checked: "2025",
    loginUrl: "https://wordpress.com/home",
    dnsPageUrl: "https://wordpress.com/domains/manage/%domain%/dns/%domain%",
    helpUrl: "https://wordpress.com/support/domains/custom-dns/",
    path: ["Upgrades", "Domains", "%domain%", "DNS records", "Manage"],
    addButton: "Add a record",
    hostLabel: "Name",
    apex: "",
    appendsZone: true,
    valueLabel: { CNAME: "Alias of (points to)", ALIAS: "Alias of (points to)", A: "Points to", AAAA: "Points to" },
    targetDot: false,
    apexType: "ALIAS"
  },
  xserver: {
    checked: "2026-09",
    loginUrl: "https://secure.xserver.ne.jp/xapanel/login/xserver/",
    helpUrl: "https://www.xserver.ne.jp/manual/"
  }
}
