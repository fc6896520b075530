import type { Words } from "./en.ts"

const warnings: Words["warnings"] = {
  name_servers_disagree: "Die Server Ihrer Domain antworten verschieden. Was Besucher sehen, ist Glückssache.",
  spf_record_merged: "Wir ergänzen die vorhandene Liste der Mail-Absender. Niemand wird daraus entfernt.",
  spf_existing_sufficient: "Ihre Liste der Mail-Absender enthält uns bereits.",
  spf_policy_replaced: "Mail von Absendern, die nicht auf Ihrer Liste stehen, wird anders behandelt.",
  spf_duplicates_collapsed:
    "Es gab mehrere Listen von Mail-Absendern, wodurch alle ungültig waren. Daraus wird eine, die funktioniert.",
  spf_lookup_limit_exceeded:
    "Ihre Liste der Mail-Absender wird länger, als Mail-Dienste erlauben. Mail Ihrer Domain könnte abgewiesen werden.",
  spf_lookup_unknown: "Wir konnten nicht die ganze Liste der Mail-Absender prüfen. Sie könnte zu lang sein.",
  spf_include_broken:
    "Ihre Liste der Mail-Absender verweist auf eine Liste, die nicht funktioniert. Bis das behoben ist, könnte Mail abgewiesen werden.",
  spf_existing_invalid_replaced: "Ihre Liste der Mail-Absender enthielt Fehler. Die Fehler entfallen.",
  spf_excludes_existing_mail:
    "Sie empfangen Mail, hatten aber keine Liste der Absender. Ergänzen Sie andere Dienste, über die Sie senden.",
  spf_allows_all: "Ihre Liste der Mail-Absender erlaubt jedem, in Ihrem Namen zu senden.",
  dmarc_existing_preserved: "Ihr Schutz gegen gefälschte Mail ist in Ordnung und bleibt, wie er ist.",
  dmarc_existing_invalid_replaced:
    "Ihr Schutz gegen gefälschte Mail enthielt Fehler und wird durch einen ersetzt, der funktioniert.",
  dmarc_policy_weakened: "Ihr Schutz gegen gefälschte Mail wird lockerer: Mehr verdächtige Mail kommt durch.",
  dmarc_policy_strengthened:
    "Ihr Schutz gegen gefälschte Mail wird strenger: Mail von Diensten, die Sie nicht eingerichtet haben, kann verloren gehen.",
  dmarc_inherited_from_root: "Der Schutz gegen gefälschte Mail wird von Ihrer Hauptdomain übernommen.",
  dmarc_duplicates_collapsed:
    "Es gab mehrere Regeln gegen gefälschte Mail, wodurch alle ungültig waren. Daraus wird eine, die funktioniert.",
  dmarc_tag_deprecated: "Ihre Regel gegen gefälschte Mail hat einen veralteten Teil. Er schadet nicht.",
  dkim_key_replaced:
    "Ein Schlüssel, der Ihre Mail unterschreibt, wird ersetzt. Alte Mail lässt sich nicht mehr prüfen.",
  dkim_key_removed: "Ein Schlüssel, der Ihre Mail unterschreibt, entfällt. Alte Mail lässt sich nicht mehr prüfen.",
  caa_blocks_issuance:
    "Ihre Domain erlaubt das nötige Sicherheitszertifikat nicht. Ohne eine Änderung gibt es kein https.",
  caa_set_created: "Von nun an dürfen nur die genannten Firmen Sicherheitszertifikate ausstellen.",
  caa_existing_sufficient: "Ihre Domain erlaubt das nötige Sicherheitszertifikat bereits.",
  caa_not_needed: "Jede Firma darf Zertifikate ausstellen.",
  caa_lookup_unknown: "Wir konnten nicht herausfinden, welche Sicherheitszertifikate Ihre Domain erlaubt.",
  cname_replaces_records: "Die anderen Einträge entfallen, denn der neue muss allein stehen.",
  cname_removed: "Eine Weiterleitung entfällt. Ihr Ziel ist darüber nicht mehr erreichbar.",
  address_records_replaced: "Besucher kommen nicht mehr zur jetzigen Website.",
  website_replaced: "Die Website oder der Dienst, den Sie dort heute erreichen, wird ersetzt.",
  mx_replaced: "Ihre Mail geht an einen anderen Mail-Dienst. Stellen Sie sicher, dass es Ihre Postfächer dort gibt.",
  mail_records_removed: "Einträge, von denen Ihre Mail abhängt, entfallen. Mail kann ausbleiben.",
  mail_target_changed: "Der Ort eines Mail-Servers ändert sich. Antwortet dort keiner, kann Mail ausbleiben.",
  service_record_replaced:
    "Programme finden einen Dienst vielleicht nicht mehr, oder sein Zertifikat lässt sich nicht erneuern.",
  tls_policy_mismatch:
    "Die Regeln für verschlüsselte Zustellung passen nicht mehr zum Mail-Server. Mail kann ausbleiben.",
  ns_target_changed: "Der Ort eines Servers, der für eine Domain antwortet, ändert sich.",
  ns_delegation_hides_records: "Einträge darunter gelten nicht mehr, weil ein anderer Dienst für sie antwortet.",
  delegation_replaced: "Künftig antwortet ein anderer Dienst. Was heute dort eingerichtet ist, gilt nicht mehr.",
  apex_cname_flattened: "Ihr Anbieter macht aus diesem Eintrag einfache Adressen. Das ist normal.",
  record_not_served: "Diesen Eintrag sieht noch niemand.",
  wildcard_hidden: "Ein Sammeleintrag antwortet dort oder für einen Namen darüber nicht mehr.",
  proxied_record_present: "Der Schutz durch Ihren Anbieter bleibt.",
  mx_target_unusable: "Mails kommen vielleicht nicht an: Ihr Server hat keine Adresse.",
  null_mx_sender: "Ihre Domain empfängt keine Mails. Viele lehnen ab, was sie sendet.",
  ttl_adjusted: "",
  txt_value_split: "",
  record_repeated: "",
  host_repeats_domain: "Ein Name wiederholt den Anfang Ihrer Domain. Bitte prüfen Sie das.",
  optional_record_skipped: "Ein Eintrag, der nur nützlich wäre, lässt sich nicht anlegen und entfällt.",
  dnssec_signed_zone: "Ihre Domain ist durch Unterschriften geschützt. Ihr Anbieter erneuert sie mit der Änderung.",
  multi_provider_ns: "Zwei Anbieter antworten für Ihre Domain. Jede Änderung muss bei beiden gemacht werden.",
  ns_parent_child_mismatch:
    "Die Registrierungsstelle und Ihr Anbieter nennen verschiedene Server für Ihre Domain. Ihr Anbieter kann helfen.",
  other_connection_affected: "Etwas anderes, das Sie verbunden haben, nutzt einen Eintrag, der sich ändert.",
  control_not_proven: "Niemand hat nachgewiesen, dass ihm die Domain gehört.",
  plan_large_deletion: "Viele Einträge Ihrer Domain entfallen. Sehen Sie die Liste genau durch.",
  provider_zone_differs_from_public_dns:
    "Ihr Anbieter hat etwas anderes gespeichert, als die Welt sieht. Diese Liste zeigt, was gespeichert ist.",
  lookup_unknown: "Wir konnten nicht alles nachsehen. Hier kann ein Hinweis fehlen."
}

const entriesNotFound = {
  reason: "Wir haben die Einträge nicht rechtzeitig gefunden.",
  next: "Vergleichen Sie sie mit der Liste und versuchen Sie es noch einmal; wir suchen weiter."
}

const tooLarge = {
  reason: "Diese Domain hat zu viele DNS-Einträge.",
  next: "Tragen Sie die Einträge selbst bei Ihrem Anbieter ein."
}

const failures: Words["failures"] = {
  domain_not_registered: {
    reason: "Diese Domain ist nicht registriert.",
    next: "Prüfen Sie die Schreibweise. Haben Sie sie gerade gekauft, versuchen Sie es in einer Stunde noch einmal."
  },
  caa_host_is_cname: {
    reason: "Ein Name, der sagen soll, wer Zertifikate ausstellen darf, leitet nur weiter.",
    next: "Bitten Sie den Betreiber um Hilfe; ein neuer Versuch ändert nichts."
  },
  cname_loop: {
    reason: "Dieser Name würde auf sich selbst verweisen.",
    next: "Löschen Sie den Eintrag, der zurückverweist, und beginnen Sie dann neu."
  },
  domain_has_no_nameservers: {
    reason: "Für diese Domain antwortet noch niemand.",
    next: "Wählen Sie dort, wo Sie sie gekauft haben, einen DNS-Anbieter („Nameserver“) und versuchen Sie es noch einmal."
  },
  zone_not_found: {
    reason: "Der Anbieter, den Ihre Domain nennt, kennt sie nicht.",
    next: "Melden Sie sich bei Ihrem Anbieter an, fügen Sie die Domain hinzu und versuchen Sie es noch einmal."
  },
  discovery_timeout: {
    reason: "Die Server Ihrer Domain haben nicht rechtzeitig geantwortet.",
    next: "Versuchen Sie es in einigen Minuten noch einmal."
  },
  provider_unavailable: {
    reason: "Ihr Anbieter antwortet im Moment nicht.",
    next: "Versuchen Sie es in einigen Minuten noch einmal."
  },
  provider_rate_limited: {
    reason: "Ihr Anbieter bittet uns, langsamer zu machen.",
    next: "Versuchen Sie es in einigen Minuten noch einmal."
  },
  authorization_denied: {
    reason: "Sie oder Ihr Anbieter haben die Änderung nicht erlaubt.",
    next: "Versuchen Sie es noch einmal und erlauben Sie sie, oder tragen Sie die Änderungen selbst ein."
  },
  authorization_expired: {
    reason: "Die Erlaubnis ist abgelaufen, bevor wir fertig waren.",
    next: "Versuchen Sie es noch einmal; es dauert nur einen Augenblick."
  },
  authorization_revoked: {
    reason: "Die Erlaubnis wurde bei Ihrem Anbieter zurückgenommen.",
    next: "Versuchen Sie es noch einmal und erlauben Sie die Änderung erneut."
  },
  authorization_insufficient_scope: {
    reason: "Was Sie uns gegeben haben, erlaubt keine Änderung von DNS-Einträgen.",
    next: "Erstellen Sie einen neuen Zugang, der DNS dieser Domain lesen und ändern darf, und versuchen Sie es noch einmal."
  },
  authorization_zone_mismatch: {
    reason: "In diesem Konto liegt die Domain nicht.",
    next: "Melden Sie sich mit dem Konto an, in dem die Domain liegt, und versuchen Sie es noch einmal."
  },
  credential_invalid: {
    reason: "Ihr Anbieter hat Ihre Eingabe nicht angenommen.",
    next: "Kopieren Sie sie noch einmal, ohne Leerzeichen davor oder dahinter, und versuchen Sie es erneut."
  },
  account_not_entitled: {
    reason: "Ihr Tarif bei Ihrem Anbieter enthält keinen Zugang für andere Dienste.",
    next: "Erweitern Sie ihn dort, und versuchen Sie es noch einmal, oder tragen Sie die Änderungen selbst ein."
  },
  provider_snapshot_timeout: {
    reason: "Ihr Anbieter hat zu lange gebraucht, um uns Ihre aktuellen Einträge zu senden.",
    next: "Versuchen Sie es noch einmal; es wurde nichts geändert."
  },
  provider_snapshot_failed: {
    reason: "Ihr Anbieter konnte uns Ihre aktuellen Einträge nicht senden.",
    next: "Versuchen Sie es noch einmal; es wurde nichts geändert."
  },
  zone_too_large: tooLarge,
  provider_zone_locked: {
    reason: "Ihr Anbieter hat diese Domain für Änderungen gesperrt.",
    next: "Entsperren Sie sie dort, oder warten Sie das Ende einer anderen Änderung ab, und versuchen Sie es noch einmal."
  },
  provider_record_locked: {
    reason: "Ihr Anbieter lässt einen der Einträge von niemandem ändern.",
    next: "Bitten Sie Ihren Anbieter, ihn freizugeben."
  },
  apex_cname_unsupported: {
    reason: "Ihr Anbieter kann den Eintrag nicht speichern, der für die Domain ohne „www“ nötig ist.",
    next: "Verbinden Sie stattdessen den Namen mit „www“, oder bitten Sie um Hilfe."
  },
  record_type_unsupported: {
    reason: "Ihr Anbieter kann eine nötige Art von Eintrag nicht speichern.",
    next: "Bitten Sie um Hilfe; ein neuer Versuch ändert nichts."
  },
  record_value_rejected: {
    reason: "Ihr Anbieter nimmt einen der Einträge nicht an.",
    next: "Bitten Sie um Hilfe; ein neuer Versuch ändert nichts."
  },
  spf_merge_impossible: {
    reason: "Ihre Liste der Mail-Absender lässt sich nicht ergänzen, ohne sie zu beschädigen.",
    next: "Bitten Sie die Person, die sich um Ihre Mail kümmert, sie aufzuräumen."
  },
  host_delegated_elsewhere: {
    reason: "Für diesen Teil Ihrer Domain antwortet ein anderer Dienst.",
    next: "Machen Sie die Änderung bei diesem Dienst, oder wählen Sie einen anderen Namen."
  },
  plan_too_large: tooLarge,
  apply_timeout: {
    reason: "Ihr Anbieter hat für die Änderung zu lange gebraucht.",
    next: "Versuchen Sie es noch einmal; wir sehen zuerst nach, was schon getan ist."
  },
  apply_rejected: {
    reason: "Ihr Anbieter hat die Änderung abgelehnt.",
    next: "Bitten Sie um Hilfe; ein neuer Versuch ändert nichts."
  },
  apply_partial: {
    reason: "Nur ein Teil der Änderung wurde gemacht.",
    next: "Versuchen Sie es noch einmal; wir machen dort weiter, wo es aufgehört hat."
  },
  verification_timeout: {
    reason: "Die Änderung ist gemacht, aber die Welt sieht sie noch nicht.",
    next: "Das kann einen Tag dauern. Versuchen Sie es später noch einmal."
  },
  verification_mismatch: {
    reason: "Die Welt sieht etwas anderes, als eingerichtet wurde.",
    next: "Vielleicht hat es seitdem jemand geändert. Versuchen Sie es noch einmal."
  },
  manual_setup_timeout: entriesNotFound,
  control_unproven: entriesNotFound,
  control_lost: {
    reason: "Die Domain hat jetzt jemand anders.",
    next: "Versuchen Sie es noch einmal."
  },
  internal_error: {
    reason: "Bei uns ist etwas schiefgegangen.",
    next: "Versuchen Sie es noch einmal; nichts ist verloren."
  }
}

/** Every text of the component in German. */
export const de: Words = {
  loading: "Einen Moment",
  step: "Schritt {step} von {steps}",
  newWindow: "öffnet ein neues Fenster",
  notNow: "Nicht jetzt",
  close: "Schließen",
  done: "Fertig",
  back: "Zurück",
  goOn: "Weiter",
  supportCode: "Für den Support: {code}",
  needHelp: "Brauchen Sie Hilfe?",

  changesTitle: "{domain} verbinden",
  changesIntro: "Diese Einträge Ihrer Domain ändern sich. Alles andere bleibt, wie es ist.",
  changesNone: "Alles ist schon eingerichtet. Nichts muss sich ändern.",
  changesAgainTitle: "Bitte noch einmal ansehen",
  changesAgainIntro: "Ihr Anbieter hat etwas anderes gespeichert, als wir vorher sahen. Das ändert sich nun.",
  approve: "Diese Änderungen machen",
  restoreTitle: "{domain} trennen",
  restoreIntro: "Diese Einträge werden wieder, was sie vorher waren.",
  tableCaption: "Was sich für {domain} ändert",
  what: "Eintrag",
  today: "Heute",
  afterwards: "Danach",
  nothing: "nichts",
  taken: "entfällt",
  added: "Neu",
  changed: "Geändert",
  removed: "Entfernt",
  fullValue: "Alles zeigen",
  graveTitle: "Bitte bestätigen",
  graveIntro: "Diese Änderungen können Ihre Mail oder anderes betreffen, das heute funktioniert.",
  iKnow: "Ich habe das gelesen.",
  goodToKnow: "Gut zu wissen",
  leftovers: "Was bleibt, wie es ist",
  leftOut: "Entfallen",

  accessTitle: "Wie sollen wir die Änderung machen?",
  accessIntro: "Ihre Domain wird bei {provider} verwaltet. Wählen Sie, was Ihnen am besten passt.",
  accessIntroUnknown: "Wählen Sie, was Ihnen am besten passt.",
  oauthTitle: "Bei {provider} anmelden",
  oauthText: "Sie erlauben die Änderung dort und kommen gleich zurück. Ihr Passwort sehen wir nie.",
  oauthButton: "Weiter zu {provider}",
  tokenTitle: "Mit einem Zugangsschlüssel von {provider}",
  tokenOnly: "Nur, wenn diese Domain in Ihrem Konto bei {issuer} liegt. Geben Sie keinen Schlüssel von {provider} ein.",
  tokenText: "Wir verwenden ihn nur für diese Änderung, bewahren ihn verschlüsselt auf und löschen ihn danach.",
  tokenLink: "Wo Sie ihn bei {provider} finden",
  tokenButton: "Erlauben und verbinden",
  manualChoiceTitle: "Selbst eintragen",
  manualChoiceText: "Wir zeigen Ihnen Schritt für Schritt, was einzutragen ist, und prüfen es für Sie.",
  manualChoiceButton: "Zeigen, was einzutragen ist",
  fieldInvalid: "Das sieht nicht richtig aus.",
  apiToken: "API-Token",
  apiKey: "API-Schlüssel",
  apiSecret: "API-Geheimnis",
  username: "Benutzername",
  accessKeyId: "Zugriffsschlüssel-ID",
  secretAccessKey: "Geheimer Zugriffsschlüssel",
  json: "Inhalt der JSON-Schlüsseldatei",
  name: "Name des Schlüssels",
  algorithm: "Verfahren",
  secret: "Geheimnis",

  visitTitle: "Wir warten auf Sie bei {provider}",
  visitText: "Erlauben Sie die Änderung dort. Sie kommen von selbst hierher zurück.",
  visitOtherWay: "Einen anderen Weg wählen",

  manualTitle: "Tragen Sie diese Änderungen ein",
  manualIntro:
    "Melden Sie sich bei {provider} an, öffnen Sie die DNS-Einstellungen von {zone} und gehen Sie diese Liste durch.",
  manualIntroUnknown:
    "Melden Sie sich dort an, wo {zone} verwaltet wird, öffnen Sie die DNS-Einstellungen und gehen Sie diese Liste durch.",
  manualOpen: "Hilfe von {provider}",
  manualAdd: "Fügen Sie diesen Eintrag hinzu",
  manualChange: "Ändern Sie diesen Eintrag",
  manualRemove: "Entfernen Sie diesen Eintrag",
  type: "Typ",
  host: "Name",
  hostHint: "Vollständig: {name}",
  hostApexHint: "Steht für {name} selbst. Wird @ nicht angenommen, lassen Sie das Feld leer.",
  value: "Wert",
  oldValue: "Alter Wert",
  priority: "Priorität",
  ttl: "TTL",
  copy: "Kopieren",
  copyWhat: "{what} kopieren",
  copied: "Kopiert",
  copyByHand: "Ihr Browser ließ uns nicht kopieren. Der Text ist markiert: Kopieren Sie ihn von Hand.",
  zoneFile: "Als Zonendatei herunterladen",
  zoneFileText: "Manche Anbieter übernehmen neue Einträge aus einer Datei. Die anderen ändern und löschen Sie selbst.",
  otherWay: "Lieber uns machen lassen",
  checkNow: "Jetzt prüfen",
  statusPresent: "Gefunden",
  statusMissing: "Noch nicht da",
  statusGone: "Entfernt",
  statusStillThere: "Noch da",
  statusDifferent: "Dort steht etwas anderes",
  statusUnknown: "Noch nicht geprüft",
  nextLook: "Wir sehen {when} wieder nach.",
  nextLookSoon: "Wir sehen gerade nach.",
  progressDelay: "Wir erreichen das DNS nicht. Wir versuchen es weiter.",

  progressRequested: "Wir sehen uns {domain} an",
  progressRequestedText: "Wir finden heraus, wo Ihre Domain verwaltet wird und was dort eingerichtet ist.",
  progressAuthorized: "Wir lesen Ihre aktuellen Einträge",
  progressAuthorizedText: "Wir vergleichen, was {provider} gespeichert hat, mit dem, was Sie gesehen haben.",
  progressApplying: "Die Änderung wird gemacht",
  progressWritingText: "Sie können diese Seite schließen; es geht ohne Sie weiter.",
  progressVerifying: "Wir warten, bis es alle sehen",
  progressVerifyingText:
    "Die Einträge sind gesetzt. Meist kennt sie jeder Server nach einigen Minuten. Sie können diese Seite schließen.",
  progressDisconnecting: "Die Einträge werden entfernt",
  checks: "Worauf wir warten",

  successTitle: "{domain} ist verbunden",
  successText: "Alles ist eingerichtet. Wir behalten es von nun an im Auge.",
  disconnectedTitle: "{domain} ist getrennt",
  degradedTitle: "Etwas fehlt",
  degradedText: "{domain} war verbunden, aber einige Einträge sind nicht mehr da.",
  statusLost: "Fehlt",
  lost: "Was fehlt oder anders ist",
  repair: "Reparieren",
  failureTitle: "Das hat nicht geklappt",
  tryAgain: "Noch einmal versuchen",
  expiredTitle: "Das hat zu lange gedauert",
  expiredText:
    "Die Verbindung hat so lange gewartet, dass sie beendet wurde. Es wurde nichts geändert. Beginnen Sie sie neu.",
  canceledTitle: "Abgebrochen",
  canceledText: "Es wurde nichts geändert.",

  problemOffline: "Wir erreichen den Dienst nicht. Wir versuchen es weiter.",
  problemStart:
    "Diese Seite konnte nicht beginnen. Laden Sie sie neu; hilft das nicht, fragen Sie den Support des Shops.",
  problemSession: "Ihre Sitzung ist beendet. Laden Sie die Seite neu, um dort weiterzumachen, wo Sie waren.",
  problemNotFound: "Diese Verbindung gibt es nicht. Laden Sie die Seite neu, oder bitten Sie um Hilfe.",
  problemStale: "Die Liste hat sich inzwischen geändert. Bitte sehen Sie sie noch einmal an.",
  problemRefused: "Das geht im Moment nicht. So steht es jetzt.",
  problemInput: "Bitte prüfen Sie Ihre Eingabe.",
  problemBusy: "Im Moment gibt es zu viele Anfragen. Warten Sie ein wenig und versuchen Sie es noch einmal.",
  problemUnknown: "Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es noch einmal.",

  testMode: "Testmodus",
  pageTitle: "Eine Domain verbinden",
  pageClosed: "Sie können diese Seite jetzt schließen.",
  linkUsed:
    "Dieser Link wurde schon benutzt oder ist zu alt. Bitten Sie dort um einen neuen, wo Sie ihn erhalten haben.",

  kindA: "Web-Adresse",
  kindAAAA: "Web-Adresse (IPv6)",
  kindCNAME: "Weiterleitung",
  kindMX: "Mail-Zustellung",
  kindTXT: "Notiz für andere Dienste",
  kindSpf: "Wer Mail senden darf",
  kindDmarc: "Schutz gegen gefälschte Mail",
  kindDkim: "Mail-Unterschrift",
  kindNS: "Zuständige Server",
  kindSRV: "Adresse eines Dienstes",
  kindCAA: "Wer Zertifikate ausstellen darf",
  kindOther: "Eintrag",

  warnings,
  failures
}
