import type { Words } from "./en.ts"

const warnings: Words["warnings"] = {
  name_servers_disagree: "تعطي خوادم نطاقك إجابات مختلفة. ما يراه الزوار مسألة حظ.",
  spf_record_merged: "نضيف أنفسنا إلى قائمة المرسِلين الموجودة. لا يُحذف منها أحد.",
  spf_existing_sufficient: "قائمة المرسِلين لديك تشملنا بالفعل.",
  spf_policy_replaced: "يتغيّر ما يحدث للبريد القادم من مرسِلين غير مدرجين في قائمتك.",
  spf_duplicates_collapsed: "كانت هناك عدة قوائم مرسِلين فأبطلت كلها. ستصبح قائمة واحدة صالحة.",
  spf_lookup_limit_exceeded: "ستصبح قائمة المرسِلين أطول مما تقبله خدمات البريد. قد يُرفض بريد نطاقك.",
  spf_lookup_unknown: "لم نتمكن من فحص قائمة المرسِلين كلها. قد تكون أطول من اللازم.",
  spf_include_broken: "تشير قائمة المرسِلين إلى قائمة لا تعمل. قد يُرفض بريدك حتى يُصلَح ذلك.",
  spf_existing_invalid_replaced: "كانت في قائمة المرسِلين أخطاء. ستُحذف الأخطاء.",
  spf_excludes_existing_mail: "تستقبل بريدًا هنا دون قائمة مرسِلين. إن كنت ترسل عبر خدمة أخرى أيضًا فأضفها إلى القائمة.",
  spf_allows_all: "قائمة المرسِلين لديك تسمح لأي شخص بالإرسال باسمك.",
  dmarc_existing_preserved: "حمايتك من البريد المزوّر سليمة وتبقى كما هي.",
  dmarc_existing_invalid_replaced: "كانت في حمايتك من البريد المزوّر أخطاء، وتُستبدل بحماية تعمل.",
  dmarc_policy_weakened: "تصبح حمايتك من البريد المزوّر أخف: سيمرّ بريد مشبوه أكثر.",
  dmarc_policy_strengthened: "تصبح حمايتك من البريد المزوّر أشد: قد يضيع بريد من خدمات لم تُعدّها.",
  dmarc_inherited_from_root: "تُنسخ الحماية من البريد المزوّر من نطاقك الرئيسي.",
  dmarc_duplicates_collapsed: "كانت هناك عدة قواعد ضد البريد المزوّر فأبطلت كلها. ستصبح قاعدة واحدة صالحة.",
  dmarc_tag_deprecated: "في قاعدتك ضد البريد المزوّر جزء قديم. لا ضرر منه.",
  dkim_key_replaced: "يُستبدل مفتاح يوقّع بريدك. لن يمكن التحقق من البريد الموقّع بالمفتاح القديم.",
  dkim_key_removed: "يُحذف مفتاح يوقّع بريدك. لن يمكن التحقق من البريد الموقّع به.",
  caa_blocks_issuance: "نطاقك لا يسمح بشهادة الأمان المطلوبة. من دون تغيير لن يعمل https.",
  caa_set_created: "من الآن لا تصدر شهادات الأمان إلا الشركات المدرجة.",
  caa_existing_sufficient: "نطاقك يسمح بالفعل بشهادة الأمان المطلوبة.",
  caa_not_needed: "يمكن لأي شركة إصدار شهادات الأمان.",
  caa_lookup_unknown: "لم نتمكن من معرفة شهادات الأمان التي يسمح بها نطاقك.",
  cname_replaces_records: "تُحذف السجلات الأخرى لأن الجديد يجب أن يكون وحده.",
  cname_removed: "يُحذف سجل تحويل. لن يوصل إلى وجهته بعد الآن.",
  address_records_replaced: "لن يصل الزوار إلى الموقع الحالي.",
  website_replaced: "يُستبدل الموقع أو الخدمة الموجودة هناك اليوم.",
  mx_replaced: "ينتقل بريدك إلى خدمة أخرى. تأكد من وجود صناديق بريدك هناك.",
  mail_records_removed: "تُحذف سجلات يعتمد عليها بريدك. قد يتوقف البريد.",
  mail_target_changed: "يتغيّر مكان خادم بريد. قد يتوقف البريد إن لم يُجب خادم هناك.",
  service_record_replaced: "قد لا تجد البرامج خدمةً ما، أو لا يمكن تجديد شهادتها.",
  tls_policy_mismatch: "لم تعد قواعد التسليم المشفّر تناسب خادم بريدك. قد لا يصل البريد.",
  ns_target_changed: "يتغيّر مكان خادم يجيب عن نطاق.",
  ns_delegation_hides_records: "تتوقف السجلات الواقعة تحته لأن خدمة أخرى تجيب عنها.",
  delegation_replaced: "ستجيب خدمة أخرى. ما هو مُعدّ هناك اليوم سيتوقف.",
  apex_cname_flattened: "يحوّل مزوّدك هذا السجل إلى عناوين عادية. هذا طبيعي.",
  record_not_served: "لن يرى أحد هذا السجل بعد.",
  wildcard_hidden: "سجل عام لم يعد يجيب هناك أو عن اسم أعلى.",
  proxied_record_present: "تبقى حماية مزوّدك.",
  mx_target_unusable: "قد لا يصل البريد: لا عنوان لخادمه.",
  null_mx_sender: "نطاقك لا يستقبل البريد. كثيرون يرفضون ما يرسله.",
  ttl_adjusted: "",
  txt_value_split: "",
  record_repeated: "",
  host_repeats_domain: "اسم يكرّر بداية نطاقك. يرجى التحقق منه.",
  optional_record_skipped: "سجل مفيد غير ضروري لا يمكن إنشاؤه، فيُترك.",
  dnssec_signed_zone: "نطاقك محمي بتواقيع. يجدّدها مزوّدك مع التغيير.",
  multi_provider_ns: "مزوّدان يجيبان عن نطاقك. يجب إجراء كل تغيير لدى كليهما.",
  ns_parent_child_mismatch: "السجل ومزوّدك يذكران خوادم مختلفة لنطاقك. يمكن لمزوّدك المساعدة.",
  other_connection_affected: "شيء آخر ربطته يستخدم سجلًا سيتغيّر.",
  control_not_proven: "لم يثبت أحد أن النطاق له.",
  plan_large_deletion: "تُحذف سجلات كثيرة من نطاقك. راجع القائمة بعناية.",
  provider_zone_differs_from_public_dns: "ما هو مخزّن لدى مزوّدك يختلف عمّا يراه العالم. تعرض هذه القائمة المخزّن.",
  lookup_unknown: "لم نتمكن من فحص كل شيء. قد تنقص ملاحظة هنا."
}

const entriesNotFound = {
  reason: "لم نجد السجلات في الوقت المناسب.",
  next: "قارنها بالقائمة وحاول مرة أخرى؛ نواصل البحث."
}

const tooLarge = {
  reason: "في هذا النطاق سجلات DNS أكثر من اللازم.",
  next: "أضف السجلات بنفسك لدى مزوّدك."
}

const askForHelp = "اطلب المساعدة؛ تكرار المحاولة لا يفيد."
const tryLater = "حاول مرة أخرى بعد دقائق."
const nothingChanged = "حاول مرة أخرى؛ لم يتغيّر شيء."

const failures: Words["failures"] = {
  domain_not_registered: {
    reason: "هذا النطاق غير مسجّل.",
    next: "تحقق من كتابته. إن اشتريته للتو فانتظر ساعة وحاول مرة أخرى."
  },
  caa_host_is_cname: {
    reason: "اسم يجب أن يحدد من يصدر الشهادات يكتفي بالتحويل.",
    next: "اطلب المساعدة من المتجر؛ تكرار المحاولة لا يفيد."
  },
  cname_loop: { reason: "سيحوّل هذا الاسم إلى نفسه.", next: "احذف السجل الذي يعيد التحويل ثم ابدأ من جديد." },
  domain_has_no_nameservers: {
    reason: "لا أحد يجيب عن هذا النطاق بعد.",
    next: "سجّل الدخول حيث اشتريته واختر مزوّد DNS («خوادم الأسماء») ثم حاول مرة أخرى."
  },
  zone_not_found: {
    reason: "المزوّد الذي يذكره نطاقك لا يعرفه.",
    next: "سجّل الدخول لدى مزوّدك وأضف النطاق هناك ثم حاول مرة أخرى."
  },
  discovery_timeout: { reason: "لم تُجب خوادم نطاقك في الوقت المناسب.", next: tryLater },
  provider_unavailable: { reason: "مزوّدك لا يجيب حاليًا.", next: tryLater },
  provider_rate_limited: { reason: "يطلب منا مزوّدك أن نبطئ.", next: tryLater },
  authorization_denied: {
    reason: "أنت أو مزوّدك لم تسمحا بالتغيير.",
    next: "حاول مرة أخرى واسمح به، أو أدخل التغييرات بنفسك."
  },
  authorization_expired: {
    reason: "انتهى الإذن قبل أن ننتهي.",
    next: "حاول مرة أخرى؛ لن يستغرق إلا لحظة."
  },
  authorization_revoked: { reason: "سُحب الإذن لدى مزوّدك.", next: "حاول مرة أخرى واسمح من جديد." },
  authorization_insufficient_scope: {
    reason: "ما أعطيتنا إياه لا يسمح بتغيير سجلات DNS.",
    next: "أنشئ مفتاحًا يمكنه قراءة DNS هذا النطاق وتعديله ثم حاول مرة أخرى."
  },
  authorization_zone_mismatch: {
    reason: "النطاق ليس في هذا الحساب.",
    next: "سجّل الدخول بالحساب الذي فيه النطاق ثم حاول مرة أخرى."
  },
  credential_invalid: {
    reason: "لم يقبل مزوّدك ما أدخلته.",
    next: "انسخه مرة أخرى دون مسافات قبله أو بعده وحاول من جديد."
  },
  account_not_entitled: {
    reason: "حسابك لدى المزوّد لا يسمح لخدمات أخرى بالوصول.",
    next: "فعّل ذلك أو وسّع حسابك هناك وحاول مرة أخرى، أو أدخل التغييرات بنفسك."
  },
  provider_snapshot_timeout: { reason: "استغرق مزوّدك وقتًا طويلًا لإرسال سجلاتك الحالية.", next: nothingChanged },
  provider_snapshot_failed: { reason: "لم يتمكن مزوّدك من إرسال سجلاتك الحالية.", next: nothingChanged },
  zone_too_large: tooLarge,
  provider_zone_locked: {
    reason: "قفل مزوّدك هذا النطاق أمام التغييرات.",
    next: "افتح القفل لديه، أو انتظر انتهاء تغيير آخر، ثم حاول مرة أخرى."
  },
  provider_record_locked: {
    reason: "لا يسمح مزوّدك لأحد بتغيير أحد السجلات.",
    next: "اطلب منه فتح القفل ثم حاول مرة أخرى، أو أدخل التغييرات بنفسك."
  },
  apex_cname_unsupported: {
    reason: "لا يستطيع مزوّدك حفظ السجل اللازم للنطاق من دون «www».",
    next: "اربط الاسم مع «www» بدلًا منه، أو اطلب المساعدة."
  },
  record_type_unsupported: { reason: "لا يستطيع مزوّدك حفظ نوع سجل مطلوب.", next: askForHelp },
  record_value_rejected: { reason: "لا يقبل مزوّدك أحد السجلات.", next: askForHelp },
  spf_merge_impossible: {
    reason: "لا يمكن توسيع قائمة المرسِلين دون إتلافها.",
    next: "اطلب ممن يدير بريدك ترتيبها."
  },
  host_delegated_elsewhere: {
    reason: "خدمة أخرى تجيب عن هذا الجزء من نطاقك.",
    next: "أجرِ التغيير في تلك الخدمة، أو اختر اسمًا آخر."
  },
  plan_too_large: tooLarge,
  apply_timeout: {
    reason: "استغرق مزوّدك وقتًا طويلًا لإجراء التغيير.",
    next: "حاول مرة أخرى؛ سننظر أولًا فيما تم."
  },
  apply_rejected: { reason: "رفض مزوّدك التغيير.", next: "حاول مرة أخرى، أو أدخل التغييرات بنفسك." },
  apply_partial: { reason: "تم جزء من التغيير فقط.", next: "حاول مرة أخرى لنكمل من حيث توقف، أو أدخل الباقي بنفسك." },
  verification_timeout: {
    reason: "تم التغيير لكن العالم لا يراه بعد.",
    next: "قد يستغرق ذلك يومًا. حاول لاحقًا."
  },
  verification_mismatch: {
    reason: "يرى العالم شيئًا غير الذي أُعدّ.",
    next: "ربما غيّره أحد منذ ذلك الحين. حاول مرة أخرى لننظر من جديد."
  },
  manual_setup_timeout: entriesNotFound,
  control_unproven: entriesNotFound,
  control_lost: { reason: "أصبح النطاق الآن لشخص آخر.", next: "حاول مرة أخرى." },
  internal_error: { reason: "حدث خطأ من جانبنا.", next: "حاول مرة أخرى؛ لم يضع شيء." }
}

const topics: Words["topics"] = {
  website: "الموقع",
  mail: "البريد",
  security: "الأمان",
  proof: "الإثبات",
  other: "أخرى"
}

const taskDeeds: Words["taskDeeds"] = {
  website: "عرض متجرك على {name}",
  security: "السماح بشهادة الأمان",
  proof: "إثبات أن النطاق لك ({name})",
  other: "إعداد {name}"
}

const fields: Words["fields"] = {
  type: "النوع",
  host: "المضيف",
  value: "القيمة",
  priority: "الأولوية",
  ttl: "TTL",
  service: "الخدمة",
  protocol: "البروتوكول",
  weight: "الوزن",
  port: "المنفذ",
  target: "الهدف",
  address: "عنوان IP"
}

const deeds: Words["deeds"] = {
  website_replaced: "نعم، استبدلوا الصفحة على {names}",
  cname_removed: "نعم، أوقفوا التحويل على {names}",
  mx_replaced: "نعم، انقلوا بريد {names}",
  mail_records_removed: "نعم، احذفوا سجلات البريد لـ {names}",
  mail_target_changed: "نعم، قد يتوقف البريد إلى {names}",
  dkim_key_replaced: "نعم، استبدلوا مفتاح البريد لـ {names}",
  dkim_key_removed: "نعم، احذفوا مفتاح البريد لـ {names}",
  spf_excludes_existing_mail: "نعم، الخدمات المدرجة وحدها ترسل بريدي",
  dmarc_policy_weakened: "نعم، خفّفوا حماية {names}",
  dmarc_policy_strengthened: "نعم، شدّدوا حماية {names}",
  plan_large_deletion: "نعم، احذفوا كل السجلات المدرجة",
  delegation_replaced: "نعم، دعوا خدمة أخرى تجيب عن {names}"
}

const leftoverReasons: Words["leftoverReasons"] = {
  changed_since: "(غيّره أحد منذ ذلك الحين)",
  wanted_by_another_connection: "(يحتاج إليه شيء آخر)",
  older_than_thirty_days: "(عمره أكثر من 30 يومًا؛ قد يكون هدفه لشخص آخر الآن)",
  target_does_not_resolve: "(هدفه لم يعد موجودًا)",
  provider_cannot_store: "(لم يعد مزوّدك يقبله)",
  zone_gone: "(لم يعد النطاق لدى هذا المزوّد)",
  manual_setup_timeout: "(لم نرَ التغيير في الوقت المناسب)"
}

const hints: Words["hints"] = {
  create_subdomain_first: "إن لم تسمح الصفحة باختيار الاسم فأنشئه هناك أولًا كنطاق فرعي.",
  delete_parking_records: "احذف أولًا سجلات صفحة المزوّد المؤقتة.",
  turn_proxy_off: "أحد السجلات بهذا الاسم يعمل عبر وكيل. ضع السجل الجديد مكانه وأوقف الوكيل.",
  save_and_publish: "بعد الحفظ انشر التغييرات إن طلبت الصفحة ذلك.",
  second_factor: "قد تطلب الصفحة رمزًا قبل الحفظ.",
  choose_custom_mail: "اختر هناك أولًا إعدادات بريدك الخاصة («Custom MX»).",
  apex_alias: "اختر النوع ALIAS أو ANAME إن لم يُقبل CNAME هنا.",
  apex_addresses: "النطاق نفسه يقبل العناوين فقط، لا اسمًا.",
  apex_redirect: "اجعل النطاق نفسه يحوّل إلى العنوان مع www.",
  find_who_runs_name_servers: "فاتورة نطاقك، أو من أعدّه، تخبرك بمن يديرها."
}

const diagnoses: Words["diagnoses"] = {
  not_yet: { found: "لا شيء هناك بعد.", fix: "كثيرًا ما يستغرق الحفظ بضع دقائق." },
  on_its_way: { found: "إنه في الطريق.", fix: "لا شيء عليك فعله." },
  old_value_remains: {
    found: "ما زلنا نجد {value}.",
    fix: "غيّره إلى ما يلي واحفظ. إن فعلت ذلك فانتظر بضع دقائق."
  },
  also_there: { found: "السجل صحيح، لكن وجدنا بجانبه {type} {value}.", fix: "احذف الآخر." },
  doubled_zone: {
    found: "وجدنا {name}.",
    fix: "يضيف مزوّدك «{zone}» بنفسه: ضع «{copy}» فقط في «{label}»."
  },
  target_doubled: {
    found: "وجدنا {value}.",
    fix: "يضيف مزوّدك إليها «{zone}»: ضع «{copy}» في «{label}» مع النقطة."
  },
  quoted: { found: "وجدنا علامات اقتباس في القيمة.", fix: "أدخلها من دونها." },
  escaped: { found: "وجدنا شرطات مائلة عكسية في القيمة.", fix: "أدخلها من دونها." },
  wrong_host: { found: "وجدناه على {name}.", fix: "ضع «{copy}» في «{label}»." },
  wrong_type: { found: "وجدناه بالنوع {type}.", fix: "احذفه وأضفه بالنوع {wanted}." },
  two_spf: { found: "وجدنا قائمتي مرسِلين؛ معًا لا تصلحان.", fix: "أبقِ واحدًا بهذه القيمة واحذف الآخر." },
  two_dmarc: { found: "وجدنا قاعدتين ضد البريد المزوّر؛ معًا لا تصلحان.", fix: "أبقِ واحدًا بهذه القيمة واحذف الآخر." },
  truncated: { found: "وجدنا جزءًا من القيمة فقط.", fix: "انسخها كلها." },
  proxied: { found: "يجيب مزوّدك بعناوينه هو.", fix: "أوقف الوكيل (proxy) لهذا السجل." },
  flattened: { found: "يعرضه مزوّدك كعناوين عادية.", fix: "عطّل ذلك لهذا السجل." },
  only_some_servers: { found: "لا تعرضه كل خوادم نطاقك بعد.", fix: "انتظر بضع دقائق." },
  other_zone: { found: "تجيب عن نطاقك خوادم غير خوادم {provider}.", fix: "أنشئ السجل حيث يُدار نطاقك الآن." },
  parking: { found: "ما زالت صفحة مزوّدك المؤقتة هناك.", fix: "احذف سجلاتها أو أوقفها." },
  blocked_by_caa: { found: "سجل يمنع شهادة الأمان.", fix: "أضف هذا السجل." }
}

const share: Words["share"] = {
  title: "أرسل هذا إلى من يساعدك",
  text: "يرى ما يجب تغييره في {domain} وينفّذه ويتحقق منه. ولا يمكنه الموافقة على شيء نيابة عنك.",
  name: "اسمك، ليعرف من يطلب",
  send: "إرسال",
  mail: "إرسال بالبريد",
  qr: "عرض رمز QR",
  qrText: "وجّه إليه كاميرا الهاتف.",
  link: "الرابط",
  subject: "هل يمكنك مساعدتي في {domain}؟",
  message: "من فضلك غيّر بعض سجلات {domain} لي. تعرض هذه الصفحة أيها وتتحقق منها:",
  ends: "يعمل الرابط حتى يكتمل كل شيء.",
  revoke: "إلغاء الرابط",
  revoked: "لم يعد الرابط يعمل.",
  again: "إنشاء رابط جديد",
  somebody: "شخص ما",
  asks: "يطلب منك {sender} تغيير {count} سجلات لدى {provider}. | يطلب منك {sender} تغيير {count} سجلًا لدى {provider}.",
  asksOne: "يطلب منك {sender} تغيير سجل واحد لدى {provider}.",
  waitTitle: "الدور الآن على {sender}",
  waitText: "يجب أولًا الموافقة على التغييرات. بعدها تكمل هذه الصفحة وحدها."
}

/** Every text of the component in Arabic. */
export const ar = {
  loading: "لحظة من فضلك",
  newWindow: "يُفتح في نافذة جديدة",
  notNow: "ليس الآن",
  close: "إغلاق",
  done: "تم",
  back: "رجوع",
  goOn: "متابعة",
  supportCode: "للدعم: {code}",
  needHelp: "هل تحتاج إلى مساعدة؟",

  entryTitle: "أي نطاق تريد ربطه؟",
  entryText: "اكتب نطاقًا تملكه. لن يتغيّر شيء بعد.",
  entryLabel: "نطاقك",
  entryMeant: "هل تقصد {name}؟",
  entryChoice: "أي عنوان يستخدمه الزوار؟",
  entryInvalid: "هذا ليس نطاقًا. يكون شكله مثل shop.com.",

  changesTitle: "ربط {domain}",
  changesIntro: "هذا ما سيحدث. يبقى كل شيء آخر كما هو.",
  changesNone: "كل شيء في مكانه. لا حاجة إلى أي تغيير.",
  changesAgainTitle: "يرجى النظر مرة أخرى",
  changesAgainIntro: "المخزّن لدى مزوّدك يختلف عمّا رأيناه سابقًا. هذا ما سيحدث الآن.",
  approve: "إجراء هذه التغييرات",
  restoreTitle: "فصل {domain}",
  restoreIntro: "يعود هذا إلى ما كان عليه.",
  tableCaption: "ما يتغيّر في {domain}",
  what: "السجل",
  today: "اليوم",
  afterwards: "بعد ذلك",
  nothing: "لا شيء",
  taken: "يُحذف",
  added: "جديد",
  changed: "معدّل",
  removed: "محذوف",
  fullValue: "عرض الكل",
  leftovers: "يبقى كما هو",
  leftOut: "متروك",
  alreadyThere: "موجود بالفعل",

  accessTitle: "كيف نجري التغيير؟",
  accessIntro: "يُدار نطاقك لدى {provider}. اختر ما يناسبك.",
  accessIntroUnknown: "اختر ما يناسبك.",
  providerQuestion: "من يدير نظام أسماء النطاقات (DNS) للنطاق {domain}؟",
  providerQuestionText: "تستخدم عدة شركات الخوادم نفسها. اختر الشركة التي تغيّر سجلات نطاقك في حسابك لديها.",
  providerOther: "شركة أخرى",
  oauthTitle: "تسجيل الدخول لدى {provider}",
  oauthText: "تسمح هناك بالتغيير وتعود مباشرة. لا نرى كلمة مرورك أبدًا.",
  oauthButton: "المتابعة إلى {provider}",
  apiFails: "لا يستجيب {provider} لنا جيدًا في الوقت الحالي. الطريقة التالية تنجح الآن.",
  providerRemoves: "سيحذف {provider} هذه السجلات:",
  providerAlsoRemoved: "حذف {provider} هذه السجلات أيضًا. إن كنت لا تزال تحتاج إليها، فأدخلها هناك من جديد:",
  tokenTitle: "بمفتاح وصول من {provider}",
  roleTitle: "بدور لدى {provider}",
  roleMake:
    "افتح AWS CloudShell في نافذة ثانية، والصق هذا ثم اضغط Enter. يُنشئ ذلك دورًا لا يمكنه إلا تغيير DNS الخاص بـ {zone} ولا يستطيع استخدامه غيرنا. ثم انسخ السطر الذي يبدأ بـ arn: إلى الحقل.",
  tokenText: "نستخدمه لهذا التغيير فقط، ونحفظه مشفّرًا ثم نحذفه.",
  tokenLink: "مساعدة {provider}",
  tokenButton: "السماح والربط",
  tokenButtonLeaving: "السماح وفصل النطاق",
  manualChoiceTitle: "نفّذه بنفسك",
  manualChoiceText: "نريك خطوة بخطوة ما تُدخله، ونتحقق منه.",
  manualChoiceButton: "أرني ما أُدخله",
  fieldInvalid: "لا يبدو هذا صحيحًا.",
  apiToken: "رمز API",
  apiKey: "مفتاح API",
  apiSecret: "سر API",
  username: "اسم المستخدم",
  accountId: "معرّف الحساب",
  accessKeyId: "معرّف مفتاح الوصول",
  secretAccessKey: "مفتاح الوصول السري",
  roleArn: "معرّف ARN للدور",
  json: "محتوى ملف المفتاح JSON",
  tenantId: "معرّف الدليل (المستأجر)",
  clientId: "معرّف التطبيق (العميل)",
  clientSecret: "قيمة سر العميل",
  subscriptionId: "معرّف الاشتراك",
  resourceGroup: "مجموعة موارد منطقة DNS",
  name: "اسم المفتاح",
  algorithm: "الخوارزمية",
  secret: "السر",

  visitTitle: "ننتظرك لدى {provider}",
  visitText: "اسمح بالتغيير هناك. ستعود إلى هنا تلقائيًا.",
  visitOtherWay: "اختيار طريقة أخرى",

  manualOpen: "مساعدة {provider}",
  manualAdd: "أضف هذا السجل",
  manualChange: "غيّر هذا السجل",
  manualRemove: "احذف هذا السجل",
  priority: "الأولوية",
  copy: "نسخ",
  copyWhat: "نسخ {what}",
  copied: "تم النسخ",
  copyByHand: "لم يسمح متصفحك بالنسخ. النص محدّد: انسخه بنفسك.",
  zoneFile: "تنزيل كملف",
  zoneFileText: "يمكن لبعض المزوّدين استيراد السجلات الجديدة من ملف. غيّر الأخرى واحذفها يدويًا.",
  otherWay: "دعنا ننفّذه بدلًا منك",
  checkNow: "تحقق الآن",
  statusPresent: "وُجد",
  statusMissing: "ليس هناك بعد",
  statusDifferent: "هناك شيء آخر",
  statusUnknown: "لم يُفحص بعد",
  nextLook: "ننظر مرة أخرى {when}.",
  nextLookSoon: "ننظر الآن.",
  progressDelay: "لا نستطيع الوصول إلى DNS. نواصل المحاولة.",

  progressRequested: "ننظر في {domain}",
  progressRequestedText: "نعرف أين يُدار نطاقك وما هو مُعدّ هناك.",
  progressAuthorized: "نقرأ سجلاتك الحالية",
  progressAuthorizedText: "نقارن المخزّن لدى {provider} بما رأيته.",
  progressApplying: "نجري التغيير",
  progressWritingText: "يمكنك إغلاق هذه الصفحة؛ يستمر العمل من دونك.",
  progressVerifying: "ننتظر حتى يراه الجميع",
  progressVerifyingText: "السجلات جاهزة. يستغرق الأمر عادة بضع دقائق حتى تعرف كل الخوادم. يمكنك إغلاق هذه الصفحة.",
  progressDisconnecting: "نحذف السجلات",
  checks: "ما ننتظره",

  successTitle: "تم ربط {domain}",
  successText: "كل شيء في مكانه. نراقبه من الآن ونخبرك هنا إن نقص شيء.",
  disconnectedTitle: "تم فصل {domain}",
  degradedTitle: "هناك شيء ناقص",
  degradedText: "كان {domain} مربوطًا، لكن بعض السجلات لم تعد موجودة.",
  statusLost: "ناقص",
  lost: "ما ينقص أو يختلف",
  repair: "إصلاح",
  failureTitle: "لم ينجح ذلك",
  tryAgain: "المحاولة مرة أخرى",
  expiredTitle: "استغرق ذلك وقتًا طويلًا",
  expiredText: "انتظر الربط طويلًا حتى انتهى. لم يتغيّر شيء. ابدأ من جديد.",
  canceledTitle: "أُلغي",
  canceledText: "لم يتغيّر شيء.",

  problemOffline: "لا نستطيع الوصول إلى الخدمة. نواصل المحاولة.",
  problemStart: "لم تتمكن هذه الصفحة من البدء. أعد تحميلها؛ وإن لم يفد ذلك فاسأل دعم المتجر.",
  problemSession: "انتهت جلستك. أعد تحميل الصفحة لتكمل من حيث كنت.",
  problemNotFound: "لا يوجد ربط كهذا. أعد تحميل الصفحة أو اطلب المساعدة.",
  problemStale: "تغيّرت القائمة في هذه الأثناء. يرجى النظر مرة أخرى.",
  problemRefused: "هذا غير ممكن حاليًا. هكذا هو الوضع الآن.",
  problemInput: "يرجى التحقق مما أدخلته.",
  problemBusy: "طلبات كثيرة حاليًا. انتظر قليلًا وحاول مرة أخرى.",
  problemUnknown: "حدث خطأ من جانبنا. حاول مرة أخرى.",

  language: "اللغة",
  testMode: "وضع الاختبار",
  pageTitle: "ربط نطاق",
  pageClosed: "يمكنك إغلاق هذه الصفحة الآن.",
  linkUsed: "لم يعد هذا الرابط صالحًا. ربما تم ربط النطاق بالفعل؛ وإلا فاطلب رابطًا جديدًا.",

  kindA: "عنوان الموقع",
  kindAAAA: "عنوان الموقع (IPv6)",
  kindCNAME: "تحويل",
  kindMX: "استلام البريد",
  kindTXT: "ملاحظة لخدمات أخرى",
  kindSpf: "من يمكنه إرسال البريد",
  kindDmarc: "الحماية من البريد المزوّر",
  kindDkim: "توقيع البريد",
  kindNS: "الخوادم المسؤولة",
  kindSRV: "عنوان خدمة",
  kindCAA: "من يمكنه إصدار الشهادات",
  kindOther: "سجل",

  steps: "الخطوات",
  stepCheck: "الفحص",
  stepReview: "المراجعة",
  stepConnect: "الربط",
  stepLive: "يعمل",
  managedAt: "يُدار لدى {provider}",
  theShop: "المتجر",
  yourProvider: "مزوّدك",
  changesSinceIntro: "تغيّر شيء منذ نظرت. انظر إلى ما هو مميّز.",
  sinceChanged: "منذ نظرت تغيّر {name} إلى {value}",
  sinceAdded: "جديد منذ نظرت: {name}",
  technicalDetails: "تفاصيل تقنية",
  tickMissing: "ما زال هناك ما يجب الإجابة عنه: انظر إلى ما هو مميّز.",
  websiteReplaced: "اليوم يعرض {names} صفحة أخرى. بعد ذلك يعرض {who}.",
  websiteSome: "اليوم يعرض {old} صفحة أخرى. بعد ذلك يعرض {names} {who}.",
  websiteNew: "اليوم لا يعرض {names} شيئًا. بعد ذلك يعرض {who}.",
  websiteBack: "اليوم يعرض {names} {who}. بعد ذلك يعرض ما كان عليه.",
  websiteGone: "اليوم يعرض {names} {who}. بعد ذلك لا يعرض شيئًا.",
  mailStays: "يبقى حيث هو. لا يتغيّر شيء.",
  mailStaysAt: "يبقى لدى {from}. لا يتغيّر شيء.",
  mailMoves: "اليوم يصل بريدك إلى {from}. بعد ذلك يصل إلى {to}.",
  mailBegins: "اليوم لا خادم بريد لـ {names}. بعد ذلك يصل البريد إلى {to}.",
  mailEnds: "اليوم يصل بريدك إلى {from}. بعد ذلك لا يصل بريد إلى {names}.",
  mailSenders: "بعد ذلك يمكن لـ {who} إرسال البريد باسمك.",
  mailKept: "يبقى بريدك حيث هو.",
  mailKeptAt: "يبقى بريدك لدى {from}.",
  mailMayStop:
    "اليوم يذهب البريد إلى خادم الصفحة. بعد ذلك يصبح {who} وقد يضيع البريد. للاحتفاظ به اسأل خدمة بريدك أولًا عن سجل «MX».",
  securityChanged: "اليوم قد تُرفض شهادة أمان {who}. بعد ذلك يُسمح بها.",
  proofAdded: "اليوم لا شيء يثبت أن النطاق لك. بعد ذلك يثبته سجل لا يراه الزوار.",
  otherChanged: "تتغيّر سجلات {names} كما تبيّن التفاصيل التقنية.",
  entriesBack: "تعود سجلات {names} إلى ما كانت عليه.",
  mailQuestion: "هل يصلك بريد على …\u2060@{names}؟",
  mailNo: "لا، لا يصلني بريد هناك",
  mailYes: "نعم، يصلني بريد هناك",
  deedOther: "نعم، قرأت هذا وأريده",
  tokenRights: "يجب أن يُسمح له بقراءة DNS النطاق {zone} وتغييره.",
  tokenChoose: "اختر هناك:",
  tokenMake: "أنشئ واحدًا لدى {provider}",
  fieldMissing: "يرجى ملء هذا الحقل.",
  openProvider: "افتح {provider} في نافذة ثانية",
  openUnknown: "افتح إعدادات نطاقك في نافذة ثانية",
  openWindow: "فتح {provider}",
  openRecords: "افتح إعدادات DNS لـ {zone}.",
  logIn: "سجّل الدخول لدى {provider}.",
  logInUnknown: "سجّل الدخول حيث اشتريت {zone} أو حيث يُدار.",
  comeBack: "اترك تلك النافذة مفتوحة وعُد إلى هنا.",
  nameServers: "تجيب هذه الخوادم عن نطاقك؛ وأسماؤها تدل على من يديرها:",
  byHandEffort: "يستغرق نحو {minutes} دقائق: {entries}. نتحقق من كل واحد.",
  entryOne: "سجل واحد",
  entryMany: "{count} سجلات | {count} سجلًا",
  backOne: "سجل واحد يجب إعادته",
  backMany: "{count} سجلات يجب إعادتها | {count} سجلًا يجب إعادتها",
  begin: "إنها مفتوحة: ابدأ",
  tasks: "كل السجلات",
  taskOf: "{number} من {count} · {deed}",
  atProvider: "لدى {provider}",
  manualChangeTo: "اجعله هكذا",
  findEntry: "ابحث عن هذا السجل",
  findEntries: "ابحث عن هذه السجلات: احذفها كلها عدا واحدًا وغيّر ذلك السجل",
  deleteFirst: "احذف هذا السجل أولًا",
  deleteFirstMany: "احذف هذه السجلات أولًا",
  pressAdd: "اضغط «{button}» واملأ",
  leaveEmpty: "اتركه فارغًا",
  orEmpty: "إن لم يُقبل فاترك الحقل فارغًا.",
  orElse: "إن لم يُقبل:",
  saveThere: "احفظه هناك. ثم اضغط الزر هنا.",
  taskDone: "وُجد. لم يبقَ شيء هنا.",
  saved: "لقد حفظته",
  checkAgain: "تحقق مرة أخرى",
  nextTask: "السجل التالي",
  looking: "ننظر …",
  answerFound: "وُجد: {found} من {all}.",
  answerSome: "وُجد: {found} من {all}. الأخرى ليست هناك بعد؛ كثيرًا ما يستغرق {provider} من دقيقة إلى 5 دقائق.",
  answerSlips: "وُجد: {found} من {all}. ما عليه علامة «{almost}» ليس صحيحًا بعد.",
  answerNotYet:
    "ليس هناك بعد. هل حفظته؟ كثيرًا ما يستغرق {provider} من دقيقة إلى 5 دقائق؛ يمكنك المتابعة في هذه الأثناء.",
  correctedJustNow: "إن كنت قد صححته للتو: كثيرًا ما يستغرق {provider} من دقيقة إلى 5 دقائق.",
  allSaved: "نبحث عن سجلاتك",
  allSavedText:
    "يمكنك إغلاق هذه الصفحة؛ نواصل البحث. عُد بالطريقة نفسها لترى الوضع. إن غاب أحدها بعد 10 دقائق فافتحه في هذه القائمة وتحقق من أنك حفظته.",
  slipsTitle: "ليس كل شيء صحيحًا بعد",
  slipsText: "يجب تصحيح ما عليه علامة «{almost}» لدى {provider}.",
  showSlip: "اعرض ما يجب تصحيحه",
  allFound: "وُجدت كل السجلات",
  allFoundText: "نكمل الباقي بأنفسنا.",
  almost: "أوشكت.",
  shareButton: "إرسال إلى مسؤول موقعي",
  deedRemove: "حذف «{purpose}» لـ {name}",
  deedPutBack: "إعادة «{purpose}» لـ {name}",
  deedMail: "استلام بريدك على {name}",
  deedSpf: "السماح بإرسال البريد باسم {name}",
  deedDmarc: "حماية {name} من البريد المزوّر",
  deedDkim: "توقيع بريدك",
  stageAllowed: "مسموح",
  stageWritten: "مكتوب",
  stageServers: "ظاهر على {showing} من {asked} من خوادم نطاقك",
  stageServersSoon: "ظاهر على خوادم نطاقك",
  stageEverybody: "ظاهر على {showing} من {asked} من الخوادم التي يستخدمها الجميع",
  stageEverybodySoon: "ظاهر للجميع",
  estimate: "قد يرى بعض الزوار الصفحة القديمة حتى {time}.",
  undo: "للتراجع افصل النطاق حيث ربطته. تعود السجلات إلى ما كانت عليه.",
  undoByHand: "للتراجع افصل النطاق حيث ربطته. نعرض لك عندئذ السجلات التي تعيدها كما كانت.",
  websiteNow: "يعرض {names} الآن {who}.",
  mailNow: "يصل بريدك الآن إلى {to}.",
  mailGone: "لم يعد البريد يصل إلى {names}.",
  mailUnnamed: "لا خدمة بريد لـ {names}: قد لا يصل البريد إليه.",
  mailSendersNow: "يمكن الآن لـ {who} إرسال البريد باسمك.",
  mailSendersGone: "لم يعد بإمكان {who} إرسال البريد باسمك.",
  whatChanged: "ما تغيّر",
  putBack: "أُعيد",
  oldWebsiteBack: "موقعك القديم يجيب هناك من جديد.",
  disconnectedText: "السجلات كما كانت.",
  disconnectedPartly: "تعذّرت إعادة بعض السجلات. وهي مدرجة أدناه.",
  outcomeDone: "تم",
  outcomeNot: "لم يتم",
  outcomeUnknown: "ربما تم",

  topics,
  taskDeeds,
  fields,
  deeds,
  leftoverReasons,
  hints,
  diagnoses,
  share,
  warnings,
  failures
} satisfies Words
