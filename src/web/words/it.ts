import type { Words } from "./en.ts"

const warnings: Words["warnings"] = {
  name_servers_disagree:
    "I server del tuo dominio danno risposte diverse. Quello che vedono i visitatori dipende dal caso.",
  spf_record_merged: "Ci aggiungiamo all’elenco dei mittenti già presente. Nessuno viene tolto.",
  spf_existing_sufficient: "Il tuo elenco dei mittenti ci comprende già.",
  spf_policy_replaced: "Cambia ciò che succede alle e-mail di mittenti che non sono nell’elenco.",
  spf_duplicates_collapsed: "C’erano più elenchi di mittenti, quindi nessuno valeva. Diventano uno solo che funziona.",
  spf_lookup_limit_exceeded:
    "L’elenco dei mittenti diventa più lungo di quanto accettino i servizi di posta. Le tue e-mail potrebbero essere respinte.",
  spf_lookup_unknown: "Non siamo riusciti a controllare tutto l’elenco dei mittenti. Potrebbe essere troppo lungo.",
  spf_include_broken:
    "L’elenco dei mittenti rimanda a un elenco che non funziona. Finché non si sistema, le e-mail potrebbero essere respinte.",
  spf_existing_invalid_replaced: "L’elenco dei mittenti conteneva errori. Vengono tolti.",
  spf_excludes_existing_mail:
    "Qui ricevi posta, ma non avevi un elenco dei mittenti. Se invii anche con un altro servizio, aggiungilo.",
  spf_allows_all: "L’elenco dei mittenti permette a chiunque di inviare a tuo nome.",
  dmarc_existing_preserved: "La tua protezione contro le e-mail false è a posto e resta com’è.",
  dmarc_existing_invalid_replaced:
    "La tua protezione contro le e-mail false conteneva errori e viene sostituita con una che funziona.",
  dmarc_policy_weakened: "La protezione contro le e-mail false diventa meno severa: passeranno più e-mail sospette.",
  dmarc_policy_strengthened:
    "La protezione contro le e-mail false diventa più severa: le e-mail di servizi non configurati potrebbero andare perse.",
  dmarc_inherited_from_root: "La protezione contro le e-mail false viene copiata dal dominio principale.",
  dmarc_duplicates_collapsed:
    "C’erano più regole contro le e-mail false, quindi nessuna valeva. Diventano una sola che funziona.",
  dmarc_tag_deprecated: "La tua regola contro le e-mail false ha una parte superata. Non fa danni.",
  dkim_key_replaced:
    "Una chiave che firma le tue e-mail viene sostituita. Quelle firmate con la vecchia non si potranno più verificare.",
  dkim_key_removed:
    "Una chiave che firma le tue e-mail viene eliminata. Quelle firmate con essa non si potranno più verificare.",
  caa_blocks_issuance:
    "Il tuo dominio non permette il certificato di sicurezza necessario. Senza una modifica non ci sarà https.",
  caa_set_created: "D’ora in poi solo le aziende elencate possono emettere certificati di sicurezza.",
  caa_existing_sufficient: "Il tuo dominio permette già il certificato di sicurezza necessario.",
  caa_not_needed: "Qualsiasi azienda può emettere certificati di sicurezza.",
  caa_lookup_unknown: "Non siamo riusciti a sapere quali certificati di sicurezza permette il tuo dominio.",
  cname_replaces_records: "Le altre voci vengono eliminate, perché la nuova deve stare da sola.",
  cname_removed: "Un rinvio viene eliminato. Non porta più dove portava.",
  address_records_replaced: "I visitatori non raggiungono più il sito attuale.",
  website_replaced: "Il sito o il servizio che oggi si trova lì viene sostituito.",
  mx_replaced: "La tua posta passa a un altro servizio. Assicurati che lì esistano le tue caselle.",
  mail_records_removed: "Vengono eliminate voci da cui dipende la tua posta. La posta potrebbe fermarsi.",
  mail_target_changed:
    "Cambia la posizione di un server di posta. Se lì non ne risponde uno, la posta potrebbe fermarsi.",
  service_record_replaced:
    "Alcuni programmi potrebbero non trovare più un servizio, o il suo certificato non si potrà rinnovare.",
  tls_policy_mismatch:
    "Le regole per la consegna cifrata non corrispondono più al tuo server di posta. Le e-mail potrebbero non arrivare.",
  ns_target_changed: "Cambia la posizione di un server che risponde per un dominio.",
  ns_delegation_hides_records: "Le voci sottostanti smettono di funzionare, perché ne risponde un altro servizio.",
  delegation_replaced: "Risponderà un altro servizio. Ciò che è configurato lì oggi smette di funzionare.",
  apex_cname_flattened: "Il tuo fornitore trasforma questa voce in semplici indirizzi. È normale.",
  record_not_served: "Per ora nessuno vedrà questa voce.",
  wildcard_hidden: "Una voce generica non risponde più lì o per un nome superiore.",
  proxied_record_present: "La protezione del tuo fornitore resta.",
  mx_target_unusable: "Le e-mail potrebbero non arrivare: il loro server non ha un indirizzo.",
  null_mx_sender: "Il tuo dominio non riceve posta. Molti rifiutano quella che invia.",
  ttl_adjusted: "",
  txt_value_split: "",
  record_repeated: "",
  host_repeats_domain: "Un nome ripete l’inizio del tuo dominio. Controllalo.",
  optional_record_skipped: "Una voce utile ma facoltativa non si può creare e viene tralasciata.",
  dnssec_signed_zone: "Il tuo dominio è protetto da firme. Il fornitore le rinnova con la modifica.",
  multi_provider_ns: "Due fornitori rispondono per il tuo dominio. Ogni modifica va fatta da entrambi.",
  ns_parent_child_mismatch:
    "Il registro e il tuo fornitore indicano server diversi per il tuo dominio. Il fornitore può aiutarti.",
  other_connection_affected: "Qualcos’altro che hai collegato usa una voce che cambia.",
  control_not_proven: "Nessuno ha dimostrato che il dominio è suo.",
  plan_large_deletion: "Vengono eliminate molte voci del tuo dominio. Controlla bene l’elenco.",
  provider_zone_differs_from_public_dns:
    "Il tuo fornitore ha salvato qualcosa di diverso da ciò che avevamo visto. Questo elenco mostra ciò che è salvato.",
  lookup_unknown: "Non siamo riusciti a controllare tutto. Qui potrebbe mancare una nota."
}

const entriesNotFound = {
  reason: "Non abbiamo trovato le voci in tempo.",
  next: "Confrontale con l’elenco e riprova; noi continuiamo a cercare."
}

const askForHelp = "Chiedi aiuto; riprovare non cambia nulla."
const tryLater = "Riprova tra qualche minuto."
const nothingChanged = "Riprova; questo tentativo non ha modificato nulla."

const failures: Words["failures"] = {
  domain_not_registered: {
    reason: "Questo dominio non è registrato.",
    next: "Controlla come è scritto. Se l’hai appena acquistato, aspetta un’ora e riprova."
  },
  caa_host_is_cname: {
    reason: "Un nome che deve dire chi emette i certificati fa solo da rinvio.",
    next: "Chiedi aiuto al negozio; riprovare non cambia nulla."
  },
  cname_loop: {
    reason: "Questo nome rimanderebbe a sé stesso.",
    next: "Elimina la voce che rimanda indietro e ricomincia."
  },
  domain_has_no_nameservers: {
    reason: "Per questo dominio non risponde ancora nessuno.",
    next: "Accedi dove l’hai acquistato, scegli un fornitore DNS («name server») e riprova."
  },
  zone_not_found: {
    reason: "Il fornitore indicato dal tuo dominio non lo conosce.",
    next: "Accedi presso il fornitore, aggiungi lì il dominio e riprova."
  },
  discovery_timeout: { reason: "I server del tuo dominio non hanno risposto in tempo.", next: tryLater },
  provider_unavailable: { reason: "Il tuo fornitore al momento non risponde.", next: tryLater },
  provider_rate_limited: { reason: "Il tuo fornitore ci chiede di rallentare.", next: tryLater },
  authorization_denied: {
    reason: "Tu, o il tuo fornitore, non avete permesso la modifica.",
    next: "Riprova e permettila, o inserisci tu le modifiche."
  },
  authorization_expired: {
    reason: "Il permesso è scaduto prima che finissimo.",
    next: "Riprova; basta un attimo."
  },
  authorization_revoked: {
    reason: "Il permesso è stato ritirato presso il fornitore.",
    next: "Riprova e concedilo di nuovo."
  },
  authorization_insufficient_scope: {
    reason: "Ciò che ci hai dato non permette di modificare le voci DNS.",
    next: "Crea una chiave che possa leggere e modificare il DNS di questo dominio e riprova."
  },
  authorization_zone_mismatch: {
    reason: "Il dominio non è in questo account.",
    next: "Accedi con l’account in cui si trova il dominio e riprova."
  },
  credential_invalid: {
    reason: "Il tuo fornitore non ha accettato ciò che hai inserito.",
    next: "Copialo di nuovo, senza spazi prima o dopo, e riprova."
  },
  account_not_entitled: {
    reason: "Il tuo account presso il fornitore non consente l’accesso ad altri servizi.",
    next: "Attivalo o estendi lì l’account e riprova, o inserisci tu le modifiche."
  },
  provider_snapshot_timeout: {
    reason: "Il tuo fornitore ha impiegato troppo a inviarci le voci attuali.",
    next: nothingChanged
  },
  provider_snapshot_failed: {
    reason: "Il tuo fornitore non è riuscito a inviarci le voci attuali.",
    next: nothingChanged
  },
  zone_too_large: {
    reason: "Questo dominio ha troppe voci DNS.",
    next: "Aggiungi tu le voci presso il tuo fornitore."
  },
  provider_zone_locked: {
    reason: "Il tuo fornitore ha bloccato questo dominio.",
    next: "Sbloccalo lì, o aspetta che finisca un’altra modifica, e riprova."
  },
  provider_record_locked: {
    reason: "Il tuo fornitore non permette di modificare una delle voci.",
    next: "Chiedigli di sbloccarla e riprova, o inserisci tu le modifiche."
  },
  apex_cname_unsupported: {
    reason: "Il tuo fornitore non può salvare la voce necessaria al dominio senza «www».",
    next: "Collega il nome con «www», o chiedi aiuto."
  },
  record_type_unsupported: {
    reason: "Il tuo fornitore non può salvare un tipo di voce necessario.",
    next: askForHelp
  },
  record_value_rejected: { reason: "Il tuo fornitore non accetta una delle voci.", next: askForHelp },
  spf_merge_impossible: {
    reason: "L’elenco dei mittenti non si può ampliare senza rovinarlo.",
    next: "Chiedi a chi gestisce la tua posta di metterlo in ordine."
  },
  host_delegated_elsewhere: {
    reason: "Per questa parte del tuo dominio risponde un altro servizio.",
    next: "Fai la modifica in quel servizio, o scegli un altro nome."
  },
  plan_too_large: { reason: "Bisognerebbe modificare in una volta più voci di quante possiamo.", next: askForHelp },
  apply_timeout: {
    reason: "Il tuo fornitore ha impiegato troppo a fare la modifica.",
    next: "Riprova; prima guardiamo che cosa è stato fatto."
  },
  apply_rejected: {
    reason: "Il tuo fornitore ha rifiutato la modifica.",
    next: "Riprova, o inserisci tu le modifiche."
  },
  apply_partial: {
    reason: "È stata fatta solo una parte della modifica.",
    next: "Riprova; riprendiamo da dove si è fermata. O inserisci tu il resto."
  },
  verification_timeout: {
    reason: "La modifica è fatta, ma il mondo non la vede ancora.",
    next: "Può volerci un giorno. Riprova più tardi."
  },
  verification_mismatch: {
    reason: "Il mondo vede qualcosa di diverso da ciò che è stato impostato.",
    next: "Forse nel frattempo qualcuno l’ha cambiato. Riprova per controllare di nuovo."
  },
  manual_setup_timeout: entriesNotFound,
  control_unproven: entriesNotFound,
  control_lost: {
    reason: "Ora il dominio è di qualcun altro.",
    next: "Se è tuo, riparalo: lo mostra una nuova voce che solo il proprietario può creare."
  },
  internal_error: { reason: "Qualcosa è andato storto da parte nostra.", next: "Riprova; non è andato perso nulla." }
}

const topics: Words["topics"] = {
  website: "Sito web",
  mail: "Posta",
  security: "Sicurezza",
  proof: "Prova",
  other: "Altro"
}

const taskDeeds: Words["taskDeeds"] = {
  website: "Mostrare il tuo negozio su {name}",
  security: "Permettere il certificato di sicurezza",
  proof: "Dimostrare che il dominio è tuo (a {name})",
  other: "Configurare {name}"
}

const fields: Words["fields"] = {
  type: "Tipo",
  host: "Host",
  value: "Valore",
  priority: "Priorità",
  ttl: "TTL",
  service: "Servizio",
  protocol: "Protocollo",
  weight: "Peso",
  port: "Porta",
  target: "Destinazione",
  address: "Indirizzo IP"
}

const deeds: Words["deeds"] = {
  website_replaced: "Sì, sostituire la pagina su {names}",
  cname_removed: "Sì, togliere il rinvio su {names}",
  mx_replaced: "Sì, spostare la posta di {names}",
  mail_records_removed: "Sì, eliminare le voci di posta di {names}",
  mail_target_changed: "Sì, la posta verso {names} può fermarsi",
  dkim_key_replaced: "Sì, sostituire la chiave di posta di {names}",
  dkim_key_removed: "Sì, eliminare la chiave di posta di {names}",
  spf_excludes_existing_mail: "Sì, solo i servizi elencati possono inviare la mia posta",
  dmarc_policy_weakened: "Sì, rendere meno severa la protezione di {names}",
  dmarc_policy_strengthened: "Sì, rendere più severa la protezione di {names}",
  plan_large_deletion: "Sì, eliminare tutte le voci elencate",
  delegation_replaced: "Sì, far rispondere un altro servizio per {names}",
  wildcard_hidden: "Sì, la voce generica non risponde più per {names}",
  ns_delegation_hides_records: "Sì, le voci sotto {names} smettono di funzionare",
  tls_policy_mismatch: "Sì, cambiare {names}; la posta potrebbe non arrivare",
  spf_include_broken: "Sì, cambiare l’elenco di {names}; la posta potrebbe essere respinta",
  spf_lookup_limit_exceeded: "Sì, cambiare l’elenco di {names}; la posta potrebbe essere respinta"
}

const leftoverReasons: Words["leftoverReasons"] = {
  changed_since: "(qualcuno l’ha modificata nel frattempo)",
  wanted_by_another_connection: "(serve a qualcos’altro)",
  older_than_thirty_days: "(ha più di 30 giorni; la sua destinazione potrebbe essere ormai di altri)",
  target_does_not_resolve: "(la sua destinazione non esiste più)",
  provider_cannot_store: "(il tuo fornitore non la accetta più)",
  zone_gone: "(il dominio non è più presso questo fornitore)",
  manual_setup_timeout: "(non abbiamo visto la modifica in tempo)"
}

const hints: Words["hints"] = {
  create_subdomain_first: "Se la pagina non fa scegliere il nome, crealo prima lì come sottodominio.",
  delete_parking_records: "Elimina prima le voci della pagina provvisoria del fornitore.",
  turn_proxy_off: "Una voce con questo nome ha il proxy attivo. Sostituiscila con la nuova e disattiva il proxy.",
  dns_only: "Disattiva il proxy di questa voce: scegli «Solo DNS».",
  save_and_publish: "Dopo aver salvato, pubblica le modifiche se la pagina lo chiede.",
  confirm_checkbox: "La pagina può chiedere di spuntare una casella prima di salvare.",
  second_factor: "La pagina può chiederti un codice prima di salvare.",
  choose_custom_mail: "Scegli prima lì le tue impostazioni di posta («Custom MX»).",
  apex_alias: "Scegli il tipo ALIAS o ANAME se qui CNAME non è accettato.",
  apex_addresses:
    "Se qui la pagina non accetta un nome, inserisci invece gli indirizzi della destinazione (tipi A e AAAA).",
  apex_redirect: "Oppure chiedi di collegare www e fai reindirizzare lì il dominio stesso.",
  find_who_runs_name_servers: "La fattura del dominio, o chi l’ha configurato, dice chi li gestisce."
}

const diagnoses: Words["diagnoses"] = {
  not_yet: { found: "Non c’è ancora nulla.", fix: "Dopo il salvataggio spesso ci vuole qualche minuto." },
  on_its_way: { found: "È in arrivo.", fix: "Non c’è nulla da fare." },
  old_value_remains: {
    found: "Abbiamo trovato ancora {type} {value}.",
    fix: "Cambialo in questo e salva. Se l’hai già fatto, aspetta qualche minuto."
  },
  also_there: { found: "La voce è giusta, ma accanto c’è {type} {value}.", fix: "Elimina {type} {value}." },
  doubled_zone: {
    found: "Abbiamo trovato {name}.",
    fix: "Il tuo fornitore aggiunge «{zone}» da solo: metti soltanto «{copy}» in «{label}»."
  },
  target_doubled: {
    found: "Abbiamo trovato {value}.",
    fix: "Il tuo fornitore vi aggiunge «{zone}»: metti «{copy}» in «{label}», con il punto."
  },
  quoted: { found: "Nel valore ci sono virgolette.", fix: "Inseriscilo senza." },
  escaped: { found: "Nel valore ci sono barre rovesciate.", fix: "Inseriscilo senza." },
  wrong_host: { found: "L’abbiamo trovata su {name}.", fix: "Metti «{copy}» in «{label}»." },
  wrong_type: { found: "L’abbiamo trovata con il tipo {type}.", fix: "Eliminala e aggiungila con il tipo {wanted}." },
  two_spf: {
    found: "Ci sono due elenchi di mittenti; insieme non valgono.",
    fix: "Tienine una con questo valore ed elimina l’altra."
  },
  two_dmarc: {
    found: "Ci sono due regole contro le e-mail false; insieme non valgono.",
    fix: "Tienine una con questo valore ed elimina l’altra."
  },
  truncated: { found: "C’è solo una parte del valore.", fix: "Copialo tutto." },
  proxied: { found: "Il tuo fornitore risponde con i propri indirizzi.", fix: "Disattiva il proxy per questa voce." },
  flattened: {
    found: "Il tuo fornitore la mostra come semplici indirizzi.",
    fix: "Disattiva questa funzione per la voce."
  },
  only_some_servers: {
    found: "Non la mostrano ancora tutti i server del tuo dominio.",
    fix: "Aspetta qualche minuto."
  },
  other_zone: {
    found: "Per il tuo dominio rispondono server diversi da quelli di {provider}.",
    fix: "Crea la voce dove il dominio è gestito ora."
  },
  parking: {
    found: "C’è ancora la pagina provvisoria del fornitore.",
    fix: "Elimina le sue voci, o disattivala."
  },
  blocked_by_caa: { found: "Una voce vieta il certificato di sicurezza.", fix: "Aggiungi questa." }
}

const share: Words["share"] = {
  title: "Invia a qualcuno che ti aiuta",
  text: "Vede che cosa cambiare per {domain}, lo fa e lo verifica. Non può accettare nulla al posto tuo.",
  name: "Il tuo nome, così sa chi lo chiede",
  send: "Invia",
  mail: "Invia per e-mail",
  qr: "Mostra il codice QR",
  qrText: "Inquadralo con la fotocamera di un telefono.",
  link: "Link",
  subject: "Puoi aiutarmi con {domain}?",
  message: "Per favore, cambia per me alcune voci di {domain}. Questa pagina mostra quali e le verifica:",
  ends: "Il link vale finché tutto è fatto.",
  revoke: "Ritiralo",
  revoked: "Il link non vale più.",
  again: "Crea un nuovo link",
  somebody: "Qualcuno",
  asks: "{sender} ti chiede di cambiare {count} voci presso {provider}.",
  asksOne: "{sender} ti chiede di cambiare una voce presso {provider}.",
  waitTitle: "Ora tocca a {sender}",
  waitText: "Prima bisogna accettare le modifiche. Poi questa pagina prosegue da sola."
}

/** Every text of the component in Italian. */
export const it = {
  loading: "Un momento",
  newWindow: "si apre in una nuova finestra",
  notNow: "Non ora",
  close: "Chiudi",
  done: "Fatto",
  back: "Indietro",
  goOn: "Continua",
  supportCode: "Per l’assistenza: {code}",
  needHelp: "Serve aiuto?",

  entryTitle: "Quale dominio vuoi collegare?",
  entryText: "Scrivi un dominio che è tuo. Per ora non cambia nulla.",
  entryLabel: "Il tuo dominio",
  entryMeant: "Intendi {name}?",
  entryChoice: "Quale indirizzo usano i visitatori?",
  entryInvalid: "Questo non è un dominio. Ha la forma negozio.it.",

  changesTitle: "Collega {domain}",
  changesIntro: "Ecco che cosa succede. Tutto il resto rimane com’è.",
  changesNone: "È già tutto a posto. Non c’è nulla da cambiare.",
  changesAgainTitle: "Guarda ancora una volta",
  changesAgainIntro:
    "Il tuo fornitore ha salvato qualcosa di diverso da ciò che avevamo visto. Ecco che cosa succede ora.",
  approve: "Fai queste modifiche",
  restoreTitle: "Scollega {domain}",
  restoreIntro: "Torna tutto com’era prima.",
  tableCaption: "Che cosa cambia per {domain}",
  what: "Voce",
  today: "Oggi",
  afterwards: "Dopo",
  nothing: "nulla",
  taken: "viene eliminata",
  added: "Nuova",
  changed: "Modificata",
  removed: "Eliminata",
  fullValue: "Mostra tutto",
  leftovers: "Resta com’è",
  leftOut: "Tralasciata",
  alreadyThere: "Già presente",

  accessTitle: "Come facciamo la modifica?",
  accessIntro: "Il tuo dominio è gestito da {provider}. Scegli come preferisci.",
  accessIntroUnknown: "Scegli come preferisci.",
  providerQuestion: "Chi gestisce il DNS di {domain}?",
  providerQuestionText:
    "Diverse aziende usano gli stessi server. Scegli quella nel cui account modifichi le voci del tuo dominio.",
  providerOther: "Un'altra azienda",
  oauthTitle: "Accedi a {provider}",
  oauthText: "Lì permetti la modifica e torni subito qui. Non vediamo mai la tua password.",
  oauthButton: "Continua su {provider}",
  apiFails: "Al momento {provider} non ci risponde in modo affidabile. Questa via funziona comunque.",
  linkTitle: "Lascia che {provider} faccia le modifiche",
  providerAdds: "{provider} aggiungerà anche questa voce, che mostra che il dominio è tuo:",
  providerRemoves: "{provider} toglierà queste voci:",
  providerAlsoRemoved: "{provider} ha tolto anche queste voci. Se ti servono ancora, inseriscile di nuovo lì:",
  tokenTitle: "Con una chiave di accesso di {provider}",
  roleTitle: "Con un ruolo presso {provider}",
  roleMake:
    "Apra AWS CloudShell in un’altra finestra, incolli questo testo e prema Invio. Viene creato un ruolo che può modificare solo il DNS di {zone} e che solo noi possiamo usare. Poi copi nel campo la riga che inizia con arn:.",
  tokenText: "La usiamo solo per questa modifica, la teniamo cifrata e poi la cancelliamo.",
  tokenLink: "Guida di {provider}",
  tokenButton: "Permetti e collega",
  tokenButtonLeaving: "Permetti e scollega",
  manualChoiceTitle: "Fallo tu",
  manualChoiceText: "Ti mostriamo passo per passo che cosa inserire, e lo controlliamo.",
  manualChoiceButton: "Mostra che cosa inserire",
  fieldInvalid: "Non sembra corretto.",
  apiToken: "Token API",
  apiKey: "Chiave API",
  apiSecret: "Segreto API",
  username: "Nome utente",
  accountId: "ID dell’account",
  privateKey: "Chiave privata",
  accessKeyId: "ID della chiave di accesso",
  secretAccessKey: "Chiave di accesso segreta",
  roleArn: "ARN del ruolo",
  json: "Contenuto del file di chiave JSON",
  tenantId: "ID della directory (tenant)",
  clientId: "ID applicazione (client)",
  clientSecret: "Valore del segreto client",
  subscriptionId: "ID sottoscrizione",
  resourceGroup: "Gruppo di risorse della zona DNS",
  name: "Nome della chiave",
  algorithm: "Algoritmo",
  secret: "Segreto",

  visitTitle: "{provider} aspetta la tua risposta",
  visitText: "Permetti lì la modifica. Tornerai qui automaticamente.",
  visitOtherWay: "Scegli un altro modo",

  manualOpen: "Guida di {provider}",
  manualAdd: "Aggiungi questa voce",
  manualChange: "Modifica questa voce",
  manualRemove: "Elimina questa voce",
  priority: "Priorità",
  copy: "Copia",
  copyWhat: "Copia: {what}",
  copied: "Copiato",
  copyByHand: "Il browser non ha permesso la copia. Il testo è selezionato: copialo a mano.",
  zoneFile: "Scarica come file",
  zoneFileText: "Alcuni fornitori importano le nuove voci da un file. Modifica ed elimina le altre a mano.",
  otherWay: "Lascia fare a noi",
  checkNow: "Controlla ora",
  statusPresent: "Trovata",
  statusMissing: "Non c’è ancora",
  statusGone: "Eliminata",
  statusRemains: "C’è ancora",
  statusDifferent: "C’è qualcos’altro",
  statusUnknown: "Non ancora controllata",
  nextLook: "Controlliamo di nuovo {when}.",
  nextLookSoon: "Stiamo controllando.",
  progressDelay: "Non riusciamo a raggiungere il DNS. Continuiamo a provare.",

  progressRequested: "Stiamo guardando {domain}",
  progressRequestedText: "Cerchiamo dove è gestito il tuo dominio e che cosa è configurato lì.",
  progressAuthorized: "Leggiamo le voci attuali",
  progressAuthorizedText: "Confrontiamo ciò che {provider} ha salvato con ciò che hai visto.",
  progressApplying: "Facciamo la modifica",
  progressWritingText: "Puoi chiudere questa pagina; si va avanti senza di te.",
  progressVerifying: "Aspettiamo che lo vedano tutti",
  progressVerifyingText:
    "Le voci sono impostate. Di solito bastano pochi minuti perché lo sappiano tutti i server. Puoi chiudere questa pagina.",
  progressDisconnecting: "Eliminiamo le voci",
  checks: "Che cosa aspettiamo",

  successTitle: "{domain} è collegato",
  successText: "È tutto a posto. D’ora in poi lo teniamo d’occhio e ti diciamo qui se manca qualcosa.",
  disconnectedTitle: "{domain} è scollegato",
  degradedTitle: "Manca qualcosa",
  degradedText: "{domain} era collegato, ma alcune voci non ci sono più.",
  statusLost: "Manca",
  lost: "Che cosa manca o è diverso",
  repair: "Ripara",
  failureTitle: "Non ha funzionato",
  tryAgain: "Riprova",
  expiredTitle: "Ci è voluto troppo",
  expiredText:
    "Il collegamento ha aspettato così a lungo che è terminato. Non abbiamo modificato nulla. Ciò che hai inserito tu resta. Ricomincia.",
  canceledTitle: "Annullato",
  canceledText: "Non abbiamo modificato nulla. Ciò che hai inserito tu resta.",

  problemOffline: "Non riusciamo a raggiungere il servizio. Continuiamo a provare.",
  problemStart: "Questa pagina non è riuscita a partire. Ricaricala; se non basta, chiedi all’assistenza del negozio.",
  problemSession: "La sessione è terminata. Ricarica la pagina per riprendere da dove eri.",
  problemNotFound: "Questo collegamento non esiste. Ricarica la pagina o chiedi aiuto.",
  problemStale: "Nel frattempo l’elenco è cambiato. Guarda ancora una volta.",
  problemRefused: "Al momento non è possibile. Ecco come stanno le cose.",
  problemInput: "Controlla ciò che hai inserito.",
  problemBusy: "Troppe richieste al momento. Aspetta un po’ e riprova.",
  problemUnknown: "Qualcosa è andato storto da parte nostra. Riprova.",

  language: "Lingua",
  testMode: "Modalità di prova",
  pageTitle: "Collega un dominio",
  pageClosed: "Ora puoi chiudere questa pagina.",
  linkUsed: "Questo link non vale più. Forse il dominio è già collegato; altrimenti chiedi un nuovo link.",

  kindA: "Indirizzo web",
  kindAAAA: "Indirizzo web (IPv6)",
  kindCNAME: "Rinvio",
  kindMX: "Consegna della posta",
  kindTXT: "Nota per altri servizi",
  kindSpf: "Chi può inviare posta",
  kindDmarc: "Protezione contro le e-mail false",
  kindDkim: "Firma della posta",
  kindNS: "Server responsabili",
  kindSRV: "Indirizzo di un servizio",
  kindCAA: "Chi può emettere certificati",
  kindOther: "Voce",

  steps: "Passaggi",
  stepCheck: "Verifica",
  stepReview: "Riepilogo",
  stepConnect: "Collegamento",
  stepLive: "Online",
  managedAt: "gestito da {provider}",
  theShop: "il negozio",
  yourProvider: "il tuo fornitore",
  changesSinceIntro: "Qualcosa è cambiato da quando hai guardato. Vedi ciò che è segnato.",
  sinceChanged: "Da quando hai guardato, {name} è cambiato in {value}",
  sincePlanned: "Da quando hai guardato, per {name} è previsto altro: {value}",
  sinceStored: "Salvato presso il tuo fornitore per {name}: {value}",
  sinceAdded: "Nuovo da quando hai guardato: {name}",
  sinceRemoved: "Da quando hai guardato, ciò che c’era in {name} è stato tolto",
  technicalDetails: "Dettagli tecnici",
  tickMissing: "Manca ancora una risposta: vedi ciò che è segnato.",
  websiteReplaced: "Oggi {names} mostra un’altra pagina. Dopo mostrerà {who}.",
  websiteSome: "Oggi {old} mostra un’altra pagina. Dopo {names} mostrerà {who}.",
  websiteNew: "Oggi {names} non mostra nulla. Dopo mostrerà {who}.",
  websiteBack: "Oggi {names} mostra {who}. Dopo mostrerà ciò che mostrava prima.",
  websiteGone: "Oggi {names} mostra {who}. Dopo non più.",
  mailStays: "Resta dov’è. Non cambia nulla.",
  mailStaysAt: "Resta presso {from}. Non cambia nulla.",
  mailMoves: "Oggi la tua posta arriva a {from}. Dopo arriverà a {to}.",
  mailBegins: "Oggi per {names} non è indicato alcun server di posta. Dopo la posta arriverà a {to}.",
  mailEnds: "Oggi la tua posta arriva a {from}. Dopo non arriverà posta a {names}.",
  mailSenders: "Dopo {who} potrà inviare posta per te.",
  mailKept: "La tua posta resta dov’è.",
  mailKeptAt: "La tua posta resta presso {from}.",
  mailMayStop:
    "Oggi la posta va al server della pagina. Dopo quello sarà {who}, e la posta può andare persa. Per conservarla, chiedi prima al tuo servizio di posta la sua voce «MX».",
  securityChanged: "Oggi il certificato di sicurezza ({who}) può essere rifiutato. Dopo sarà permesso.",
  proofAdded: "Oggi nulla mostra che il dominio è tuo. Dopo lo farà una voce; i visitatori non la vedono.",
  otherChanged: "Cambiano voci di {names}, come mostrano i dettagli tecnici.",
  entriesBack: "Le voci di {names} tornano com’erano prima.",
  mailQuestion: "Ricevi posta a …\u2060@{names}?",
  mailNo: "No, lì non ricevo posta",
  mailYes: "Sì, lì ricevo posta",
  mailUnsure: "Non ne sei sicuro? Scrivi a un indirizzo così e guarda se il messaggio arriva.",
  deedOther: "Sì, ho letto e lo voglio",
  tokenRights: "Deve poter leggere e modificare il DNS di {zone}.",
  tokenChoose: "Scegli lì:",
  tokenMake: "Creane una presso {provider}",
  tokenOpensAccount: "Questa chiave può modificare tutti i domini del tuo account.",
  fieldMissing: "Compila questo campo.",
  openProvider: "Apri {provider} in una seconda finestra",
  openUnknown: "Apri le impostazioni del tuo dominio in una seconda finestra",
  openWindow: "Apri {provider}",
  openRecords: "Apri le impostazioni DNS di {zone}.",
  logIn: "Accedi a {provider}.",
  logInUnknown: "Accedi dove hai acquistato {zone}, o dove è gestito.",
  comeBack: "Lascia aperta quella finestra e torna qui.",
  nameServers: "Questi server rispondono per il tuo dominio; i loro nomi dicono chi li gestisce:",
  byHandEffort: "Ci vogliono circa {minutes} minuti: {entries}. Le controlliamo una per una.",
  entryOne: "1 voce",
  entryMany: "{count} voci",
  backOne: "1 voce da ripristinare",
  backMany: "{count} voci da ripristinare",
  begin: "È aperta: inizia",
  tasks: "Tutte le voci",
  taskOf: "{number} di {count} · {deed}",
  atProvider: "Presso {provider}",
  manualChangeTo: "Modificala così",
  findEntry: "Cerca questa voce",
  findEntries: "Cerca queste voci: eliminale tutte tranne una e modifica quella",
  deleteFirst: "Elimina prima questa voce",
  deleteFirstMany: "Elimina prima queste voci",
  pressAdd: "Premi «{button}» e compila",
  pressPublish: "Lì una voce vale solo dopo aver premuto «{button}».",
  leaveEmpty: "lascia vuoto",
  orEmpty: "Se non è accettato, lascia vuoto il campo.",
  orElse: "Se non è accettato:",
  saveThere: "Salva lì. Poi premi qui il pulsante.",
  taskDone: "Trovata. Qui non c’è più nulla da fare.",
  taskGone: "Eliminata. Qui non c’è più nulla da fare.",
  saved: "Ho salvato",
  checkAgain: "Controlla di nuovo",
  nextTask: "Voce successiva",
  looking: "Controlliamo …",
  answerDone: "Fatto: {done} di {all}.",
  answerSome: "Fatto: {done} di {all}. Il resto non si vede ancora; {provider} impiega spesso da 1 a {most} minuti.",
  answerSlips: "Fatto: {done} di {all}. Ciò che è segnato «{almost}» non è ancora giusto.",
  answerNotYet: "Non c’è ancora; {provider} impiega spesso da 1 a {most} minuti. Hai salvato? Intanto puoi continuare.",
  answerStillThere:
    "C’è ancora; {provider} impiega spesso da 1 a {most} minuti. L’hai eliminata? Intanto puoi continuare.",
  correctedJustNow: "Se l’hai appena corretto: {provider} impiega spesso da 1 a {most} minuti.",
  notAllMade: "Mancano ancora alcuni passi",
  notAllMadeText: "Fai quelli senza spunta in questo elenco, uno dopo l’altro.",
  allSaved: "Controlliamo le tue modifiche",
  allSavedText:
    "Puoi chiudere questa pagina; noi continuiamo. Torna per la stessa via per vedere a che punto siamo. Se dopo {wait} minuti una voce non ha la spunta, aprila in questo elenco e guarda se hai salvato.",
  slipsTitle: "Non è ancora tutto giusto",
  slipsText: "Ciò che è segnato «{almost}» va corretto presso {provider}.",
  showSlip: "Mostra che cosa correggere",
  allDone: "Tutte le modifiche sono fatte",
  allDoneText: "Al resto pensiamo noi.",
  almost: "Quasi.",
  shareButton: "Invia a chi segue il mio sito",
  deedRemove: "Eliminare «{purpose}» di {name}",
  deedPutBack: "Ripristinare «{purpose}» di {name}",
  deedMail: "Ricevere la posta a {name}",
  deedSpf: "Permettere l’invio di posta per {name}",
  deedDmarc: "Proteggere {name} dalle e-mail false",
  deedDkim: "Firmare la tua posta",
  stageAllowed: "Permesso",
  stageWritten: "Scritto",
  stageServers: "Visibile su {showing} di {asked} server del tuo dominio",
  stageServersSoon: "Visibile sui server del tuo dominio",
  stageEverybody: "Visibile su {showing} di {asked} server che usano tutti",
  stageEverybodySoon: "Visibile a tutti",
  estimate: "Alcuni visitatori possono vedere la vecchia pagina ancora per {time}.",
  estimateMail: "Parte della posta può ancora arrivare al vecchio server (al massimo: {time}).",
  undo: "Per annullare, scollega il dominio dove l’hai collegato. Le voci tornano com’erano prima. I vecchi indirizzi tornano solo entro 30 giorni.",
  undoByHand:
    "Per annullare, scollega il dominio dove l’hai collegato. Ti mostriamo allora quali voci rimettere com’erano. I vecchi indirizzi tornano solo entro 30 giorni.",
  websiteNow: "{names} ora mostra {who}.",
  mailNow: "La tua posta ora arriva a {to}.",
  mailGone: "La posta a {names} non arriva più.",
  mailBack: "La posta di {names} va dove andava prima.",
  mailUnnamed: "Per {names} non è indicato alcun servizio di posta: la posta può non arrivare.",
  mailSendersNow: "Da ora {who} può inviare posta per te.",
  mailSendersGone: "Da ora {who} non può più inviare posta per te.",
  whatChanged: "Che cosa è cambiato",
  putBack: "Ripristinata",
  oldWebsiteBack: "Lì risponde di nuovo il tuo vecchio sito.",
  disconnectedText: "Le voci sono com’erano prima.",
  disconnectedPartly: "Alcune voci non si sono potute ripristinare. Sono elencate sotto.",
  outcomeDone: "Fatto",
  outcomeNot: "Non fatto",
  outcomeUnknown: "Forse fatto",
  outcomeLost: "Fatto e non annullato",

  topics,
  taskDeeds,
  fields,
  deeds,
  leftoverReasons,
  hints,
  diagnoses,
  foundInstead: "Abbiamo trovato invece {type} {value}.",
  share,
  warnings,
  failures
} satisfies Words
