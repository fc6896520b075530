import type { FailureCode } from "../../domain/connection/Connection.ts"
import { diagnosisSentences, foundInstead } from "../../domain/plan/diagnosisSentences.ts"
import type { GuideHint } from "../../domain/plan/ManualGuide.ts"
import type { Warning } from "../../domain/plan/Warning.ts"

const warnings = {
  name_servers_disagree: "The servers of your domain give different answers. What visitors see depends on luck.",
  spf_record_merged: "We add ourselves to the list of senders that is there already. Nobody is taken off it.",
  spf_existing_sufficient: "Your list of mail senders already includes us.",
  spf_policy_replaced: "What happens to mail from senders that are not on your list changes.",
  spf_duplicates_collapsed:
    "There were several lists of mail senders, which made all of them void. They become one that works.",
  spf_lookup_limit_exceeded:
    "Your list of mail senders becomes longer than mail services accept. Mail from your domain may be rejected.",
  spf_lookup_unknown: "We could not check the whole list of mail senders. It may be too long.",
  spf_include_broken:
    "Your list of mail senders points to a list that does not work. Mail may be rejected until that is fixed.",
  spf_existing_invalid_replaced: "Your list of mail senders had mistakes. The mistakes are left out.",
  spf_excludes_existing_mail:
    "You receive mail here but had no list of senders. If you also send with another service, add it to the list.",
  spf_allows_all: "Your list of mail senders lets anybody send in your name.",
  dmarc_existing_preserved: "Your protection against forged mail is in order and stays as it is.",
  dmarc_existing_invalid_replaced:
    "Your protection against forged mail had mistakes and is replaced by one that works.",
  dmarc_policy_weakened:
    "Your protection against forged mail becomes looser: more suspicious mail will be let through.",
  dmarc_policy_strengthened:
    "Your protection against forged mail becomes stricter: mail from services that you have not set up may be lost.",
  dmarc_inherited_from_root: "The protection against forged mail is copied from your main domain.",
  dmarc_duplicates_collapsed:
    "There were several rules against forged mail, which made all of them void. They become one that works.",
  dmarc_tag_deprecated: "Your rule against forged mail has an outdated part. It does no harm.",
  dkim_key_replaced: "A key that signs your mail is replaced. Mail signed with the old key can no longer be checked.",
  dkim_key_removed: "A key that signs your mail is removed. Mail signed with the old key can no longer be checked.",
  caa_blocks_issuance:
    "Your domain does not allow the security certificate that is needed. Without a change there will be no https.",
  caa_set_created: "From now on, only the listed companies may issue security certificates.",
  caa_existing_sufficient: "Your domain already allows the security certificate that is needed.",
  caa_not_needed: "Every company may issue security certificates.",
  caa_lookup_unknown: "We could not find out which security certificates your domain allows.",
  cname_replaces_records: "The other entries are removed, since the new one has to stand alone.",
  cname_removed: "A forwarding entry is removed. It no longer leads where it did.",
  address_records_replaced: "Visitors no longer reach the current website.",
  website_replaced: "The website or service that you reach there today is replaced.",
  mx_replaced: "Your mail goes to another mail service. Make sure that your mailboxes exist there.",
  mail_records_removed: "Entries that your mail depends on are removed. Mail may stop.",
  mail_target_changed: "The place of a mail server changes. Mail may stop if no mail server answers there.",
  service_record_replaced: "Programs may not find a service any more, or its security certificate cannot be renewed.",
  tls_policy_mismatch: "The rules for encrypted delivery no longer fit your mail server. Mail may not arrive.",
  ns_target_changed: "The place of a server that answers for a domain changes.",
  ns_delegation_hides_records: "Entries below stop working, since another service answers for them.",
  delegation_replaced: "Another service will answer. What is set up there today stops working.",
  apex_cname_flattened: "Your provider turns this entry into plain addresses. That is normal.",
  record_not_served: "Nobody will see this entry yet.",
  wildcard_hidden: "A catch-all entry no longer answers there or for a name above.",
  proxied_record_present: "Your provider's protection stays.",
  mx_target_unusable: "Mail may not arrive: its server has no address.",
  null_mx_sender: "Your domain receives no mail. Many refuse what it sends.",
  // These tell a customer nothing.
  ttl_adjusted: "",
  txt_value_split: "",
  record_repeated: "",
  host_repeats_domain: "A name repeats the beginning of your domain. Please check it.",
  optional_record_skipped: "An entry that is nice to have cannot be made and is left out.",
  dnssec_signed_zone: "Your domain is protected by signatures. Your provider renews them with the change.",
  multi_provider_ns: "Two providers answer for your domain. Each change has to be made at both.",
  ns_parent_child_mismatch:
    "The registry and your provider name different servers for your domain. Your provider can help.",
  other_connection_affected: "Something else that you connected uses an entry that changes.",
  control_not_proven: "Nobody has proven that the domain is theirs.",
  plan_large_deletion: "Many entries of your domain are removed. Check the list with care.",
  provider_zone_differs_from_public_dns:
    "Your provider has something else stored than we saw before. This list shows what is stored.",
  lookup_unknown: "We could not look everything up. A note may be missing here."
} satisfies { readonly [_ in Warning]: string }

const entriesNotFound = {
  reason: "We did not find the entries in time.",
  next: "Compare them with the list and try again; we go on looking."
}

const failures = {
  domain_not_registered: {
    reason: "This domain is not registered.",
    next: "Check its spelling. If you have just bought it, wait an hour and try again."
  },
  caa_host_is_cname: {
    reason: "A name that must say who may issue certificates only forwards.",
    next: "Ask the people who run this shop for help; trying again does not change it."
  },
  cname_loop: {
    reason: "This name would forward to itself.",
    next: "Delete the entry that forwards back, then start again."
  },
  domain_has_no_nameservers: {
    reason: "Nobody answers for this domain yet.",
    next: "Log in where you bought it and choose a DNS provider (“name servers”), then try again."
  },
  zone_not_found: {
    reason: "The provider that your domain names does not know it.",
    next: "Log in at your provider and add the domain there, then try again."
  },
  discovery_timeout: {
    reason: "The servers of your domain did not answer in time.",
    next: "Try again in some minutes."
  },
  provider_unavailable: { reason: "Your provider does not answer at the moment.", next: "Try again in some minutes." },
  provider_rate_limited: { reason: "Your provider asks us to slow down.", next: "Try again in some minutes." },
  authorization_denied: {
    reason: "You, or your provider, did not allow the change.",
    next: "Try again and allow it, or enter the changes yourself."
  },
  authorization_expired: {
    reason: "The permission ran out before we were done.",
    next: "Try again; it takes only a moment."
  },
  authorization_revoked: {
    reason: "The permission was taken back at your provider.",
    next: "Try again and allow it once more."
  },
  authorization_insufficient_scope: {
    reason: "What you gave us does not allow changing DNS entries.",
    next: "Make a new one that may read and edit DNS for this domain, and try again."
  },
  authorization_zone_mismatch: {
    reason: "This account does not hold the domain.",
    next: "Log in with the account in which the domain is, and try again."
  },
  credential_invalid: {
    reason: "Your provider did not accept what you entered.",
    next: "Copy it once more, without spaces before or after it, and try again."
  },
  account_not_entitled: {
    reason: "Your account at your provider does not let other services in.",
    next: "Switch this on or extend your account there, and try again, or enter the changes yourself."
  },
  provider_snapshot_timeout: {
    reason: "Your provider took too long to send us your current entries.",
    next: "Try again; this attempt changed nothing."
  },
  provider_snapshot_failed: {
    reason: "Your provider could not send us your current entries.",
    next: "Try again; this attempt changed nothing."
  },
  zone_too_large: {
    reason: "This domain has too many DNS records.",
    next: "Add the records yourself at your provider."
  },
  provider_zone_locked: {
    reason: "Your provider has locked this domain for changes.",
    next: "Unlock it at your provider, or wait until another change there has ended, and try again."
  },
  provider_record_locked: {
    reason: "Your provider does not let anybody change one of the entries.",
    next: "Ask your provider to unlock it and try again, or enter the changes yourself."
  },
  apex_cname_unsupported: {
    reason: "Your provider cannot store the entry that is needed for the domain without “www”.",
    next: "Connect the name with “www” instead, or ask for help."
  },
  record_type_unsupported: {
    reason: "Your provider cannot store a kind of entry that is needed.",
    next: "Ask for help; trying again does not change it."
  },
  record_value_rejected: {
    reason: "Your provider does not accept one of the entries.",
    next: "Ask for help; trying again does not change it."
  },
  spf_merge_impossible: {
    reason: "Your list of mail senders cannot be extended without breaking it.",
    next: "Ask whoever looks after your mail to tidy it up."
  },
  host_delegated_elsewhere: {
    reason: "Another service answers for this part of your domain.",
    next: "Make the change at that service, or choose another name."
  },
  plan_too_large: {
    reason: "More would have to change at once than we can do.",
    next: "Ask for help; trying again does not change it."
  },
  apply_timeout: {
    reason: "Your provider took too long to make the change.",
    next: "Try again; we first look at what has been done."
  },
  apply_rejected: {
    reason: "Your provider refused the change.",
    next: "Try again, or enter the changes yourself."
  },
  apply_partial: {
    reason: "Only a part of the change was made.",
    next: "Try again, and we go on where it stopped; or enter the rest yourself."
  },
  verification_timeout: {
    reason: "The change is made, but the world does not see it yet.",
    next: "That can take a day. Try again later."
  },
  verification_mismatch: {
    reason: "The world sees something else than what was set up.",
    next: "Somebody may have changed it since. Try again to look once more."
  },
  manual_setup_timeout: entriesNotFound,
  control_unproven: entriesNotFound,
  control_lost: {
    reason: "Somebody else has the domain now.",
    next: "If it is yours, repair it: a new entry shows it, which only its owner can make."
  },
  internal_error: { reason: "Something went wrong on our side.", next: "Try again; nothing is lost." }
} satisfies { readonly [_ in FailureCode]: { readonly reason: string; readonly next: string } }

const topics = {
  website: "Website",
  mail: "Mail",
  security: "Security",
  proof: "Proof",
  other: "Other"
}

const taskDeeds = {
  website: "Show your shop at {name}",
  security: "Allow the security certificate",
  proof: "Prove that the domain is yours (at {name})",
  other: "Set up {name}"
}

const fields = {
  type: "Type",
  host: "Host",
  value: "Value",
  priority: "Priority",
  ttl: "TTL",
  service: "Service",
  protocol: "Protocol",
  weight: "Weight",
  port: "Port",
  target: "Target",
  address: "IP address"
}

const deeds = {
  website_replaced: "Yes, replace the page at {names}",
  cname_removed: "Yes, end the forwarding at {names}",
  mx_replaced: "Yes, move the mail of {names}",
  mail_records_removed: "Yes, remove the mail entries at {names}",
  mail_target_changed: "Yes, mail to {names} may stop",
  dkim_key_replaced: "Yes, replace the mail key at {names}",
  dkim_key_removed: "Yes, remove the mail key at {names}",
  spf_excludes_existing_mail: "Yes, only the listed services may send my mail",
  dmarc_policy_weakened: "Yes, make the protection of {names} looser",
  dmarc_policy_strengthened: "Yes, make the protection of {names} stricter",
  plan_large_deletion: "Yes, remove all the listed entries",
  delegation_replaced: "Yes, let another service answer for {names}",
  wildcard_hidden: "Yes, the catch-all entry stops answering at {names}",
  ns_delegation_hides_records: "Yes, entries below {names} stop working",
  tls_policy_mismatch: "Yes, change {names}; mail may not arrive",
  spf_include_broken: "Yes, change the list at {names}; mail may be rejected",
  spf_lookup_limit_exceeded: "Yes, change the list at {names}; mail may be rejected"
}

const leftoverReasons = {
  changed_since: "(somebody has changed it since)",
  wanted_by_another_connection: "(something else needs it)",
  older_than_thirty_days: "(it is older than 30 days; its target may be somebody else's by now)",
  target_does_not_resolve: "(its target no longer exists)",
  provider_cannot_store: "(your provider does not take it any more)",
  zone_gone: "(the domain is not at this provider any more)",
  manual_setup_timeout: "(we did not see it changed in time)"
}

const hints = {
  create_subdomain_first: "If the page does not let you choose the name, create it there first as a subdomain.",
  delete_parking_records: "Delete the entries of the provider's own placeholder page first.",
  turn_proxy_off: "An entry with this name has its proxy on. Put the new entry in its place, and turn the proxy off.",
  dns_only: "Turn the proxy off for this entry: choose “DNS only”.",
  save_and_publish: "After saving, publish the changes if the page asks for it.",
  confirm_checkbox: "The page may ask you to tick a box before it saves.",
  second_factor: "The page may ask you for a code before it saves.",
  choose_custom_mail: "Choose your own mail settings (“Custom MX”) there first.",
  apex_alias: "Choose the type ALIAS or ANAME if CNAME is not accepted here.",
  apex_addresses: "If the page takes no name here, enter the addresses of the target instead (types A and AAAA).",
  apex_redirect: "Or ask for www to be connected instead, and let the domain itself redirect to it.",
  find_who_runs_name_servers: "The bill for your domain, or the person who set it up, tells who runs them."
} satisfies { readonly [_ in GuideHint]: string }

/** The link for somebody who helps the customer. */
const share = {
  title: "Send this to somebody who helps you",
  text: "They see what to change for {domain}, do it, and check it. They cannot agree to anything for you.",
  name: "Your name, so that they know who asks",
  send: "Send",
  mail: "Send by mail",
  qr: "Show QR code",
  qrText: "Point the camera of a phone at it.",
  link: "Link",
  subject: "Can you help me with {domain}?",
  message: "Please change some entries of {domain} for me. This page shows which ones, and checks them:",
  ends: "The link works until everything is done.",
  revoke: "Take it back",
  revoked: "The link no longer works.",
  again: "Make a new link",
  somebody: "Somebody",
  asks: "{sender} asks you to change {count} entries at {provider}.",
  asksOne: "{sender} asks you to change one entry at {provider}.",
  waitTitle: "It is {sender}’s turn",
  waitText: "First the changes have to be agreed to. This page goes on by itself then."
}

/** Every text of the component in English; `{name}` is a placeholder. */
export const en = {
  loading: "One moment",
  newWindow: "opens in a new window",
  notNow: "Not now",
  close: "Close",
  done: "Done",
  back: "Back",
  goOn: "Continue",
  supportCode: "For support: {code}",
  needHelp: "Need help?",

  entryTitle: "Which domain do you want to connect?",
  entryText: "Type a domain that is yours. Nothing changes yet.",
  entryLabel: "Your domain",
  entryMeant: "Do you mean {name}?",
  entryChoice: "Which address do visitors use?",
  entryInvalid: "This is no domain. It looks like shop.com.",

  changesTitle: "Connect {domain}",
  changesIntro: "This is what happens if you agree. Everything else stays as it is.",
  changesNone: "Everything is in place already. Nothing has to change.",
  changesAgainTitle: "Please look once more",
  changesAgainIntro: "Your provider has something else stored than we saw before. This is what happens now.",
  approve: "Make these changes",
  restoreTitle: "Disconnect {domain}",
  restoreIntro: "This goes back to what it was before.",
  tableCaption: "What changes for {domain}",
  what: "Entry",
  today: "Today",
  afterwards: "Afterwards",
  nothing: "nothing",
  taken: "is removed",
  added: "New",
  changed: "Changed",
  removed: "Removed",
  fullValue: "Show all of it",
  leftovers: "Stays as it is",
  leftOut: "Left out",
  alreadyThere: "Already there",

  accessTitle: "How shall we make the change?",
  accessIntro: "Your domain is managed at {provider}. Choose what suits you best.",
  accessIntroUnknown: "Choose what suits you best.",
  providerQuestion: "Who runs the DNS of {domain}?",
  providerQuestionText:
    "Several companies use the same servers. Choose the one in whose account you change the entries of your domain.",
  providerOther: "Somebody else",
  oauthTitle: "Log in at {provider}",
  oauthText: "You allow the change there and come straight back. We never see your password.",
  oauthButton: "Continue to {provider}",
  apiFails: "{provider} does not answer us reliably at the moment. This way works all the same.",
  linkTitle: "Let {provider} make the changes",
  providerAdds: "{provider} will also add this entry, which shows that the domain is yours:",
  providerRemoves: "{provider} will remove these entries:",
  providerAlsoRemoved: "{provider} has removed these entries, too. If you still need them, enter them there again:",
  tokenTitle: "With an access key of {provider}",
  roleTitle: "With a role at {provider}",
  roleMake:
    "Open AWS CloudShell in a second window, paste this and press Enter. It makes a role that may change the DNS of {zone} only, and that only we can use. Then copy the line that begins with arn: into the field.",
  tokenText: "We use it for this change only, keep it encrypted and delete it afterwards.",
  tokenLink: "Help of {provider}",
  tokenButton: "Allow and connect",
  tokenButtonLeaving: "Allow and disconnect",
  manualChoiceTitle: "Do it yourself",
  manualChoiceText: "We show you step by step what to enter, and check it for you.",
  manualChoiceButton: "Show me what to enter",
  fieldInvalid: "This does not look right.",
  apiToken: "API token",
  apiKey: "API key",
  apiSecret: "API secret",
  username: "User name",
  accountId: "Account ID",
  privateKey: "Private key",
  accessKeyId: "Access key ID",
  secretAccessKey: "Secret access key",
  roleArn: "Role ARN",
  json: "Contents of the JSON key file",
  tenantId: "Directory (tenant) ID",
  clientId: "Application (client) ID",
  clientSecret: "Value of the client secret",
  subscriptionId: "Subscription ID",
  resourceGroup: "Resource group of the DNS zone",
  name: "Key name",
  algorithm: "Algorithm",
  secret: "Secret",

  visitTitle: "Waiting for you at {provider}",
  visitText: "Allow the change there. You come back here by yourself.",
  visitOtherWay: "Choose another way",

  manualOpen: "Help of {provider}",
  manualAdd: "Add this entry",
  manualChange: "Change this entry",
  manualRemove: "Delete this entry",
  priority: "Priority",
  copy: "Copy",
  copyWhat: "Copy {what}",
  copied: "Copied",
  copyByHand: "Your browser did not let us copy it. It is marked: copy it by hand.",
  zoneFile: "Download as a file",
  zoneFileText: "Some providers can import the new entries from a file. Change and remove the others by hand.",
  otherWay: "Let us do it instead",
  checkNow: "Check now",
  statusPresent: "Found",
  statusMissing: "Not there yet",
  statusGone: "Gone",
  statusRemains: "Still there",
  statusDifferent: "Something else is there",
  statusUnknown: "Not checked yet",
  nextLook: "We look again {when}.",
  nextLookSoon: "We are looking now.",
  progressDelay: "We cannot reach the DNS. We keep trying.",

  progressRequested: "Looking at {domain}",
  progressRequestedText: "We find out where your domain is managed and what is set up there.",
  progressAuthorized: "Reading your current entries",
  progressAuthorizedText: "We compare what {provider} has stored with what you saw.",
  progressApplying: "Making the change",
  progressWritingText: "You can close this page; it goes on without you.",
  progressVerifying: "Waiting until everybody sees it",
  progressVerifyingText:
    "The entries are set. It usually takes some minutes until every server knows. You can close this page.",
  progressDisconnecting: "Removing the entries",
  checks: "What we are waiting for",

  successTitle: "{domain} is connected",
  successText: "Everything is in place. We watch it from now on, and tell you here if something is missing.",
  disconnectedTitle: "{domain} is disconnected",
  degradedTitle: "Something is missing",
  degradedText: "{domain} was connected, but some entries are not there any more.",
  statusLost: "Missing",
  lost: "What is missing or different",
  repair: "Repair",
  failureTitle: "That did not work",
  tryAgain: "Try again",
  expiredTitle: "This took too long",
  expiredText:
    "The connection was waiting for so long that it ended. We changed nothing. What you entered yourself stays as it is. Start it again.",
  canceledTitle: "Cancelled",
  canceledText: "We changed nothing. What you entered yourself stays as it is.",

  problemOffline: "We cannot reach the service. We keep trying.",
  problemStart: "This page could not begin. Reload it; if that does not help, ask the support of the shop.",
  problemSession: "Your session has ended. Reload this page to go on where you were.",
  problemNotFound: "There is no such connection. Reload the page, or ask for help.",
  problemStale: "The list has changed in the meantime. Please look once more.",
  problemRefused: "That is not possible at the moment. This is where things stand now.",
  problemInput: "Please check what you entered.",
  problemBusy: "Too many requests at the moment. Wait a little and try again.",
  problemUnknown: "Something went wrong on our side. Please try again.",

  language: "Language",
  testMode: "Test mode",
  pageTitle: "Connect a domain",
  pageClosed: "You can close this page now.",
  linkUsed:
    "This link is no longer open. The domain may be connected already; if not, ask for a new link where you got this one.",

  kindA: "Web address",
  kindAAAA: "Web address (IPv6)",
  kindCNAME: "Forwarding",
  kindMX: "Mail delivery",
  kindTXT: "Note for other services",
  kindSpf: "Who may send mail",
  kindDmarc: "Protection against forged mail",
  kindDkim: "Mail signature",
  kindNS: "Responsible servers",
  kindSRV: "Service address",
  kindCAA: "Who may issue certificates",
  kindOther: "Entry",

  steps: "Steps",
  stepCheck: "Check",
  stepReview: "Review",
  stepConnect: "Connect",
  stepLive: "Live",
  managedAt: "managed at {provider}",
  theShop: "the shop",
  yourProvider: "your provider",
  changesSinceIntro: "Something has changed since you looked. Please look at what is marked.",
  sinceChanged: "Since you looked, {name} was changed to {value}",
  sincePlanned: "Since you looked, something else is planned for {name}: {value}",
  sinceStored: "Stored at your provider for {name}: {value}",
  sinceAdded: "New since you looked: {name}",
  sinceRemoved: "Since you looked, what stood at {name} was removed",
  technicalDetails: "Technical details",
  tickMissing: "Something is still to be answered: please see what is marked.",
  websiteReplaced: "Today visitors of {names} see another page. Afterwards they see {who}.",
  websiteSome: "Today visitors of {old} see another page. Afterwards visitors of {names} see {who}.",
  websiteNew: "Today visitors of {names} see nothing. Afterwards they see {who}.",
  websiteBack: "Today visitors of {names} see {who}. Afterwards they see what was there before.",
  websiteGone: "Today visitors of {names} see {who}. Afterwards they no longer do.",
  mailStays: "Stays where it is. Nothing changes.",
  mailStaysAt: "Stays at {from}. Nothing changes.",
  mailMoves: "Today your mail arrives at {from}. Afterwards it arrives at {to}.",
  mailBegins: "Today no mail server is named for {names}. Afterwards mail arrives at {to}.",
  mailEnds: "Today your mail arrives at {from}. Afterwards no mail arrives at {names}.",
  mailSenders: "Afterwards {who} may send mail for you.",
  mailKept: "Your mail stays where it is.",
  mailKeptAt: "Your mail stays at {from}.",
  mailMayStop:
    "Today mail goes to the server of the page. Afterwards that is {who}, where mail may be lost. To keep it, ask your mail service for its “MX” entry first.",
  securityChanged: "Today the security certificate of {who} may be refused. Afterwards it is allowed.",
  proofAdded: "Today nothing shows that the domain is yours. Afterwards an entry does; visitors do not see it.",
  otherChanged: "Entries at {names} change, as the technical details show.",
  entriesBack: "The entries at {names} become what they were before.",
  mailQuestion: "Do you get mail at …\u2060@{names}?",
  mailNo: "No, I get no mail there",
  mailYes: "Yes, I get mail there",
  mailUnsure: "Not sure? Write to such an address and see whether your mail arrives.",
  deedOther: "Yes, I have read this and want it",
  tokenRights: "It must be allowed to read and change the DNS of {zone}.",
  tokenChoose: "Choose there:",
  tokenMake: "Make one at {provider}",
  tokenOpensAccount: "This key can change every domain of your account.",
  fieldMissing: "Please fill this in.",
  openProvider: "Open {provider} in a second window",
  openUnknown: "Open the settings of your domain in a second window",
  openWindow: "Open {provider}",
  openRecords: "Open the DNS settings of {zone}.",
  logIn: "Log in at {provider}.",
  logInUnknown: "Log in where you bought {zone}, or where it is managed.",
  comeBack: "Leave that window open, and come back here.",
  nameServers: "These servers answer for your domain; their names tell who runs them:",
  byHandEffort: "It takes about {minutes} minutes: {entries}. We check each one.",
  entryOne: "1 entry",
  entryMany: "{count} entries",
  backOne: "1 entry to change back",
  backMany: "{count} entries to change back",
  begin: "It is open: begin",
  tasks: "All entries",
  taskOf: "{number} of {count} · {deed}",
  atProvider: "At {provider}",
  manualChangeTo: "Make it read like this",
  findEntry: "Find this entry",
  findEntries: "Find these entries: delete all but one, and change that one",
  deleteFirst: "First delete this entry",
  deleteFirstMany: "First delete these entries",
  pressAdd: "Press “{button}”, and fill in",
  pressPublish: "There, an entry counts only once “{button}” is pressed.",
  leaveEmpty: "leave it empty",
  orEmpty: "If it is not accepted, leave the field empty.",
  orElse: "If it is not accepted:",
  saveThere: "Save it there. Then press the button here.",
  taskDone: "Found. There is nothing left to do here.",
  taskGone: "Gone. There is nothing left to do here.",
  saved: "I have saved it",
  checkAgain: "Check again",
  nextTask: "Next entry",
  looking: "Looking …",
  answerDone: "Done: {done} of {all}.",
  answerSome: "Done: {done} of {all}. The rest cannot be seen yet; {provider} often takes 1 to {most} minutes.",
  answerSlips: "Done: {done} of {all}. What is marked “{almost}” is not right yet.",
  answerNotYet:
    "Not there yet; {provider} often takes 1 to {most} minutes. Have you saved it? You can go on meanwhile.",
  answerStillThere:
    "Still there; {provider} often takes 1 to {most} minutes. Have you deleted it? You can go on meanwhile.",
  correctedJustNow: "If you have just corrected it: {provider} often takes 1 to {most} minutes.",
  notAllMade: "Some steps are still to be done",
  notAllMadeText: "Do those without a tick in this list, one after the other.",
  allSaved: "We are checking your changes",
  allSavedText:
    "You can close this page; we go on checking. Come back by the same way to see how it stands. If one has no tick after {wait} minutes, open it in this list and see whether you saved it.",
  slipsTitle: "Not everything is right yet",
  slipsText: "What is marked “{almost}” has to be corrected at {provider}.",
  showSlip: "Show what to correct",
  allDone: "All changes are made",
  allDoneText: "We finish the rest by ourselves.",
  almost: "Almost.",
  shareButton: "Send to my web person",
  deedRemove: "Delete “{purpose}” at {name}",
  deedPutBack: "Put back “{purpose}” at {name}",
  deedMail: "Let your mail arrive at {name}",
  deedSpf: "Allow mail to be sent for {name}",
  deedDmarc: "Protect {name} against forged mail",
  deedDkim: "Sign your mail",
  stageAllowed: "Allowed",
  stageWritten: "Written",
  stageServers: "Seen at {showing} of {asked} servers of your domain",
  stageServersSoon: "Seen at the servers of your domain",
  stageEverybody: "Seen at {showing} of {asked} servers that everybody uses",
  stageEverybodySoon: "Seen by everybody",
  estimate: "Some visitors may see the old page for up to {time}.",
  estimateMail: "Some mail may still go to the old server for up to {time}.",
  undo: "To undo it, disconnect the domain where you connected it. The entries become what they were before. Old addresses come back only within 30 days.",
  undoByHand:
    "To undo it, disconnect the domain where you connected it. We then show you which entries to change back. Old addresses come back only within 30 days.",
  websiteNow: "Visitors of {names} now see {who}.",
  mailNow: "Your mail now arrives at {to}.",
  mailGone: "Mail to {names} no longer arrives.",
  mailBack: "Mail to {names} goes where it went before.",
  mailUnnamed: "No mail service is set up for {names}: mail there may not arrive.",
  mailSendersNow: "From now on {who} may send mail for you.",
  mailSendersGone: "From now on {who} may not send mail for you.",
  whatChanged: "What changed",
  putBack: "Put back",
  oldWebsiteBack: "Your old website answers there again.",
  disconnectedText: "The entries are what they were before.",
  disconnectedPartly: "Some entries could not be changed back. They are listed below.",
  outcomeDone: "Made",
  outcomeNot: "Not made",
  outcomeUnknown: "Perhaps made",
  outcomeLost: "Made, and not undone",

  topics,
  taskDeeds,
  fields,
  deeds,
  leftoverReasons,
  hints,
  diagnoses: diagnosisSentences,
  foundInstead,
  share,
  warnings,
  failures
}

type Texts<T> = { readonly [K in keyof T]: T[K] extends string ? string : Texts<T[K]> }

/** The texts of one language. */
export type Words = Texts<typeof en>
