import type { Words } from "./en.ts"

const warnings: Words["warnings"] = {
  name_servers_disagree: "Serwery Twojej domeny odpowiadają różnie. To, co widzą odwiedzający, zależy od przypadku.",
  spf_record_merged: "Dopisujemy się do istniejącej listy nadawców poczty. Nikogo z niej nie usuwamy.",
  spf_existing_sufficient: "Już jesteśmy na Twojej liście nadawców poczty.",
  spf_policy_replaced: "Zmienia się to, co dzieje się z pocztą od nadawców spoza Twojej listy.",
  spf_duplicates_collapsed:
    "Było kilka list nadawców poczty i dlatego żadna nie działała. Powstanie z nich jedna, która działa.",
  spf_lookup_limit_exceeded:
    "Twoja lista nadawców poczty będzie dłuższa, niż akceptują usługi pocztowe. Poczta z Twojej domeny może być odrzucana.",
  spf_lookup_unknown: "Nie udało się nam sprawdzić całej listy nadawców poczty. Może być za długa.",
  spf_include_broken:
    "Twoja lista nadawców poczty odsyła do listy, która nie działa. Dopóki to się nie zmieni, poczta może być odrzucana.",
  spf_existing_invalid_replaced: "W Twojej liście nadawców poczty były błędy. Usuwamy je.",
  spf_excludes_existing_mail:
    "Odbierasz tu pocztę, ale nie było listy nadawców. Jeśli wysyłasz ją także przez inną usługę, dopisz ją do listy.",
  spf_allows_all: "Twoja lista nadawców poczty pozwala każdemu wysyłać w Twoim imieniu.",
  dmarc_existing_preserved: "Twoja ochrona przed fałszywą pocztą jest w porządku i zostaje bez zmian.",
  dmarc_existing_invalid_replaced: "W Twojej ochronie przed fałszywą pocztą były błędy. Zastąpi ją taka, która działa.",
  dmarc_policy_weakened:
    "Twoja ochrona przed fałszywą pocztą będzie łagodniejsza: przejdzie więcej podejrzanych wiadomości.",
  dmarc_policy_strengthened:
    "Twoja ochrona przed fałszywą pocztą będzie surowsza: poczta z usług, których nie masz na liście, może przepaść.",
  dmarc_inherited_from_root: "Ochrona przed fałszywą pocztą jest przejęta z Twojej domeny głównej.",
  dmarc_duplicates_collapsed:
    "Było kilka reguł przeciw fałszywej poczcie i dlatego żadna nie działała. Powstanie z nich jedna, która działa.",
  dmarc_tag_deprecated: "Twoja reguła przeciw fałszywej poczcie ma przestarzałą część. To nie szkodzi.",
  dkim_key_replaced:
    "Zmienia się klucz, który podpisuje Twoją pocztę. Poczty podpisanej starym kluczem nie da się już sprawdzić.",
  dkim_key_removed:
    "Znika klucz, który podpisuje Twoją pocztę. Poczty podpisanej starym kluczem nie da się już sprawdzić.",
  caa_blocks_issuance: "Twoja domena nie pozwala na potrzebny certyfikat. Bez zmiany nie będzie https.",
  caa_set_created: "Od teraz tylko wymienione firmy mogą wystawiać certyfikaty.",
  caa_existing_sufficient: "Twoja domena już pozwala na potrzebny certyfikat.",
  caa_not_needed: "Każda firma może wystawiać certyfikaty.",
  caa_lookup_unknown: "Nie udało się nam ustalić, na jakie certyfikaty pozwala Twoja domena.",
  cname_replaces_records: "Pozostałe wpisy znikają, bo nowy musi być jedyny.",
  cname_removed: "Znika przekierowanie. Nie będzie już prowadzić tam, gdzie dotąd.",
  address_records_replaced: "Odwiedzający nie trafią już na obecną stronę.",
  website_replaced: "Strona lub usługa, która dziś tam jest, zostanie zastąpiona.",
  mx_replaced: "Twoja poczta trafi do innej usługi. Upewnij się, że są tam Twoje skrzynki.",
  mail_records_removed: "Znikają wpisy, od których zależy Twoja poczta. Poczta może przestać działać.",
  mail_target_changed:
    "Zmienia się miejsce serwera poczty. Jeśli żaden serwer poczty tam nie odpowie, poczta może przestać działać.",
  service_record_replaced: "Programy mogą nie znaleźć usługi albo nie uda się odnowić jej certyfikatu.",
  tls_policy_mismatch: "Reguły szyfrowanego doręczania nie pasują już do serwera poczty. Poczta może nie dochodzić.",
  ns_target_changed: "Zmienia się miejsce serwera, który odpowiada za domenę.",
  ns_delegation_hides_records: "Wpisy poniżej przestaną działać, bo odpowiada za nie inna usługa.",
  delegation_replaced: "Odpowiadać będzie inna usługa. To, co jest tam dziś ustawione, przestanie działać.",
  apex_cname_flattened: "Twój dostawca zamienia ten wpis na zwykłe adresy. To normalne.",
  record_not_served: "Tego wpisu nikt jeszcze nie zobaczy.",
  wildcard_hidden: "Wpis zbiorczy nie odpowiada już tam albo za nazwę powyżej.",
  proxied_record_present: "Ochrona Twojego dostawcy zostaje.",
  mx_target_unusable: "Poczta może nie dochodzić: jej serwer nie ma adresu.",
  null_mx_sender: "Twoja domena nie odbiera poczty. Wielu odbiorców odrzuci to, co z niej wyślesz.",
  ttl_adjusted: "",
  txt_value_split: "",
  record_repeated: "",
  host_repeats_domain: "Nazwa powtarza początek Twojej domeny. Sprawdź ją.",
  optional_record_skipped: "Wpisu, który tylko by się przydał, nie da się utworzyć. Pomijamy go.",
  dnssec_signed_zone: "Twoja domena jest chroniona podpisami. Dostawca odnowi je przy zmianie.",
  multi_provider_ns: "Za Twoją domenę odpowiada dwóch dostawców. Każdą zmianę trzeba wprowadzić u obu.",
  ns_parent_child_mismatch: "Rejestr i Twój dostawca podają różne serwery Twojej domeny. Twój dostawca może pomóc.",
  other_connection_affected: "Coś innego, co zostało podłączone, korzysta z wpisu, który się zmienia.",
  control_not_proven: "Nikt nie udowodnił, że domena należy do niego.",
  plan_large_deletion: "Znika wiele wpisów Twojej domeny. Przejrzyj listę uważnie.",
  provider_zone_differs_from_public_dns:
    "Twój dostawca ma zapisane coś innego, niż widzieliśmy wcześniej. Ta lista pokazuje to, co jest zapisane.",
  lookup_unknown: "Nie wszystko udało się nam sprawdzić. Może tu brakować uwagi."
}

const entriesNotFound = {
  reason: "Nie znaleźliśmy wpisów na czas.",
  next: "Porównaj je z listą i spróbuj ponownie; szukamy dalej."
}

const failures: Words["failures"] = {
  domain_not_registered: {
    reason: "Ta domena nie jest zarejestrowana.",
    next: "Sprawdź pisownię. Jeśli to świeży zakup, spróbuj ponownie za godzinę."
  },
  caa_host_is_cname: {
    reason: "Nazwa, która ma mówić, kto może wystawiać certyfikaty, tylko przekierowuje.",
    next: "Poproś o pomoc osoby prowadzące ten sklep; kolejna próba niczego nie zmieni."
  },
  cname_loop: {
    reason: "Ta nazwa prowadziłaby do siebie samej.",
    next: "Usuń wpis, który prowadzi z powrotem, i zacznij od nowa."
  },
  domain_has_no_nameservers: {
    reason: "Za tę domenę nikt jeszcze nie odpowiada.",
    next: "Zaloguj się tam, gdzie została kupiona, wybierz dostawcę DNS („serwery nazw”) i spróbuj ponownie."
  },
  zone_not_found: {
    reason: "Dostawca, którego podaje Twoja domena, nie zna jej.",
    next: "Zaloguj się u dostawcy, dodaj tam domenę i spróbuj ponownie."
  },
  discovery_timeout: {
    reason: "Serwery Twojej domeny nie odpowiedziały na czas.",
    next: "Spróbuj ponownie za kilka minut."
  },
  provider_unavailable: { reason: "Twój dostawca teraz nie odpowiada.", next: "Spróbuj ponownie za kilka minut." },
  provider_rate_limited: { reason: "Twój dostawca prosi nas, żeby zwolnić.", next: "Spróbuj ponownie za kilka minut." },
  authorization_denied: {
    reason: "Nie było zgody na zmianę: Twojej albo dostawcy.",
    next: "Spróbuj ponownie i wyraź zgodę albo wprowadź zmiany samodzielnie."
  },
  authorization_expired: {
    reason: "Zgoda wygasła, zanim skończyliśmy.",
    next: "Spróbuj ponownie; to potrwa tylko chwilę."
  },
  authorization_revoked: {
    reason: "Zgoda została cofnięta u dostawcy.",
    next: "Spróbuj ponownie i wyraź ją jeszcze raz."
  },
  authorization_insufficient_scope: {
    reason: "Otrzymany klucz nie pozwala zmieniać wpisów DNS.",
    next: "Utwórz nowy, który pozwala odczytywać i zmieniać DNS tej domeny, i spróbuj ponownie."
  },
  authorization_zone_mismatch: {
    reason: "Na tym koncie nie ma tej domeny.",
    next: "Zaloguj się na konto, na którym jest domena, i spróbuj ponownie."
  },
  credential_invalid: {
    reason: "Twój dostawca nie przyjął tego, co zostało wpisane.",
    next: "Skopiuj to jeszcze raz, bez spacji na początku i na końcu, i spróbuj ponownie."
  },
  account_not_entitled: {
    reason: "Twoje konto u dostawcy nie daje dostępu innym usługom.",
    next: "Włącz go tam lub rozszerz konto i spróbuj ponownie albo wprowadź zmiany samodzielnie."
  },
  provider_snapshot_timeout: {
    reason: "Twój dostawca zbyt długo wysyłał nam obecne wpisy.",
    next: "Spróbuj ponownie; ta próba niczego nie zmieniła."
  },
  provider_snapshot_failed: {
    reason: "Twój dostawca nie mógł wysłać nam obecnych wpisów.",
    next: "Spróbuj ponownie; ta próba niczego nie zmieniła."
  },
  zone_too_large: {
    reason: "Ta domena ma za dużo wpisów DNS.",
    next: "Dodaj wpisy samodzielnie u swojego dostawcy."
  },
  provider_zone_locked: {
    reason: "Twój dostawca zablokował zmiany tej domeny.",
    next: "Odblokuj ją u dostawcy albo poczekaj, aż skończy się tam inna zmiana, i spróbuj ponownie."
  },
  provider_record_locked: {
    reason: "Twój dostawca nikomu nie pozwala zmienić jednego z wpisów.",
    next: "Poproś dostawcę o odblokowanie go i spróbuj ponownie albo wprowadź zmiany samodzielnie."
  },
  apex_cname_unsupported: {
    reason: "Twój dostawca nie może zapisać wpisu potrzebnego dla domeny bez „www”.",
    next: "Podłącz zamiast tego nazwę z „www” albo poproś o pomoc."
  },
  record_type_unsupported: {
    reason: "Twój dostawca nie może zapisać potrzebnego rodzaju wpisu.",
    next: "Poproś o pomoc; kolejna próba niczego nie zmieni."
  },
  record_value_rejected: {
    reason: "Twój dostawca nie przyjmuje jednego z wpisów.",
    next: "Poproś o pomoc; kolejna próba niczego nie zmieni."
  },
  spf_merge_impossible: {
    reason: "Twojej listy nadawców poczty nie da się rozszerzyć bez jej zepsucia.",
    next: "Poproś osobę, która zajmuje się Twoją pocztą, o jej uporządkowanie."
  },
  host_delegated_elsewhere: {
    reason: "Za tę część Twojej domeny odpowiada inna usługa.",
    next: "Wprowadź zmianę w tamtej usłudze albo wybierz inną nazwę."
  },
  plan_too_large: {
    reason: "Trzeba by zmienić naraz więcej wpisów, niż potrafimy.",
    next: "Poproś o pomoc; kolejna próba niczego nie zmieni."
  },
  apply_timeout: {
    reason: "Twój dostawca zbyt długo wprowadzał zmianę.",
    next: "Spróbuj ponownie; najpierw sprawdzimy, co zostało zrobione."
  },
  apply_rejected: {
    reason: "Twój dostawca odrzucił zmianę.",
    next: "Spróbuj ponownie albo wprowadź zmiany samodzielnie."
  },
  apply_partial: {
    reason: "Wprowadzona została tylko część zmiany.",
    next: "Spróbuj ponownie; zaczniemy tam, gdzie stanęło. Możesz też wprowadzić resztę samodzielnie."
  },
  verification_timeout: {
    reason: "Zmiana jest wprowadzona, ale świat jej jeszcze nie widzi.",
    next: "To może potrwać dobę. Spróbuj ponownie później."
  },
  verification_mismatch: {
    reason: "Świat widzi coś innego, niż zostało ustawione.",
    next: "Może ktoś to w międzyczasie zmienił. Spróbuj ponownie, żeby sprawdzić jeszcze raz."
  },
  manual_setup_timeout: entriesNotFound,
  control_unproven: entriesNotFound,
  control_lost: {
    reason: "Domenę ma teraz ktoś inny.",
    next: "Jeśli należy do Ciebie, napraw ją: pokaże to nowy wpis, który może dodać tylko właściciel."
  },
  internal_error: { reason: "Coś poszło nie tak po naszej stronie.", next: "Spróbuj ponownie; nic nie przepadło." }
}

const topics: Words["topics"] = {
  website: "Strona",
  mail: "Poczta",
  security: "Bezpieczeństwo",
  proof: "Potwierdzenie",
  other: "Inne"
}

const taskDeeds: Words["taskDeeds"] = {
  website: "Pokaż swój sklep pod {name}",
  security: "Pozwól na certyfikat",
  proof: "Potwierdź, że domena jest Twoja (pod {name})",
  other: "Ustaw {name}"
}

const fields: Words["fields"] = {
  type: "Typ",
  host: "Host",
  value: "Wartość",
  priority: "Priorytet",
  ttl: "TTL",
  service: "Usługa",
  protocol: "Protokół",
  weight: "Waga",
  port: "Port",
  target: "Cel",
  address: "Adres IP"
}

const deeds: Words["deeds"] = {
  website_replaced: "Tak, zastąp stronę pod {names}",
  cname_removed: "Tak, zakończ przekierowanie pod {names}",
  mx_replaced: "Tak, przenieś pocztę {names}",
  mail_records_removed: "Tak, usuń wpisy poczty pod {names}",
  mail_target_changed: "Tak, poczta do {names} może przestać działać",
  dkim_key_replaced: "Tak, zmień klucz poczty pod {names}",
  dkim_key_removed: "Tak, usuń klucz poczty pod {names}",
  spf_excludes_existing_mail: "Tak, tylko usługi z listy mogą wysyłać moją pocztę",
  dmarc_policy_weakened: "Tak, złagodź ochronę {names}",
  dmarc_policy_strengthened: "Tak, zaostrz ochronę {names}",
  plan_large_deletion: "Tak, usuń wszystkie wymienione wpisy",
  delegation_replaced: "Tak, niech za {names} odpowiada inna usługa",
  wildcard_hidden: "Tak, wpis zbiorczy przestanie odpowiadać za {names}",
  ns_delegation_hides_records: "Tak, wpisy poniżej {names} przestaną działać",
  tls_policy_mismatch: "Tak, zmień {names}; poczta może nie dochodzić",
  spf_include_broken: "Tak, zmień listę {names}; poczta może być odrzucana",
  spf_lookup_limit_exceeded: "Tak, zmień listę {names}; poczta może być odrzucana"
}

const leftoverReasons: Words["leftoverReasons"] = {
  changed_since: "(ktoś go w międzyczasie zmienił)",
  wanted_by_another_connection: "(potrzebuje go coś innego)",
  older_than_thirty_days: "(ma ponad 30 dni; jego cel może już należeć do kogoś innego)",
  target_does_not_resolve: "(jego cel już nie istnieje)",
  provider_cannot_store: "(Twój dostawca już go nie przyjmuje)",
  zone_gone: "(domeny nie ma już u tego dostawcy)",
  manual_setup_timeout: "(nie zobaczyliśmy jego zmiany na czas)"
}

const hints: Words["hints"] = {
  create_subdomain_first: "Jeśli strona nie pozwala wybrać nazwy, utwórz ją tam najpierw jako subdomenę.",
  delete_parking_records: "Najpierw usuń wpisy strony zastępczej dostawcy.",
  turn_proxy_off: "Wpis o tej nazwie ma włączone proxy. Wstaw nowy wpis w jego miejsce i wyłącz proxy.",
  dns_only: "Wyłącz proxy tego wpisu: wybierz „Tylko DNS”.",
  save_and_publish: "Po zapisaniu opublikuj zmiany, jeśli strona o to prosi.",
  confirm_checkbox: "Przed zapisaniem strona może poprosić o zaznaczenie pola.",
  second_factor: "Przed zapisaniem strona może poprosić o kod.",
  choose_custom_mail: "Najpierw wybierz tam własne ustawienia poczty („Custom MX”).",
  apex_alias: "Wybierz typ ALIAS lub ANAME, jeśli CNAME nie jest tu przyjmowany.",
  apex_addresses: "Jeśli strona nie przyjmuje tu nazwy, wpisz zamiast niej adresy celu (typy A i AAAA).",
  apex_redirect: "Albo poproś o podłączenie www i ustaw przekierowanie samej domeny na ten adres.",
  find_who_runs_name_servers: "Kto je prowadzi, powie rachunek za domenę albo osoba, która ją ustawiała."
}

const diagnoses: Words["diagnoses"] = {
  not_yet: { found: "Jeszcze nic tam nie ma.", fix: "Zapisane wpisy często potrzebują kilku minut." },
  on_its_way: { found: "Jest w drodze.", fix: "Nie trzeba nic robić." },
  old_value_remains: {
    found: "Nadal widzimy {type} {value}.",
    fix: "Zmień to na poniższe i zapisz. Jeśli to już zrobione, poczekaj kilka minut."
  },
  also_there: { found: "Wpis jest poprawny, ale obok niego widzimy {type} {value}.", fix: "Usuń {type} {value}." },
  doubled_zone: {
    found: "Widzimy {name}.",
    fix: "Twój dostawca sam dodaje „{zone}”: w polu „{label}” wpisz tylko „{copy}”."
  },
  target_doubled: {
    found: "Widzimy {value}.",
    fix: "Twój dostawca dodaje do tego „{zone}”: w polu „{label}” wpisz „{copy}”, z kropką."
  },
  quoted: { found: "W wartości są cudzysłowy.", fix: "Wpisz ją bez nich." },
  escaped: { found: "W wartości są ukośniki wsteczne.", fix: "Wpisz ją bez nich." },
  wrong_host: { found: "Widzimy go pod {name}.", fix: "W polu „{label}” wpisz „{copy}”." },
  wrong_type: { found: "Widzimy go z typem {type}.", fix: "Usuń go i dodaj z typem {wanted}." },
  two_spf: {
    found: "Widzimy dwie listy nadawców poczty; razem nie działają.",
    fix: "Zostaw jeden z tą wartością i usuń drugi."
  },
  two_dmarc: {
    found: "Widzimy dwie reguły przeciw fałszywej poczcie; razem nie działają.",
    fix: "Zostaw jeden z tą wartością i usuń drugi."
  },
  truncated: { found: "Widzimy tylko część wartości.", fix: "Skopiuj ją całą." },
  proxied: { found: "Twój dostawca odpowiada własnymi adresami.", fix: "Wyłącz proxy dla tego wpisu." },
  flattened: { found: "Twój dostawca pokazuje to jako zwykłe adresy.", fix: "Wyłącz to dla tego wpisu." },
  only_some_servers: { found: "Nie wszystkie serwery Twojej domeny już to pokazują.", fix: "Poczekaj kilka minut." },
  other_zone: {
    found: "Za Twoją domenę odpowiadają inne serwery niż te, które prowadzi {provider}.",
    fix: "Dodaj wpis tam, gdzie domena jest teraz zarządzana."
  },
  parking: { found: "Nadal jest tam strona zastępcza dostawcy.", fix: "Usuń jej wpisy albo ją wyłącz." },
  blocked_by_caa: { found: "Jeden z wpisów zabrania certyfikatu.", fix: "Dodaj ten." }
}

const share: Words["share"] = {
  title: "Wyślij to komuś, kto Ci pomoże",
  text: "Ta osoba zobaczy, co trzeba zmienić w {domain}, zrobi to i sprawdzi. Nie może na nic zgodzić się za Ciebie.",
  name: "Twoje imię, żeby było wiadomo, kto prosi",
  send: "Wyślij",
  mail: "Wyślij pocztą",
  qr: "Pokaż kod QR",
  qrText: "Skieruj na niego aparat telefonu.",
  link: "Link",
  subject: "Czy możesz mi pomóc z {domain}?",
  message: "Proszę, zmień dla mnie kilka wpisów domeny {domain}. Ta strona pokazuje które i je sprawdza:",
  ends: "Link działa, dopóki wszystko nie będzie gotowe.",
  revoke: "Wycofaj go",
  revoked: "Link już nie działa.",
  again: "Utwórz nowy link",
  somebody: "Ktoś",
  asks: "{sender} prosi Cię o zmianę {count} wpisów. Domeną zarządza {provider}.",
  asksOne: "{sender} prosi Cię o zmianę jednego wpisu. Domeną zarządza {provider}.",
  waitTitle: "Teraz kolej na: {sender}",
  waitText: "Najpierw potrzebna jest zgoda na zmiany. Potem ta strona sama pójdzie dalej."
}

/** Every text of the component in Polish. */
export const pl: Words = {
  loading: "Chwileczkę",
  newWindow: "otwiera się w nowym oknie",
  notNow: "Nie teraz",
  close: "Zamknij",
  done: "Gotowe",
  back: "Wstecz",
  goOn: "Dalej",
  supportCode: "Dla pomocy technicznej: {code}",
  needHelp: "Potrzebujesz pomocy?",

  entryTitle: "Którą domenę chcesz podłączyć?",
  entryText: "Wpisz domenę, która należy do Ciebie. Na razie nic się nie zmienia.",
  entryLabel: "Twoja domena",
  entryMeant: "Czy chodzi o {name}?",
  entryChoice: "Którego adresu używają odwiedzający?",
  entryInvalid: "To nie jest domena. Wygląda ona tak: sklep.pl.",

  changesTitle: "Podłącz {domain}",
  changesIntro: "To się stanie, jeśli się zgodzisz. Wszystko inne zostaje bez zmian.",
  changesNone: "Wszystko już jest na miejscu. Nic nie trzeba zmieniać.",
  changesAgainTitle: "Spójrz jeszcze raz",
  changesAgainIntro: "Twój dostawca ma zapisane coś innego, niż widzieliśmy wcześniej. Teraz stanie się to.",
  approve: "Wprowadź te zmiany",
  restoreTitle: "Odłącz {domain}",
  restoreIntro: "Wszystko wraca do tego, co było wcześniej.",
  tableCaption: "Co się zmienia w {domain}",
  what: "Wpis",
  today: "Dziś",
  afterwards: "Potem",
  nothing: "nic",
  taken: "zostaje usunięty",
  added: "Nowy",
  changed: "Zmieniony",
  removed: "Usunięty",
  fullValue: "Pokaż całość",
  leftovers: "Zostaje bez zmian",
  leftOut: "Pominięte",
  alreadyThere: "Już na miejscu",

  accessTitle: "Jak mamy wprowadzić zmianę?",
  accessIntro: "Twoją domeną zarządza {provider}. Wybierz, co Ci najbardziej odpowiada.",
  accessIntroUnknown: "Wybierz, co Ci najbardziej odpowiada.",
  providerQuestion: "Kto prowadzi DNS domeny {domain}?",
  providerQuestionText:
    "Kilka firm używa tych samych serwerów. Wybierz tę, na której koncie zmieniasz wpisy swojej domeny.",
  providerOther: "Inna firma",
  oauthTitle: "Zaloguj się: {provider}",
  oauthText: "Tam wyrażasz zgodę na zmianę i od razu wracasz. Nigdy nie widzimy Twojego hasła.",
  oauthButton: "Przejdź do {provider}",
  apiFails: "{provider} w tej chwili odpowiada zawodnie. Ten sposób mimo to działa.",
  linkTitle: "Niech {provider} wprowadzi zmiany",
  providerAdds: "{provider} doda też ten wpis, który pokazuje, że domena należy do Ciebie:",
  providerRemoves: "{provider} usunie te wpisy:",
  providerAlsoRemoved: "{provider} usunął także te wpisy. Jeśli nadal są potrzebne, wprowadź je tam ponownie:",
  tokenTitle: "Kluczem dostępu ({provider})",
  roleTitle: "Rolą ({provider})",
  roleMake:
    "Otwórz AWS CloudShell w drugim oknie, wklej ten tekst i naciśnij Enter. Powstanie rola, która może zmieniać tylko DNS domeny {zone} i której tylko my możemy używać. Następnie skopiuj do pola wiersz, który zaczyna się od arn:.",
  tokenText: "Używamy go tylko do tej zmiany, przechowujemy zaszyfrowany i potem usuwamy.",
  tokenLink: "Pomoc {provider}",
  tokenButton: "Zezwól i podłącz",
  tokenButtonLeaving: "Zezwól i odłącz",
  manualChoiceTitle: "Zrób to samodzielnie",
  manualChoiceText: "Pokażemy krok po kroku, co wpisać, i sprawdzimy to.",
  manualChoiceButton: "Pokaż, co wpisać",
  fieldInvalid: "To nie wygląda dobrze.",
  apiToken: "Token API",
  apiKey: "Klucz API",
  apiSecret: "Sekret API",
  username: "Nazwa użytkownika",
  accountId: "ID konta",
  privateKey: "Klucz prywatny",
  accessKeyId: "ID klucza dostępu",
  secretAccessKey: "Tajny klucz dostępu",
  roleArn: "ARN roli",
  json: "Zawartość pliku JSON z kluczem",
  tenantId: "Identyfikator katalogu (dzierżawy)",
  clientId: "Identyfikator aplikacji (klienta)",
  clientSecret: "Wartość klucza tajnego klienta",
  subscriptionId: "Identyfikator subskrypcji",
  resourceGroup: "Grupa zasobów strefy DNS",
  name: "Nazwa klucza",
  algorithm: "Algorytm",
  secret: "Sekret",

  visitTitle: "Czeka na Ciebie {provider}",
  visitText: "Wyraź tam zgodę na zmianę. Potem wrócisz tu automatycznie.",
  visitOtherWay: "Wybierz inny sposób",

  manualOpen: "Pomoc {provider}",
  manualAdd: "Dodaj ten wpis",
  manualChange: "Zmień ten wpis",
  manualRemove: "Usuń ten wpis",
  priority: "Priorytet",
  copy: "Kopiuj",
  copyWhat: "Kopiuj: {what}",
  copied: "Skopiowano",
  copyByHand: "Przeglądarka nie pozwoliła nam tego skopiować. Tekst jest zaznaczony: skopiuj go ręcznie.",
  zoneFile: "Pobierz jako plik",
  zoneFileText: "Niektórzy dostawcy mogą wczytać nowe wpisy z pliku. Pozostałe zmień i usuń ręcznie.",
  otherWay: "Niech zrobi to ta usługa",
  checkNow: "Sprawdź teraz",
  statusPresent: "Jest",
  statusMissing: "Jeszcze nie ma",
  statusGone: "Usunięty",
  statusRemains: "Nadal jest",
  statusDifferent: "Jest tam coś innego",
  statusUnknown: "Jeszcze niesprawdzone",
  nextLook: "Sprawdzimy ponownie {when}.",
  nextLookSoon: "Właśnie sprawdzamy.",
  progressDelay: "Nie możemy połączyć się z DNS. Próbujemy dalej.",

  progressRequested: "Sprawdzamy {domain}",
  progressRequestedText: "Ustalamy, gdzie domena jest zarządzana i co jest tam ustawione.",
  progressAuthorized: "Odczytujemy Twoje obecne wpisy",
  progressAuthorizedText: "Porównujemy to, co ma zapisane {provider}, z tym, co było pokazane.",
  progressApplying: "Wprowadzamy zmianę",
  progressWritingText: "Możesz zamknąć tę stronę; wszystko potoczy się dalej.",
  progressVerifying: "Czekamy, aż zobaczą to wszyscy",
  progressVerifyingText:
    "Wpisy są ustawione. Zwykle mija kilka minut, zanim dowie się każdy serwer. Możesz zamknąć tę stronę.",
  progressDisconnecting: "Usuwamy wpisy",
  checks: "Na co czekamy",

  successTitle: "{domain}: podłączono",
  successText: "Wszystko jest na miejscu. Od teraz to obserwujemy i powiemy tutaj, jeśli czegoś zabraknie.",
  disconnectedTitle: "{domain}: odłączono",
  degradedTitle: "Czegoś brakuje",
  degradedText: "Domena {domain} była podłączona, ale niektórych wpisów już nie ma.",
  statusLost: "Brakuje",
  lost: "Czego brakuje lub co jest inne",
  repair: "Napraw",
  failureTitle: "To się nie udało",
  tryAgain: "Spróbuj ponownie",
  expiredTitle: "Trwało to zbyt długo",
  expiredText:
    "Podłączanie czekało tak długo, że się zakończyło. Niczego nie zmieniliśmy. To, co wpisano samodzielnie, zostaje. Zacznij od nowa.",
  canceledTitle: "Anulowano",
  canceledText: "Niczego nie zmieniliśmy. To, co wpisano samodzielnie, zostaje.",

  problemOffline: "Nie możemy połączyć się z usługą. Próbujemy dalej.",
  problemStart: "Ta strona nie mogła się uruchomić. Odśwież ją; jeśli to nie pomoże, zapytaj obsługę sklepu.",
  problemSession: "Twoja sesja się skończyła. Odśwież tę stronę, aby kontynuować.",
  problemNotFound: "Nie ma takiego połączenia. Odśwież stronę albo poproś o pomoc.",
  problemStale: "Lista się w międzyczasie zmieniła. Spójrz jeszcze raz.",
  problemRefused: "Teraz nie jest to możliwe. Oto obecny stan.",
  problemInput: "Sprawdź, co zostało wpisane.",
  problemBusy: "W tej chwili jest zbyt wiele żądań. Poczekaj chwilę i spróbuj ponownie.",
  problemUnknown: "Coś poszło nie tak po naszej stronie. Spróbuj ponownie.",

  language: "Język",
  testMode: "Tryb testowy",
  pageTitle: "Podłącz domenę",
  pageClosed: "Możesz już zamknąć tę stronę.",
  linkUsed:
    "Ten link nie jest już ważny. Może domena jest już podłączona; jeśli nie, poproś o nowy link tam, skąd masz ten.",

  kindA: "Adres strony",
  kindAAAA: "Adres strony (IPv6)",
  kindCNAME: "Przekierowanie",
  kindMX: "Doręczanie poczty",
  kindTXT: "Notatka dla innych usług",
  kindSpf: "Kto może wysyłać pocztę",
  kindDmarc: "Ochrona przed fałszywą pocztą",
  kindDkim: "Podpis poczty",
  kindNS: "Odpowiedzialne serwery",
  kindSRV: "Adres usługi",
  kindCAA: "Kto może wystawiać certyfikaty",
  kindOther: "Wpis",

  steps: "Kroki",
  stepCheck: "Sprawdzenie",
  stepReview: "Przegląd",
  stepConnect: "Podłączenie",
  stepLive: "Działa",
  managedAt: "zarządza {provider}",
  theShop: "sklep",
  yourProvider: "Twój dostawca",
  changesSinceIntro: "Od Twojego ostatniego spojrzenia coś się zmieniło. Sprawdź to, co jest zaznaczone.",
  sinceChanged: "Od ostatniego spojrzenia {name} ma nową wartość: {value}",
  sincePlanned: "Od ostatniego spojrzenia dla {name} zaplanowano coś innego: {value}",
  sinceStored: "Zapisane u Twojego dostawcy dla {name}: {value}",
  sinceAdded: "Nowe od ostatniego spojrzenia: {name}",
  sinceRemoved: "Od ostatniego spojrzenia usunięto to, co było pod {name}",
  technicalDetails: "Szczegóły techniczne",
  tickMissing: "Brakuje jeszcze odpowiedzi: sprawdź to, co jest zaznaczone.",
  websiteReplaced: "Dziś odwiedzający {names} widzą inną stronę. Potem zobaczą: {who}.",
  websiteSome: "Dziś odwiedzający {old} widzą inną stronę. Potem odwiedzający {names} zobaczą: {who}.",
  websiteNew: "Dziś odwiedzający {names} nic nie widzą. Potem zobaczą: {who}.",
  websiteBack: "Dziś odwiedzający {names} widzą: {who}. Potem zobaczą to, co było tam wcześniej.",
  websiteGone: "Dziś odwiedzający {names} widzą: {who}. Potem już nie.",
  mailStays: "Zostaje tam, gdzie jest. Nic się nie zmienia.",
  mailStaysAt: "Nadal obsługuje ją {from}. Nic się nie zmienia.",
  mailMoves: "Dziś Twoją pocztę odbiera {from}. Potem będzie ją odbierać {to}.",
  mailBegins: "Dziś {names} nie ma serwera poczty. Potem pocztę będzie odbierać {to}.",
  mailEnds: "Dziś Twoją pocztę odbiera {from}. Potem żadna poczta nie dojdzie do {names}.",
  mailSenders: "Potem {who} może wysyłać pocztę w Twoim imieniu.",
  mailKept: "Twoja poczta zostaje tam, gdzie jest.",
  mailKeptAt: "Twoją pocztę nadal obsługuje {from}.",
  mailMayStop:
    "Dziś poczta trafia na serwer strony. Potem będzie nim {who} i poczta może zginąć. Aby ją zachować, zapytaj najpierw swoją usługę pocztową o wpis „MX”.",
  securityChanged: "Dziś certyfikat ({who}) może zostać odrzucony. Potem będzie dozwolony.",
  proofAdded: "Dziś nic nie pokazuje, że domena jest Twoja. Potem pokaże to wpis; odwiedzający go nie widzą.",
  otherChanged: "Zmieniają się wpisy pod {names}; pokazują je szczegóły techniczne.",
  entriesBack: "Wpisy pod {names} będą takie jak wcześniej.",
  mailQuestion: "Czy odbierasz pocztę pod adresem …\u2060@{names}?",
  mailNo: "Nie, nie odbieram tam poczty",
  mailYes: "Tak, odbieram tam pocztę",
  mailUnsure: "Nie masz pewności? Napisz na taki adres i sprawdź, czy wiadomość dotrze.",
  deedOther: "Tak, to jest przeczytane i tego chcę",
  tokenRights: "Musi pozwalać na odczyt i zmianę DNS domeny {zone}.",
  tokenChoose: "Wybierz tam:",
  tokenMake: "Utwórz go: {provider}",
  tokenOpensAccount: "Ten klucz może zmieniać wszystkie domeny na Twoim koncie.",
  fieldMissing: "Wypełnij to pole.",
  openProvider: "Otwórz {provider} w drugim oknie",
  openUnknown: "Otwórz ustawienia swojej domeny w drugim oknie",
  openWindow: "Otwórz {provider}",
  openRecords: "Otwórz ustawienia DNS domeny {zone}.",
  logIn: "Zaloguj się ({provider}).",
  logInUnknown: "Zaloguj się tam, gdzie domena {zone} została kupiona albo gdzie jest zarządzana.",
  comeBack: "Zostaw tamto okno otwarte i wróć tutaj.",
  nameServers: "Za Twoją domenę odpowiadają te serwery; ich nazwy mówią, kto je prowadzi:",
  byHandEffort: "Zajmie to około {minutes} min: {entries}. Każdy sprawdzimy.",
  entryOne: "1 wpis",
  entryMany: "{count} wpisy | {count} wpisów",
  backOne: "1 wpis do przywrócenia",
  backMany: "{count} wpisy do przywrócenia | {count} wpisów do przywrócenia",
  begin: "Otwarte: zaczynamy",
  tasks: "Wszystkie wpisy",
  taskOf: "{number} z {count} · {deed}",
  atProvider: "Dostawca: {provider}",
  manualChangeTo: "Potem ma wyglądać tak",
  findEntry: "Znajdź ten wpis",
  findEntries: "Znajdź te wpisy: usuń wszystkie oprócz jednego, a ten jeden zmień",
  deleteFirst: "Najpierw usuń ten wpis",
  deleteFirstMany: "Najpierw usuń te wpisy",
  pressAdd: "Naciśnij „{button}” i wpisz",
  pressPublish: "Tam wpis działa dopiero po naciśnięciu „{button}”.",
  leaveEmpty: "zostaw puste",
  orEmpty: "Jeśli strona tego nie przyjmie, zostaw pole puste.",
  orElse: "Jeśli strona tego nie przyjmie:",
  saveThere: "Zapisz to tam. Potem naciśnij przycisk tutaj.",
  taskDone: "Jest. Tu nie ma już nic do zrobienia.",
  taskGone: "Usunięty. Tu nie ma już nic do zrobienia.",
  saved: "Zapisane",
  checkAgain: "Sprawdź ponownie",
  nextTask: "Następny wpis",
  looking: "Sprawdzamy …",
  answerDone: "Gotowe: {done} z {all}.",
  answerSome: "Gotowe: {done} z {all}. Reszty jeszcze nie widać; {provider} często potrzebuje od 1 do {most} minut.",
  answerSlips: "Gotowe: {done} z {all}. To, co oznaczono „{almost}”, nie jest jeszcze dobrze.",
  answerNotYet:
    "Jeszcze nie ma. Czy wpis jest zapisany? {provider} często potrzebuje od 1 do {most} minut; tymczasem możesz iść dalej.",
  answerStillThere:
    "Nadal jest. Czy wpis został usunięty? {provider} często potrzebuje od 1 do {most} minut; tymczasem możesz iść dalej.",
  correctedJustNow: "Jeśli to właśnie poprawiono: {provider} często potrzebuje od 1 do {most} minut.",
  notAllMade: "Zostały jeszcze kroki do zrobienia",
  notAllMadeText: "Zrób te bez znacznika na tej liście, jeden po drugim.",
  allSaved: "Sprawdzamy Twoje zmiany",
  allSavedText:
    "Możesz zamknąć tę stronę; sprawdzamy dalej. Wróć tą samą drogą, żeby zobaczyć, jak to wygląda. Jeśli po {wait} minutach któryś wpis nie ma znacznika, otwórz go na tej liście i sprawdź, czy zmiana jest zapisana.",
  slipsTitle: "Jeszcze nie wszystko jest dobrze",
  slipsText: "To, co oznaczono „{almost}”, trzeba poprawić ({provider}).",
  showSlip: "Pokaż, co poprawić",
  allDone: "Wszystkie zmiany są gotowe",
  allDoneText: "Resztę dokończymy sami.",
  almost: "Prawie.",
  shareButton: "Wyślij komuś, kto się na tym zna",
  deedRemove: "Usuń „{purpose}” pod {name}",
  deedPutBack: "Przywróć „{purpose}” pod {name}",
  deedMail: "Odbieraj pocztę pod {name}",
  deedSpf: "Pozwól wysyłać pocztę z {name}",
  deedDmarc: "Chroń {name} przed fałszywą pocztą",
  deedDkim: "Podpisuj swoją pocztę",
  stageAllowed: "Jest zgoda",
  stageWritten: "Zapisane",
  stageServers: "Widoczne na serwerach Twojej domeny: {showing} z {asked}",
  stageServersSoon: "Widoczne na serwerach Twojej domeny",
  stageEverybody: "Widoczne na serwerach, z których korzystają wszyscy: {showing} z {asked}",
  stageEverybodySoon: "Widoczne dla wszystkich",
  estimate: "Niektórzy odwiedzający mogą jeszcze widzieć starą stronę (najdłużej: {time}).",
  estimateMail: "Część poczty może jeszcze trafiać na stary serwer (najdłużej: {time}).",
  undo: "Aby to cofnąć, odłącz domenę tam, gdzie została podłączona. Wpisy będą takie jak wcześniej. Dawne adresy wracają tylko w ciągu 30 dni.",
  undoByHand:
    "Aby to cofnąć, odłącz domenę tam, gdzie została podłączona. Pokażemy wtedy, które wpisy zmienić z powrotem. Dawne adresy wracają tylko w ciągu 30 dni.",
  websiteNow: "Odwiedzający {names} widzą teraz: {who}.",
  mailNow: "Twoją pocztę odbiera teraz {to}.",
  mailGone: "Poczta do {names} już nie dochodzi.",
  mailBack: "Poczta do {names} trafia tam, gdzie trafiała wcześniej.",
  mailUnnamed: "Dla {names} nie ma usługi pocztowej: poczta może tam nie dochodzić.",
  mailSendersNow: "Od teraz {who} może wysyłać pocztę w Twoim imieniu.",
  mailSendersGone: "Od teraz {who} nie może już wysyłać poczty w Twoim imieniu.",
  whatChanged: "Co się zmieniło",
  putBack: "Przywrócono",
  oldWebsiteBack: "Znów odpowiada tam Twoja stara strona.",
  disconnectedText: "Wpisy są takie jak wcześniej.",
  disconnectedPartly: "Niektórych wpisów nie udało się przywrócić. Są wymienione poniżej.",
  outcomeDone: "Zrobione",
  outcomeNot: "Niezrobione",
  outcomeUnknown: "Może zrobione",
  outcomeLost: "Zrobione i niecofnięte",

  topics,
  taskDeeds,
  fields,
  deeds,
  leftoverReasons,
  hints,
  diagnoses,
  foundInstead: "Zamiast tego widzimy {type} {value}.",
  share,
  warnings,
  failures
}
