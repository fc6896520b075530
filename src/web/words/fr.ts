import type { Words } from "./en.ts"

const warnings: Words["warnings"] = {
  name_servers_disagree:
    "Les serveurs de votre domaine donnent des réponses différentes. Ce que voient vos visiteurs dépend du hasard.",
  spf_record_merged: "Nous nous ajoutons à la liste d’expéditeurs existante. Personne n’en est retiré.",
  spf_existing_sufficient: "Votre liste d’expéditeurs nous contient déjà.",
  spf_policy_replaced: "Le sort des e-mails dont l’expéditeur n’est pas sur votre liste change.",
  spf_duplicates_collapsed:
    "Il y avait plusieurs listes d’expéditeurs, donc aucune n’était valable. Elles deviennent une seule, qui fonctionne.",
  spf_lookup_limit_exceeded:
    "Votre liste d’expéditeurs devient plus longue que ce qu’acceptent les messageries. Vos e-mails peuvent être refusés.",
  spf_lookup_unknown: "Nous n’avons pas pu vérifier toute la liste d’expéditeurs. Elle est peut-être trop longue.",
  spf_include_broken:
    "Votre liste d’expéditeurs renvoie à une liste qui ne fonctionne pas. Tant que ce n’est pas réparé, vos e-mails peuvent être refusés.",
  spf_existing_invalid_replaced: "Votre liste d’expéditeurs contenait des erreurs. Elles sont supprimées.",
  spf_excludes_existing_mail:
    "Vous recevez des e-mails ici sans liste d’expéditeurs. Si vous envoyez aussi par un autre service, ajoutez-le à la liste.",
  spf_allows_all: "Votre liste d’expéditeurs permet à n’importe qui d’envoyer en votre nom.",
  dmarc_existing_preserved: "Votre protection contre les faux e-mails est en ordre et reste telle quelle.",
  dmarc_existing_invalid_replaced:
    "Votre protection contre les faux e-mails contenait des erreurs ; elle est remplacée par une qui fonctionne.",
  dmarc_policy_weakened:
    "Votre protection contre les faux e-mails devient plus souple : davantage d’e-mails suspects passeront.",
  dmarc_policy_strengthened:
    "Votre protection contre les faux e-mails devient plus stricte : les e-mails de services non déclarés peuvent se perdre.",
  dmarc_inherited_from_root: "La protection contre les faux e-mails est reprise de votre domaine principal.",
  dmarc_duplicates_collapsed:
    "Il y avait plusieurs règles contre les faux e-mails, donc aucune n’était valable. Elles deviennent une seule, qui fonctionne.",
  dmarc_tag_deprecated: "Votre règle contre les faux e-mails contient une partie dépassée, sans conséquence.",
  dkim_key_replaced:
    "Une clé qui signe vos e-mails est remplacée. Ceux signés avec l’ancienne ne pourront plus être vérifiés.",
  dkim_key_removed:
    "Une clé qui signe vos e-mails est supprimée. Ceux signés avec elle ne pourront plus être vérifiés.",
  caa_blocks_issuance:
    "Votre domaine n’autorise pas le certificat de sécurité nécessaire. Sans changement, il n’y aura pas de https.",
  caa_set_created: "Désormais, seules les entreprises listées peuvent délivrer des certificats de sécurité.",
  caa_existing_sufficient: "Votre domaine autorise déjà le certificat de sécurité nécessaire.",
  caa_not_needed: "Toute entreprise peut délivrer des certificats de sécurité.",
  caa_lookup_unknown: "Nous n’avons pas pu savoir quels certificats de sécurité votre domaine autorise.",
  cname_replaces_records: "Les autres entrées sont supprimées, car la nouvelle doit être seule.",
  cname_removed: "Un renvoi est supprimé. Il ne mène plus à sa destination.",
  address_records_replaced: "Les visiteurs n’arrivent plus sur le site actuel.",
  website_replaced: "Le site ou le service qui s’y trouve aujourd’hui est remplacé.",
  mx_replaced: "Vos e-mails vont vers une autre messagerie. Vérifiez que vos boîtes y existent.",
  mail_records_removed: "Des entrées dont dépendent vos e-mails sont supprimées. Les e-mails peuvent s’arrêter.",
  mail_target_changed:
    "L’emplacement d’un serveur de messagerie change. Si aucun serveur n’y répond, les e-mails peuvent s’arrêter.",
  service_record_replaced:
    "Des programmes peuvent ne plus trouver un service, ou son certificat ne plus être renouvelé.",
  tls_policy_mismatch:
    "Les règles de réception chiffrée ne correspondent plus à votre messagerie. Des e-mails peuvent ne pas arriver.",
  ns_target_changed: "L’emplacement d’un serveur qui répond pour un domaine change.",
  ns_delegation_hides_records: "Les entrées en dessous cessent de fonctionner, car un autre service y répond.",
  delegation_replaced: "Un autre service répondra. Ce qui y est configuré aujourd’hui cesse de fonctionner.",
  apex_cname_flattened: "Votre fournisseur transforme cette entrée en simples adresses. C’est normal.",
  record_not_served: "Personne ne verra encore cette entrée.",
  wildcard_hidden: "Une entrée générale n’y répond plus, ou plus pour un nom au-dessus.",
  proxied_record_present: "La protection de votre fournisseur reste.",
  mx_target_unusable: "Les e-mails peuvent ne pas arriver : leur serveur n’a pas d’adresse.",
  null_mx_sender: "Votre domaine ne reçoit pas d’e-mails. Beaucoup refusent ce qu’il envoie.",
  ttl_adjusted: "",
  txt_value_split: "",
  record_repeated: "",
  host_repeats_domain: "Un nom répète le début de votre domaine. Vérifiez-le.",
  optional_record_skipped: "Une entrée utile mais facultative ne peut pas être créée et est laissée de côté.",
  dnssec_signed_zone:
    "Votre domaine est protégé par des signatures. Votre fournisseur les renouvelle avec le changement.",
  multi_provider_ns: "Deux fournisseurs répondent pour votre domaine. Chaque changement doit être fait chez les deux.",
  ns_parent_child_mismatch:
    "Le registre et votre fournisseur indiquent des serveurs différents pour votre domaine. Votre fournisseur peut vous aider.",
  other_connection_affected: "Autre chose que vous avez connecté utilise une entrée qui change.",
  control_not_proven: "Personne n’a prouvé que le domaine lui appartient.",
  plan_large_deletion: "Beaucoup d’entrées de votre domaine sont supprimées. Lisez la liste avec soin.",
  provider_zone_differs_from_public_dns:
    "Ce que votre fournisseur a enregistré diffère de ce que nous avions vu. Cette liste montre ce qui est enregistré.",
  lookup_unknown: "Nous n’avons pas pu tout vérifier. Il peut manquer une remarque."
}

const entriesNotFound = {
  reason: "Nous n’avons pas trouvé les entrées à temps.",
  next: "Comparez-les avec la liste et réessayez ; nous continuons de chercher."
}

const askForHelp = "Demandez de l’aide ; réessayer n’y change rien."
const tryLater = "Réessayez dans quelques minutes."
const nothingChanged = "Réessayez ; cet essai n’a rien modifié."

const failures: Words["failures"] = {
  domain_not_registered: {
    reason: "Ce domaine n’est pas enregistré.",
    next: "Vérifiez l’orthographe. Si vous venez de l’acheter, attendez une heure et réessayez."
  },
  caa_host_is_cname: {
    reason: "Un nom qui doit dire qui délivre les certificats ne fait que renvoyer ailleurs.",
    next: "Demandez de l’aide à la boutique ; réessayer n’y change rien."
  },
  cname_loop: { reason: "Ce nom renverrait à lui-même.", next: "Supprimez l’entrée qui y renvoie, puis recommencez." },
  domain_has_no_nameservers: {
    reason: "Personne ne répond encore pour ce domaine.",
    next: "Connectez-vous là où vous l’avez acheté, choisissez un fournisseur DNS (« serveurs de noms »), puis réessayez."
  },
  zone_not_found: {
    reason: "Le fournisseur indiqué par votre domaine ne le connaît pas.",
    next: "Connectez-vous chez lui, ajoutez-y le domaine, puis réessayez."
  },
  discovery_timeout: { reason: "Les serveurs de votre domaine n’ont pas répondu à temps.", next: tryLater },
  provider_unavailable: { reason: "Votre fournisseur ne répond pas pour le moment.", next: tryLater },
  provider_rate_limited: { reason: "Votre fournisseur nous demande de ralentir.", next: tryLater },
  authorization_denied: {
    reason: "Vous, ou votre fournisseur, n’avez pas autorisé le changement.",
    next: "Réessayez et autorisez-le, ou saisissez les changements vous-même."
  },
  authorization_expired: {
    reason: "L’autorisation a expiré avant que nous ayons fini.",
    next: "Réessayez ; cela ne prend qu’un instant."
  },
  authorization_revoked: {
    reason: "L’autorisation a été retirée chez votre fournisseur.",
    next: "Réessayez et autorisez encore une fois."
  },
  authorization_insufficient_scope: {
    reason: "Ce que vous nous avez donné ne permet pas de modifier les entrées DNS.",
    next: "Créez une clé qui peut lire et modifier le DNS de ce domaine, puis réessayez."
  },
  authorization_zone_mismatch: {
    reason: "Ce compte ne contient pas le domaine.",
    next: "Connectez-vous avec le compte où se trouve le domaine, puis réessayez."
  },
  credential_invalid: {
    reason: "Votre fournisseur n’a pas accepté ce que vous avez saisi.",
    next: "Copiez-le encore une fois, sans espace avant ni après, puis réessayez."
  },
  account_not_entitled: {
    reason: "Votre compte chez votre fournisseur n’autorise pas l’accès d’autres services.",
    next: "Activez-le ou ajoutez-le à votre offre, puis réessayez, ou saisissez les changements vous-même."
  },
  provider_snapshot_timeout: {
    reason: "Votre fournisseur a mis trop de temps à nous envoyer vos entrées.",
    next: nothingChanged
  },
  provider_snapshot_failed: { reason: "Votre fournisseur n’a pas pu nous envoyer vos entrées.", next: nothingChanged },
  zone_too_large: {
    reason: "Ce domaine a trop d’entrées DNS.",
    next: "Ajoutez vous-même les entrées chez votre fournisseur."
  },
  provider_zone_locked: {
    reason: "Votre fournisseur a verrouillé ce domaine.",
    next: "Déverrouillez-le chez lui, ou attendez la fin d’un autre changement, puis réessayez."
  },
  provider_record_locked: {
    reason: "Votre fournisseur ne laisse personne modifier l’une des entrées.",
    next: "Demandez-lui de la déverrouiller et réessayez, ou saisissez les changements vous-même."
  },
  apex_cname_unsupported: {
    reason: "Votre fournisseur ne peut pas enregistrer l’entrée nécessaire au domaine sans « www ».",
    next: "Connectez plutôt le nom avec « www », ou demandez de l’aide."
  },
  record_type_unsupported: {
    reason: "Votre fournisseur ne peut pas enregistrer un type d’entrée nécessaire.",
    next: askForHelp
  },
  record_value_rejected: { reason: "Votre fournisseur n’accepte pas l’une des entrées.", next: askForHelp },
  spf_merge_impossible: {
    reason: "Votre liste d’expéditeurs ne peut pas être complétée sans l’abîmer.",
    next: "Demandez à la personne qui gère vos e-mails de la remettre en ordre."
  },
  host_delegated_elsewhere: {
    reason: "Un autre service répond pour cette partie de votre domaine.",
    next: "Faites le changement dans ce service, ou choisissez un autre nom."
  },
  plan_too_large: { reason: "Il faudrait changer plus d’entrées à la fois que nous ne le pouvons.", next: askForHelp },
  apply_timeout: {
    reason: "Votre fournisseur a mis trop de temps à faire le changement.",
    next: "Réessayez ; nous regardons d’abord ce qui est fait."
  },
  apply_rejected: {
    reason: "Votre fournisseur a refusé le changement.",
    next: "Réessayez, ou saisissez les changements vous-même."
  },
  apply_partial: {
    reason: "Seule une partie du changement a été faite.",
    next: "Réessayez ; nous reprenons là où cela s’est arrêté. Ou saisissez le reste vous-même."
  },
  verification_timeout: {
    reason: "Le changement est fait, mais le monde ne le voit pas encore.",
    next: "Cela peut prendre un jour. Réessayez plus tard."
  },
  verification_mismatch: {
    reason: "Le monde voit autre chose que ce qui a été configuré.",
    next: "Quelqu’un l’a peut-être modifié depuis. Réessayez pour vérifier encore."
  },
  manual_setup_timeout: entriesNotFound,
  control_unproven: entriesNotFound,
  control_lost: {
    reason: "Le domaine appartient maintenant à quelqu’un d’autre.",
    next: "S’il est à vous, réparez-le : une nouvelle entrée le montre, que seul son propriétaire peut faire."
  },
  internal_error: { reason: "Une erreur s’est produite chez nous.", next: "Réessayez ; rien n’est perdu." }
}

const topics: Words["topics"] = {
  website: "Site web",
  mail: "E-mail",
  security: "Sécurité",
  proof: "Preuve",
  other: "Autre"
}

const taskDeeds: Words["taskDeeds"] = {
  website: "Afficher votre boutique sur {name}",
  security: "Autoriser le certificat de sécurité",
  proof: "Prouver que le domaine est à vous (à {name})",
  other: "Configurer {name}"
}

const fields: Words["fields"] = {
  type: "Type",
  host: "Hôte",
  value: "Valeur",
  priority: "Priorité",
  ttl: "TTL",
  service: "Service",
  protocol: "Protocole",
  weight: "Poids",
  port: "Port",
  target: "Cible",
  address: "Adresse IP"
}

const deeds: Words["deeds"] = {
  website_replaced: "Oui, remplacer la page sur {names}",
  cname_removed: "Oui, arrêter le renvoi sur {names}",
  mx_replaced: "Oui, déplacer les e-mails de {names}",
  mail_records_removed: "Oui, supprimer les entrées e-mail de {names}",
  mail_target_changed: "Oui, les e-mails vers {names} peuvent s’arrêter",
  dkim_key_replaced: "Oui, remplacer la clé e-mail de {names}",
  dkim_key_removed: "Oui, supprimer la clé e-mail de {names}",
  spf_excludes_existing_mail: "Oui, seuls les services listés peuvent envoyer mes e-mails",
  dmarc_policy_weakened: "Oui, assouplir la protection de {names}",
  dmarc_policy_strengthened: "Oui, durcir la protection de {names}",
  plan_large_deletion: "Oui, supprimer toutes les entrées listées",
  delegation_replaced: "Oui, laisser un autre service répondre pour {names}",
  wildcard_hidden: "Oui, l’entrée générale ne répond plus pour {names}",
  ns_delegation_hides_records: "Oui, les entrées sous {names} cessent de fonctionner",
  tls_policy_mismatch: "Oui, modifier {names} ; des e-mails peuvent ne pas arriver",
  spf_include_broken: "Oui, modifier la liste de {names} ; des e-mails peuvent être refusés",
  spf_lookup_limit_exceeded: "Oui, modifier la liste de {names} ; des e-mails peuvent être refusés"
}

const leftoverReasons: Words["leftoverReasons"] = {
  changed_since: "(quelqu’un l’a modifiée depuis)",
  wanted_by_another_connection: "(autre chose en a besoin)",
  older_than_thirty_days: "(elle a plus de 30 jours ; sa cible appartient peut-être à quelqu’un d’autre)",
  target_does_not_resolve: "(sa cible n’existe plus)",
  provider_cannot_store: "(votre fournisseur ne l’accepte plus)",
  zone_gone: "(le domaine n’est plus chez ce fournisseur)",
  manual_setup_timeout: "(nous n’avons pas vu le changement à temps)"
}

const hints: Words["hints"] = {
  create_subdomain_first: "Si la page ne permet pas de choisir le nom, créez-le d’abord comme sous-domaine.",
  delete_parking_records: "Supprimez d’abord les entrées de la page d’attente du fournisseur.",
  turn_proxy_off: "Une entrée de ce nom passe par un proxy. Remplacez-la par la nouvelle, et désactivez le proxy.",
  dns_only: "Désactivez le proxy de cette entrée : choisissez « DNS uniquement ».",
  save_and_publish: "Après l’enregistrement, publiez les changements si la page le demande.",
  confirm_checkbox: "La page peut demander de cocher une case avant d’enregistrer.",
  second_factor: "La page peut vous demander un code avant d’enregistrer.",
  choose_custom_mail: "Choisissez-y d’abord vos propres réglages e-mail (« Custom MX »).",
  apex_alias: "Choisissez le type ALIAS ou ANAME si CNAME n’est pas accepté ici.",
  apex_addresses:
    "Si la page n’accepte pas de nom ici, saisissez à la place les adresses de la cible (types A et AAAA).",
  apex_redirect: "Ou demandez à connecter plutôt www, et redirigez le domaine lui-même vers cette adresse.",
  find_who_runs_name_servers: "La facture de votre domaine, ou la personne qui l’a installé, dit qui les gère."
}

const diagnoses: Words["diagnoses"] = {
  not_yet: { found: "Il n’y a encore rien.", fix: "Souvent, cela prend quelques minutes après l’enregistrement." },
  on_its_way: { found: "C’est en route.", fix: "Il n’y a rien à faire." },
  old_value_remains: {
    found: "Nous avons encore trouvé {type} {value}.",
    fix: "Remplacez par ceci, puis enregistrez. Si c’est fait, attendez quelques minutes."
  },
  also_there: { found: "L’entrée est bonne, mais à côté il y a {type} {value}.", fix: "Supprimez {type} {value}." },
  doubled_zone: {
    found: "Nous avons trouvé {name}.",
    fix: "Votre fournisseur ajoute lui-même « {zone} » : mettez seulement « {copy} » dans « {label} »."
  },
  target_doubled: {
    found: "Nous avons trouvé {value}.",
    fix: "Votre fournisseur y ajoute « {zone} » : mettez « {copy} » dans « {label} », avec le point."
  },
  quoted: { found: "Il y a des guillemets dans la valeur.", fix: "Saisissez-la sans guillemets." },
  escaped: { found: "Il y a des barres obliques inverses dans la valeur.", fix: "Saisissez-la sans elles." },
  wrong_host: { found: "Nous l’avons trouvée sur {name}.", fix: "Mettez « {copy} » dans « {label} »." },
  wrong_type: {
    found: "Nous l’avons trouvée avec le type {type}.",
    fix: "Supprimez-la et ajoutez-la avec le type {wanted}."
  },
  two_spf: {
    found: "Il y a deux listes d’expéditeurs ; ensemble, elles ne valent rien.",
    fix: "Gardez-en une avec cette valeur et supprimez l’autre."
  },
  two_dmarc: {
    found: "Il y a deux règles contre les faux e-mails ; ensemble, elles ne valent rien.",
    fix: "Gardez-en une avec cette valeur et supprimez l’autre."
  },
  truncated: { found: "Il n’y a qu’une partie de la valeur.", fix: "Copiez-la en entier." },
  proxied: {
    found: "Votre fournisseur répond avec ses propres adresses.",
    fix: "Désactivez le proxy pour cette entrée."
  },
  flattened: {
    found: "Votre fournisseur l’affiche comme de simples adresses.",
    fix: "Désactivez cela pour cette entrée."
  },
  only_some_servers: {
    found: "Les serveurs de votre domaine ne la montrent pas encore tous.",
    fix: "Attendez quelques minutes."
  },
  other_zone: {
    found: "D’autres serveurs que ceux de {provider} répondent pour votre domaine.",
    fix: "Créez l’entrée là où votre domaine est géré maintenant."
  },
  parking: {
    found: "La page d’attente de votre fournisseur est encore là.",
    fix: "Supprimez ses entrées, ou désactivez-la."
  },
  blocked_by_caa: { found: "Une entrée interdit le certificat de sécurité.", fix: "Ajoutez celle-ci." }
}

const share: Words["share"] = {
  title: "Envoyer à quelqu’un qui vous aide",
  text: "Cette personne voit quoi changer pour {domain}, le fait et le vérifie. Elle ne peut rien accepter à votre place.",
  name: "Votre nom, pour qu’elle sache qui demande",
  send: "Envoyer",
  mail: "Envoyer par e-mail",
  qr: "Afficher le QR code",
  qrText: "Visez-le avec l’appareil photo d’un téléphone.",
  link: "Lien",
  subject: "Pouvez-vous m’aider avec {domain} ?",
  message: "Merci de changer quelques entrées de {domain} pour moi. Cette page montre lesquelles et les vérifie :",
  ends: "Le lien fonctionne jusqu’à ce que tout soit fait.",
  revoke: "Le retirer",
  revoked: "Le lien ne fonctionne plus.",
  again: "Créer un nouveau lien",
  somebody: "Quelqu’un",
  asks: "{sender} vous demande de changer {count} entrées chez {provider}.",
  asksOne: "{sender} vous demande de changer une entrée chez {provider}.",
  waitTitle: "C’est au tour de {sender}",
  waitText: "Il faut d’abord accepter les changements. Ensuite, cette page continue toute seule."
}

/** Every text of the component in French. */
export const fr = {
  loading: "Un instant",
  newWindow: "s’ouvre dans une nouvelle fenêtre",
  notNow: "Pas maintenant",
  close: "Fermer",
  done: "Terminé",
  back: "Retour",
  goOn: "Continuer",
  supportCode: "Pour l’assistance : {code}",
  needHelp: "Besoin d’aide ?",

  entryTitle: "Quel domaine voulez-vous connecter ?",
  entryText: "Saisissez un domaine qui vous appartient. Rien ne change encore.",
  entryLabel: "Votre domaine",
  entryMeant: "Voulez-vous dire {name} ?",
  entryChoice: "Quelle adresse les visiteurs utilisent-ils ?",
  entryInvalid: "Ce n’est pas un domaine. Il ressemble à boutique.fr.",

  changesTitle: "Connecter {domain}",
  changesIntro: "Voici ce qui se passe. Tout le reste ne change pas.",
  changesNone: "Tout est déjà en place. Il n’y a rien à changer.",
  changesAgainTitle: "Regardez encore une fois",
  changesAgainIntro:
    "Votre fournisseur a enregistré autre chose que ce que nous avions vu. Voici ce qui se passe maintenant.",
  approve: "Faire ces changements",
  restoreTitle: "Déconnecter {domain}",
  restoreIntro: "Tout redevient comme avant.",
  tableCaption: "Ce qui change pour {domain}",
  what: "Entrée",
  today: "Aujourd’hui",
  afterwards: "Ensuite",
  nothing: "rien",
  taken: "est supprimée",
  added: "Nouvelle",
  changed: "Modifiée",
  removed: "Supprimée",
  fullValue: "Tout afficher",
  leftovers: "Reste tel quel",
  leftOut: "Laissée de côté",
  alreadyThere: "Déjà en place",

  accessTitle: "Comment faire le changement ?",
  accessIntro: "Votre domaine est géré chez {provider}. Choisissez ce qui vous convient.",
  accessIntroUnknown: "Choisissez ce qui vous convient.",
  providerQuestion: "Qui gère le DNS de {domain} ?",
  providerQuestionText:
    "Plusieurs entreprises utilisent les mêmes serveurs. Choisissez celle chez qui vous modifiez les entrées de votre domaine.",
  providerOther: "Une autre entreprise",
  oauthTitle: "Se connecter chez {provider}",
  oauthText: "Vous y autorisez le changement et revenez aussitôt. Nous ne voyons jamais votre mot de passe.",
  oauthButton: "Continuer vers {provider}",
  apiFails: "{provider} ne nous répond pas de façon fiable en ce moment. Cette voie fonctionne quand même.",
  linkTitle: "Laisser {provider} faire les modifications",
  providerAdds: "{provider} ajoutera aussi cette entrée, qui montre que le domaine est à vous :",
  providerRemoves: "{provider} va supprimer ces entrées :",
  providerAlsoRemoved:
    "{provider} a aussi supprimé ces entrées. Si vous en avez encore besoin, saisissez-les de nouveau là-bas :",
  tokenTitle: "Avec une clé d’accès de {provider}",
  roleTitle: "Avec un rôle chez {provider}",
  roleMake:
    "Ouvrez AWS CloudShell dans une deuxième fenêtre, collez ceci et appuyez sur Entrée. Cela crée un rôle qui ne peut modifier que le DNS de {zone} et que nous seuls pouvons utiliser. Copiez ensuite dans le champ la ligne qui commence par arn:.",
  tokenText: "Elle ne sert qu’à ce changement, reste chiffrée et est supprimée ensuite.",
  tokenLink: "Aide de {provider}",
  tokenButton: "Autoriser et connecter",
  tokenButtonLeaving: "Autoriser et déconnecter",
  manualChoiceTitle: "Le faire vous-même",
  manualChoiceText: "Nous vous montrons pas à pas quoi saisir, et nous le vérifions.",
  manualChoiceButton: "Montrer quoi saisir",
  fieldInvalid: "Cela ne semble pas correct.",
  apiToken: "Jeton d’API",
  apiKey: "Clé d’API",
  apiSecret: "Secret d’API",
  username: "Nom d’utilisateur",
  accountId: "ID du compte",
  privateKey: "Clé privée",
  accessKeyId: "ID de clé d’accès",
  secretAccessKey: "Clé d’accès secrète",
  roleArn: "ARN du rôle",
  json: "Contenu du fichier de clé JSON",
  tenantId: "ID de l’annuaire (locataire)",
  clientId: "ID d’application (client)",
  clientSecret: "Valeur du secret client",
  subscriptionId: "ID d’abonnement",
  resourceGroup: "Groupe de ressources de la zone DNS",
  name: "Nom de la clé",
  algorithm: "Algorithme",
  secret: "Secret",

  visitTitle: "{provider} attend votre réponse",
  visitText: "Autorisez-y le changement. Vous revenez ici automatiquement.",
  visitOtherWay: "Choisir un autre moyen",

  manualOpen: "Aide de {provider}",
  manualAdd: "Ajoutez cette entrée",
  manualChange: "Modifiez cette entrée",
  manualRemove: "Supprimez cette entrée",
  priority: "Priorité",
  copy: "Copier",
  copyWhat: "Copier : {what}",
  copied: "Copié",
  copyByHand: "Votre navigateur n’a pas permis la copie. Le texte est sélectionné : copiez-le à la main.",
  zoneFile: "Télécharger le fichier",
  zoneFileText:
    "Certains fournisseurs importent les nouvelles entrées d’un fichier. Modifiez et supprimez les autres à la main.",
  otherWay: "Nous laisser faire",
  checkNow: "Vérifier maintenant",
  statusPresent: "Trouvée",
  statusMissing: "Pas encore là",
  statusGone: "Supprimée",
  statusRemains: "Encore là",
  statusDifferent: "Il y a autre chose",
  statusUnknown: "Pas encore vérifiée",
  nextLook: "Nous vérifions à nouveau {when}.",
  nextLookSoon: "Nous vérifions.",
  progressDelay: "Nous n’arrivons pas à joindre le DNS. Nous continuons d’essayer.",

  progressRequested: "Nous regardons {domain}",
  progressRequestedText: "Nous cherchons où votre domaine est géré et ce qui y est configuré.",
  progressAuthorized: "Lecture de vos entrées",
  progressAuthorizedText: "Nous comparons ce que {provider} a enregistré avec ce que vous avez vu.",
  progressApplying: "Changement en cours",
  progressWritingText: "Vous pouvez fermer cette page ; cela continue sans vous.",
  progressVerifying: "Attente que tout le monde le voie",
  progressVerifyingText:
    "Les entrées sont en place. En général, tous les serveurs sont au courant en quelques minutes. Vous pouvez fermer cette page.",
  progressDisconnecting: "Suppression des entrées",
  checks: "Ce que nous attendons",

  successTitle: "{domain} est connecté",
  successText: "Tout est en place. Nous surveillons désormais, et vous le dirons ici s’il manque quelque chose.",
  disconnectedTitle: "{domain} est déconnecté",
  degradedTitle: "Il manque quelque chose",
  degradedText: "{domain} était connecté, mais certaines entrées ne sont plus là.",
  statusLost: "Manquante",
  lost: "Ce qui manque ou diffère",
  repair: "Réparer",
  failureTitle: "Cela n’a pas fonctionné",
  tryAgain: "Réessayer",
  expiredTitle: "Cela a pris trop de temps",
  expiredText:
    "La connexion a attendu si longtemps qu’elle a pris fin. Nous n’avons rien modifié. Ce que vous avez saisi vous-même reste. Recommencez.",
  canceledTitle: "Annulé",
  canceledText: "Nous n’avons rien modifié. Ce que vous avez saisi vous-même reste.",

  problemOffline: "Nous n’arrivons pas à joindre le service. Nous continuons d’essayer.",
  problemStart: "Cette page n’a pas pu démarrer. Rechargez-la ; sinon, demandez à l’assistance de la boutique.",
  problemSession: "Votre session a pris fin. Rechargez cette page pour reprendre où vous en étiez.",
  problemNotFound: "Cette connexion n’existe pas. Rechargez la page, ou demandez de l’aide.",
  problemStale: "La liste a changé entre-temps. Regardez encore une fois.",
  problemRefused: "Ce n’est pas possible pour le moment. Voici où en sont les choses.",
  problemInput: "Vérifiez ce que vous avez saisi.",
  problemBusy: "Trop de demandes pour le moment. Attendez un peu et réessayez.",
  problemUnknown: "Une erreur s’est produite chez nous. Réessayez.",

  language: "Langue",
  testMode: "Mode test",
  pageTitle: "Connecter un domaine",
  pageClosed: "Vous pouvez maintenant fermer cette page.",
  linkUsed: "Ce lien n’est plus valable. Le domaine est peut-être déjà connecté ; sinon, demandez un nouveau lien.",

  kindA: "Adresse web",
  kindAAAA: "Adresse web (IPv6)",
  kindCNAME: "Renvoi",
  kindMX: "Réception des e-mails",
  kindTXT: "Note pour d’autres services",
  kindSpf: "Qui peut envoyer des e-mails",
  kindDmarc: "Protection contre les faux e-mails",
  kindDkim: "Signature des e-mails",
  kindNS: "Serveurs responsables",
  kindSRV: "Adresse d’un service",
  kindCAA: "Qui peut délivrer des certificats",
  kindOther: "Entrée",

  steps: "Étapes",
  stepCheck: "Analyse",
  stepReview: "Aperçu",
  stepConnect: "Connexion",
  stepLive: "En ligne",
  managedAt: "géré chez {provider}",
  theShop: "la boutique",
  yourProvider: "votre fournisseur",
  changesSinceIntro: "Quelque chose a changé depuis. Regardez ce qui est marqué.",
  sinceChanged: "Depuis, {name} a été modifié en {value}",
  sincePlanned: "Depuis, autre chose est prévu pour {name} : {value}",
  sinceStored: "Enregistré chez votre fournisseur pour {name} : {value}",
  sinceAdded: "Nouveau depuis : {name}",
  sinceRemoved: "Depuis, ce qui se trouvait sur {name} a été supprimé",
  technicalDetails: "Détails techniques",
  tickMissing: "Il manque une réponse : regardez ce qui est marqué.",
  websiteReplaced: "Aujourd’hui, {names} affiche une autre page. Ensuite, {who} s’y affiche.",
  websiteSome: "Aujourd’hui, {old} affiche une autre page. Ensuite, {who} s’affiche à {names}.",
  websiteNew: "Aujourd’hui, {names} n’affiche rien. Ensuite, {who} s’y affiche.",
  websiteBack: "Aujourd’hui, {names} affiche {who}. Ensuite s’y affiche ce qu’il y avait avant.",
  websiteGone: "Aujourd’hui, {names} affiche {who}. Ensuite, plus.",
  mailStays: "Reste où il est. Rien ne change.",
  mailStaysAt: "Reste chez {from}. Rien ne change.",
  mailMoves: "Aujourd’hui, vos e-mails arrivent chez {from}. Ensuite, ils arrivent chez {to}.",
  mailBegins: "Aujourd’hui, aucune messagerie n’est indiquée pour {names}. Ensuite, les e-mails arrivent chez {to}.",
  mailEnds: "Aujourd’hui, vos e-mails arrivent chez {from}. Ensuite, plus aucun e-mail n’arrive à {names}.",
  mailSenders: "Ensuite, {who} peut envoyer des e-mails pour vous.",
  mailKept: "Vos e-mails restent où ils sont.",
  mailKeptAt: "Vos e-mails restent chez {from}.",
  mailMayStop:
    "Aujourd’hui, les e-mails vont au serveur de la page. Ensuite, c’est {who}, et des e-mails peuvent se perdre. Pour les garder, demandez d’abord à votre messagerie son entrée « MX ».",
  securityChanged: "Aujourd’hui, le certificat de sécurité de {who} peut être refusé. Ensuite, il est autorisé.",
  proofAdded:
    "Aujourd’hui, rien ne montre que le domaine est à vous. Ensuite, une entrée le fait ; les visiteurs ne la voient pas.",
  otherChanged: "Des entrées de {names} changent, comme le montrent les détails techniques.",
  entriesBack: "Les entrées de {names} redeviennent comme avant.",
  mailQuestion: "Recevez-vous des e-mails à …\u2060@{names} ?",
  mailNo: "Non, je n’en reçois pas",
  mailYes: "Oui, j’en reçois",
  mailUnsure: "Pas sûr ? Écrivez à une telle adresse et voyez si le message arrive.",
  deedOther: "Oui, j’ai lu et je le veux",
  tokenRights: "Elle doit pouvoir lire et modifier le DNS de {zone}.",
  tokenChoose: "Choisissez-y :",
  tokenMake: "En créer une chez {provider}",
  tokenOpensAccount: "Cette clé peut modifier tous les domaines de votre compte.",
  fieldMissing: "Remplissez ce champ.",
  openProvider: "Ouvrez {provider} dans une deuxième fenêtre",
  openUnknown: "Ouvrez les réglages de votre domaine dans une deuxième fenêtre",
  openWindow: "Ouvrir {provider}",
  openRecords: "Ouvrez les réglages DNS de {zone}.",
  logIn: "Connectez-vous chez {provider}.",
  logInUnknown: "Connectez-vous là où vous avez acheté {zone}, ou là où il est géré.",
  comeBack: "Laissez cette fenêtre ouverte et revenez ici.",
  nameServers: "Ces serveurs répondent pour votre domaine ; leurs noms disent qui les gère :",
  byHandEffort: "Cela prend environ {minutes} minutes : {entries}. Nous vérifions chacune.",
  entryOne: "1 entrée",
  entryMany: "{count} entrées",
  backOne: "1 entrée à remettre",
  backMany: "{count} entrées à remettre",
  begin: "C’est ouvert : commencer",
  tasks: "Toutes les entrées",
  taskOf: "{number} sur {count} · {deed}",
  atProvider: "Chez {provider}",
  manualChangeTo: "Modifiez-la ainsi",
  findEntry: "Cherchez cette entrée",
  findEntries: "Cherchez ces entrées : supprimez-les toutes sauf une, et modifiez celle-ci",
  deleteFirst: "Supprimez d’abord cette entrée",
  deleteFirstMany: "Supprimez d’abord ces entrées",
  pressAdd: "Appuyez sur « {button} » et remplissez",
  pressPublish: "Là-bas, une entrée ne compte qu’après un appui sur « {button} ».",
  leaveEmpty: "laisser vide",
  orEmpty: "Si ce n’est pas accepté, laissez le champ vide.",
  orElse: "Si ce n’est pas accepté :",
  saveThere: "Enregistrez là-bas. Puis appuyez sur le bouton ici.",
  taskDone: "Trouvée. Il n’y a plus rien à faire ici.",
  taskGone: "Supprimée. Il n’y a plus rien à faire ici.",
  saved: "J’ai enregistré",
  checkAgain: "Vérifier encore",
  nextTask: "Entrée suivante",
  looking: "Vérification …",
  answerDone: "Fait : {done} sur {all}.",
  answerSome: "Fait : {done} sur {all}. Le reste n’est pas encore visible ; {provider} met souvent 1 à {most} minutes.",
  answerSlips: "Fait : {done} sur {all}. Ce qui est marqué « {almost} » n’est pas encore juste.",
  answerNotYet:
    "Pas encore là ; {provider} met souvent 1 à {most} minutes. Avez-vous enregistré ? Vous pouvez continuer en attendant.",
  answerStillThere:
    "Encore là ; {provider} met souvent 1 à {most} minutes. L’avez-vous supprimée ? Vous pouvez continuer en attendant.",
  correctedJustNow: "Si vous venez de corriger : {provider} met souvent 1 à {most} minutes.",
  notAllMade: "Des étapes restent à faire",
  notAllMadeText: "Faites celles qui ne sont pas cochées dans cette liste, l’une après l’autre.",
  allSaved: "Nous vérifions vos changements",
  allSavedText:
    "Vous pouvez fermer cette page ; nous continuons. Revenez par le même chemin pour voir où cela en est. Si une entrée n’est pas cochée après {wait} minutes, ouvrez-la dans cette liste et vérifiez que vous avez enregistré.",
  slipsTitle: "Tout n’est pas encore juste",
  slipsText: "Ce qui est marqué « {almost} » est à corriger chez {provider}.",
  showSlip: "Montrer ce qu’il faut corriger",
  allDone: "Tous les changements sont faits",
  allDoneText: "Nous terminons le reste tout seuls.",
  almost: "Presque.",
  shareButton: "Envoyer à mon webmaster",
  deedRemove: "Supprimer « {purpose} » de {name}",
  deedPutBack: "Remettre « {purpose} » de {name}",
  deedMail: "Recevoir vos e-mails à {name}",
  deedSpf: "Autoriser l’envoi d’e-mails pour {name}",
  deedDmarc: "Protéger {name} contre les faux e-mails",
  deedDkim: "Signer vos e-mails",
  stageAllowed: "Autorisé",
  stageWritten: "Écrit",
  stageServers: "Visible sur {showing} des {asked} serveurs de votre domaine",
  stageServersSoon: "Visible sur les serveurs de votre domaine",
  stageEverybody: "Visible sur {showing} des {asked} serveurs que tout le monde utilise",
  stageEverybodySoon: "Visible pour tous",
  estimate: "Certains visiteurs peuvent voir l’ancienne page pendant encore {time}.",
  estimateMail: "Des e-mails peuvent encore arriver à l’ancien serveur pendant {time} au plus.",
  undo: "Pour annuler, déconnectez le domaine là où vous l’avez connecté. Les entrées redeviennent comme avant. Les anciennes adresses ne reviennent que pendant 30 jours.",
  undoByHand:
    "Pour annuler, déconnectez le domaine là où vous l’avez connecté. Nous vous montrons alors quelles entrées remettre comme avant. Les anciennes adresses ne reviennent que pendant 30 jours.",
  websiteNow: "{names} affiche maintenant {who}.",
  mailNow: "Vos e-mails arrivent maintenant chez {to}.",
  mailGone: "Les e-mails à {names} n’arrivent plus.",
  mailBack: "Les e-mails à {names} vont là où ils allaient avant.",
  mailUnnamed: "Aucune messagerie n’est indiquée pour {names} : les e-mails peuvent ne pas y arriver.",
  mailSendersNow: "Désormais, {who} peut envoyer des e-mails pour vous.",
  mailSendersGone: "Désormais, {who} ne peut plus envoyer d’e-mails pour vous.",
  whatChanged: "Ce qui a changé",
  putBack: "Remise",
  oldWebsiteBack: "Votre ancien site y répond à nouveau.",
  disconnectedText: "Les entrées sont comme avant.",
  disconnectedPartly: "Certaines entrées n’ont pas pu être remises. Elles sont listées ci-dessous.",
  outcomeDone: "Fait",
  outcomeNot: "Pas fait",
  outcomeUnknown: "Peut-être fait",
  outcomeLost: "Fait, et pas annulé",

  topics,
  taskDeeds,
  fields,
  deeds,
  leftoverReasons,
  hints,
  diagnoses,
  foundInstead: "Nous avons trouvé {type} {value} à la place.",
  share,
  warnings,
  failures
} satisfies Words
