import type { Words } from "./en.ts"

const warnings: Words["warnings"] = {
  name_servers_disagree:
    "Los servidores de su dominio dan respuestas distintas. Lo que ven sus visitantes depende de la suerte.",
  spf_record_merged: "Nos añadimos a la lista de remitentes que ya existe. No se quita a nadie.",
  spf_existing_sufficient: "Su lista de remitentes ya nos incluye.",
  spf_policy_replaced: "Cambia lo que ocurre con el correo de remitentes que no están en su lista.",
  spf_duplicates_collapsed:
    "Había varias listas de remitentes, así que ninguna valía. Se convierten en una que funciona.",
  spf_lookup_limit_exceeded:
    "Su lista de remitentes será más larga de lo que aceptan los servicios de correo. Su correo podría ser rechazado.",
  spf_lookup_unknown: "No hemos podido comprobar toda la lista de remitentes. Puede que sea demasiado larga.",
  spf_include_broken:
    "Su lista de remitentes apunta a otra que no funciona. Hasta que se arregle, su correo podría ser rechazado.",
  spf_existing_invalid_replaced: "Su lista de remitentes tenía errores. Se eliminan.",
  spf_excludes_existing_mail:
    "Recibe correo aquí, pero no tenía lista de remitentes. Si también envía con otro servicio, añádalo a la lista.",
  spf_allows_all: "Su lista de remitentes permite a cualquiera enviar en su nombre.",
  dmarc_existing_preserved: "Su protección contra el correo falso está en orden y se queda como está.",
  dmarc_existing_invalid_replaced:
    "Su protección contra el correo falso tenía errores y se sustituye por una que funciona.",
  dmarc_policy_weakened: "Su protección contra el correo falso será menos estricta: pasará más correo sospechoso.",
  dmarc_policy_strengthened:
    "Su protección contra el correo falso será más estricta: puede perderse correo de servicios que no haya configurado.",
  dmarc_inherited_from_root: "La protección contra el correo falso se copia de su dominio principal.",
  dmarc_duplicates_collapsed:
    "Había varias reglas contra el correo falso, así que ninguna valía. Se convierten en una que funciona.",
  dmarc_tag_deprecated: "Su regla contra el correo falso tiene una parte anticuada. No hace daño.",
  dkim_key_replaced:
    "Se sustituye una clave que firma su correo. El correo firmado con la antigua ya no se podrá comprobar.",
  dkim_key_removed: "Se elimina una clave que firma su correo. El correo firmado con ella ya no se podrá comprobar.",
  caa_blocks_issuance: "Su dominio no permite el certificado de seguridad necesario. Sin un cambio no habrá https.",
  caa_set_created: "Desde ahora, solo las empresas de la lista pueden emitir certificados de seguridad.",
  caa_existing_sufficient: "Su dominio ya permite el certificado de seguridad necesario.",
  caa_not_needed: "Cualquier empresa puede emitir certificados de seguridad.",
  caa_lookup_unknown: "No hemos podido averiguar qué certificados de seguridad permite su dominio.",
  cname_replaces_records: "Se eliminan las demás entradas, porque la nueva tiene que estar sola.",
  cname_removed: "Se elimina un desvío. Ya no lleva adonde llevaba.",
  address_records_replaced: "Los visitantes ya no llegan a la web actual.",
  website_replaced: "Se sustituye la web o el servicio que hoy está ahí.",
  mx_replaced: "Su correo pasa a otro servicio. Asegúrese de que sus buzones existen allí.",
  mail_records_removed: "Se eliminan entradas de las que depende su correo. El correo puede dejar de llegar.",
  mail_target_changed:
    "Cambia el lugar de un servidor de correo. Si allí no responde ninguno, el correo puede dejar de llegar.",
  service_record_replaced: "Algunos programas pueden no encontrar un servicio, o su certificado no podrá renovarse.",
  tls_policy_mismatch:
    "Las reglas de entrega cifrada ya no encajan con su servidor de correo. Puede que el correo no llegue.",
  ns_target_changed: "Cambia el lugar de un servidor que responde por un dominio.",
  ns_delegation_hides_records: "Las entradas por debajo dejan de funcionar, porque otro servicio responde por ellas.",
  delegation_replaced: "Responderá otro servicio. Lo que hoy está configurado allí deja de funcionar.",
  apex_cname_flattened: "Su proveedor convierte esta entrada en simples direcciones. Es normal.",
  record_not_served: "Nadie verá todavía esta entrada.",
  wildcard_hidden: "Una entrada general deja de responder ahí o para un nombre superior.",
  proxied_record_present: "La protección de su proveedor se mantiene.",
  mx_target_unusable: "Puede que el correo no llegue: su servidor no tiene dirección.",
  null_mx_sender: "Su dominio no recibe correo. Muchos rechazan lo que envía.",
  ttl_adjusted: "",
  txt_value_split: "",
  record_repeated: "",
  host_repeats_domain: "Un nombre repite el principio de su dominio. Compruébelo.",
  optional_record_skipped: "Una entrada conveniente no se puede crear y se deja fuera.",
  dnssec_signed_zone: "Su dominio está protegido con firmas. Su proveedor las renueva con el cambio.",
  multi_provider_ns: "Dos proveedores responden por su dominio. Cada cambio hay que hacerlo en los dos.",
  ns_parent_child_mismatch:
    "El registro y su proveedor indican servidores distintos para su dominio. Su proveedor puede ayudarle.",
  other_connection_affected: "Otra cosa que ha conectado usa una entrada que cambia.",
  control_not_proven: "Nadie ha demostrado que el dominio es suyo.",
  plan_large_deletion: "Se eliminan muchas entradas de su dominio. Revise la lista con cuidado.",
  provider_zone_differs_from_public_dns:
    "Su proveedor tiene guardado algo distinto de lo que vimos antes. Esta lista muestra lo guardado.",
  lookup_unknown: "No hemos podido comprobarlo todo. Puede faltar algún aviso."
}

const entriesNotFound = {
  reason: "No hemos encontrado las entradas a tiempo.",
  next: "Compárelas con la lista e inténtelo otra vez; seguimos buscando."
}

const askForHelp = "Pida ayuda; intentarlo otra vez no cambia nada."
const tryLater = "Inténtelo otra vez en unos minutos."
const nothingChanged = "Inténtelo otra vez; este intento no ha cambiado nada."

const failures: Words["failures"] = {
  domain_not_registered: {
    reason: "Este dominio no está registrado.",
    next: "Revise cómo está escrito. Si acaba de comprarlo, espere una hora e inténtelo otra vez."
  },
  caa_host_is_cname: {
    reason: "Un nombre que debe decir quién emite certificados solo desvía a otro.",
    next: "Pida ayuda a la tienda; intentarlo otra vez no cambia nada."
  },
  cname_loop: {
    reason: "Este nombre se desviaría a sí mismo.",
    next: "Elimine la entrada que desvía de vuelta y empiece de nuevo."
  },
  domain_has_no_nameservers: {
    reason: "Nadie responde todavía por este dominio.",
    next: "Entre donde lo compró, elija un proveedor de DNS («servidores de nombres») e inténtelo otra vez."
  },
  zone_not_found: {
    reason: "El proveedor que indica su dominio no lo conoce.",
    next: "Entre en su proveedor, añada allí el dominio e inténtelo otra vez."
  },
  discovery_timeout: { reason: "Los servidores de su dominio no respondieron a tiempo.", next: tryLater },
  provider_unavailable: { reason: "Su proveedor no responde en este momento.", next: tryLater },
  provider_rate_limited: { reason: "Su proveedor nos pide ir más despacio.", next: tryLater },
  authorization_denied: {
    reason: "Usted, o su proveedor, no permitió el cambio.",
    next: "Inténtelo otra vez y permítalo, o haga usted los cambios."
  },
  authorization_expired: {
    reason: "El permiso caducó antes de que termináramos.",
    next: "Inténtelo otra vez; es solo un momento."
  },
  authorization_revoked: {
    reason: "El permiso se retiró en su proveedor.",
    next: "Inténtelo otra vez y permítalo de nuevo."
  },
  authorization_insufficient_scope: {
    reason: "Lo que nos dio no permite cambiar entradas DNS.",
    next: "Cree una clave que pueda leer y cambiar el DNS de este dominio e inténtelo otra vez."
  },
  authorization_zone_mismatch: {
    reason: "El dominio no está en esta cuenta.",
    next: "Entre con la cuenta en la que está el dominio e inténtelo otra vez."
  },
  credential_invalid: {
    reason: "Su proveedor no aceptó lo que escribió.",
    next: "Cópielo otra vez, sin espacios delante ni detrás, e inténtelo de nuevo."
  },
  account_not_entitled: {
    reason: "Su cuenta en el proveedor no permite el acceso de otros servicios.",
    next: "Actívelo o amplíe allí la cuenta e inténtelo otra vez, o haga usted los cambios."
  },
  provider_snapshot_timeout: {
    reason: "Su proveedor tardó demasiado en enviarnos sus entradas actuales.",
    next: nothingChanged
  },
  provider_snapshot_failed: { reason: "Su proveedor no pudo enviarnos sus entradas actuales.", next: nothingChanged },
  zone_too_large: {
    reason: "Este dominio tiene demasiadas entradas DNS.",
    next: "Añada usted mismo las entradas en su proveedor."
  },
  provider_zone_locked: {
    reason: "Su proveedor ha bloqueado este dominio.",
    next: "Desbloquéelo allí, o espere a que termine otro cambio, e inténtelo otra vez."
  },
  provider_record_locked: {
    reason: "Su proveedor no deja cambiar una de las entradas.",
    next: "Pídale que la desbloquee e inténtelo otra vez, o haga usted los cambios."
  },
  apex_cname_unsupported: {
    reason: "Su proveedor no puede guardar la entrada que necesita el dominio sin «www».",
    next: "Conecte el nombre con «www», o pida ayuda."
  },
  record_type_unsupported: {
    reason: "Su proveedor no puede guardar un tipo de entrada que hace falta.",
    next: askForHelp
  },
  record_value_rejected: { reason: "Su proveedor no acepta una de las entradas.", next: askForHelp },
  spf_merge_impossible: {
    reason: "Su lista de remitentes no se puede ampliar sin estropearla.",
    next: "Pida a quien lleva su correo que la ordene."
  },
  host_delegated_elsewhere: {
    reason: "Otro servicio responde por esta parte de su dominio.",
    next: "Haga el cambio en ese servicio, o elija otro nombre."
  },
  plan_too_large: { reason: "Habría que cambiar más entradas a la vez de las que podemos.", next: askForHelp },
  apply_timeout: {
    reason: "Su proveedor tardó demasiado en hacer el cambio.",
    next: "Inténtelo otra vez; primero miramos qué se ha hecho."
  },
  apply_rejected: { reason: "Su proveedor rechazó el cambio.", next: "Inténtelo otra vez, o haga usted los cambios." },
  apply_partial: {
    reason: "Solo se hizo una parte del cambio.",
    next: "Inténtelo otra vez; seguimos donde se paró. O haga usted el resto."
  },
  verification_timeout: {
    reason: "El cambio está hecho, pero el mundo aún no lo ve.",
    next: "Puede tardar un día. Inténtelo más tarde."
  },
  verification_mismatch: {
    reason: "El mundo ve algo distinto de lo que se configuró.",
    next: "Quizá alguien lo cambió después. Inténtelo otra vez para volver a mirar."
  },
  manual_setup_timeout: entriesNotFound,
  control_unproven: entriesNotFound,
  control_lost: {
    reason: "Ahora el dominio es de otra persona.",
    next: "Si es suyo, repárelo: lo muestra una entrada nueva que solo su dueño puede hacer."
  },
  internal_error: { reason: "Algo ha fallado por nuestra parte.", next: "Inténtelo otra vez; no se ha perdido nada." }
}

const topics: Words["topics"] = {
  website: "Web",
  mail: "Correo",
  security: "Seguridad",
  proof: "Prueba",
  other: "Otros"
}

const taskDeeds: Words["taskDeeds"] = {
  website: "Mostrar su tienda en {name}",
  security: "Permitir el certificado de seguridad",
  proof: "Demostrar que el dominio es suyo (en {name})",
  other: "Configurar {name}"
}

const fields: Words["fields"] = {
  type: "Tipo",
  host: "Host",
  value: "Valor",
  priority: "Prioridad",
  ttl: "TTL",
  service: "Servicio",
  protocol: "Protocolo",
  weight: "Peso",
  port: "Puerto",
  target: "Destino",
  address: "Dirección IP"
}

const deeds: Words["deeds"] = {
  website_replaced: "Sí, sustituir la página de {names}",
  cname_removed: "Sí, quitar el desvío de {names}",
  mx_replaced: "Sí, trasladar el correo de {names}",
  mail_records_removed: "Sí, eliminar las entradas de correo de {names}",
  mail_target_changed: "Sí, el correo a {names} puede dejar de llegar",
  dkim_key_replaced: "Sí, sustituir la clave de correo de {names}",
  dkim_key_removed: "Sí, eliminar la clave de correo de {names}",
  spf_excludes_existing_mail: "Sí, solo los servicios de la lista pueden enviar mi correo",
  dmarc_policy_weakened: "Sí, relajar la protección de {names}",
  dmarc_policy_strengthened: "Sí, reforzar la protección de {names}",
  plan_large_deletion: "Sí, eliminar todas las entradas de la lista",
  delegation_replaced: "Sí, que otro servicio responda por {names}",
  wildcard_hidden: "Sí, la entrada general deja de responder en {names}",
  ns_delegation_hides_records: "Sí, las entradas por debajo de {names} dejan de funcionar",
  tls_policy_mismatch: "Sí, cambiar {names}; puede no llegar correo",
  spf_include_broken: "Sí, cambiar la lista de {names}; puede rechazarse correo",
  spf_lookup_limit_exceeded: "Sí, cambiar la lista de {names}; puede rechazarse correo"
}

const leftoverReasons: Words["leftoverReasons"] = {
  changed_since: "(alguien la ha cambiado después)",
  wanted_by_another_connection: "(otra cosa la necesita)",
  older_than_thirty_days: "(tiene más de 30 días; su destino puede ser ya de otra persona)",
  target_does_not_resolve: "(su destino ya no existe)",
  provider_cannot_store: "(su proveedor ya no la acepta)",
  zone_gone: "(el dominio ya no está en este proveedor)",
  manual_setup_timeout: "(no vimos el cambio a tiempo)"
}

const hints: Words["hints"] = {
  create_subdomain_first: "Si la página no deja elegir el nombre, créelo primero allí como subdominio.",
  delete_parking_records: "Elimine primero las entradas de la página provisional del proveedor.",
  turn_proxy_off: "Una entrada con este nombre tiene el proxy activado. Sustitúyala por la nueva y desactive el proxy.",
  dns_only: "Desactive el proxy de esta entrada: elija «Solo DNS».",
  save_and_publish: "Después de guardar, publique los cambios si la página lo pide.",
  confirm_checkbox: "La página puede pedirle que marque una casilla antes de guardar.",
  second_factor: "La página puede pedirle un código antes de guardar.",
  choose_custom_mail: "Elija allí primero su propia configuración de correo («Custom MX»).",
  apex_alias: "Elija el tipo ALIAS o ANAME si aquí no se acepta CNAME.",
  apex_addresses:
    "Si la página no admite aquí un nombre, introduzca en su lugar las direcciones del destino (tipos A y AAAA).",
  apex_redirect: "O pida que se conecte www en su lugar y haga que el dominio mismo redirija allí.",
  find_who_runs_name_servers: "La factura de su dominio, o quien lo configuró, dice quién los lleva."
}

const diagnoses: Words["diagnoses"] = {
  not_yet: { found: "Todavía no hay nada.", fix: "Lo guardado suele tardar unos minutos." },
  on_its_way: { found: "Está en camino.", fix: "No hay que hacer nada." },
  old_value_remains: {
    found: "Aún hemos encontrado {type} {value}.",
    fix: "Cámbielo por esto y guarde. Si ya lo hizo, espere unos minutos."
  },
  also_there: { found: "La entrada es correcta, pero al lado hay {type} {value}.", fix: "Elimine {type} {value}." },
  doubled_zone: {
    found: "Hemos encontrado {name}.",
    fix: "Su proveedor añade «{zone}» por sí mismo: ponga solo «{copy}» en «{label}»."
  },
  target_doubled: {
    found: "Hemos encontrado {value}.",
    fix: "Su proveedor le añade «{zone}»: ponga «{copy}» en «{label}», con el punto."
  },
  quoted: { found: "Hay comillas en el valor.", fix: "Escríbalo sin ellas." },
  escaped: { found: "Hay barras invertidas en el valor.", fix: "Escríbalo sin ellas." },
  wrong_host: { found: "La hemos encontrado en {name}.", fix: "Ponga «{copy}» en «{label}»." },
  wrong_type: { found: "La hemos encontrado con el tipo {type}.", fix: "Elimínela y añádala con el tipo {wanted}." },
  two_spf: {
    found: "Hay dos listas de remitentes; juntas no valen.",
    fix: "Conserve una con este valor y elimine la otra."
  },
  two_dmarc: {
    found: "Hay dos reglas contra el correo falso; juntas no valen.",
    fix: "Conserve una con este valor y elimine la otra."
  },
  truncated: { found: "Solo hay una parte del valor.", fix: "Cópielo entero." },
  proxied: {
    found: "Su proveedor responde con sus propias direcciones.",
    fix: "Desactive el proxy para esta entrada."
  },
  flattened: { found: "Su proveedor la muestra como simples direcciones.", fix: "Desactívelo para esta entrada." },
  only_some_servers: {
    found: "Aún no la muestran todos los servidores de su dominio.",
    fix: "Espere unos minutos."
  },
  other_zone: {
    found: "Por su dominio responden otros servidores que los de {provider}.",
    fix: "Cree la entrada donde se gestiona ahora su dominio."
  },
  parking: {
    found: "La página provisional de su proveedor sigue ahí.",
    fix: "Elimine sus entradas, o desactívela."
  },
  blocked_by_caa: { found: "Una entrada prohíbe el certificado de seguridad.", fix: "Añada esta." }
}

const share: Words["share"] = {
  title: "Enviar a alguien que le ayude",
  text: "Esa persona ve qué hay que cambiar en {domain}, lo hace y lo comprueba. No puede aceptar nada por usted.",
  name: "Su nombre, para que sepa quién lo pide",
  send: "Enviar",
  mail: "Enviar por correo",
  qr: "Mostrar código QR",
  qrText: "Apunte con la cámara de un teléfono.",
  link: "Enlace",
  subject: "¿Puede ayudarme con {domain}?",
  message: "Por favor, cambie por mí algunas entradas de {domain}. Esta página muestra cuáles y las comprueba:",
  ends: "El enlace vale hasta que todo esté hecho.",
  revoke: "Retirarlo",
  revoked: "El enlace ya no vale.",
  again: "Crear otro enlace",
  somebody: "Alguien",
  asks: "{sender} le pide que cambie {count} entradas en {provider}.",
  asksOne: "{sender} le pide que cambie una entrada en {provider}.",
  waitTitle: "Ahora le toca a {sender}",
  waitText: "Primero hay que aceptar los cambios. Después, esta página sigue sola."
}

/** Every text of the component in Spanish. */
export const es = {
  loading: "Un momento",
  newWindow: "se abre en otra ventana",
  notNow: "Ahora no",
  close: "Cerrar",
  done: "Listo",
  back: "Atrás",
  goOn: "Continuar",
  supportCode: "Para el soporte: {code}",
  needHelp: "¿Necesita ayuda?",

  entryTitle: "¿Qué dominio quiere conectar?",
  entryText: "Escriba un dominio que sea suyo. Todavía no cambia nada.",
  entryLabel: "Su dominio",
  entryMeant: "¿Quiere decir {name}?",
  entryChoice: "¿Qué dirección usan los visitantes?",
  entryInvalid: "Esto no es un dominio. Tiene esta forma: tienda.es.",

  changesTitle: "Conectar {domain}",
  changesIntro: "Esto es lo que ocurre. Todo lo demás queda como está.",
  changesNone: "Ya está todo en su sitio. No hay que cambiar nada.",
  changesAgainTitle: "Mire otra vez, por favor",
  changesAgainIntro: "Su proveedor tiene guardado algo distinto de lo que vimos antes. Esto es lo que ocurre ahora.",
  approve: "Hacer estos cambios",
  restoreTitle: "Desconectar {domain}",
  restoreIntro: "Todo vuelve a ser como antes.",
  tableCaption: "Qué cambia en {domain}",
  what: "Entrada",
  today: "Hoy",
  afterwards: "Después",
  nothing: "nada",
  taken: "se elimina",
  added: "Nueva",
  changed: "Cambiada",
  removed: "Eliminada",
  fullValue: "Mostrar todo",
  leftovers: "Queda como está",
  leftOut: "Se deja fuera",
  alreadyThere: "Ya está",

  accessTitle: "¿Cómo hacemos el cambio?",
  accessIntro: "Su dominio se gestiona en {provider}. Elija lo que más le convenga.",
  accessIntroUnknown: "Elija lo que más le convenga.",
  providerQuestion: "¿Quién gestiona el DNS de {domain}?",
  providerQuestionText:
    "Varias empresas usan los mismos servidores. Elija aquella en cuya cuenta cambia las entradas de su dominio.",
  providerOther: "Otra empresa",
  oauthTitle: "Entrar en {provider}",
  oauthText: "Allí permite el cambio y vuelve enseguida. Nunca vemos su contraseña.",
  oauthButton: "Seguir a {provider}",
  apiFails: "{provider} no nos responde de forma fiable en este momento. Esta vía funciona igualmente.",
  linkTitle: "Dejar que {provider} haga los cambios",
  providerAdds: "{provider} también añadirá esta entrada, que muestra que el dominio es suyo:",
  providerRemoves: "{provider} quitará estas entradas:",
  providerAlsoRemoved:
    "{provider} también ha quitado estas entradas. Si todavía las necesita, vuelva a introducirlas allí:",
  tokenTitle: "Con una clave de acceso de {provider}",
  roleTitle: "Con un rol en {provider}",
  roleMake:
    "Abra AWS CloudShell en otra ventana, pegue esto y pulse Intro. Se crea un rol que solo puede cambiar el DNS de {zone} y que solo nosotros podemos usar. Después copie en el campo la línea que empieza por arn:.",
  tokenText: "La usamos solo para este cambio, la guardamos cifrada y la borramos después.",
  tokenLink: "Ayuda de {provider}",
  tokenButton: "Permitir y conectar",
  tokenButtonLeaving: "Permitir y desconectar",
  manualChoiceTitle: "Hacerlo usted",
  manualChoiceText: "Le mostramos paso a paso qué escribir y lo comprobamos.",
  manualChoiceButton: "Mostrar qué escribir",
  fieldInvalid: "Esto no parece correcto.",
  apiToken: "Token de API",
  apiKey: "Clave de API",
  apiSecret: "Secreto de API",
  username: "Nombre de usuario",
  accountId: "ID de la cuenta",
  privateKey: "Clave privada",
  accessKeyId: "ID de clave de acceso",
  secretAccessKey: "Clave de acceso secreta",
  roleArn: "ARN del rol",
  json: "Contenido del archivo de clave JSON",
  tenantId: "Id. de directorio (inquilino)",
  clientId: "Id. de aplicación (cliente)",
  clientSecret: "Valor del secreto de cliente",
  subscriptionId: "Id. de suscripción",
  resourceGroup: "Grupo de recursos de la zona DNS",
  name: "Nombre de la clave",
  algorithm: "Algoritmo",
  secret: "Secreto",

  visitTitle: "{provider} espera su respuesta",
  visitText: "Permita allí el cambio. Volverá aquí automáticamente.",
  visitOtherWay: "Elegir otra forma",

  manualOpen: "Ayuda de {provider}",
  manualAdd: "Añada esta entrada",
  manualChange: "Cambie esta entrada",
  manualRemove: "Elimine esta entrada",
  priority: "Prioridad",
  copy: "Copiar",
  copyWhat: "Copiar: {what}",
  copied: "Copiado",
  copyByHand: "Su navegador no nos dejó copiarlo. Está marcado: cópielo a mano.",
  zoneFile: "Descargar como archivo",
  zoneFileText: "Algunos proveedores importan las entradas nuevas de un archivo. Cambie y elimine las demás a mano.",
  otherWay: "Que lo hagamos nosotros",
  checkNow: "Comprobar ahora",
  statusPresent: "Encontrada",
  statusMissing: "Aún no está",
  statusGone: "Eliminada",
  statusRemains: "Sigue ahí",
  statusDifferent: "Hay otra cosa",
  statusUnknown: "Aún sin comprobar",
  nextLook: "Miramos otra vez {when}.",
  nextLookSoon: "Estamos mirando.",
  progressDelay: "No podemos acceder al DNS. Seguimos intentándolo.",

  progressRequested: "Mirando {domain}",
  progressRequestedText: "Averiguamos dónde se gestiona su dominio y qué hay configurado.",
  progressAuthorized: "Leyendo sus entradas actuales",
  progressAuthorizedText: "Comparamos lo que {provider} tiene guardado con lo que usted vio.",
  progressApplying: "Haciendo el cambio",
  progressWritingText: "Puede cerrar esta página; sigue sin usted.",
  progressVerifying: "Esperando a que todos lo vean",
  progressVerifyingText:
    "Las entradas están puestas. Suele tardar unos minutos hasta que lo saben todos los servidores. Puede cerrar esta página.",
  progressDisconnecting: "Eliminando las entradas",
  checks: "Qué esperamos",

  successTitle: "{domain} está conectado",
  successText: "Todo está en su sitio. Desde ahora lo vigilamos y le diremos aquí si falta algo.",
  disconnectedTitle: "{domain} está desconectado",
  degradedTitle: "Falta algo",
  degradedText: "{domain} estaba conectado, pero algunas entradas ya no están.",
  statusLost: "Falta",
  lost: "Qué falta o es distinto",
  repair: "Reparar",
  failureTitle: "No ha funcionado",
  tryAgain: "Intentarlo otra vez",
  expiredTitle: "Ha tardado demasiado",
  expiredText:
    "La conexión esperó tanto que terminó. No hemos cambiado nada. Lo que usted mismo introdujo se queda. Empiece de nuevo.",
  canceledTitle: "Cancelado",
  canceledText: "No hemos cambiado nada. Lo que usted mismo introdujo se queda.",

  problemOffline: "No podemos acceder al servicio. Seguimos intentándolo.",
  problemStart: "Esta página no pudo empezar. Recárguela; si no ayuda, pregunte al soporte de la tienda.",
  problemSession: "Su sesión ha terminado. Recargue esta página para seguir donde estaba.",
  problemNotFound: "Esta conexión no existe. Recargue la página o pida ayuda.",
  problemStale: "La lista ha cambiado entretanto. Mire otra vez, por favor.",
  problemRefused: "Ahora no es posible. Así están las cosas.",
  problemInput: "Revise lo que ha escrito.",
  problemBusy: "Hay demasiadas solicitudes. Espere un poco e inténtelo otra vez.",
  problemUnknown: "Algo ha fallado por nuestra parte. Inténtelo otra vez.",

  language: "Idioma",
  testMode: "Modo de prueba",
  pageTitle: "Conectar un dominio",
  pageClosed: "Ya puede cerrar esta página.",
  linkUsed: "Este enlace ya no vale. Quizá el dominio ya está conectado; si no, pida otro enlace.",

  kindA: "Dirección web",
  kindAAAA: "Dirección web (IPv6)",
  kindCNAME: "Desvío",
  kindMX: "Entrega de correo",
  kindTXT: "Nota para otros servicios",
  kindSpf: "Quién puede enviar correo",
  kindDmarc: "Protección contra el correo falso",
  kindDkim: "Firma del correo",
  kindNS: "Servidores responsables",
  kindSRV: "Dirección de un servicio",
  kindCAA: "Quién puede emitir certificados",
  kindOther: "Entrada",

  steps: "Pasos",
  stepCheck: "Análisis",
  stepReview: "Revisión",
  stepConnect: "Conexión",
  stepLive: "En línea",
  managedAt: "gestionado en {provider}",
  theShop: "la tienda",
  yourProvider: "su proveedor",
  changesSinceIntro: "Algo ha cambiado desde que miró. Vea lo que está marcado.",
  sinceChanged: "Desde que miró, {name} cambió a {value}",
  sincePlanned: "Desde que miró, se ha previsto otra cosa para {name}: {value}",
  sinceStored: "Guardado en su proveedor para {name}: {value}",
  sinceAdded: "Nuevo desde que miró: {name}",
  sinceRemoved: "Desde que miró, se eliminó lo que había en {name}",
  technicalDetails: "Detalles técnicos",
  tickMissing: "Falta una respuesta: vea lo que está marcado.",
  websiteReplaced: "Hoy {names} muestra otra página. Después mostrará {who}.",
  websiteSome: "Hoy {old} muestra otra página. Después {names} mostrará {who}.",
  websiteNew: "Hoy {names} no muestra nada. Después mostrará {who}.",
  websiteBack: "Hoy {names} muestra {who}. Después mostrará lo de antes.",
  websiteGone: "Hoy {names} muestra {who}. Después ya no.",
  mailStays: "Se queda donde está. No cambia nada.",
  mailStaysAt: "Sigue en {from}. No cambia nada.",
  mailMoves: "Hoy su correo llega a {from}. Después llegará a {to}.",
  mailBegins: "Hoy {names} no tiene servidor de correo. Después el correo llegará a {to}.",
  mailEnds: "Hoy su correo llega a {from}. Después no llegará correo a {names}.",
  mailSenders: "Después {who} podrá enviar correo por usted.",
  mailKept: "Su correo se queda donde está.",
  mailKeptAt: "Su correo sigue en {from}.",
  mailMayStop:
    "Hoy el correo va al servidor de la página. Después ese será {who}, y puede perderse correo. Para conservarlo, pida antes a su servicio de correo su entrada «MX».",
  securityChanged: "Hoy el certificado de seguridad de {who} puede ser rechazado. Después estará permitido.",
  proofAdded: "Hoy nada muestra que el dominio es suyo. Después lo hará una entrada; los visitantes no la ven.",
  otherChanged: "Cambian entradas de {names}, como muestran los detalles técnicos.",
  entriesBack: "Las entradas de {names} vuelven a ser como antes.",
  mailQuestion: "¿Recibe correo en …\u2060@{names}?",
  mailNo: "No, ahí no recibo correo",
  mailYes: "Sí, ahí recibo correo",
  mailUnsure: "¿No está seguro? Escriba a una dirección así y mire si el correo llega.",
  deedOther: "Sí, lo he leído y lo quiero",
  tokenRights: "Debe poder leer y cambiar el DNS de {zone}.",
  tokenChoose: "Elija allí:",
  tokenMake: "Crear una en {provider}",
  tokenOpensAccount: "Esta clave puede cambiar todos los dominios de su cuenta.",
  fieldMissing: "Rellene este campo.",
  openProvider: "Abra {provider} en otra ventana",
  openUnknown: "Abra los ajustes de su dominio en otra ventana",
  openWindow: "Abrir {provider}",
  openRecords: "Abra los ajustes DNS de {zone}.",
  logIn: "Entre en {provider}.",
  logInUnknown: "Entre donde compró {zone}, o donde se gestiona.",
  comeBack: "Deje esa ventana abierta y vuelva aquí.",
  nameServers: "Estos servidores responden por su dominio; sus nombres dicen quién los lleva:",
  byHandEffort: "Tarda unos {minutes} minutos: {entries}. Comprobamos cada una.",
  entryOne: "1 entrada",
  entryMany: "{count} entradas",
  backOne: "1 entrada por devolver",
  backMany: "{count} entradas por devolver",
  begin: "Está abierta: empezar",
  tasks: "Todas las entradas",
  taskOf: "{number} de {count} · {deed}",
  atProvider: "En {provider}",
  manualChangeTo: "Déjela así",
  findEntry: "Busque esta entrada",
  findEntries: "Busque estas entradas: elimine todas menos una y modifique esa",
  deleteFirst: "Elimine primero esta entrada",
  deleteFirstMany: "Elimine primero estas entradas",
  pressAdd: "Pulse «{button}» y rellene",
  pressPublish: "Allí una entrada solo vale después de pulsar «{button}».",
  leaveEmpty: "dejar vacío",
  orEmpty: "Si no se acepta, deje el campo vacío.",
  orElse: "Si no se acepta:",
  saveThere: "Guárdelo allí. Después pulse aquí el botón.",
  taskDone: "Encontrada. Aquí no queda nada por hacer.",
  taskGone: "Eliminada. Aquí no queda nada por hacer.",
  saved: "Lo he guardado",
  checkAgain: "Comprobar otra vez",
  nextTask: "Entrada siguiente",
  looking: "Mirando …",
  answerDone: "Hecho: {done} de {all}.",
  answerSome: "Hecho: {done} de {all}. El resto aún no se ve; {provider} suele tardar de 1 a {most} minutos.",
  answerSlips: "Hecho: {done} de {all}. Lo marcado con «{almost}» aún no está bien.",
  answerNotYet:
    "Aún no está; {provider} suele tardar de 1 a {most} minutos. ¿Lo ha guardado? Mientras tanto puede seguir.",
  answerStillThere:
    "Sigue ahí; {provider} suele tardar de 1 a {most} minutos. ¿La ha eliminado? Mientras tanto puede seguir.",
  correctedJustNow: "Si acaba de corregirlo: {provider} suele tardar de 1 a {most} minutos.",
  notAllMade: "Faltan algunos pasos",
  notAllMadeText: "Haga los que no están marcados en esta lista, uno tras otro.",
  allSaved: "Comprobamos sus cambios",
  allSavedText:
    "Puede cerrar esta página; seguimos comprobando. Vuelva por el mismo camino para ver cómo va. Si tras {wait} minutos alguna entrada no está marcada como hecha, ábrala en esta lista y mire si guardó el cambio.",
  slipsTitle: "Aún no está todo bien",
  slipsText: "Lo marcado con «{almost}» debe corregirse en {provider}.",
  showSlip: "Mostrar qué corregir",
  allDone: "Todos los cambios están hechos",
  allDoneText: "Del resto nos encargamos nosotros.",
  almost: "Casi.",
  shareButton: "Enviar a quien lleva mi web",
  deedRemove: "Eliminar «{purpose}» de {name}",
  deedPutBack: "Devolver «{purpose}» de {name}",
  deedMail: "Recibir su correo en {name}",
  deedSpf: "Permitir que se envíe correo de {name}",
  deedDmarc: "Proteger {name} contra el correo falso",
  deedDkim: "Firmar su correo",
  stageAllowed: "Permitido",
  stageWritten: "Escrito",
  stageServers: "Visto en {showing} de {asked} servidores de su dominio",
  stageServersSoon: "Visto en los servidores de su dominio",
  stageEverybody: "Visto en {showing} de {asked} servidores que usa todo el mundo",
  stageEverybodySoon: "Visto por todos",
  estimate: "Algunos visitantes pueden ver la página antigua hasta {time} más.",
  estimateMail: "Parte del correo puede seguir llegando al servidor antiguo hasta {time} más.",
  undo: "Para deshacerlo, desconecte el dominio donde lo conectó. Las entradas vuelven a ser como antes. Las direcciones antiguas solo vuelven durante 30 días.",
  undoByHand:
    "Para deshacerlo, desconecte el dominio donde lo conectó. Entonces le mostramos qué entradas debe volver a cambiar. Las direcciones antiguas solo vuelven durante 30 días.",
  websiteNow: "{names} muestra ahora {who}.",
  mailNow: "Su correo llega ahora a {to}.",
  mailGone: "El correo a {names} ya no llega.",
  mailBack: "El correo de {names} va adonde iba antes.",
  mailUnnamed: "No hay servicio de correo para {names}: el correo puede no llegar allí.",
  mailSendersNow: "Desde ahora {who} puede enviar correo por usted.",
  mailSendersGone: "Desde ahora {who} ya no puede enviar correo por usted.",
  whatChanged: "Qué ha cambiado",
  putBack: "Devuelta",
  oldWebsiteBack: "Su antigua web vuelve a responder ahí.",
  disconnectedText: "Las entradas son como antes.",
  disconnectedPartly: "Algunas entradas no se pudieron devolver. Están en la lista de abajo.",
  outcomeDone: "Hecho",
  outcomeNot: "No hecho",
  outcomeUnknown: "Quizá hecho",
  outcomeLost: "Hecho y no deshecho",

  topics,
  taskDeeds,
  fields,
  deeds,
  leftoverReasons,
  hints,
  diagnoses,
  foundInstead: "En su lugar hemos encontrado {type} {value}.",
  share,
  warnings,
  failures
} satisfies Words
