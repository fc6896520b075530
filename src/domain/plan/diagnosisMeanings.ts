import type { DiagnosisCode } from "./Diagnosis.ts"

/** What is wrong and what to do, for people. */
export const diagnosisMeanings: { readonly [Code in DiagnosisCode]: string } = {
  not_yet: "No server shows the record yet. Saved changes often take a few minutes.",
  on_its_way: "The service has written the record. Not every server shows it yet; nothing is to be done.",
  old_value_remains: "The old value is still there. Replace it with the new one, and save.",
  also_there: "The record is right, and another one is beside it. Delete the other one.",
  doubled_zone: "The provider adds the domain by itself. Enter only the part before it as host.",
  target_doubled: "The provider has added the domain to the value. End the value with a dot.",
  quoted: "The value has quotation marks that belong to it now. Enter it without them.",
  escaped: "The value has backslashes that belong to it now. Enter it without them.",
  wrong_host: "The record is at another host. Enter it at the host that is named here.",
  wrong_type: "The value is right, but the type of the record is another one. Choose the right type.",
  two_spf: "There are two SPF records, and receivers accept neither. Delete one, and keep the one that is named here.",
  two_dmarc:
    "There are two DMARC records, and receivers accept neither. Delete one, and keep the one that is named here.",
  truncated: "The value is only a part of what it must be. Copy the whole value.",
  proxied: "The provider answers with its own addresses. Turn the proxy off for this record.",
  flattened: "The provider answers with the addresses of the target instead of the CNAME.",
  only_some_servers: "Only some of the name servers show the record. Wait some minutes; then ask the provider.",
  other_zone: "The name servers that answer are not those of this provider. Enter the record where they are run.",
  parking: "A page for parked domains is still there. Delete its records, or turn parking off.",
  blocked_by_caa: "A CAA record forbids the certificate. Add the one that is named here."
}
