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
    "Sie empfangen Mail, hatten aber keine Liste der Absender. Senden Sie auch über einen anderen Dienst, ergänzen Sie ihn dort.",
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
    "Ein Schlüssel, der Ihre Mail unterschreibt, wird ersetzt. Mit dem alten unterschriebene Mail lässt sich nicht mehr prüfen.",
  dkim_key_removed:
    "Ein Schlüssel, der Ihre Mail unterschreibt, entfällt. Mit dem alten unterschriebene Mail lässt sich nicht mehr prüfen.",
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
    "Ihr Anbieter hat etwas anderes gespeichert, als wir vorher sahen. Diese Liste zeigt, was gespeichert ist.",
  lookup_unknown: "Wir konnten nicht alles nachsehen. Hier kann ein Hinweis fehlen."
}

const entriesNotFound = {
  reason: "Wir haben die Einträge nicht rechtzeitig gefunden.",
  next: "Vergleichen Sie sie mit der Liste und versuchen Sie es noch einmal; wir suchen weiter."
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
    next: "Melden Sie sich dort an, wo Sie sie gekauft haben, wählen Sie einen DNS-Anbieter („Nameserver“) und versuchen Sie es noch einmal."
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
    reason: "Ihr Konto bei Ihrem Anbieter lässt keine anderen Dienste zu.",
    next: "Schalten Sie das dort ein, oder erweitern Sie Ihren Tarif, und versuchen Sie es noch einmal, oder tragen Sie die Änderungen selbst ein."
  },
  provider_snapshot_timeout: {
    reason: "Ihr Anbieter hat zu lange gebraucht, um uns Ihre aktuellen Einträge zu senden.",
    next: "Versuchen Sie es noch einmal; dieser Versuch hat nichts geändert."
  },
  provider_snapshot_failed: {
    reason: "Ihr Anbieter konnte uns Ihre aktuellen Einträge nicht senden.",
    next: "Versuchen Sie es noch einmal; dieser Versuch hat nichts geändert."
  },
  zone_too_large: {
    reason: "Diese Domain hat zu viele DNS-Einträge.",
    next: "Tragen Sie die Einträge selbst bei Ihrem Anbieter ein."
  },
  provider_zone_locked: {
    reason: "Ihr Anbieter hat diese Domain für Änderungen gesperrt.",
    next: "Entsperren Sie sie dort, oder warten Sie das Ende einer anderen Änderung ab, und versuchen Sie es noch einmal."
  },
  provider_record_locked: {
    reason: "Ihr Anbieter lässt einen der Einträge von niemandem ändern.",
    next: "Bitten Sie Ihren Anbieter, ihn freizugeben, und versuchen Sie es noch einmal, oder tragen Sie die Änderungen selbst ein."
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
  plan_too_large: {
    reason: "Es müsste mehr auf einmal geändert werden, als wir können.",
    next: "Bitten Sie um Hilfe; ein neuer Versuch ändert nichts."
  },
  apply_timeout: {
    reason: "Ihr Anbieter hat für die Änderung zu lange gebraucht.",
    next: "Versuchen Sie es noch einmal; wir sehen zuerst nach, was schon getan ist."
  },
  apply_rejected: {
    reason: "Ihr Anbieter hat die Änderung abgelehnt.",
    next: "Versuchen Sie es noch einmal, oder tragen Sie die Änderungen selbst ein."
  },
  apply_partial: {
    reason: "Nur ein Teil der Änderung wurde gemacht.",
    next: "Versuchen Sie es noch einmal; wir machen dort weiter, wo es aufgehört hat. Oder tragen Sie den Rest selbst ein."
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
    next: "Wenn sie Ihnen gehört, reparieren Sie sie: Ein neuer Eintrag zeigt es, den nur der Eigentümer machen kann."
  },
  internal_error: {
    reason: "Bei uns ist etwas schiefgegangen.",
    next: "Versuchen Sie es noch einmal; nichts ist verloren."
  }
}

const topics: Words["topics"] = {
  website: "Website",
  mail: "Mail",
  security: "Sicherheit",
  proof: "Nachweis",
  other: "Anderes"
}

const taskDeeds: Words["taskDeeds"] = {
  website: "Ihren Shop bei {name} zeigen",
  security: "Das Sicherheitszertifikat erlauben",
  proof: "Nachweisen, dass die Domain Ihnen gehört (bei {name})",
  other: "{name} einrichten"
}

const fields: Words["fields"] = {
  type: "Typ",
  host: "Name",
  value: "Wert",
  priority: "Priorität",
  ttl: "TTL",
  service: "Dienst",
  protocol: "Protokoll",
  weight: "Gewicht",
  port: "Port",
  target: "Ziel",
  address: "IP-Adresse"
}

const deeds: Words["deeds"] = {
  website_replaced: "Ja, die Seite bei {names} ersetzen",
  cname_removed: "Ja, die Weiterleitung bei {names} beenden",
  mx_replaced: "Ja, die Mail von {names} umziehen",
  mail_records_removed: "Ja, die Mail-Einträge bei {names} entfernen",
  mail_target_changed: "Ja, Mail an {names} darf ausbleiben",
  dkim_key_replaced: "Ja, den Mail-Schlüssel bei {names} ersetzen",
  dkim_key_removed: "Ja, den Mail-Schlüssel bei {names} entfernen",
  spf_excludes_existing_mail: "Ja, nur die genannten Dienste dürfen meine Mail senden",
  dmarc_policy_weakened: "Ja, den Schutz von {names} lockern",
  dmarc_policy_strengthened: "Ja, den Schutz von {names} verschärfen",
  plan_large_deletion: "Ja, alle genannten Einträge entfernen",
  delegation_replaced: "Ja, für {names} soll ein anderer Dienst antworten",
  wildcard_hidden: "Ja, der Sammeleintrag antwortet bei {names} nicht mehr",
  ns_delegation_hides_records: "Ja, Einträge unter {names} gelten nicht mehr",
  tls_policy_mismatch: "Ja, {names} ändern; Mail kann ausbleiben",
  spf_include_broken: "Ja, die Liste bei {names} ändern; Mail kann abgewiesen werden",
  spf_lookup_limit_exceeded: "Ja, die Liste bei {names} ändern; Mail kann abgewiesen werden"
}

const leftoverReasons: Words["leftoverReasons"] = {
  changed_since: "(jemand hat ihn seitdem geändert)",
  wanted_by_another_connection: "(etwas anderes braucht ihn)",
  older_than_thirty_days: "(er ist älter als 30 Tage; sein Ziel kann inzwischen jemand anderem gehören)",
  target_does_not_resolve: "(sein Ziel gibt es nicht mehr)",
  provider_cannot_store: "(Ihr Anbieter nimmt ihn nicht mehr an)",
  zone_gone: "(die Domain ist nicht mehr bei diesem Anbieter)",
  manual_setup_timeout: "(wir haben nicht rechtzeitig gesehen, dass er geändert wurde)"
}

const hints: Words["hints"] = {
  create_subdomain_first: "Lässt die Seite Sie den Namen nicht wählen, legen Sie ihn dort zuerst als Subdomain an.",
  delete_parking_records: "Löschen Sie zuerst die Einträge der Platzhalter-Seite Ihres Anbieters.",
  turn_proxy_off:
    "Bei einem Eintrag mit diesem Namen ist der Proxy eingeschaltet. Ersetzen Sie ihn durch den neuen, und schalten Sie den Proxy aus.",
  dns_only: "Schalten Sie den Proxy für diesen Eintrag aus: Wählen Sie „Nur DNS“.",
  save_and_publish: "Veröffentlichen Sie die Änderungen nach dem Speichern, wenn die Seite danach fragt.",
  confirm_checkbox: "Vielleicht müssen Sie vor dem Speichern ein Kästchen ankreuzen.",
  second_factor: "Vielleicht fragt die Seite nach einem Code, bevor sie speichert.",
  choose_custom_mail: "Wählen Sie dort zuerst eigene Mail-Einstellungen („Custom MX“).",
  apex_alias: "Wird CNAME hier nicht angenommen, wählen Sie den Typ ALIAS oder ANAME.",
  apex_addresses:
    "Nimmt die Seite hier keinen Namen an, tragen Sie stattdessen die Adressen des Ziels ein (Typen A und AAAA).",
  apex_redirect:
    "Oder bitten Sie darum, stattdessen www zu verbinden, und leiten Sie die Domain selbst dorthin weiter.",
  find_who_runs_name_servers:
    "Die Rechnung für Ihre Domain, oder wer sie eingerichtet hat, sagt Ihnen, wer sie betreibt."
}

const diagnoses: Words["diagnoses"] = {
  not_yet: { found: "Dort ist noch nichts.", fix: "Gespeicherte Einträge brauchen oft einige Minuten." },
  on_its_way: { found: "Es ist unterwegs.", fix: "Es ist nichts zu tun." },
  old_value_remains: {
    found: "Wir haben noch {type} {value} gefunden.",
    fix: "Ändern Sie das so und speichern Sie. Haben Sie das schon getan, warten Sie einige Minuten."
  },
  also_there: { found: "Der Eintrag stimmt, aber daneben steht {type} {value}.", fix: "Löschen Sie {type} {value}." },
  doubled_zone: {
    found: "Wir haben {name} gefunden.",
    fix: "Ihr Anbieter fügt „{zone}“ selbst hinzu: Tragen Sie in „{label}“ nur „{copy}“ ein."
  },
  target_doubled: {
    found: "Wir haben {value} gefunden.",
    fix: "Ihr Anbieter hängt „{zone}“ an: Tragen Sie in „{label}“ „{copy}“ ein, mit dem Punkt."
  },
  quoted: { found: "Wir haben Anführungszeichen im Wert gefunden.", fix: "Tragen Sie ihn ohne sie ein." },
  escaped: { found: "Wir haben umgekehrte Schrägstriche im Wert gefunden.", fix: "Tragen Sie ihn ohne sie ein." },
  wrong_host: { found: "Wir haben es bei {name} gefunden.", fix: "Tragen Sie in „{label}“ „{copy}“ ein." },
  wrong_type: {
    found: "Wir haben es mit dem Typ {type} gefunden.",
    fix: "Löschen Sie ihn und legen Sie ihn mit dem Typ {wanted} neu an."
  },
  two_spf: {
    found: "Wir haben zwei Listen von Mail-Absendern gefunden; zusammen gelten sie nicht.",
    fix: "Behalten Sie einen Eintrag mit diesem Wert und löschen Sie den anderen."
  },
  two_dmarc: {
    found: "Wir haben zwei Regeln gegen gefälschte Mail gefunden; zusammen gelten sie nicht.",
    fix: "Behalten Sie einen Eintrag mit diesem Wert und löschen Sie den anderen."
  },
  truncated: { found: "Wir haben nur einen Teil des Werts gefunden.", fix: "Kopieren Sie ihn ganz." },
  proxied: {
    found: "Ihr Anbieter antwortet mit eigenen Adressen.",
    fix: "Schalten Sie den Proxy für diesen Eintrag aus."
  },
  flattened: { found: "Ihr Anbieter zeigt es als einfache Adressen.", fix: "Schalten Sie das für diesen Eintrag aus." },
  only_some_servers: { found: "Noch zeigen es nicht alle Server Ihrer Domain.", fix: "Warten Sie einige Minuten." },
  other_zone: {
    found: "Für Ihre Domain antworten andere Server als die von {provider}.",
    fix: "Machen Sie den Eintrag dort, wo Ihre Domain jetzt verwaltet wird."
  },
  parking: {
    found: "Eine Platzhalter-Seite Ihres Anbieters ist noch da.",
    fix: "Löschen Sie ihre Einträge, oder schalten Sie sie aus."
  },
  blocked_by_caa: { found: "Ein Eintrag verbietet das Sicherheitszertifikat.", fix: "Fügen Sie diesen hinzu." }
}

const share: Words["share"] = {
  title: "An jemanden senden, der Ihnen hilft",
  text: "Dort steht, was bei {domain} zu ändern ist; man kann es erledigen und prüfen, aber nichts für Sie entscheiden.",
  name: "Ihr Name, damit klar ist, wer fragt",
  send: "Senden",
  mail: "Per E-Mail senden",
  qr: "QR-Code zeigen",
  qrText: "Richten Sie die Kamera eines Telefons darauf.",
  link: "Link",
  subject: "Können Sie mir bei {domain} helfen?",
  message: "Bitte ändern Sie für mich einige Einträge von {domain}. Auf dieser Seite steht, welche, und sie prüft sie:",
  ends: "Der Link gilt, bis alles erledigt ist.",
  revoke: "Zurücknehmen",
  revoked: "Der Link gilt nicht mehr.",
  again: "Neuen Link erstellen",
  somebody: "Jemand",
  asks: "{sender} bittet Sie, bei {provider} {count} Einträge zu ändern.",
  asksOne: "{sender} bittet Sie, bei {provider} einen Eintrag zu ändern.",
  waitTitle: "Noch ist {sender} am Zug",
  waitText: "Erst muss den Änderungen zugestimmt werden. Dann geht es hier von selbst weiter."
}

/** Every text of the component in German. */
export const de: Words = {
  loading: "Einen Moment",
  newWindow: "öffnet ein neues Fenster",
  notNow: "Nicht jetzt",
  close: "Schließen",
  done: "Fertig",
  back: "Zurück",
  goOn: "Weiter",
  supportCode: "Für den Support: {code}",
  needHelp: "Brauchen Sie Hilfe?",

  entryTitle: "Welche Domain möchten Sie verbinden?",
  entryText: "Geben Sie eine Domain ein, die Ihnen gehört. Noch ändert sich nichts.",
  entryLabel: "Ihre Domain",
  entryMeant: "Meinen Sie {name}?",
  entryChoice: "Welche Adresse benutzen Besucher?",
  entryInvalid: "Das ist keine Domain. Sie sieht aus wie laden.de.",

  changesTitle: "{domain} verbinden",
  changesIntro: "Das geschieht, wenn Sie zustimmen. Alles andere bleibt, wie es ist.",
  changesNone: "Alles ist schon eingerichtet. Nichts muss sich ändern.",
  changesAgainTitle: "Bitte noch einmal ansehen",
  changesAgainIntro: "Ihr Anbieter hat etwas anderes gespeichert, als wir vorher sahen. Das passiert nun.",
  approve: "Diese Änderungen machen",
  restoreTitle: "{domain} trennen",
  restoreIntro: "Das wird wieder, wie es vorher war.",
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
  leftovers: "Bleibt, wie es ist",
  leftOut: "Entfallen",
  alreadyThere: "Schon da",

  accessTitle: "Wie sollen wir die Änderung machen?",
  accessIntro: "Ihre Domain wird bei {provider} verwaltet. Wählen Sie, was Ihnen am besten passt.",
  accessIntroUnknown: "Wählen Sie, was Ihnen am besten passt.",
  providerQuestion: "Bei wem liegt das DNS von {domain}?",
  providerQuestionText:
    "Mehrere Anbieter benutzen dieselben Server. Wählen Sie den, in dessen Konto Sie die Einträge Ihrer Domain ändern.",
  providerOther: "Ein anderer Anbieter",
  oauthTitle: "Bei {provider} anmelden",
  oauthText: "Sie erlauben die Änderung dort und kommen gleich zurück. Ihr Passwort sehen wir nie.",
  oauthButton: "Weiter zu {provider}",
  apiFails: "{provider} antwortet uns zurzeit nicht zuverlässig. Der folgende Weg geht trotzdem.",
  linkTitle: "{provider} die Änderungen machen lassen",
  providerAdds: "{provider} fügt auch diesen Eintrag hinzu, der zeigt, dass die Domain Ihnen gehört:",
  providerRemoves: "{provider} wird diese Einträge entfernen:",
  providerAlsoRemoved:
    "{provider} hat auch diese Einträge entfernt. Wenn Sie sie noch brauchen, tragen Sie sie dort wieder ein:",
  tokenTitle: "Mit einem Zugangsschlüssel von {provider}",
  roleTitle: "Mit einer Rolle bei {provider}",
  roleMake:
    "Öffnen Sie AWS CloudShell in einem zweiten Fenster, fügen Sie dies ein und drücken Sie die Eingabetaste. So entsteht eine Rolle, die nur das DNS von {zone} ändern darf und die nur wir verwenden können. Kopieren Sie dann die Zeile, die mit arn: beginnt, in das Feld.",
  tokenText: "Wir verwenden ihn nur für diese Änderung, bewahren ihn verschlüsselt auf und löschen ihn danach.",
  tokenLink: "Hilfe von {provider}",
  tokenButton: "Erlauben und verbinden",
  tokenButtonLeaving: "Erlauben und trennen",
  manualChoiceTitle: "Selbst eintragen",
  manualChoiceText: "Wir zeigen Ihnen Schritt für Schritt, was einzutragen ist, und prüfen es für Sie.",
  manualChoiceButton: "Zeigen, was einzutragen ist",
  fieldInvalid: "Das sieht nicht richtig aus.",
  apiToken: "API-Token",
  apiKey: "API-Schlüssel",
  apiSecret: "API-Geheimnis",
  username: "Benutzername",
  accountId: "Konto-ID",
  privateKey: "Privater Schlüssel",
  accessKeyId: "Zugriffsschlüssel-ID",
  secretAccessKey: "Geheimer Zugriffsschlüssel",
  roleArn: "ARN der Rolle",
  json: "Inhalt der JSON-Schlüsseldatei",
  tenantId: "Verzeichnis-ID (Mandant)",
  clientId: "Anwendungs-ID (Client)",
  clientSecret: "Wert des geheimen Clientschlüssels",
  subscriptionId: "Abonnement-ID",
  resourceGroup: "Ressourcengruppe der DNS-Zone",
  name: "Name des Schlüssels",
  algorithm: "Verfahren",
  secret: "Geheimnis",

  visitTitle: "Wir warten auf Sie bei {provider}",
  visitText: "Erlauben Sie die Änderung dort. Sie kommen von selbst hierher zurück.",
  visitOtherWay: "Einen anderen Weg wählen",

  manualOpen: "Hilfe von {provider}",
  manualAdd: "Fügen Sie diesen Eintrag hinzu",
  manualChange: "Ändern Sie diesen Eintrag",
  manualRemove: "Löschen Sie diesen Eintrag",
  priority: "Priorität",
  copy: "Kopieren",
  copyWhat: "{what} kopieren",
  copied: "Kopiert",
  copyByHand: "Ihr Browser ließ uns nicht kopieren. Der Text ist markiert: Kopieren Sie ihn von Hand.",
  zoneFile: "Als Datei herunterladen",
  zoneFileText:
    "Manche Anbieter übernehmen neue Einträge aus einer Datei. Änderungen und Löschungen bleiben von Hand zu tun.",
  otherWay: "Lieber uns machen lassen",
  checkNow: "Jetzt prüfen",
  statusPresent: "Gefunden",
  statusMissing: "Noch nicht da",
  statusGone: "Nicht mehr da",
  statusRemains: "Noch da",
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
    "Die Einträge sind gesetzt. Meist dauert es einige Minuten, bis jeder Server sie kennt. Sie können diese Seite schließen.",
  progressDisconnecting: "Die Einträge werden entfernt",
  checks: "Worauf wir warten",

  successTitle: "{domain} ist verbunden",
  successText: "Alles ist eingerichtet. Wir behalten es von nun an im Auge und sagen Ihnen hier, wenn etwas fehlt.",
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
    "Die Verbindung hat so lange gewartet, dass sie beendet wurde. Wir haben nichts geändert. Was Sie selbst eingetragen haben, bleibt. Beginnen Sie sie neu.",
  canceledTitle: "Abgebrochen",
  canceledText: "Wir haben nichts geändert. Was Sie selbst eingetragen haben, bleibt.",

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

  language: "Sprache",
  testMode: "Testmodus",
  pageTitle: "Eine Domain verbinden",
  pageClosed: "Sie können diese Seite jetzt schließen.",
  linkUsed:
    "Dieser Link gilt nicht mehr. Vielleicht ist die Domain schon verbunden; wenn nicht, bitten Sie um einen neuen Link.",

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

  steps: "Schritte",
  stepCheck: "Prüfen",
  stepReview: "Ansehen",
  stepConnect: "Verbinden",
  stepLive: "Online",
  managedAt: "verwaltet bei {provider}",
  theShop: "die Shop-Plattform",
  yourProvider: "Ihrem Anbieter",
  changesSinceIntro: "Seit Sie nachgesehen haben, hat sich etwas geändert. Bitte sehen Sie sich an, was markiert ist.",
  sinceChanged: "Seit Sie nachgesehen haben, wurde {name} auf {value} geändert",
  sincePlanned: "Seit Sie nachgesehen haben, ist für {name} etwas anderes vorgesehen: {value}",
  sinceStored: "Bei Ihrem Anbieter ist für {name} gespeichert: {value}",
  sinceAdded: "Neu, seit Sie nachgesehen haben: {name}",
  sinceRemoved: "Seit Sie nachgesehen haben, wurde entfernt, was bei {name} stand",
  technicalDetails: "Technische Einzelheiten",
  tickMissing: "Eine Antwort fehlt noch: Bitte sehen Sie nach, was markiert ist.",
  websiteReplaced: "Heute sehen Besucher von {names} eine andere Seite. Danach sehen sie {who}.",
  websiteSome: "Heute sehen Besucher von {old} eine andere Seite. Danach sehen Besucher von {names} {who}.",
  websiteNew: "Heute sehen Besucher von {names} nichts. Danach sehen sie {who}.",
  websiteBack: "Heute sehen Besucher von {names} {who}. Danach sehen sie, was vorher dort war.",
  websiteGone: "Heute sehen Besucher von {names} {who}. Danach nicht mehr.",
  mailStays: "Bleibt, wo sie ist. Nichts ändert sich.",
  mailStaysAt: "Bleibt bei {from}. Nichts ändert sich.",
  mailMoves: "Heute kommt Ihre Mail bei {from} an. Danach kommt sie bei {to} an.",
  mailBegins: "Heute ist für {names} kein Mail-Server eingetragen. Danach kommt Mail bei {to} an.",
  mailEnds: "Heute kommt Ihre Mail bei {from} an. Danach kommt bei {names} keine Mail mehr an.",
  mailSenders: "Danach darf {who} für Sie Mail verschicken.",
  mailKept: "Ihre Mail bleibt, wo sie ist.",
  mailKeptAt: "Ihre Mail bleibt bei {from}.",
  mailMayStop:
    "Heute geht Mail an den Server der Seite. Danach ist das {who}, und Mail kann verloren gehen. Damit sie weiter ankommt, fragen Sie zuerst Ihren Mail-Anbieter nach seinem „MX“-Eintrag.",
  securityChanged: "Heute kann das Sicherheitszertifikat für {who} verweigert werden. Danach ist es erlaubt.",
  proofAdded:
    "Heute zeigt nichts, dass die Domain Ihnen gehört. Danach zeigt es ein Eintrag; Besucher sehen ihn nicht.",
  otherChanged: "Bei {names} ändern sich Einträge; die technischen Einzelheiten zeigen sie.",
  entriesBack: "Die Einträge bei {names} werden, was sie vorher waren.",
  mailQuestion: "Empfangen Sie Mail an …\u2060@{names}?",
  mailNo: "Nein, dort empfange ich keine Mail",
  mailYes: "Ja, dort empfange ich Mail",
  mailUnsure: "Nicht sicher? Schreiben Sie an eine solche Adresse und sehen Sie nach, ob die E-Mail ankommt.",
  deedOther: "Ja, ich habe das gelesen und möchte es",
  tokenRights: "Er muss das DNS von {zone} lesen und ändern dürfen.",
  tokenChoose: "Wählen Sie dort:",
  tokenMake: "Einen bei {provider} anlegen",
  tokenOpensAccount: "Dieser Schlüssel kann jede Domain Ihres Kontos ändern.",
  fieldMissing: "Bitte füllen Sie das aus.",
  openProvider: "Öffnen Sie {provider} in einem zweiten Fenster",
  openUnknown: "Öffnen Sie die Einstellungen Ihrer Domain in einem zweiten Fenster",
  openWindow: "{provider} öffnen",
  openRecords: "Öffnen Sie die DNS-Einstellungen von {zone}.",
  logIn: "Melden Sie sich bei {provider} an.",
  logInUnknown: "Melden Sie sich dort an, wo Sie {zone} gekauft haben oder wo es verwaltet wird.",
  comeBack: "Lassen Sie jenes Fenster offen und kommen Sie hierher zurück.",
  nameServers: "Diese Server antworten für Ihre Domain; ihre Namen sagen, wer sie betreibt:",
  byHandEffort: "Es dauert etwa {minutes} Minuten: {entries}. Wir prüfen jeden.",
  entryOne: "1 Eintrag",
  entryMany: "{count} Einträge",
  backOne: "1 Eintrag zurückzuändern",
  backMany: "{count} Einträge zurückzuändern",
  begin: "Es ist offen: los",
  tasks: "Alle Einträge",
  taskOf: "{number} von {count} · {deed}",
  atProvider: "Bei {provider}",
  manualChangeTo: "So soll er danach aussehen",
  findEntry: "Suchen Sie diesen Eintrag",
  findEntries: "Suchen Sie diese Einträge: Löschen Sie alle bis auf einen, und ändern Sie diesen",
  deleteFirst: "Löschen Sie zuerst diesen Eintrag",
  deleteFirstMany: "Löschen Sie zuerst diese Einträge",
  pressAdd: "Drücken Sie auf „{button}“ und tragen Sie ein",
  pressPublish: "Dort gilt ein Eintrag erst, wenn Sie auf „{button}“ gedrückt haben.",
  leaveEmpty: "leer lassen",
  orEmpty: "Wird das nicht angenommen, lassen Sie das Feld leer.",
  orElse: "Wird das nicht angenommen:",
  saveThere: "Speichern Sie dort. Drücken Sie dann hier auf den Knopf.",
  taskDone: "Gefunden. Hier ist nichts mehr zu tun.",
  taskGone: "Nicht mehr da. Hier ist nichts mehr zu tun.",
  saved: "Ich habe es gespeichert",
  checkAgain: "Erneut prüfen",
  nextTask: "Nächster Eintrag",
  looking: "Wir sehen nach …",
  answerDone: "Erledigt: {done} von {all}.",
  answerSome:
    "Erledigt: {done} von {all}. Der Rest ist noch nicht zu sehen; bei {provider} dauert es oft 1 bis {most} Minuten.",
  answerSlips: "Erledigt: {done} von {all}. Was mit „{almost}“ markiert ist, stimmt noch nicht.",
  answerNotYet:
    "Noch nicht da. Haben Sie gespeichert? Bei {provider} dauert es oft 1 bis {most} Minuten; Sie können inzwischen weitermachen.",
  answerStillThere:
    "Noch da. Haben Sie ihn gelöscht? Bei {provider} dauert es oft 1 bis {most} Minuten; Sie können inzwischen weitermachen.",
  correctedJustNow: "Falls Sie es gerade berichtigt haben: Bei {provider} dauert es oft 1 bis {most} Minuten.",
  notAllMade: "Einige Schritte fehlen noch",
  notAllMadeText: "Erledigen Sie die ohne Haken in dieser Liste, einen nach dem anderen.",
  allSaved: "Wir prüfen Ihre Änderungen",
  allSavedText:
    "Sie können diese Seite schließen; wir prüfen weiter. Kommen Sie auf demselben Weg zurück, um zu sehen, wie es steht. Hat ein Eintrag nach {wait} Minuten noch keinen Haken, öffnen Sie ihn in dieser Liste und sehen Sie nach, ob Sie gespeichert haben.",
  slipsTitle: "Noch stimmt nicht alles",
  slipsText: "Was mit „{almost}“ markiert ist, müssen Sie bei {provider} berichtigen.",
  showSlip: "Zeigen, was zu berichtigen ist",
  allDone: "Alle Änderungen sind gemacht",
  allDoneText: "Den Rest machen wir von selbst fertig.",
  almost: "Fast.",
  shareButton: "An jemanden senden, der sich auskennt",
  deedRemove: "„{purpose}“ bei {name} löschen",
  deedPutBack: "„{purpose}“ bei {name} zurückholen",
  deedMail: "Ihre Mail bei {name} ankommen lassen",
  deedSpf: "Erlauben, dass Mail für {name} verschickt wird",
  deedDmarc: "{name} gegen gefälschte Mail schützen",
  deedDkim: "Ihre Mail unterschreiben",
  stageAllowed: "Erlaubt",
  stageWritten: "Eingetragen",
  stageServers: "Gesehen auf {showing} von {asked} Servern Ihrer Domain",
  stageServersSoon: "Gesehen auf den Servern Ihrer Domain",
  stageEverybody: "Gesehen auf {showing} von {asked} Servern, die alle benutzen",
  stageEverybodySoon: "Gesehen von allen",
  estimate: "Manche Besucher sehen noch bis zu {time} lang die alte Seite.",
  estimateMail: "Manche Mail geht noch bis zu {time} lang an den alten Server.",
  undo: "Um es rückgängig zu machen, trennen Sie die Domain dort, wo Sie sie verbunden haben. Die Einträge werden dann, was sie vorher waren. Alte Adressen kommen nur innerhalb von 30 Tagen zurück.",
  undoByHand:
    "Um es rückgängig zu machen, trennen Sie die Domain dort, wo Sie sie verbunden haben. Wir zeigen Ihnen dann, welche Einträge Sie zurückändern. Alte Adressen kommen nur innerhalb von 30 Tagen zurück.",
  websiteNow: "Besucher von {names} sehen jetzt {who}.",
  mailNow: "Ihre Mail kommt jetzt bei {to} an.",
  mailGone: "Mail an {names} kommt nicht mehr an.",
  mailBack: "Mail an {names} geht dorthin, wohin sie vorher ging.",
  mailUnnamed: "Für {names} ist kein Mail-Dienst eingerichtet: Mail dorthin kommt vielleicht nicht an.",
  mailSendersNow: "Ab jetzt darf {who} für Sie Mail verschicken.",
  mailSendersGone: "Ab jetzt darf {who} keine Mail mehr für Sie verschicken.",
  whatChanged: "Was sich geändert hat",
  putBack: "Zurückgeholt",
  oldWebsiteBack: "Ihre alte Website antwortet dort wieder.",
  disconnectedText: "Die Einträge sind, was sie vorher waren.",
  disconnectedPartly: "Einige Einträge ließen sich nicht zurückändern. Sie stehen unten.",
  outcomeDone: "Gemacht",
  outcomeNot: "Nicht gemacht",
  outcomeUnknown: "Vielleicht gemacht",
  outcomeLost: "Gemacht und nicht zurückgenommen",

  topics,
  taskDeeds,
  fields,
  deeds,
  leftoverReasons,
  hints,
  diagnoses,
  foundInstead: "Wir haben stattdessen {type} {value} gefunden.",
  share,
  warnings,
  failures
}
