import type { Words } from "./en.ts"

const warnings: Words["warnings"] = {
  name_servers_disagree: "De servers van uw domein geven verschillende antwoorden. Wat bezoekers zien, is toeval.",
  spf_record_merged: "We voegen onszelf toe aan de bestaande lijst met afzenders. Niemand wordt eraf gehaald.",
  spf_existing_sufficient: "We staan al op uw lijst met afzenders.",
  spf_policy_replaced: "Wat er gebeurt met e-mail van afzenders die niet op uw lijst staan, verandert.",
  spf_duplicates_collapsed:
    "Er waren meerdere lijsten met afzenders, waardoor ze allemaal ongeldig waren. Ze worden één lijst die werkt.",
  spf_lookup_limit_exceeded:
    "Uw lijst met afzenders wordt langer dan maildiensten toestaan. E-mail van uw domein kan worden geweigerd.",
  spf_lookup_unknown: "We konden niet de hele lijst met afzenders controleren. Misschien is die te lang.",
  spf_include_broken:
    "Uw lijst met afzenders verwijst naar een lijst die niet werkt. Tot dat is opgelost, kan e-mail worden geweigerd.",
  spf_existing_invalid_replaced: "Uw lijst met afzenders bevatte fouten. Die vervallen.",
  spf_excludes_existing_mail:
    "U ontvangt hier e-mail, maar had geen lijst met afzenders. Verstuurt u ook via een andere dienst, voeg die dan toe.",
  spf_allows_all: "Met uw lijst met afzenders mag iedereen namens u e-mail versturen.",
  dmarc_existing_preserved: "Uw bescherming tegen valse e-mail is in orde en blijft zoals ze is.",
  dmarc_existing_invalid_replaced:
    "Uw bescherming tegen valse e-mail bevatte fouten en wordt vervangen door een die werkt.",
  dmarc_policy_weakened: "Uw bescherming tegen valse e-mail wordt soepeler: er komt meer verdachte e-mail door.",
  dmarc_policy_strengthened:
    "Uw bescherming tegen valse e-mail wordt strenger: e-mail van diensten die u niet hebt ingesteld, kan verloren gaan.",
  dmarc_inherited_from_root: "De bescherming tegen valse e-mail wordt overgenomen van uw hoofddomein.",
  dmarc_duplicates_collapsed:
    "Er waren meerdere regels tegen valse e-mail, waardoor ze allemaal ongeldig waren. Ze worden één regel die werkt.",
  dmarc_tag_deprecated: "Uw regel tegen valse e-mail heeft een verouderd deel. Dat kan geen kwaad.",
  dkim_key_replaced:
    "Een sleutel die uw e-mail ondertekent, wordt vervangen. E-mail met de oude sleutel is niet meer te controleren.",
  dkim_key_removed:
    "Een sleutel die uw e-mail ondertekent, wordt verwijderd. E-mail met die sleutel is niet meer te controleren.",
  caa_blocks_issuance:
    "Uw domein staat het benodigde beveiligingscertificaat niet toe. Zonder wijziging is er geen https.",
  caa_set_created: "Vanaf nu mogen alleen de genoemde bedrijven beveiligingscertificaten uitgeven.",
  caa_existing_sufficient: "Uw domein staat het benodigde beveiligingscertificaat al toe.",
  caa_not_needed: "Elk bedrijf mag beveiligingscertificaten uitgeven.",
  caa_lookup_unknown: "We konden niet nagaan welke beveiligingscertificaten uw domein toestaat.",
  cname_replaces_records: "De andere regels worden verwijderd, omdat de nieuwe alleen moet staan.",
  cname_removed: "Een doorverwijzing wordt verwijderd. Die leidt niet meer naar zijn doel.",
  address_records_replaced: "Bezoekers komen niet meer op de huidige website.",
  website_replaced: "De website of dienst die daar nu staat, wordt vervangen.",
  mx_replaced: "Uw e-mail gaat naar een andere maildienst. Zorg dat uw postvakken daar bestaan.",
  mail_records_removed: "Regels waar uw e-mail van afhangt, worden verwijderd. E-mail kan stoppen.",
  mail_target_changed: "De plek van een mailserver verandert. Als daar geen mailserver antwoordt, kan e-mail stoppen.",
  service_record_replaced:
    "Programma’s vinden een dienst misschien niet meer, of het certificaat ervan kan niet worden vernieuwd.",
  tls_policy_mismatch:
    "De regels voor versleutelde bezorging passen niet meer bij uw mailserver. E-mail komt misschien niet aan.",
  ns_target_changed: "De plek van een server die voor een domein antwoordt, verandert.",
  ns_delegation_hides_records: "Regels daaronder werken niet meer, omdat een andere dienst ervoor antwoordt.",
  delegation_replaced: "Een andere dienst gaat antwoorden. Wat daar nu is ingesteld, werkt niet meer.",
  apex_cname_flattened: "Uw provider maakt van deze regel gewone adressen. Dat is normaal.",
  record_not_served: "Niemand ziet deze regel al.",
  wildcard_hidden: "Een algemene regel antwoordt daar niet meer, of niet meer voor een naam erboven.",
  proxied_record_present: "De bescherming van uw provider blijft.",
  mx_target_unusable: "E-mail komt misschien niet aan: de server ervan heeft geen adres.",
  null_mx_sender: "Uw domein ontvangt geen e-mail. Velen weigeren wat het verstuurt.",
  ttl_adjusted: "",
  txt_value_split: "",
  record_repeated: "",
  host_repeats_domain: "Een naam herhaalt het begin van uw domein. Controleer dat.",
  optional_record_skipped: "Een handige maar niet verplichte regel kan niet worden gemaakt en vervalt.",
  dnssec_signed_zone: "Uw domein is beveiligd met handtekeningen. Uw provider vernieuwt die bij de wijziging.",
  multi_provider_ns: "Twee providers antwoorden voor uw domein. Elke wijziging moet bij allebei gebeuren.",
  ns_parent_child_mismatch:
    "Het register en uw provider noemen verschillende servers voor uw domein. Uw provider kan helpen.",
  other_connection_affected: "Iets anders dat u hebt gekoppeld, gebruikt een regel die verandert.",
  control_not_proven: "Niemand heeft bewezen dat het domein van hem is.",
  plan_large_deletion: "Veel regels van uw domein worden verwijderd. Controleer de lijst goed.",
  provider_zone_differs_from_public_dns:
    "Bij uw provider staat iets anders dan we eerder zagen. Deze lijst toont wat daar staat.",
  lookup_unknown: "We konden niet alles opzoeken. Misschien ontbreekt hier een opmerking."
}

const entriesNotFound = {
  reason: "We hebben de regels niet op tijd gevonden.",
  next: "Vergelijk ze met de lijst en probeer het opnieuw; wij blijven zoeken."
}

const askForHelp = "Vraag om hulp; opnieuw proberen verandert niets."
const tryLater = "Probeer het over een paar minuten opnieuw."
const nothingChanged = "Probeer het opnieuw; deze poging heeft niets gewijzigd."

const failures: Words["failures"] = {
  domain_not_registered: {
    reason: "Dit domein is niet geregistreerd.",
    next: "Controleer de spelling. Hebt u het net gekocht, wacht dan een uur en probeer het opnieuw."
  },
  caa_host_is_cname: {
    reason: "Een naam die moet zeggen wie certificaten uitgeeft, verwijst alleen door.",
    next: "Vraag de winkel om hulp; opnieuw proberen verandert niets."
  },
  cname_loop: {
    reason: "Deze naam zou naar zichzelf doorverwijzen.",
    next: "Verwijder de regel die terugverwijst en begin opnieuw."
  },
  domain_has_no_nameservers: {
    reason: "Er antwoordt nog niemand voor dit domein.",
    next: "Log in waar u het hebt gekocht, kies een DNS-provider (“nameservers”) en probeer het opnieuw."
  },
  zone_not_found: {
    reason: "De provider die uw domein noemt, kent het niet.",
    next: "Log in bij uw provider, voeg het domein daar toe en probeer het opnieuw."
  },
  discovery_timeout: { reason: "De servers van uw domein antwoordden niet op tijd.", next: tryLater },
  provider_unavailable: { reason: "Uw provider antwoordt op dit moment niet.", next: tryLater },
  provider_rate_limited: { reason: "Uw provider vraagt ons het rustiger aan te doen.", next: tryLater },
  authorization_denied: {
    reason: "U, of uw provider, stond de wijziging niet toe.",
    next: "Probeer het opnieuw en sta het toe, of voer de wijzigingen zelf in."
  },
  authorization_expired: {
    reason: "De toestemming verliep voordat we klaar waren.",
    next: "Probeer het opnieuw; het duurt maar even."
  },
  authorization_revoked: {
    reason: "De toestemming is bij uw provider ingetrokken.",
    next: "Probeer het opnieuw en sta het nog eens toe."
  },
  authorization_insufficient_scope: {
    reason: "Met wat u ons gaf, mogen we geen DNS-regels wijzigen.",
    next: "Maak een sleutel die de DNS van dit domein mag lezen en wijzigen, en probeer het opnieuw."
  },
  authorization_zone_mismatch: {
    reason: "Het domein zit niet in dit account.",
    next: "Log in met het account waarin het domein zit en probeer het opnieuw."
  },
  credential_invalid: {
    reason: "Uw provider accepteerde niet wat u invoerde.",
    next: "Kopieer het nog eens, zonder spaties ervoor of erachter, en probeer het opnieuw."
  },
  account_not_entitled: {
    reason: "Uw account bij de provider geeft andere diensten geen toegang.",
    next: "Zet dit daar aan of breid uw account uit en probeer het opnieuw, of voer de wijzigingen zelf in."
  },
  provider_snapshot_timeout: {
    reason: "Uw provider deed er te lang over om uw huidige regels te sturen.",
    next: nothingChanged
  },
  provider_snapshot_failed: { reason: "Uw provider kon uw huidige regels niet sturen.", next: nothingChanged },
  zone_too_large: {
    reason: "Dit domein heeft te veel DNS-regels.",
    next: "Voeg de regels zelf toe bij uw provider."
  },
  provider_zone_locked: {
    reason: "Uw provider heeft dit domein vergrendeld.",
    next: "Ontgrendel het daar, of wacht tot een andere wijziging klaar is, en probeer het opnieuw."
  },
  provider_record_locked: {
    reason: "Uw provider laat niemand een van de regels wijzigen.",
    next: "Vraag uw provider die te ontgrendelen en probeer het opnieuw, of voer de wijzigingen zelf in."
  },
  apex_cname_unsupported: {
    reason: "Uw provider kan de regel die het domein zonder “www” nodig heeft, niet opslaan.",
    next: "Koppel de naam met “www”, of vraag om hulp."
  },
  record_type_unsupported: { reason: "Uw provider kan een benodigd soort regel niet opslaan.", next: askForHelp },
  record_value_rejected: { reason: "Uw provider accepteert een van de regels niet.", next: askForHelp },
  spf_merge_impossible: {
    reason: "Uw lijst met afzenders kan niet worden uitgebreid zonder haar kapot te maken.",
    next: "Vraag degene die uw e-mail beheert om haar op te schonen."
  },
  host_delegated_elsewhere: {
    reason: "Voor dit deel van uw domein antwoordt een andere dienst.",
    next: "Doe de wijziging bij die dienst, of kies een andere naam."
  },
  plan_too_large: { reason: "Er zouden meer regels tegelijk moeten veranderen dan wij kunnen.", next: askForHelp },
  apply_timeout: {
    reason: "Uw provider deed te lang over de wijziging.",
    next: "Probeer het opnieuw; we kijken eerst wat er al is gedaan."
  },
  apply_rejected: {
    reason: "Uw provider weigerde de wijziging.",
    next: "Probeer het opnieuw, of voer de wijzigingen zelf in."
  },
  apply_partial: {
    reason: "Alleen een deel van de wijziging is gedaan.",
    next: "Probeer het opnieuw; we gaan verder waar het stopte. Of voer de rest zelf in."
  },
  verification_timeout: {
    reason: "De wijziging is gedaan, maar de wereld ziet haar nog niet.",
    next: "Dat kan een dag duren. Probeer het later opnieuw."
  },
  verification_mismatch: {
    reason: "De wereld ziet iets anders dan wat is ingesteld.",
    next: "Misschien heeft iemand het daarna gewijzigd. Probeer het opnieuw om nog eens te kijken."
  },
  manual_setup_timeout: entriesNotFound,
  control_unproven: entriesNotFound,
  control_lost: {
    reason: "Het domein is nu van iemand anders.",
    next: "Als het van u is, herstel het dan: een nieuwe regel toont het, die alleen de eigenaar kan maken."
  },
  internal_error: { reason: "Er ging bij ons iets mis.", next: "Probeer het opnieuw; er is niets verloren." }
}

const topics: Words["topics"] = {
  website: "Website",
  mail: "E-mail",
  security: "Beveiliging",
  proof: "Bewijs",
  other: "Overig"
}

const taskDeeds: Words["taskDeeds"] = {
  website: "Uw winkel tonen op {name}",
  security: "Het beveiligingscertificaat toestaan",
  proof: "Bewijzen dat het domein van u is (bij {name})",
  other: "{name} instellen"
}

const fields: Words["fields"] = {
  type: "Type",
  host: "Host",
  value: "Waarde",
  priority: "Prioriteit",
  ttl: "TTL",
  service: "Dienst",
  protocol: "Protocol",
  weight: "Gewicht",
  port: "Poort",
  target: "Doel",
  address: "IP-adres"
}

const deeds: Words["deeds"] = {
  website_replaced: "Ja, vervang de pagina op {names}",
  cname_removed: "Ja, stop de doorverwijzing op {names}",
  mx_replaced: "Ja, verhuis de e-mail van {names}",
  mail_records_removed: "Ja, verwijder de e-mailregels van {names}",
  mail_target_changed: "Ja, e-mail naar {names} kan stoppen",
  dkim_key_replaced: "Ja, vervang de e-mailsleutel van {names}",
  dkim_key_removed: "Ja, verwijder de e-mailsleutel van {names}",
  spf_excludes_existing_mail: "Ja, alleen de genoemde diensten mogen mijn e-mail versturen",
  dmarc_policy_weakened: "Ja, maak de bescherming van {names} soepeler",
  dmarc_policy_strengthened: "Ja, maak de bescherming van {names} strenger",
  plan_large_deletion: "Ja, verwijder alle genoemde regels",
  delegation_replaced: "Ja, laat een andere dienst antwoorden voor {names}",
  wildcard_hidden: "Ja, de algemene regel antwoordt niet meer voor {names}",
  ns_delegation_hides_records: "Ja, regels onder {names} werken niet meer",
  tls_policy_mismatch: "Ja, wijzig {names}; e-mail komt misschien niet aan",
  spf_include_broken: "Ja, wijzig de lijst van {names}; e-mail kan worden geweigerd",
  spf_lookup_limit_exceeded: "Ja, wijzig de lijst van {names}; e-mail kan worden geweigerd"
}

const leftoverReasons: Words["leftoverReasons"] = {
  changed_since: "(iemand heeft die daarna gewijzigd)",
  wanted_by_another_connection: "(iets anders heeft die nodig)",
  older_than_thirty_days: "(ouder dan 30 dagen; het doel kan nu van iemand anders zijn)",
  target_does_not_resolve: "(het doel bestaat niet meer)",
  provider_cannot_store: "(uw provider neemt die niet meer aan)",
  zone_gone: "(het domein is niet meer bij deze provider)",
  manual_setup_timeout: "(we zagen de wijziging niet op tijd)"
}

const hints: Words["hints"] = {
  create_subdomain_first: "Kunt u op de pagina geen naam kiezen, maak die daar dan eerst aan als subdomein.",
  delete_parking_records: "Verwijder eerst de regels van de tijdelijke pagina van de provider.",
  turn_proxy_off: "Bij een regel met deze naam staat de proxy aan. Vervang die door de nieuwe en zet de proxy uit.",
  dns_only: "Zet de proxy van deze regel uit: kies “DNS only”.",
  save_and_publish: "Publiceer de wijzigingen na het opslaan als de pagina daarom vraagt.",
  confirm_checkbox: "De pagina kan vragen om een vakje aan te vinken voordat ze opslaat.",
  second_factor: "De pagina kan om een code vragen voordat ze opslaat.",
  choose_custom_mail: "Kies daar eerst uw eigen e-mailinstellingen (“Custom MX”).",
  apex_alias: "Kies het type ALIAS of ANAME als CNAME hier niet mag.",
  apex_addresses: "Neemt de pagina hier geen naam aan, vul dan de adressen van het doel in (typen A en AAAA).",
  apex_redirect: "Of vraag om in plaats daarvan www te koppelen, en laat het domein zelf daarheen doorverwijzen.",
  find_who_runs_name_servers: "De factuur van uw domein, of wie het heeft ingesteld, vertelt wie ze beheert."
}

const diagnoses: Words["diagnoses"] = {
  not_yet: { found: "Er staat nog niets.", fix: "Na het opslaan duurt het vaak een paar minuten." },
  on_its_way: { found: "Het is onderweg.", fix: "U hoeft niets te doen." },
  old_value_remains: {
    found: "We vonden nog {type} {value}.",
    fix: "Wijzig dat hierin en sla op. Hebt u dat al gedaan, wacht dan enkele minuten."
  },
  also_there: { found: "De regel klopt, maar ernaast staat {type} {value}.", fix: "Verwijder {type} {value}." },
  doubled_zone: {
    found: "We vonden {name}.",
    fix: "Uw provider voegt “{zone}” zelf toe: zet alleen “{copy}” in “{label}”."
  },
  target_doubled: {
    found: "We vonden {value}.",
    fix: "Uw provider voegt er “{zone}” aan toe: zet “{copy}” in “{label}”, met de punt."
  },
  quoted: { found: "Er staan aanhalingstekens in de waarde.", fix: "Voer haar zonder in." },
  escaped: { found: "Er staan backslashes in de waarde.", fix: "Voer haar zonder in." },
  wrong_host: { found: "We vonden haar op {name}.", fix: "Zet “{copy}” in “{label}”." },
  wrong_type: {
    found: "We vonden haar met het type {type}.",
    fix: "Verwijder die en voeg die toe met het type {wanted}."
  },
  two_spf: {
    found: "Er zijn twee lijsten met afzenders; samen zijn ze ongeldig.",
    fix: "Houd er één met deze waarde en verwijder de andere."
  },
  two_dmarc: {
    found: "Er zijn twee regels tegen valse e-mail; samen zijn ze ongeldig.",
    fix: "Houd er één met deze waarde en verwijder de andere."
  },
  truncated: { found: "Er staat maar een deel van de waarde.", fix: "Kopieer haar helemaal." },
  proxied: { found: "Uw provider antwoordt met eigen adressen.", fix: "Zet de proxy uit voor deze regel." },
  flattened: { found: "Uw provider toont het als gewone adressen.", fix: "Zet dat uit voor deze regel." },
  only_some_servers: { found: "Nog niet alle servers van uw domein tonen het.", fix: "Wacht een paar minuten." },
  other_zone: {
    found: "Voor uw domein antwoorden andere servers dan die van {provider}.",
    fix: "Maak de regel waar uw domein nu wordt beheerd."
  },
  parking: {
    found: "De tijdelijke pagina van uw provider staat er nog.",
    fix: "Verwijder de regels ervan, of zet haar uit."
  },
  blocked_by_caa: { found: "Een regel verbiedt het beveiligingscertificaat.", fix: "Voeg deze toe." }
}

const share: Words["share"] = {
  title: "Stuur dit naar iemand die u helpt",
  text: "Die ziet wat er voor {domain} moet veranderen, doet het en controleert het. Toestemming geven kan alleen u.",
  name: "Uw naam, zodat duidelijk is wie het vraagt",
  send: "Versturen",
  mail: "Per e-mail versturen",
  qr: "QR-code tonen",
  qrText: "Richt de camera van een telefoon erop.",
  link: "Link",
  subject: "Kunt u me helpen met {domain}?",
  message: "Wilt u voor mij enkele regels van {domain} wijzigen? Deze pagina toont welke en controleert ze:",
  ends: "De link werkt tot alles klaar is.",
  revoke: "Link intrekken",
  revoked: "De link werkt niet meer.",
  again: "Nieuwe link maken",
  somebody: "Iemand",
  asks: "{sender} vraagt u {count} regels te wijzigen bij {provider}.",
  asksOne: "{sender} vraagt u één regel te wijzigen bij {provider}.",
  waitTitle: "{sender} is aan de beurt",
  waitText: "Eerst moet er met de wijzigingen worden ingestemd. Daarna gaat deze pagina vanzelf verder."
}

/** Every text of the component in Dutch. */
export const nl = {
  loading: "Een ogenblik",
  newWindow: "opent in een nieuw venster",
  notNow: "Niet nu",
  close: "Sluiten",
  done: "Klaar",
  back: "Terug",
  goOn: "Verder",
  supportCode: "Voor de helpdesk: {code}",
  needHelp: "Hulp nodig?",

  entryTitle: "Welk domein wilt u verbinden?",
  entryText: "Typ een domein dat van u is. Er verandert nog niets.",
  entryLabel: "Uw domein",
  entryMeant: "Bedoelt u {name}?",
  entryChoice: "Welk adres gebruiken bezoekers?",
  entryInvalid: "Dit is geen domein. Het ziet eruit als winkel.nl.",

  changesTitle: "{domain} koppelen",
  changesIntro: "Dit gebeurt er. Al het andere blijft zoals het is.",
  changesNone: "Alles staat al goed. Er hoeft niets te veranderen.",
  changesAgainTitle: "Kijk nog een keer",
  changesAgainIntro: "Bij uw provider staat iets anders dan we eerder zagen. Dit gebeurt er nu.",
  approve: "Deze wijzigingen doen",
  restoreTitle: "{domain} ontkoppelen",
  restoreIntro: "Alles wordt weer zoals het was.",
  tableCaption: "Wat er verandert voor {domain}",
  what: "Regel",
  today: "Nu",
  afterwards: "Daarna",
  nothing: "niets",
  taken: "wordt verwijderd",
  added: "Nieuw",
  changed: "Gewijzigd",
  removed: "Verwijderd",
  fullValue: "Alles tonen",
  leftovers: "Blijft zoals het is",
  leftOut: "Vervalt",
  alreadyThere: "Staat er al",

  accessTitle: "Hoe doen we de wijziging?",
  accessIntro: "Uw domein wordt beheerd bij {provider}. Kies wat u het beste uitkomt.",
  accessIntroUnknown: "Kies wat u het beste uitkomt.",
  providerQuestion: "Wie beheert de DNS van {domain}?",
  providerQuestionText:
    "Meerdere bedrijven gebruiken dezelfde servers. Kies het bedrijf waar u de regels van uw domein wijzigt.",
  providerOther: "Een ander bedrijf",
  oauthTitle: "Inloggen bij {provider}",
  oauthText: "U staat de wijziging daar toe en komt meteen terug. We zien uw wachtwoord nooit.",
  oauthButton: "Verder naar {provider}",
  apiFails: "{provider} antwoordt ons op dit moment niet betrouwbaar. Deze manier werkt gewoon.",
  linkTitle: "{provider} de wijzigingen laten doen",
  providerAdds: "{provider} voegt ook deze regel toe, die toont dat het domein van u is:",
  providerRemoves: "{provider} verwijdert deze regels:",
  providerAlsoRemoved: "{provider} heeft ook deze regels verwijderd. Hebt u ze nog nodig, voer ze daar dan opnieuw in:",
  tokenTitle: "Met een toegangssleutel van {provider}",
  roleTitle: "Met een rol bij {provider}",
  roleMake:
    "Open AWS CloudShell in een tweede venster, plak dit en druk op Enter. Zo ontstaat een rol die alleen de DNS van {zone} mag wijzigen en die alleen wij kunnen gebruiken. Kopieer daarna de regel die met arn: begint naar het veld.",
  tokenText: "We gebruiken die alleen voor deze wijziging, bewaren hem versleuteld en wissen hem daarna.",
  tokenLink: "Hulp van {provider}",
  tokenButton: "Toestaan en koppelen",
  tokenButtonLeaving: "Toestaan en ontkoppelen",
  manualChoiceTitle: "Zelf doen",
  manualChoiceText: "We laten stap voor stap zien wat u invoert, en controleren het.",
  manualChoiceButton: "Laat zien wat ik invoer",
  fieldInvalid: "Dit lijkt niet te kloppen.",
  apiToken: "API-token",
  apiKey: "API-sleutel",
  apiSecret: "API-geheim",
  username: "Gebruikersnaam",
  accountId: "Account-ID",
  privateKey: "Privésleutel",
  accessKeyId: "ID van de toegangssleutel",
  secretAccessKey: "Geheime toegangssleutel",
  roleArn: "ARN van de rol",
  json: "Inhoud van het JSON-sleutelbestand",
  tenantId: "Map-id (tenant)",
  clientId: "Toepassings-id (client)",
  clientSecret: "Waarde van het clientgeheim",
  subscriptionId: "Abonnements-id",
  resourceGroup: "Resourcegroep van de DNS-zone",
  name: "Naam van de sleutel",
  algorithm: "Algoritme",
  secret: "Geheim",

  visitTitle: "{provider} wacht op u",
  visitText: "Sta de wijziging daar toe. U komt vanzelf hier terug.",
  visitOtherWay: "Een andere manier kiezen",

  manualOpen: "Hulp van {provider}",
  manualAdd: "Voeg deze regel toe",
  manualChange: "Wijzig deze regel",
  manualRemove: "Verwijder deze regel",
  priority: "Prioriteit",
  copy: "Kopiëren",
  copyWhat: "{what} kopiëren",
  copied: "Gekopieerd",
  copyByHand: "Uw browser liet ons niet kopiëren. De tekst is gemarkeerd: kopieer hem zelf.",
  zoneFile: "Als bestand downloaden",
  zoneFileText:
    "Sommige providers kunnen de nieuwe regels uit een bestand inlezen. Wijzig en verwijder de andere met de hand.",
  otherWay: "Laat ons het doen",
  checkNow: "Nu controleren",
  statusPresent: "Gevonden",
  statusMissing: "Er nog niet",
  statusGone: "Verwijderd",
  statusRemains: "Staat er nog",
  statusDifferent: "Er staat iets anders",
  statusUnknown: "Nog niet gecontroleerd",
  nextLook: "We kijken {when} weer.",
  nextLookSoon: "We kijken nu.",
  progressDelay: "We kunnen de DNS niet bereiken. We blijven het proberen.",

  progressRequested: "We bekijken {domain}",
  progressRequestedText: "We zoeken uit waar uw domein wordt beheerd en wat daar is ingesteld.",
  progressAuthorized: "We lezen uw huidige regels",
  progressAuthorizedText: "We vergelijken wat bij {provider} staat met wat u zag.",
  progressApplying: "We doen de wijziging",
  progressWritingText: "U kunt deze pagina sluiten; het gaat zonder u verder.",
  progressVerifying: "Wachten tot iedereen het ziet",
  progressVerifyingText:
    "De regels staan er. Meestal duurt het een paar minuten tot elke server het weet. U kunt deze pagina sluiten.",
  progressDisconnecting: "We verwijderen de regels",
  checks: "Waar we op wachten",

  successTitle: "{domain} is gekoppeld",
  successText: "Alles staat goed. We houden het vanaf nu in de gaten en melden het hier als er iets ontbreekt.",
  disconnectedTitle: "{domain} is ontkoppeld",
  degradedTitle: "Er ontbreekt iets",
  degradedText: "{domain} was gekoppeld, maar sommige regels zijn er niet meer.",
  statusLost: "Ontbreekt",
  lost: "Wat ontbreekt of anders is",
  repair: "Herstellen",
  failureTitle: "Dat is niet gelukt",
  tryAgain: "Opnieuw proberen",
  expiredTitle: "Dit duurde te lang",
  expiredText:
    "De koppeling wachtte zo lang dat ze is gestopt. We hebben niets gewijzigd. Wat u zelf hebt ingevoerd, blijft. Begin opnieuw.",
  canceledTitle: "Geannuleerd",
  canceledText: "We hebben niets gewijzigd. Wat u zelf hebt ingevoerd, blijft.",

  problemOffline: "We kunnen de dienst niet bereiken. We blijven het proberen.",
  problemStart:
    "Deze pagina kon niet beginnen. Laad haar opnieuw; helpt dat niet, vraag het de helpdesk van de winkel.",
  problemSession: "Uw sessie is afgelopen. Laad deze pagina opnieuw om verder te gaan waar u was.",
  problemNotFound: "Deze koppeling bestaat niet. Laad de pagina opnieuw of vraag om hulp.",
  problemStale: "De lijst is intussen veranderd. Kijk nog een keer.",
  problemRefused: "Dat kan op dit moment niet. Zo staat het er nu voor.",
  problemInput: "Controleer wat u hebt ingevoerd.",
  problemBusy: "Te veel verzoeken op dit moment. Wacht even en probeer het opnieuw.",
  problemUnknown: "Er ging bij ons iets mis. Probeer het opnieuw.",

  language: "Taal",
  testMode: "Testmodus",
  pageTitle: "Een domein koppelen",
  pageClosed: "U kunt deze pagina nu sluiten.",
  linkUsed: "Deze link werkt niet meer. Misschien is het domein al gekoppeld; zo niet, vraag dan om een nieuwe link.",

  kindA: "Webadres",
  kindAAAA: "Webadres (IPv6)",
  kindCNAME: "Doorverwijzing",
  kindMX: "E-mailbezorging",
  kindTXT: "Notitie voor andere diensten",
  kindSpf: "Wie e-mail mag versturen",
  kindDmarc: "Bescherming tegen valse e-mail",
  kindDkim: "Handtekening van e-mail",
  kindNS: "Verantwoordelijke servers",
  kindSRV: "Adres van een dienst",
  kindCAA: "Wie certificaten mag uitgeven",
  kindOther: "Regel",

  steps: "Stappen",
  stepCheck: "Bekijken",
  stepReview: "Nagaan",
  stepConnect: "Koppelen",
  stepLive: "Live",
  managedAt: "beheerd bij {provider}",
  theShop: "de winkel",
  yourProvider: "uw provider",
  changesSinceIntro: "Er is iets veranderd sinds u keek. Bekijk wat gemarkeerd is.",
  sinceChanged: "Sinds u keek, is {name} gewijzigd in {value}",
  sincePlanned: "Sinds u keek, is voor {name} iets anders gepland: {value}",
  sinceStored: "Bij uw provider opgeslagen voor {name}: {value}",
  sinceAdded: "Nieuw sinds u keek: {name}",
  sinceRemoved: "Sinds u keek, is verwijderd wat er bij {name} stond",
  technicalDetails: "Technische details",
  tickMissing: "Er ontbreekt nog een antwoord: bekijk wat gemarkeerd is.",
  websiteReplaced: "Nu toont {names} een andere pagina. Daarna {who}.",
  websiteSome: "Nu toont {old} een andere pagina. Daarna toont {names} {who}.",
  websiteNew: "Nu toont {names} niets. Daarna {who}.",
  websiteBack: "Nu toont {names} {who}. Daarna wat er eerder stond.",
  websiteGone: "Nu toont {names} {who}. Daarna niet meer.",
  mailStays: "Blijft waar het is. Er verandert niets.",
  mailStaysAt: "Blijft bij {from}. Er verandert niets.",
  mailMoves: "Nu komt uw e-mail aan bij {from}. Daarna bij {to}.",
  mailBegins: "Nu is voor {names} geen mailserver genoemd. Daarna komt e-mail aan bij {to}.",
  mailEnds: "Nu komt uw e-mail aan bij {from}. Daarna komt er geen e-mail aan op {names}.",
  mailSenders: "Daarna mag {who} e-mail voor u versturen.",
  mailKept: "Uw e-mail blijft waar die is.",
  mailKeptAt: "Uw e-mail blijft bij {from}.",
  mailMayStop:
    "Nu gaat e-mail naar de server van de pagina. Daarna is dat {who}, en kan e-mail verloren gaan. Wilt u die houden, vraag dan eerst uw maildienst naar de “MX”-regel.",
  securityChanged: "Nu kan het beveiligingscertificaat van {who} worden geweigerd. Daarna is het toegestaan.",
  proofAdded: "Nu toont niets dat het domein van u is. Daarna doet een regel dat; bezoekers zien die niet.",
  otherChanged: "Regels van {names} veranderen, zoals de technische details tonen.",
  entriesBack: "De regels van {names} worden weer zoals ze waren.",
  mailQuestion: "Ontvangt u e-mail op …\u2060@{names}?",
  mailNo: "Nee, daar ontvang ik geen e-mail",
  mailYes: "Ja, daar ontvang ik e-mail",
  mailUnsure: "Niet zeker? Stuur een e-mail naar zo’n adres en kijk of die aankomt.",
  deedOther: "Ja, ik heb dit gelezen en wil het",
  tokenRights: "De sleutel moet de DNS van {zone} mogen lezen en wijzigen.",
  tokenChoose: "Kies daar:",
  tokenMake: "Maak er een bij {provider}",
  tokenOpensAccount: "Deze sleutel kan elk domein van uw account wijzigen.",
  fieldMissing: "Vul dit in.",
  openProvider: "Open {provider} in een tweede venster",
  openUnknown: "Open de instellingen van uw domein in een tweede venster",
  openWindow: "{provider} openen",
  openRecords: "Open de DNS-instellingen van {zone}.",
  logIn: "Log in bij {provider}.",
  logInUnknown: "Log in waar u {zone} hebt gekocht, of waar het wordt beheerd.",
  comeBack: "Laat dat venster open en kom hier terug.",
  nameServers: "Deze servers antwoorden voor uw domein; hun namen zeggen wie ze beheert:",
  byHandEffort: "Het duurt ongeveer {minutes} minuten: {entries}. We controleren elke regel.",
  entryOne: "1 regel",
  entryMany: "{count} regels",
  backOne: "1 regel om terug te zetten",
  backMany: "{count} regels om terug te zetten",
  begin: "Het is open: beginnen",
  tasks: "Alle regels",
  taskOf: "{number} van {count} · {deed}",
  atProvider: "Bij {provider}",
  manualChangeTo: "Maak het zo",
  findEntry: "Zoek deze regel",
  findEntries: "Zoek deze regels: verwijder ze op één na en wijzig die ene",
  deleteFirst: "Verwijder eerst deze regel",
  deleteFirstMany: "Verwijder eerst deze regels",
  pressAdd: "Klik op “{button}” en vul in",
  pressPublish: "Daar telt een regel pas nadat u op “{button}” hebt geklikt.",
  leaveEmpty: "leeg laten",
  orEmpty: "Wordt het niet geaccepteerd, laat het veld dan leeg.",
  orElse: "Wordt het niet geaccepteerd:",
  saveThere: "Sla het daar op. Klik daarna hier op de knop.",
  taskDone: "Gevonden. Hier is niets meer te doen.",
  taskGone: "Verwijderd. Hier is niets meer te doen.",
  saved: "Ik heb het opgeslagen",
  checkAgain: "Opnieuw controleren",
  nextTask: "Volgende regel",
  looking: "We kijken …",
  answerDone: "Klaar: {done} van {all}.",
  answerSome:
    "Klaar: {done} van {all}. De rest is nog niet te zien; bij {provider} duurt het vaak 1 tot {most} minuten.",
  answerSlips: "Klaar: {done} van {all}. Wat met “{almost}” is gemarkeerd, klopt nog niet.",
  answerNotYet:
    "Er nog niet. Hebt u het opgeslagen? Bij {provider} duurt het vaak 1 tot {most} minuten; u kunt intussen doorgaan.",
  answerStillThere:
    "Staat er nog. Hebt u hem verwijderd? Bij {provider} duurt het vaak 1 tot {most} minuten; u kunt intussen doorgaan.",
  correctedJustNow: "Als u het net hebt verbeterd: bij {provider} duurt het vaak 1 tot {most} minuten.",
  notAllMade: "Er zijn nog stappen te doen",
  notAllMadeText: "Doe die zonder vinkje in deze lijst, één voor één.",
  allSaved: "We controleren uw wijzigingen",
  allSavedText:
    "U kunt deze pagina sluiten; we blijven controleren. Kom langs dezelfde weg terug om te zien hoe het staat. Heeft een regel na {wait} minuten nog geen vinkje, open die dan in deze lijst en kijk of u hebt opgeslagen.",
  slipsTitle: "Nog niet alles klopt",
  slipsText: "Wat met “{almost}” is gemarkeerd, moet u bij {provider} verbeteren.",
  showSlip: "Laat zien wat ik moet verbeteren",
  allDone: "Alle wijzigingen zijn gedaan",
  allDoneText: "De rest doen wij vanzelf.",
  almost: "Bijna.",
  shareButton: "Naar mijn webbeheerder sturen",
  deedRemove: "“{purpose}” van {name} verwijderen",
  deedPutBack: "“{purpose}” van {name} terugzetten",
  deedMail: "Uw e-mail laten aankomen op {name}",
  deedSpf: "E-mail versturen namens {name} toestaan",
  deedDmarc: "{name} beschermen tegen valse e-mail",
  deedDkim: "Uw e-mail ondertekenen",
  stageAllowed: "Toegestaan",
  stageWritten: "Opgeslagen",
  stageServers: "Te zien op {showing} van {asked} servers van uw domein",
  stageServersSoon: "Te zien op de servers van uw domein",
  stageEverybody: "Te zien op {showing} van {asked} servers die iedereen gebruikt",
  stageEverybodySoon: "Te zien voor iedereen",
  estimate: "Sommige bezoekers zien de oude pagina nog maximaal {time}.",
  estimateMail: "Sommige e-mail gaat nog maximaal {time} naar de oude server.",
  undo: "Om het terug te draaien, ontkoppelt u het domein waar u het hebt gekoppeld. De regels worden weer zoals ze waren. Oude adressen komen alleen binnen 30 dagen terug.",
  undoByHand:
    "Om het terug te draaien, ontkoppelt u het domein waar u het hebt gekoppeld. Wij laten dan zien welke regels u terugzet. Oude adressen komen alleen binnen 30 dagen terug.",
  websiteNow: "{names} toont nu {who}.",
  mailNow: "Uw e-mail komt nu aan bij {to}.",
  mailGone: "E-mail aan {names} komt niet meer aan.",
  mailBack: "E-mail aan {names} gaat weer waar die eerst heen ging.",
  mailUnnamed: "Voor {names} is geen maildienst ingesteld: e-mail komt daar misschien niet aan.",
  mailSendersNow: "Vanaf nu mag {who} e-mail voor u versturen.",
  mailSendersGone: "Vanaf nu mag {who} geen e-mail meer voor u versturen.",
  whatChanged: "Wat er is veranderd",
  putBack: "Teruggezet",
  oldWebsiteBack: "Uw oude website antwoordt daar weer.",
  disconnectedText: "De regels zijn zoals ze waren.",
  disconnectedPartly: "Sommige regels konden niet worden teruggezet. Ze staan hieronder.",
  outcomeDone: "Gedaan",
  outcomeNot: "Niet gedaan",
  outcomeUnknown: "Misschien gedaan",
  outcomeLost: "Gedaan en niet teruggedraaid",

  topics,
  taskDeeds,
  fields,
  deeds,
  leftoverReasons,
  hints,
  diagnoses,
  foundInstead: "In plaats daarvan vonden we {type} {value}.",
  share,
  warnings,
  failures
} satisfies Words
