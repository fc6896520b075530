import type { DiagnosisCode } from "./Diagnosis.ts"

/** What was found of a record, and what to do about it. */
export interface DiagnosisSentences {
  readonly found: string
  readonly fix: string
}

/**
 * The sentences of each diagnosis, for whoever reads them: customers, developers and operators. `{name}`, `{type}` and
 * `{value}` are those of the first record that was seen, `{wanted}` is the type of the desired record, `{zone}` and
 * `{provider}` are those of the domain, and `{label}` is the field that takes `{copy}`. “This” is what follows: `{copy}`.
 */
export const diagnosisSentences = {
  not_yet: { found: "Nothing is there yet.", fix: "Saved entries often take a few minutes." },
  on_its_way: { found: "It is on its way.", fix: "There is nothing to do." },
  old_value_remains: {
    found: "We still found {type} {value}.",
    fix: "Change it to this, and save. If you have, wait some minutes."
  },
  also_there: { found: "The entry is right, but beside it we found {type} {value}.", fix: "Delete {type} {value}." },
  doubled_zone: {
    found: "We found {name}.",
    fix: "Your provider adds “{zone}” itself: put only “{copy}” in “{label}”."
  },
  target_doubled: {
    found: "We found {value}.",
    fix: "Your provider adds “{zone}” to it: put “{copy}” in “{label}”, with the dot."
  },
  quoted: { found: "We found quotation marks in the value.", fix: "Enter it without them." },
  escaped: { found: "We found backslashes in the value.", fix: "Enter it without them." },
  wrong_host: { found: "We found it at {name}.", fix: "Put “{copy}” in “{label}”." },
  wrong_type: { found: "We found it with the type {type}.", fix: "Delete it, and add it with the type {wanted}." },
  two_spf: {
    found: "We found two lists of mail senders; together they are void.",
    fix: "Keep one that reads like this, and delete the other."
  },
  two_dmarc: {
    found: "We found two rules against forged mail; together they are void.",
    fix: "Keep one that reads like this, and delete the other."
  },
  truncated: { found: "We found only a part of the value.", fix: "Copy all of it." },
  proxied: { found: "Your provider answers with its own addresses.", fix: "Turn the proxy off for this entry." },
  flattened: { found: "Your provider shows it as plain addresses.", fix: "Turn that off for this entry." },
  only_some_servers: { found: "Not all servers of your domain show it yet.", fix: "Wait some minutes." },
  other_zone: {
    found: "Other servers answer for your domain than those of {provider}.",
    fix: "Make the entry where your domain is managed now."
  },
  parking: { found: "A placeholder page of your provider is still there.", fix: "Delete its entries, or turn it off." },
  blocked_by_caa: { found: "An entry forbids the security certificate.", fix: "Add this one." }
} satisfies { readonly [_ in DiagnosisCode]: DiagnosisSentences }

/** Found where `old_value_remains` is of a value that did not stand there before: somebody has entered it since. */
export const foundInstead = "We found {type} {value} instead."
