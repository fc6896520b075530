import type { Words } from "./en.ts"

const warnings: Words["warnings"] = {
  name_servers_disagree:
    "Os servidores do seu domínio dão respostas diferentes. O que os visitantes veem depende da sorte.",
  spf_record_merged: "Nós nos incluímos na lista de remetentes que já existe. Ninguém é retirado.",
  spf_existing_sufficient: "Sua lista de remetentes já nos inclui.",
  spf_policy_replaced: "Muda o que acontece com e-mails de remetentes fora da sua lista.",
  spf_duplicates_collapsed: "Havia várias listas de remetentes, e por isso nenhuma valia. Elas viram uma que funciona.",
  spf_lookup_limit_exceeded:
    "Sua lista de remetentes fica maior do que os serviços de e-mail aceitam. Seus e-mails podem ser recusados.",
  spf_lookup_unknown: "Não conseguimos verificar toda a lista de remetentes. Ela pode ser longa demais.",
  spf_include_broken:
    "Sua lista de remetentes aponta para uma lista que não funciona. Até isso ser corrigido, seus e-mails podem ser recusados.",
  spf_existing_invalid_replaced: "Sua lista de remetentes tinha erros. Eles são retirados.",
  spf_excludes_existing_mail:
    "Você recebe e-mails aqui, mas não tinha lista de remetentes. Se também envia por outro serviço, inclua-o na lista.",
  spf_allows_all: "Sua lista de remetentes deixa qualquer pessoa enviar em seu nome.",
  dmarc_existing_preserved: "Sua proteção contra e-mails falsos está em ordem e fica como está.",
  dmarc_existing_invalid_replaced: "Sua proteção contra e-mails falsos tinha erros e é trocada por uma que funciona.",
  dmarc_policy_weakened: "Sua proteção contra e-mails falsos fica mais branda: mais e-mails suspeitos vão passar.",
  dmarc_policy_strengthened:
    "Sua proteção contra e-mails falsos fica mais rígida: e-mails de serviços não configurados podem se perder.",
  dmarc_inherited_from_root: "A proteção contra e-mails falsos é copiada do seu domínio principal.",
  dmarc_duplicates_collapsed:
    "Havia várias regras contra e-mails falsos, e por isso nenhuma valia. Elas viram uma que funciona.",
  dmarc_tag_deprecated: "Sua regra contra e-mails falsos tem uma parte antiga. Não faz mal.",
  dkim_key_replaced:
    "Uma chave que assina seus e-mails é trocada. E-mails assinados com a antiga não poderão mais ser verificados.",
  dkim_key_removed:
    "Uma chave que assina seus e-mails é excluída. E-mails assinados com ela não poderão mais ser verificados.",
  caa_blocks_issuance:
    "Seu domínio não permite o certificado de segurança necessário. Sem uma mudança, não haverá https.",
  caa_set_created: "A partir de agora, só as empresas listadas podem emitir certificados de segurança.",
  caa_existing_sufficient: "Seu domínio já permite o certificado de segurança necessário.",
  caa_not_needed: "Qualquer empresa pode emitir certificados de segurança.",
  caa_lookup_unknown: "Não conseguimos saber quais certificados de segurança seu domínio permite.",
  cname_replaces_records: "As outras entradas são excluídas, porque a nova precisa ficar sozinha.",
  cname_removed: "Um redirecionamento é excluído. Ele não leva mais para onde levava.",
  address_records_replaced: "Os visitantes não chegam mais ao site atual.",
  website_replaced: "O site ou serviço que está lá hoje é substituído.",
  mx_replaced: "Seus e-mails vão para outro serviço. Confira se suas caixas existem lá.",
  mail_records_removed: "Entradas de que seus e-mails dependem são excluídas. Os e-mails podem parar.",
  mail_target_changed: "O lugar de um servidor de e-mail muda. Se nenhum responder lá, os e-mails podem parar.",
  service_record_replaced: "Programas podem não achar mais um serviço, ou o certificado dele não poderá ser renovado.",
  tls_policy_mismatch:
    "As regras de entrega criptografada não combinam mais com seu servidor de e-mail. E-mails podem não chegar.",
  ns_target_changed: "O lugar de um servidor que responde por um domínio muda.",
  ns_delegation_hides_records: "As entradas abaixo param de funcionar, porque outro serviço responde por elas.",
  delegation_replaced: "Outro serviço vai responder. O que está configurado lá hoje para de funcionar.",
  apex_cname_flattened: "Seu provedor transforma esta entrada em endereços simples. Isso é normal.",
  record_not_served: "Ninguém vai ver esta entrada ainda.",
  wildcard_hidden: "Uma entrada geral não responde mais ali ou por um nome acima.",
  proxied_record_present: "A proteção do seu provedor continua.",
  mx_target_unusable: "E-mails podem não chegar: o servidor não tem endereço.",
  null_mx_sender: "Seu domínio não recebe e-mails. Muitos recusam o que ele envia.",
  ttl_adjusted: "",
  txt_value_split: "",
  record_repeated: "",
  host_repeats_domain: "Um nome repete o começo do seu domínio. Confira.",
  optional_record_skipped: "Uma entrada útil, mas opcional, não pode ser criada e fica de fora.",
  dnssec_signed_zone: "Seu domínio é protegido por assinaturas. Seu provedor as renova com a mudança.",
  multi_provider_ns: "Dois provedores respondem pelo seu domínio. Cada mudança precisa ser feita nos dois.",
  ns_parent_child_mismatch:
    "O registro e seu provedor indicam servidores diferentes para seu domínio. Seu provedor pode ajudar.",
  other_connection_affected: "Outra coisa que você conectou usa uma entrada que muda.",
  control_not_proven: "Ninguém provou que o domínio é seu.",
  plan_large_deletion: "Muitas entradas do seu domínio são excluídas. Confira a lista com cuidado.",
  provider_zone_differs_from_public_dns:
    "Seu provedor tem algo diferente do que vimos antes. Esta lista mostra o que está guardado lá.",
  lookup_unknown: "Não conseguimos verificar tudo. Pode faltar um aviso aqui."
}

const entriesNotFound = {
  reason: "Não encontramos as entradas a tempo.",
  next: "Compare com a lista e tente de novo; continuamos procurando."
}

const askForHelp = "Peça ajuda; tentar de novo não muda nada."
const tryLater = "Tente de novo em alguns minutos."
const nothingChanged = "Tente de novo; esta tentativa não alterou nada."

const failures: Words["failures"] = {
  domain_not_registered: {
    reason: "Este domínio não está registrado.",
    next: "Confira como está escrito. Se acabou de comprar, espere uma hora e tente de novo."
  },
  caa_host_is_cname: {
    reason: "Um nome que deve dizer quem emite certificados só redireciona.",
    next: "Peça ajuda à loja; tentar de novo não muda nada."
  },
  cname_loop: {
    reason: "Este nome redirecionaria para si mesmo.",
    next: "Exclua a entrada que redireciona de volta e comece de novo."
  },
  domain_has_no_nameservers: {
    reason: "Ninguém responde por este domínio ainda.",
    next: "Entre onde você o comprou, escolha um provedor de DNS (“servidores de nomes”) e tente de novo."
  },
  zone_not_found: {
    reason: "O provedor que seu domínio indica não o conhece.",
    next: "Entre no seu provedor, adicione o domínio lá e tente de novo."
  },
  discovery_timeout: { reason: "Os servidores do seu domínio não responderam a tempo.", next: tryLater },
  provider_unavailable: { reason: "Seu provedor não está respondendo no momento.", next: tryLater },
  provider_rate_limited: { reason: "Seu provedor pede que a gente vá mais devagar.", next: tryLater },
  authorization_denied: {
    reason: "Você, ou seu provedor, não permitiu a mudança.",
    next: "Tente de novo e permita, ou faça as mudanças você mesmo."
  },
  authorization_expired: {
    reason: "A permissão venceu antes de terminarmos.",
    next: "Tente de novo; é só um instante."
  },
  authorization_revoked: {
    reason: "A permissão foi retirada no seu provedor.",
    next: "Tente de novo e permita mais uma vez."
  },
  authorization_insufficient_scope: {
    reason: "O que você nos deu não permite alterar entradas DNS.",
    next: "Crie uma chave que possa ler e alterar o DNS deste domínio e tente de novo."
  },
  authorization_zone_mismatch: {
    reason: "O domínio não está nesta conta.",
    next: "Entre com a conta em que o domínio está e tente de novo."
  },
  credential_invalid: {
    reason: "Seu provedor não aceitou o que você digitou.",
    next: "Copie mais uma vez, sem espaços antes ou depois, e tente de novo."
  },
  account_not_entitled: {
    reason: "Sua conta no provedor não permite o acesso de outros serviços.",
    next: "Ative-o ou amplie a conta lá e tente de novo, ou faça as mudanças você mesmo."
  },
  provider_snapshot_timeout: {
    reason: "Seu provedor demorou demais para enviar suas entradas atuais.",
    next: nothingChanged
  },
  provider_snapshot_failed: { reason: "Seu provedor não conseguiu enviar suas entradas atuais.", next: nothingChanged },
  zone_too_large: {
    reason: "Este domínio tem entradas DNS demais.",
    next: "Adicione você mesmo as entradas no seu provedor."
  },
  provider_zone_locked: {
    reason: "Seu provedor bloqueou este domínio.",
    next: "Desbloqueie lá, ou espere outra mudança terminar, e tente de novo."
  },
  provider_record_locked: {
    reason: "Seu provedor não deixa ninguém alterar uma das entradas.",
    next: "Peça que ele a desbloqueie e tente de novo, ou faça as mudanças você mesmo."
  },
  apex_cname_unsupported: {
    reason: "Seu provedor não consegue guardar a entrada necessária para o domínio sem “www”.",
    next: "Conecte o nome com “www”, ou peça ajuda."
  },
  record_type_unsupported: {
    reason: "Seu provedor não consegue guardar um tipo de entrada necessário.",
    next: askForHelp
  },
  record_value_rejected: { reason: "Seu provedor não aceita uma das entradas.", next: askForHelp },
  spf_merge_impossible: {
    reason: "Sua lista de remetentes não pode ser ampliada sem estragar.",
    next: "Peça a quem cuida dos seus e-mails para arrumá-la."
  },
  host_delegated_elsewhere: {
    reason: "Outro serviço responde por esta parte do seu domínio.",
    next: "Faça a mudança nesse serviço, ou escolha outro nome."
  },
  plan_too_large: { reason: "Seria preciso alterar de uma vez mais entradas do que conseguimos.", next: askForHelp },
  apply_timeout: {
    reason: "Seu provedor demorou demais para fazer a mudança.",
    next: "Tente de novo; primeiro vemos o que já foi feito."
  },
  apply_rejected: { reason: "Seu provedor recusou a mudança.", next: "Tente de novo, ou faça as mudanças você mesmo." },
  apply_partial: {
    reason: "Só uma parte da mudança foi feita.",
    next: "Tente de novo; continuamos de onde parou. Ou faça o resto você mesmo."
  },
  verification_timeout: {
    reason: "A mudança foi feita, mas o mundo ainda não a vê.",
    next: "Pode levar um dia. Tente mais tarde."
  },
  verification_mismatch: {
    reason: "O mundo vê algo diferente do que foi configurado.",
    next: "Talvez alguém tenha mudado depois. Tente de novo para verificar."
  },
  manual_setup_timeout: entriesNotFound,
  control_unproven: entriesNotFound,
  control_lost: {
    reason: "Agora o domínio é de outra pessoa.",
    next: "Se for seu, conserte-o: uma nova entrada mostra isso, e só o dono pode criá-la."
  },
  internal_error: { reason: "Algo deu errado do nosso lado.", next: "Tente de novo; nada se perdeu." }
}

const topics: Words["topics"] = {
  website: "Site",
  mail: "E-mail",
  security: "Segurança",
  proof: "Prova",
  other: "Outros"
}

const taskDeeds: Words["taskDeeds"] = {
  website: "Mostrar sua loja em {name}",
  security: "Permitir o certificado de segurança",
  proof: "Provar que o domínio é seu (em {name})",
  other: "Configurar {name}"
}

const fields: Words["fields"] = {
  type: "Tipo",
  host: "Host",
  value: "Valor",
  priority: "Prioridade",
  ttl: "TTL",
  service: "Serviço",
  protocol: "Protocolo",
  weight: "Peso",
  port: "Porta",
  target: "Destino",
  address: "Endereço IP"
}

const deeds: Words["deeds"] = {
  website_replaced: "Sim, substituir a página em {names}",
  cname_removed: "Sim, encerrar o redirecionamento em {names}",
  mx_replaced: "Sim, mudar os e-mails de {names}",
  mail_records_removed: "Sim, excluir as entradas de e-mail de {names}",
  mail_target_changed: "Sim, os e-mails para {names} podem parar",
  dkim_key_replaced: "Sim, trocar a chave de e-mail de {names}",
  dkim_key_removed: "Sim, excluir a chave de e-mail de {names}",
  spf_excludes_existing_mail: "Sim, só os serviços listados podem enviar meus e-mails",
  dmarc_policy_weakened: "Sim, deixar mais branda a proteção de {names}",
  dmarc_policy_strengthened: "Sim, deixar mais rígida a proteção de {names}",
  plan_large_deletion: "Sim, excluir todas as entradas listadas",
  delegation_replaced: "Sim, deixar outro serviço responder por {names}",
  wildcard_hidden: "Sim, a entrada geral deixa de responder em {names}",
  ns_delegation_hides_records: "Sim, as entradas abaixo de {names} deixam de funcionar",
  tls_policy_mismatch: "Sim, mudar {names}; o e-mail pode não chegar",
  spf_include_broken: "Sim, mudar a lista de {names}; o e-mail pode ser recusado",
  spf_lookup_limit_exceeded: "Sim, mudar a lista de {names}; o e-mail pode ser recusado"
}

const leftoverReasons: Words["leftoverReasons"] = {
  changed_since: "(alguém a alterou depois)",
  wanted_by_another_connection: "(outra coisa precisa dela)",
  older_than_thirty_days: "(tem mais de 30 dias; o destino pode já ser de outra pessoa)",
  target_does_not_resolve: "(o destino não existe mais)",
  provider_cannot_store: "(seu provedor não a aceita mais)",
  zone_gone: "(o domínio não está mais neste provedor)",
  manual_setup_timeout: "(não vimos a mudança a tempo)"
}

const hints: Words["hints"] = {
  create_subdomain_first: "Se a página não deixar escolher o nome, crie-o lá primeiro como subdomínio.",
  delete_parking_records: "Exclua primeiro as entradas da página provisória do provedor.",
  turn_proxy_off: "Uma entrada com este nome está com o proxy ligado. Troque-a pela nova e desligue o proxy.",
  dns_only: "Desative o proxy desta entrada: escolha “Somente DNS”.",
  save_and_publish: "Depois de salvar, publique as mudanças se a página pedir.",
  confirm_checkbox: "A página pode pedir que você marque uma caixa antes de salvar.",
  second_factor: "A página pode pedir um código antes de salvar.",
  choose_custom_mail: "Escolha lá primeiro suas próprias configurações de e-mail (“Custom MX”).",
  apex_alias: "Escolha o tipo ALIAS ou ANAME se CNAME não for aceito aqui.",
  apex_addresses: "Se a página não aceitar um nome aqui, informe os endereços do destino (tipos A e AAAA).",
  apex_redirect: "Ou peça que o www seja conectado no lugar e faça o próprio domínio redirecionar para ele.",
  find_who_runs_name_servers: "A fatura do seu domínio, ou quem o configurou, diz quem cuida deles."
}

const diagnoses: Words["diagnoses"] = {
  not_yet: { found: "Ainda não há nada.", fix: "O que foi salvo costuma levar alguns minutos." },
  on_its_way: { found: "Está a caminho.", fix: "Não é preciso fazer nada." },
  old_value_remains: {
    found: "Ainda encontramos {type} {value}.",
    fix: "Troque por isto e salve. Se já fez isso, espere alguns minutos."
  },
  also_there: { found: "A entrada está certa, mas ao lado há {type} {value}.", fix: "Exclua {type} {value}." },
  doubled_zone: {
    found: "Encontramos {name}.",
    fix: "Seu provedor já acrescenta “{zone}”: coloque só “{copy}” em “{label}”."
  },
  target_doubled: {
    found: "Encontramos {value}.",
    fix: "Seu provedor acrescenta “{zone}”: coloque “{copy}” em “{label}”, com o ponto."
  },
  quoted: { found: "Há aspas no valor.", fix: "Digite sem elas." },
  escaped: { found: "Há barras invertidas no valor.", fix: "Digite sem elas." },
  wrong_host: { found: "Encontramos em {name}.", fix: "Coloque “{copy}” em “{label}”." },
  wrong_type: { found: "Encontramos com o tipo {type}.", fix: "Exclua-a e adicione-a com o tipo {wanted}." },
  two_spf: {
    found: "Há duas listas de remetentes; juntas não valem.",
    fix: "Mantenha uma com este valor e exclua a outra."
  },
  two_dmarc: {
    found: "Há duas regras contra e-mails falsos; juntas não valem.",
    fix: "Mantenha uma com este valor e exclua a outra."
  },
  truncated: { found: "Há só uma parte do valor.", fix: "Copie tudo." },
  proxied: { found: "Seu provedor responde com os próprios endereços.", fix: "Desligue o proxy para esta entrada." },
  flattened: { found: "Seu provedor a mostra como endereços simples.", fix: "Desligue isso para esta entrada." },
  only_some_servers: {
    found: "Nem todos os servidores do seu domínio a mostram ainda.",
    fix: "Espere alguns minutos."
  },
  other_zone: {
    found: "Outros servidores, e não os de {provider}, respondem pelo seu domínio.",
    fix: "Crie a entrada onde seu domínio é administrado agora."
  },
  parking: { found: "A página provisória do provedor ainda está lá.", fix: "Exclua as entradas dela, ou desligue-a." },
  blocked_by_caa: { found: "Uma entrada proíbe o certificado de segurança.", fix: "Adicione esta." }
}

const share: Words["share"] = {
  title: "Enviar a alguém que ajude você",
  text: "A pessoa vê o que mudar em {domain}, faz e confere. Ela não pode aceitar nada por você.",
  name: "Seu nome, para a pessoa saber quem pede",
  send: "Enviar",
  mail: "Enviar por e-mail",
  qr: "Mostrar código QR",
  qrText: "Aponte a câmera de um celular.",
  link: "Link do pedido",
  subject: "Você pode me ajudar com {domain}?",
  message: "Por favor, mude algumas entradas de {domain} para mim. Esta página mostra quais e confere:",
  ends: "O link vale até tudo estar pronto.",
  revoke: "Cancelar o link",
  revoked: "O link não vale mais.",
  again: "Criar um novo link",
  somebody: "Alguém",
  asks: "{sender} pede que você mude {count} entradas em {provider}.",
  asksOne: "{sender} pede que você mude uma entrada em {provider}.",
  waitTitle: "É a vez de {sender}",
  waitText: "Primeiro é preciso aceitar as mudanças. Depois esta página continua sozinha."
}

/** Every text of the component in Brazilian Portuguese. */
export const ptBR = {
  loading: "Um momento",
  newWindow: "abre em uma nova janela",
  notNow: "Agora não",
  close: "Fechar",
  done: "Pronto",
  back: "Voltar",
  goOn: "Continuar",
  supportCode: "Para o suporte: {code}",
  needHelp: "Precisa de ajuda?",

  entryTitle: "Qual domínio você quer conectar?",
  entryText: "Digite um domínio que seja seu. Nada muda ainda.",
  entryLabel: "Seu domínio",
  entryMeant: "Você quis dizer {name}?",
  entryChoice: "Qual endereço os visitantes usam?",
  entryInvalid: "Isto não é um domínio. Ele tem a forma loja.com.br.",

  changesTitle: "Conectar {domain}",
  changesIntro: "É isto que acontece. Todo o resto fica como está.",
  changesNone: "Já está tudo no lugar. Nada precisa mudar.",
  changesAgainTitle: "Veja mais uma vez",
  changesAgainIntro: "Seu provedor tem algo diferente do que vimos antes. É isto que acontece agora.",
  approve: "Fazer estas mudanças",
  restoreTitle: "Desconectar {domain}",
  restoreIntro: "Tudo volta a ser como antes.",
  tableCaption: "O que muda em {domain}",
  what: "Entrada",
  today: "Hoje",
  afterwards: "Depois",
  nothing: "nada",
  taken: "é excluída",
  added: "Nova",
  changed: "Alterada",
  removed: "Excluída",
  fullValue: "Mostrar tudo",
  leftovers: "Fica como está",
  leftOut: "Fica de fora",
  alreadyThere: "Já existe",

  accessTitle: "Como vamos fazer a mudança?",
  accessIntro: "Seu domínio é administrado em {provider}. Escolha o que for melhor para você.",
  accessIntroUnknown: "Escolha o que for melhor para você.",
  providerQuestion: "Quem cuida do DNS de {domain}?",
  providerQuestionText:
    "Várias empresas usam os mesmos servidores. Escolha aquela em cuja conta você muda as entradas do seu domínio.",
  providerOther: "Outra empresa",
  oauthTitle: "Entrar em {provider}",
  oauthText: "Você permite a mudança lá e volta na hora. Nunca vemos sua senha.",
  oauthButton: "Continuar em {provider}",
  apiFails: "No momento, {provider} não nos responde de forma confiável. Este caminho funciona mesmo assim.",
  linkTitle: "Deixar {provider} fazer as mudanças",
  providerAdds: "{provider} também vai adicionar esta entrada, que mostra que o domínio é seu:",
  providerRemoves: "{provider} vai remover estas entradas:",
  providerAlsoRemoved: "{provider} também removeu estas entradas. Se ainda precisa delas, insira-as lá de novo:",
  tokenTitle: "Com uma chave de acesso de {provider}",
  roleTitle: "Com uma função em {provider}",
  roleMake:
    "Abra o AWS CloudShell em outra janela, cole isto e pressione Enter. Será criada uma função que só pode alterar o DNS de {zone} e que só nós podemos usar. Depois copie para o campo a linha que começa com arn:.",
  tokenText: "Usamos só para esta mudança, guardamos criptografada e depois apagamos.",
  tokenLink: "Ajuda de {provider}",
  tokenButton: "Permitir e conectar",
  tokenButtonLeaving: "Permitir e desconectar",
  manualChoiceTitle: "Fazer você mesmo",
  manualChoiceText: "Mostramos passo a passo o que digitar e conferimos.",
  manualChoiceButton: "Mostrar o que digitar",
  fieldInvalid: "Isto não parece certo.",
  apiToken: "Token de API",
  apiKey: "Chave de API",
  apiSecret: "Segredo de API",
  username: "Nome de usuário",
  accountId: "ID da conta",
  privateKey: "Chave privada",
  accessKeyId: "ID da chave de acesso",
  secretAccessKey: "Chave de acesso secreta",
  roleArn: "ARN da função",
  json: "Conteúdo do arquivo de chave JSON",
  tenantId: "ID do diretório (locatário)",
  clientId: "ID do aplicativo (cliente)",
  clientSecret: "Valor do segredo do cliente",
  subscriptionId: "ID da assinatura",
  resourceGroup: "Grupo de recursos da zona DNS",
  name: "Nome da chave",
  algorithm: "Algoritmo",
  secret: "Segredo",

  visitTitle: "{provider} espera por você",
  visitText: "Permita a mudança lá. Você volta para cá automaticamente.",
  visitOtherWay: "Escolher outro jeito",

  manualOpen: "Ajuda de {provider}",
  manualAdd: "Adicione esta entrada",
  manualChange: "Altere esta entrada",
  manualRemove: "Exclua esta entrada",
  priority: "Prioridade",
  copy: "Copiar",
  copyWhat: "Copiar: {what}",
  copied: "Copiado",
  copyByHand: "Seu navegador não deixou copiar. O texto está marcado: copie você mesmo.",
  zoneFile: "Baixar como arquivo",
  zoneFileText: "Alguns provedores importam as entradas novas de um arquivo. Altere e exclua as outras à mão.",
  otherWay: "Deixar que a gente faça",
  checkNow: "Conferir agora",
  statusPresent: "Encontrada",
  statusMissing: "Ainda não está lá",
  statusGone: "Excluída",
  statusRemains: "Ainda está lá",
  statusDifferent: "Há outra coisa lá",
  statusUnknown: "Ainda não conferida",
  nextLook: "Olhamos de novo {when}.",
  nextLookSoon: "Estamos olhando.",
  progressDelay: "Não conseguimos acessar o DNS. Continuamos tentando.",

  progressRequested: "Olhando {domain}",
  progressRequestedText: "Descobrimos onde seu domínio é administrado e o que está configurado lá.",
  progressAuthorized: "Lendo suas entradas atuais",
  progressAuthorizedText: "Comparamos o que {provider} tem guardado com o que você viu.",
  progressApplying: "Fazendo a mudança",
  progressWritingText: "Você pode fechar esta página; continua sem você.",
  progressVerifying: "Esperando até todos verem",
  progressVerifyingText:
    "As entradas estão prontas. Em geral leva alguns minutos até todos os servidores saberem. Você pode fechar esta página.",
  progressDisconnecting: "Excluindo as entradas",
  checks: "O que estamos esperando",

  successTitle: "{domain} está conectado",
  successText: "Está tudo no lugar. A partir de agora ficamos de olho e avisamos aqui se faltar algo.",
  disconnectedTitle: "{domain} está desconectado",
  degradedTitle: "Falta alguma coisa",
  degradedText: "{domain} estava conectado, mas algumas entradas não estão mais lá.",
  statusLost: "Falta",
  lost: "O que falta ou está diferente",
  repair: "Consertar",
  failureTitle: "Não funcionou",
  tryAgain: "Tentar de novo",
  expiredTitle: "Demorou demais",
  expiredText:
    "A conexão esperou tanto que terminou. Não alteramos nada. O que você mesmo inseriu permanece. Comece de novo.",
  canceledTitle: "Cancelado",
  canceledText: "Não alteramos nada. O que você mesmo inseriu permanece.",

  problemOffline: "Não conseguimos acessar o serviço. Continuamos tentando.",
  problemStart: "Esta página não conseguiu começar. Recarregue; se não adiantar, fale com o suporte da loja.",
  problemSession: "Sua sessão terminou. Recarregue esta página para continuar de onde estava.",
  problemNotFound: "Esta conexão não existe. Recarregue a página ou peça ajuda.",
  problemStale: "A lista mudou nesse meio-tempo. Veja mais uma vez.",
  problemRefused: "Isso não é possível no momento. É assim que as coisas estão.",
  problemInput: "Confira o que você digitou.",
  problemBusy: "Muitos pedidos no momento. Espere um pouco e tente de novo.",
  problemUnknown: "Algo deu errado do nosso lado. Tente de novo.",

  language: "Idioma",
  testMode: "Modo de teste",
  pageTitle: "Conectar um domínio",
  pageClosed: "Você já pode fechar esta página.",
  linkUsed: "Este link não vale mais. Talvez o domínio já esteja conectado; se não, peça um novo link.",

  kindA: "Endereço do site",
  kindAAAA: "Endereço do site (IPv6)",
  kindCNAME: "Redirecionamento",
  kindMX: "Entrega de e-mail",
  kindTXT: "Nota para outros serviços",
  kindSpf: "Quem pode enviar e-mails",
  kindDmarc: "Proteção contra e-mails falsos",
  kindDkim: "Assinatura de e-mail",
  kindNS: "Servidores responsáveis",
  kindSRV: "Endereço de serviço",
  kindCAA: "Quem pode emitir certificados",
  kindOther: "Entrada",

  steps: "Passos",
  stepCheck: "Análise",
  stepReview: "Revisão",
  stepConnect: "Conexão",
  stepLive: "No ar",
  managedAt: "administrado em {provider}",
  theShop: "a loja",
  yourProvider: "seu provedor",
  changesSinceIntro: "Algo mudou desde que você olhou. Veja o que está marcado.",
  sinceChanged: "Desde que você olhou, {name} mudou para {value}",
  sincePlanned: "Desde que você olhou, outra coisa está prevista para {name}: {value}",
  sinceStored: "Salvo no seu provedor para {name}: {value}",
  sinceAdded: "Novo desde que você olhou: {name}",
  sinceRemoved: "Desde que você olhou, o que havia em {name} foi removido",
  technicalDetails: "Detalhes técnicos",
  tickMissing: "Ainda falta uma resposta: veja o que está marcado.",
  websiteReplaced: "Hoje {names} mostra outra página. Depois mostra {who}.",
  websiteSome: "Hoje {old} mostra outra página. Depois {names} mostra {who}.",
  websiteNew: "Hoje {names} não mostra nada. Depois mostra {who}.",
  websiteBack: "Hoje {names} mostra {who}. Depois mostra o que mostrava antes.",
  websiteGone: "Hoje {names} mostra {who}. Depois, não mais.",
  mailStays: "Fica onde está. Nada muda.",
  mailStaysAt: "Continua em {from}. Nada muda.",
  mailMoves: "Hoje seus e-mails chegam em {from}. Depois chegam em {to}.",
  mailBegins: "Hoje {names} não tem servidor de e-mail. Depois os e-mails chegam em {to}.",
  mailEnds: "Hoje seus e-mails chegam em {from}. Depois nenhum e-mail chega a {names}.",
  mailSenders: "Depois {who} pode enviar e-mails por você.",
  mailKept: "Seus e-mails ficam onde estão.",
  mailKeptAt: "Seus e-mails continuam em {from}.",
  mailMayStop:
    "Hoje os e-mails vão para o servidor da página. Depois ele é {who}, e e-mails podem se perder. Para mantê-los, peça antes ao seu serviço de e-mail a entrada “MX”.",
  securityChanged: "Hoje o certificado de segurança ({who}) pode ser recusado. Depois é permitido.",
  proofAdded: "Hoje nada mostra que o domínio é seu. Depois uma entrada mostra; os visitantes não a veem.",
  otherChanged: "Entradas de {names} mudam, como mostram os detalhes técnicos.",
  entriesBack: "As entradas de {names} voltam a ser como antes.",
  mailQuestion: "Você recebe e-mails em …\u2060@{names}?",
  mailNo: "Não, não recebo e-mails lá",
  mailYes: "Sim, recebo e-mails lá",
  mailUnsure: "Não tem certeza? Escreva para um endereço assim e veja se a mensagem chega.",
  deedOther: "Sim, li e quero isto",
  tokenRights: "Ela precisa poder ler e alterar o DNS de {zone}.",
  tokenChoose: "Escolha lá:",
  tokenMake: "Criar uma em {provider}",
  tokenOpensAccount: "Esta chave pode alterar todos os domínios da sua conta.",
  fieldMissing: "Preencha este campo.",
  openProvider: "Abra {provider} em uma segunda janela",
  openUnknown: "Abra as configurações do seu domínio em uma segunda janela",
  openWindow: "Abrir {provider}",
  openRecords: "Abra as configurações DNS de {zone}.",
  logIn: "Entre em {provider}.",
  logInUnknown: "Entre onde você comprou {zone}, ou onde ele é administrado.",
  comeBack: "Deixe essa janela aberta e volte para cá.",
  nameServers: "Estes servidores respondem pelo seu domínio; os nomes dizem quem cuida deles:",
  byHandEffort: "Leva cerca de {minutes} minutos: {entries}. Conferimos cada uma.",
  entryOne: "1 entrada",
  entryMany: "{count} entradas",
  backOne: "1 entrada para desfazer",
  backMany: "{count} entradas para desfazer",
  begin: "Está aberta: começar",
  tasks: "Todas as entradas",
  taskOf: "{number} de {count} · {deed}",
  atProvider: "Em {provider}",
  manualChangeTo: "Deixe assim",
  findEntry: "Procure esta entrada",
  findEntries: "Procure estas entradas: exclua todas menos uma e altere essa",
  deleteFirst: "Primeiro exclua esta entrada",
  deleteFirstMany: "Primeiro exclua estas entradas",
  pressAdd: "Clique em “{button}” e preencha",
  pressPublish: "Lá uma entrada só vale depois de clicar em “{button}”.",
  leaveEmpty: "deixe vazio",
  orEmpty: "Se não for aceito, deixe o campo vazio.",
  orElse: "Se não for aceito:",
  saveThere: "Salve lá. Depois clique no botão aqui.",
  taskDone: "Encontrada. Não há mais nada a fazer aqui.",
  taskGone: "Excluída. Não há mais nada a fazer aqui.",
  saved: "Já salvei",
  checkAgain: "Conferir de novo",
  nextTask: "Próxima entrada",
  looking: "Olhando …",
  answerDone: "Feito: {done} de {all}.",
  answerSome: "Feito: {done} de {all}. O resto ainda não aparece; {provider} costuma levar de 1 a {most} minutos.",
  answerSlips: "Feito: {done} de {all}. O que está marcado “{almost}” ainda não está certo.",
  answerNotYet:
    "Ainda não está lá; {provider} costuma levar de 1 a {most} minutos. Você salvou? Você pode continuar enquanto isso.",
  answerStillThere:
    "Ainda está lá; {provider} costuma levar de 1 a {most} minutos. Você a excluiu? Você pode continuar enquanto isso.",
  correctedJustNow: "Se você acabou de corrigir: {provider} costuma levar de 1 a {most} minutos.",
  notAllMade: "Ainda faltam algumas etapas",
  notAllMadeText: "Faça as que não estão marcadas nesta lista, uma após a outra.",
  allSaved: "Estamos conferindo suas mudanças",
  allSavedText:
    "Você pode fechar esta página; continuamos conferindo. Volte pelo mesmo caminho para ver como está. Se depois de {wait} minutos alguma entrada não estiver marcada como feita, abra-a nesta lista e veja se você salvou.",
  slipsTitle: "Nem tudo está certo ainda",
  slipsText: "O que está marcado “{almost}” precisa ser corrigido em {provider}.",
  showSlip: "Mostrar o que corrigir",
  allDone: "Todas as mudanças foram feitas",
  allDoneText: "O resto a gente termina.",
  almost: "Quase.",
  shareButton: "Enviar a quem cuida do meu site",
  deedRemove: "Excluir “{purpose}” de {name}",
  deedPutBack: "Devolver “{purpose}” de {name}",
  deedMail: "Receber seus e-mails em {name}",
  deedSpf: "Permitir o envio de e-mails de {name}",
  deedDmarc: "Proteger {name} contra e-mails falsos",
  deedDkim: "Assinar seus e-mails",
  stageAllowed: "Permitido",
  stageWritten: "Gravado",
  stageServers: "Visto em {showing} de {asked} servidores do seu domínio",
  stageServersSoon: "Visto nos servidores do seu domínio",
  stageEverybody: "Visto em {showing} de {asked} servidores que todos usam",
  stageEverybodySoon: "Visto por todos",
  estimate: "Alguns visitantes podem ver a página antiga por até {time}.",
  estimateMail: "Parte do e-mail ainda pode ir para o servidor antigo por até {time}.",
  undo: "Para desfazer, desconecte o domínio onde você o conectou. As entradas voltam a ser como antes. Os endereços antigos só voltam dentro de 30 dias.",
  undoByHand:
    "Para desfazer, desconecte o domínio onde você o conectou. Então mostramos quais entradas mudar de volta. Os endereços antigos só voltam dentro de 30 dias.",
  websiteNow: "{names} agora mostra {who}.",
  mailNow: "Seus e-mails agora chegam em {to}.",
  mailGone: "E-mails para {names} não chegam mais.",
  mailBack: "Os e-mails de {names} vão para onde iam antes.",
  mailUnnamed: "Não há serviço de e-mail para {names}: e-mails podem não chegar lá.",
  mailSendersNow: "A partir de agora {who} pode enviar e-mails por você.",
  mailSendersGone: "A partir de agora {who} não pode mais enviar e-mails por você.",
  whatChanged: "O que mudou",
  putBack: "Devolvida",
  oldWebsiteBack: "Seu site antigo responde lá de novo.",
  disconnectedText: "As entradas estão como antes.",
  disconnectedPartly: "Algumas entradas não puderam ser desfeitas. Elas estão listadas abaixo.",
  outcomeDone: "Feito",
  outcomeNot: "Não feito",
  outcomeUnknown: "Talvez feito",
  outcomeLost: "Feito e não desfeito",

  topics,
  taskDeeds,
  fields,
  deeds,
  leftoverReasons,
  hints,
  diagnoses,
  foundInstead: "Encontramos {type} {value} no lugar.",
  share,
  warnings,
  failures
} satisfies Words
