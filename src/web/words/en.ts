import type { FailureCode } from "../../domain/connection/Connection.ts"
import type { Warning } from "../../domain/plan/Warning.ts"

const warnings = {
  name_servers_disagree: "The servers of your domain give different answers.",
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
    "You receive mail here but had no list of senders. If you send with another service, add it.",
  spf_allows_all: "Your list of mail senders lets anybody send in your name.",
  dmarc_existing_preserved: "Your protection against forged mail is in order and stays as it is.",
  dmarc_existing_invalid_replaced:
    "Your protection against forged mail had mistakes and is replaced by one that works.",
  dmarc_policy_weakened:
    "Your protection against forged mail becomes looser: more suspicious mail will be let through.",
  dmarc_policy_strengthened:
    "Your protection against forged mail becomes stricter: mail from services not set up may be lost.",
  dmarc_inherited_from_root: "The protection against forged mail is copied from your main domain.",
  dmarc_duplicates_collapsed:
    "There were several rules against forged mail, which made all of them void. They become one that works.",
  dmarc_tag_deprecated: "Your rule against forged mail has an outdated part. It does no harm.",
  dkim_key_replaced: "A key that signs your mail is replaced. Older mail can no longer be checked.",
  dkim_key_removed: "A key that signs your mail is removed. Older mail can no longer be checked.",
  caa_blocks_issuance: "Your domain does not allow the certificate that https needs.",
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
  service_record_replaced: "Programs may not find a service, or its certificate cannot be renewed.",
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
    "Your provider has something else stored than the world sees. This list shows what is stored.",
  lookup_unknown: "We could not look everything up. A note may be missing here."
} satisfies { readonly [_ in Warning]: string }

const entriesNotFound = {
  reason: "We did not find the entries in time.",
  next: "Compare them with the list and try again; we go on looking."
}

const tooLarge = {
  reason: "This domain has too many DNS records.",
  next: "Add the records yourself at your provider."
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
    reason: "Your account at your provider does not include access for other services.",
    next: "Extend it there and try again, or enter the changes yourself."
  },
  provider_snapshot_timeout: {
    reason: "Your provider took too long to send us your current entries.",
    next: "Try again; nothing was changed."
  },
  provider_snapshot_failed: {
    reason: "Your provider could not send us your current entries.",
    next: "Try again; nothing was changed."
  },
  zone_too_large: tooLarge,
  provider_zone_locked: {
    reason: "Your provider has locked this domain for changes.",
    next: "Unlock it at your provider, or wait until another change there has ended, and try again."
  },
  provider_record_locked: {
    reason: "Your provider does not let anybody change one of the entries.",
    next: "Ask your provider to unlock it."
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
  plan_too_large: tooLarge,
  apply_timeout: {
    reason: "Your provider took too long to make the change.",
    next: "Try again; we first look at what has been done."
  },
  apply_rejected: {
    reason: "Your provider refused the change.",
    next: "Ask for help; trying again does not change it."
  },
  apply_partial: {
    reason: "Only a part of the change was made.",
    next: "Try again; we go on where it stopped."
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
  control_lost: { reason: "Somebody else has the domain now.", next: "Try again." },
  internal_error: { reason: "Something went wrong on our side.", next: "Try again; nothing is lost." }
} satisfies { readonly [_ in FailureCode]: { readonly reason: string; readonly next: string } }

/** Every text of the component in English; `{name}` is a placeholder. */
export const en = {
  loading: "One moment",
  step: "Step {step} of {steps}",
  newWindow: "opens in a new window",
  notNow: "Not now",
  close: "Close",
  done: "Done",
  back: "Back",
  goOn: "Continue",
  supportCode: "For support: {code}",
  needHelp: "Need help?",

  changesTitle: "Connect {domain}",
  changesIntro: "These entries of your domain will change. Everything else stays as it is.",
  changesNone: "Everything is in place already. Nothing has to change.",
  changesAgainTitle: "Please look once more",
  changesAgainIntro: "Your provider stores something else than we saw. This will change now.",
  approve: "Make these changes",
  restoreTitle: "Disconnect {domain}",
  restoreIntro: "These entries go back to what they were before.",
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
  graveTitle: "Please confirm",
  graveIntro: "These changes can affect your mail or other things that work today.",
  iKnow: "I have read this.",
  goodToKnow: "Good to know",
  leftovers: "What stays as it is",
  leftOut: "Left out",

  accessTitle: "How shall we make the change?",
  accessIntro: "Your domain is managed at {provider}. Choose what suits you best.",
  accessIntroUnknown: "Choose what suits you best.",
  oauthTitle: "Log in at {provider}",
  oauthText: "You allow the change there and come straight back. We never see your password.",
  oauthButton: "Continue to {provider}",
  tokenTitle: "With an access key of {provider}",
  tokenOnly: "Only if this domain is in your account at {issuer}. Do not enter a key of {provider}.",
  tokenText: "We use it for this change only, keep it encrypted and delete it afterwards.",
  tokenLink: "Where to find it at {provider}",
  tokenButton: "Allow and connect",
  manualChoiceTitle: "Do it yourself",
  manualChoiceText: "We show you step by step what to enter, and check it for you.",
  manualChoiceButton: "Show me what to enter",
  fieldInvalid: "This does not look right.",
  apiToken: "API token",
  apiKey: "API key",
  apiSecret: "API secret",
  username: "User name",
  accessKeyId: "Access key ID",
  secretAccessKey: "Secret access key",
  json: "Contents of the JSON key file",
  name: "Key name",
  algorithm: "Algorithm",
  secret: "Secret",

  visitTitle: "Waiting for you at {provider}",
  visitText: "Allow the change there. You come back here by yourself.",
  visitOtherWay: "Choose another way",

  manualTitle: "Enter these changes",
  manualIntro: "Log in at {provider}, open the DNS settings of {zone}, and go through this list.",
  manualIntroUnknown: "Log in where {zone} is managed, open its DNS settings, and go through this list.",
  manualOpen: "Help of {provider}",
  manualAdd: "Add this entry",
  manualChange: "Change this entry",
  manualRemove: "Remove this entry",
  type: "Type",
  host: "Name",
  hostHint: "In full: {name}",
  hostApexHint: "Stands for {name} itself. If @ is not accepted, leave it empty.",
  value: "Value",
  oldValue: "Old value",
  priority: "Priority",
  ttl: "TTL",
  copy: "Copy",
  copyWhat: "Copy {what}",
  copied: "Copied",
  copyByHand: "Your browser did not let us copy it. It is marked: copy it by hand.",
  zoneFile: "Download as zone file",
  zoneFileText: "Some providers can import the new entries from a file. Change and remove the others by hand.",
  otherWay: "Let us do it instead",
  checkNow: "Check now",
  statusPresent: "Found",
  statusMissing: "Not there yet",
  statusGone: "Removed",
  statusStillThere: "Still there",
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
  successText: "Everything is in place. We keep an eye on it from now on.",
  disconnectedTitle: "{domain} is disconnected",
  degradedTitle: "Something is missing",
  degradedText: "{domain} was connected, but some entries are not there any more.",
  statusLost: "Missing",
  lost: "What is missing or different",
  repair: "Repair",
  failureTitle: "That did not work",
  tryAgain: "Try again",
  expiredTitle: "This took too long",
  expiredText: "The connection was waiting for so long that it ended. Nothing was changed. Start it again.",
  canceledTitle: "Cancelled",
  canceledText: "Nothing was changed.",

  problemOffline: "We cannot reach the service. We keep trying.",
  problemStart: "This page could not begin. Reload it; if that does not help, ask the support of the shop.",
  problemSession: "Your session has ended. Reload this page to go on where you were.",
  problemNotFound: "There is no such connection. Reload the page, or ask for help.",
  problemStale: "The list has changed in the meantime. Please look once more.",
  problemRefused: "That is not possible at the moment. This is where things stand now.",
  problemInput: "Please check what you entered.",
  problemBusy: "Too many requests at the moment. Wait a little and try again.",
  problemUnknown: "Something went wrong on our side. Please try again.",

  testMode: "Test mode",
  pageTitle: "Connect a domain",
  pageClosed: "You can close this page now.",
  linkUsed: "This link has been used, or is too old. Ask for a new one where you got it.",

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

  warnings,
  failures
}

type Texts<T> = { readonly [K in keyof T]: T[K] extends string ? string : Texts<T[K]> }

/** The texts of one language. */
export type Words = Texts<typeof en>
