import type { GuideHint } from "./ManualGuide.ts"

/** The meaning of each hint, for people. */
export const guideHintMeanings: { readonly [Hint in GuideHint]: string } = {
  create_subdomain_first:
    "Create the subdomain first. Then open its own settings and enter the record there; the provider switches off what it serves at this subdomain itself.",
  delete_parking_records:
    "The provider has records for a parking page. Delete those at the hosts that are named here first.",
  turn_proxy_off: "A record of this name has its proxy on. Put the new record in its place, and turn the proxy off.",
  dns_only: "Turn the proxy off for this record: its servers would answer with their own addresses otherwise.",
  save_and_publish: "An entry counts only after the last button of the page, which saves or confirms all changes.",
  confirm_checkbox: "The page may have a check box to tick before it saves.",
  second_factor: "The provider may ask for a password or a code before it saves.",
  choose_custom_mail: "Mail records have a page of their own. Choose custom or other mail servers there first.",
  apex_alias: "Choose the type ALIAS or ANAME: at the domain itself the provider takes it in place of CNAME.",
  apex_addresses:
    "The page may take no name for the domain itself. Enter the addresses of the target instead, as A and AAAA records.",
  apex_redirect: "Or ask for www to be connected instead, and let the provider redirect the domain itself to it.",
  find_who_runs_name_servers:
    "The service does not know who runs these name servers. It is often the company where the domain was bought, or the one that made the website: look for its invoice, or ask it who can change DNS records."
}
