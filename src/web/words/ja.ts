import type { Words } from "./en.ts"

const warnings: Words["warnings"] = {
  name_servers_disagree: "ドメインのサーバーごとに答えが違います。訪問者に何が見えるかは運次第です。",
  spf_record_merged: "既存の送信者リストに当サービスを加えます。誰も外しません。",
  spf_existing_sufficient: "送信者リストにはすでに当サービスが入っています。",
  spf_policy_replaced: "リストにない送信者からのメールの扱いが変わります。",
  spf_duplicates_collapsed: "送信者リストが複数あり、すべて無効でした。有効な一つにまとめます。",
  spf_lookup_limit_exceeded: "送信者リストがメールサービスの上限より長くなります。メールが拒否されるおそれがあります。",
  spf_lookup_unknown: "送信者リスト全体は確認できませんでした。長すぎるかもしれません。",
  spf_include_broken: "送信者リストが、機能しないリストを参照しています。直るまでメールが拒否されるおそれがあります。",
  spf_existing_invalid_replaced: "送信者リストに誤りがありました。誤りを取り除きます。",
  spf_excludes_existing_mail:
    "メールを受信していますが、送信者リストがありませんでした。別のサービスからも送る場合はリストに加えてください。",
  spf_allows_all: "送信者リストは、誰でもあなたの名前で送れる設定です。",
  dmarc_existing_preserved: "なりすましメール対策は正常で、そのまま残ります。",
  dmarc_existing_invalid_replaced: "なりすましメール対策に誤りがあったため、有効なものに置き換えます。",
  dmarc_policy_weakened: "なりすましメール対策がゆるくなり、疑わしいメールが届きやすくなります。",
  dmarc_policy_strengthened:
    "なりすましメール対策が厳しくなり、設定していないサービスのメールが届かなくなるおそれがあります。",
  dmarc_inherited_from_root: "なりすましメール対策をメインのドメインから引き継ぎます。",
  dmarc_duplicates_collapsed: "なりすまし対策のルールが複数あり、すべて無効でした。有効な一つにまとめます。",
  dmarc_tag_deprecated: "なりすまし対策のルールに古い部分がありますが、害はありません。",
  dkim_key_replaced: "メールに署名する鍵を置き換えます。古い鍵で署名したメールは確認できなくなります。",
  dkim_key_removed: "メールに署名する鍵を削除します。その鍵で署名したメールは確認できなくなります。",
  caa_blocks_issuance: "必要なセキュリティ証明書をドメインが許可していません。変更しないと https が使えません。",
  caa_set_created: "今後は、一覧の会社だけがセキュリティ証明書を発行できます。",
  caa_existing_sufficient: "必要なセキュリティ証明書はすでに許可されています。",
  caa_not_needed: "どの会社でもセキュリティ証明書を発行できます。",
  caa_lookup_unknown: "どのセキュリティ証明書が許可されているか、確認できませんでした。",
  cname_replaces_records: "新しい設定は単独で置く必要があるため、ほかの設定は削除されます。",
  cname_removed: "転送の設定を削除します。これまでの行き先にはつながらなくなります。",
  address_records_replaced: "訪問者は今のサイトに行けなくなります。",
  website_replaced: "今そこにあるサイトやサービスが置き換わります。",
  mx_replaced: "メールが別のサービスに届くようになります。メールボックスがそこにあるか確認してください。",
  mail_records_removed: "メールに必要な設定を削除します。メールが止まるおそれがあります。",
  mail_target_changed: "メールサーバーの場所が変わります。そこにサーバーがないと、メールが止まるおそれがあります。",
  service_record_replaced: "プログラムがサービスを見つけられない、または証明書を更新できないおそれがあります。",
  tls_policy_mismatch: "暗号化配送のルールがメールサーバーに合わなくなります。メールが届かないおそれがあります。",
  ns_target_changed: "ドメインに答えるサーバーの場所が変わります。",
  ns_delegation_hides_records: "別のサービスが答えるため、その下の設定は機能しなくなります。",
  delegation_replaced: "別のサービスが答えるようになります。今そこにある設定は機能しなくなります。",
  apex_cname_flattened: "プロバイダーがこの設定を通常のアドレスに変えます。正常な動作です。",
  record_not_served: "この設定はまだ誰にも見えません。",
  wildcard_hidden: "まとめて受ける設定が、そこ、または上位の名前で答えなくなります。",
  proxied_record_present: "プロバイダーの保護はそのまま残ります。",
  mx_target_unusable: "メールサーバーにアドレスがないため、メールが届かないおそれがあります。",
  null_mx_sender: "このドメインはメールを受信しません。送ったメールは多くの相手に拒否されます。",
  ttl_adjusted: "",
  txt_value_split: "",
  record_repeated: "",
  host_repeats_domain: "ドメインの先頭を繰り返している名前があります。確認してください。",
  optional_record_skipped: "必須ではない設定を作れないため、省きます。",
  dnssec_signed_zone: "ドメインは署名で保護されています。変更に合わせてプロバイダーが更新します。",
  multi_provider_ns: "二つのプロバイダーがこのドメインに答えています。変更は両方で必要です。",
  ns_parent_child_mismatch:
    "レジストリとプロバイダーで、ドメインのサーバーが違います。プロバイダーに相談してください。",
  other_connection_affected: "ほかに接続したものが、変更される設定を使っています。",
  control_not_proven: "ドメインの所有者であることを、まだ誰も証明していません。",
  plan_large_deletion: "ドメインの多くの設定が削除されます。一覧をよく確認してください。",
  provider_zone_differs_from_public_dns:
    "プロバイダーに保存された内容が、前に見たものと違います。この一覧は保存された内容です。",
  lookup_unknown: "すべては調べられませんでした。注意が抜けているかもしれません。"
}

const entriesNotFound = {
  reason: "時間内に設定が見つかりませんでした。",
  next: "一覧と見比べて、もう一度お試しください。確認は続けます。"
}

const askForHelp = "サポートに相談してください。再試行しても変わりません。"
const tryLater = "数分後にもう一度お試しください。"
const nothingChanged = "もう一度お試しください。今回は何も変更していません。"

const failures: Words["failures"] = {
  domain_not_registered: {
    reason: "このドメインは登録されていません。",
    next: "つづりを確認してください。購入直後なら、1 時間待ってからお試しください。"
  },
  caa_host_is_cname: {
    reason: "証明書の発行者を示すべき名前が、転送だけになっています。",
    next: "ショップに相談してください。再試行しても変わりません。"
  },
  cname_loop: {
    reason: "この名前は自分自身に転送されてしまいます。",
    next: "戻る転送の設定を削除して、やり直してください。"
  },
  domain_has_no_nameservers: {
    reason: "このドメインに答えるサーバーがまだありません。",
    next: "購入先にログインし、DNS プロバイダー（ネームサーバー）を選んでからお試しください。"
  },
  zone_not_found: {
    reason: "ドメインが示すプロバイダーに、このドメインがありません。",
    next: "プロバイダーにログインしてドメインを追加し、もう一度お試しください。"
  },
  discovery_timeout: { reason: "ドメインのサーバーが時間内に答えませんでした。", next: tryLater },
  provider_unavailable: { reason: "プロバイダーが今は応答していません。", next: tryLater },
  provider_rate_limited: { reason: "プロバイダーから、間隔を空けるよう求められました。", next: tryLater },
  authorization_denied: {
    reason: "変更が許可されませんでした。",
    next: "もう一度試して許可するか、ご自身で変更を入力してください。"
  },
  authorization_expired: {
    reason: "終わる前に許可の期限が切れました。",
    next: "もう一度お試しください。すぐに終わります。"
  },
  authorization_revoked: {
    reason: "プロバイダーで許可が取り消されました。",
    next: "もう一度試して、あらためて許可してください。"
  },
  authorization_insufficient_scope: {
    reason: "いただいたキーでは DNS 設定を変更できません。",
    next: "このドメインの DNS を読み書きできるキーを作り、もう一度お試しください。"
  },
  authorization_zone_mismatch: {
    reason: "このアカウントにはドメインがありません。",
    next: "ドメインのあるアカウントでログインして、もう一度お試しください。"
  },
  credential_invalid: {
    reason: "入力した内容をプロバイダーが受け付けませんでした。",
    next: "前後に空白を入れずにもう一度コピーして、お試しください。"
  },
  account_not_entitled: {
    reason: "プロバイダーの現在の設定またはご契約では、ほかのサービスからの接続ができません。",
    next: "設定を有効にするか契約を変更してお試しいただくか、ご自身で変更を入力してください。"
  },
  provider_snapshot_timeout: {
    reason: "プロバイダーから現在の設定が届くのに時間がかかりすぎました。",
    next: nothingChanged
  },
  provider_snapshot_failed: { reason: "プロバイダーから現在の設定を受け取れませんでした。", next: nothingChanged },
  zone_too_large: {
    reason: "このドメインの DNS 設定は多すぎます。",
    next: "プロバイダーで、ご自身で設定を追加してください。"
  },
  provider_zone_locked: {
    reason: "プロバイダーがこのドメインの変更をロックしています。",
    next: "ロックを解除するか、ほかの変更が終わるのを待って、お試しください。"
  },
  provider_record_locked: {
    reason: "プロバイダーで変更できない設定があります。",
    next: "プロバイダーにロックの解除を依頼してもう一度試すか、ご自身で変更を入力してください。"
  },
  apex_cname_unsupported: {
    reason: "「www」なしのドメインに必要な設定を、プロバイダーは保存できません。",
    next: "「www」付きの名前を接続するか、サポートに相談してください。"
  },
  record_type_unsupported: { reason: "必要な種類の設定を、プロバイダーは保存できません。", next: askForHelp },
  record_value_rejected: { reason: "プロバイダーが受け付けない設定があります。", next: askForHelp },
  spf_merge_impossible: {
    reason: "送信者リストは、壊さずに追加することができません。",
    next: "メールの担当者に整理を依頼してください。"
  },
  host_delegated_elsewhere: {
    reason: "ドメインのこの部分には、別のサービスが答えています。",
    next: "そのサービスで変更するか、別の名前を選んでください。"
  },
  plan_too_large: { reason: "一度に変更が必要な設定の数が、対応できる数を超えています。", next: askForHelp },
  apply_timeout: {
    reason: "プロバイダーでの変更に時間がかかりすぎました。",
    next: "もう一度お試しください。まず、済んだ分を確認します。"
  },
  apply_rejected: {
    reason: "プロバイダーが変更を拒否しました。",
    next: "もう一度試すか、ご自身で変更を入力してください。"
  },
  apply_partial: {
    reason: "変更の一部だけが行われました。",
    next: "もう一度試すと続きから行います。残りをご自身で入力することもできます。"
  },
  verification_timeout: {
    reason: "変更は済みましたが、まだ公開されていません。",
    next: "1 日かかることがあります。後でお試しください。"
  },
  verification_mismatch: {
    reason: "設定した内容と違うものが公開されています。",
    next: "その後に変更されたのかもしれません。もう一度試して確認してください。"
  },
  manual_setup_timeout: entriesNotFound,
  control_unproven: entriesNotFound,
  control_lost: {
    reason: "ドメインは今、別の人のものです。",
    next: "あなたのものであれば修復してください。所有者だけが追加できる新しい設定で確認します。"
  },
  internal_error: { reason: "当サービスで問題が起きました。", next: "もう一度お試しください。何も失われていません。" }
}

const topics: Words["topics"] = {
  website: "サイト",
  mail: "メール",
  security: "セキュリティ",
  proof: "証明",
  other: "その他"
}

const taskDeeds: Words["taskDeeds"] = {
  website: "{name} にショップを表示する",
  security: "セキュリティ証明書を許可する",
  proof: "ドメインの所有者だと証明する（{name}）",
  other: "{name} を設定する"
}

const fields: Words["fields"] = {
  type: "種類",
  host: "ホスト",
  value: "値",
  priority: "優先度",
  ttl: "TTL",
  service: "サービス",
  protocol: "プロトコル",
  weight: "重み",
  port: "ポート",
  target: "ターゲット",
  address: "IP アドレス"
}

const deeds: Words["deeds"] = {
  website_replaced: "はい、{names} のページを置き換えます",
  cname_removed: "はい、{names} の転送をやめます",
  mx_replaced: "はい、{names} のメールを移します",
  mail_records_removed: "はい、{names} のメール設定を削除します",
  mail_target_changed: "はい、{names} へのメールが止まってもかまいません",
  dkim_key_replaced: "はい、{names} のメールの鍵を置き換えます",
  dkim_key_removed: "はい、{names} のメールの鍵を削除します",
  spf_excludes_existing_mail: "はい、メールを送れるのは一覧のサービスだけにします",
  dmarc_policy_weakened: "はい、{names} の保護をゆるめます",
  dmarc_policy_strengthened: "はい、{names} の保護を厳しくします",
  plan_large_deletion: "はい、一覧の設定をすべて削除します",
  delegation_replaced: "はい、{names} は別のサービスに任せます",
  wildcard_hidden: "はい、まとめて受ける設定が {names} で答えなくなってもかまいません",
  ns_delegation_hides_records: "はい、{names} より下の設定が機能しなくなってもかまいません",
  tls_policy_mismatch: "はい、{names} を変更します（メールが届かなくなってもかまいません）",
  spf_include_broken: "はい、{names} のリストを変更します（メールが拒否されてもかまいません）",
  spf_lookup_limit_exceeded: "はい、{names} のリストを変更します（メールが拒否されてもかまいません）"
}

const leftoverReasons: Words["leftoverReasons"] = {
  changed_since: "（その後に変更されています）",
  wanted_by_another_connection: "（ほかで必要です）",
  older_than_thirty_days: "（30 日以上前のもので、行き先はもう別の人のものかもしれません）",
  target_does_not_resolve: "（行き先がもうありません）",
  provider_cannot_store: "（プロバイダーがもう受け付けません）",
  zone_gone: "（ドメインはもうこのプロバイダーにありません）",
  manual_setup_timeout: "（時間内に変更を確認できませんでした）"
}

const hints: Words["hints"] = {
  create_subdomain_first: "名前を選べない場合は、先にサブドメインとして作ってください。",
  delete_parking_records: "先に、プロバイダーの仮ページの設定を削除してください。",
  turn_proxy_off: "この名前の設定はプロキシがオンです。新しい設定に置き換え、プロキシをオフにしてください。",
  dns_only: "この設定のプロキシをオフにしてください（「DNS のみ」を選びます）。",
  save_and_publish: "保存後、ページに求められたら変更を公開してください。",
  confirm_checkbox: "保存の前に、チェックを入れるよう求められることがあります。",
  second_factor: "保存の前にコードを求められることがあります。",
  choose_custom_mail: "先に、ご自身のメール設定（Custom MX）を選んでください。",
  apex_alias: "CNAME が使えない場合は、種類に ALIAS か ANAME を選んでください。",
  apex_addresses:
    "ここで名前を受け付けないページでは、代わりにターゲットのアドレスを入力してください（種類は A と AAAA）。",
  apex_redirect: "または、代わりに www の接続を依頼し、ドメイン自体をそこへ転送してください。",
  find_who_runs_name_servers: "ドメインの請求書か、設定した人に聞けば、管理元がわかります。"
}

const diagnoses: Words["diagnoses"] = {
  not_yet: { found: "まだ何もありません。", fix: "保存から数分かかることがよくあります。" },
  on_its_way: { found: "反映の途中です。", fix: "何もする必要はありません。" },
  old_value_remains: {
    found: "まだ {type} {value} があります。",
    fix: "次の値に変えて保存してください。保存済みなら数分お待ちください。"
  },
  also_there: {
    found: "設定は正しいですが、隣に {type} {value} があります。",
    fix: "{type} {value} を削除してください。"
  },
  doubled_zone: {
    found: "{name} が見つかりました。",
    fix: "プロバイダーが「{zone}」を自動で付けます。「{label}」には「{copy}」だけを入れてください。"
  },
  target_doubled: {
    found: "{value} が見つかりました。",
    fix: "プロバイダーが「{zone}」を付けています。「{label}」に、点も含めて「{copy}」を入れてください。"
  },
  quoted: { found: "値に引用符が入っています。", fix: "引用符なしで入力してください。" },
  escaped: { found: "値にバックスラッシュが入っています。", fix: "なしで入力してください。" },
  wrong_host: { found: "{name} にありました。", fix: "「{label}」に「{copy}」を入れてください。" },
  wrong_type: { found: "種類が {type} になっています。", fix: "削除して、種類 {wanted} で追加してください。" },
  two_spf: {
    found: "送信者リストが二つあり、どちらも無効です。",
    fix: "この値のものを一つ残し、もう一方を削除してください。"
  },
  two_dmarc: {
    found: "なりすまし対策のルールが二つあり、どちらも無効です。",
    fix: "この値のものを一つ残し、もう一方を削除してください。"
  },
  truncated: { found: "値の一部しかありません。", fix: "全体をコピーしてください。" },
  proxied: { found: "プロバイダーが自社のアドレスで答えています。", fix: "この設定のプロキシをオフにしてください。" },
  flattened: {
    found: "プロバイダーが通常のアドレスとして表示しています。",
    fix: "この設定ではそれをオフにしてください。"
  },
  only_some_servers: { found: "まだすべてのサーバーには反映されていません。", fix: "数分お待ちください。" },
  other_zone: {
    found: "{provider} ではないサーバーがドメインに答えています。",
    fix: "今ドメインを管理している所で設定してください。"
  },
  parking: { found: "プロバイダーの仮ページがまだあります。", fix: "その設定を削除するか、オフにしてください。" },
  blocked_by_caa: { found: "セキュリティ証明書を禁じる設定があります。", fix: "これを追加してください。" }
}

const share: Words["share"] = {
  title: "手伝ってくれる人に送る",
  text: "相手は {domain} の変更内容を見て、実行し、確認できます。あなたの代わりに同意することはできません。",
  name: "あなたのお名前（誰からの依頼かわかるように）",
  send: "送る",
  mail: "メールで送る",
  qr: "QR コードを表示",
  qrText: "スマートフォンのカメラを向けてください。",
  link: "リンク",
  subject: "{domain} を手伝ってもらえますか？",
  message: "{domain} の設定をいくつか変更してください。このページに内容があり、確認もできます：",
  ends: "リンクは、すべて終わるまで使えます。",
  revoke: "リンクを取り消す",
  revoked: "リンクは使えなくなりました。",
  again: "新しいリンクを作る",
  somebody: "依頼者",
  asks: "{sender} さんから、{provider} で {count} 件の設定変更の依頼です。",
  asksOne: "{sender} さんから、{provider} で 1 件の設定変更の依頼です。",
  waitTitle: "{sender} さんの操作を待っています",
  waitText: "まず変更への同意が必要です。その後、このページは自動で進みます。"
}

/** Every text of the component in Japanese. */
export const ja = {
  loading: "お待ちください",
  newWindow: "新しいウィンドウで開きます",
  notNow: "後で",
  close: "閉じる",
  done: "完了",
  back: "戻る",
  goOn: "続ける",
  supportCode: "サポート用：{code}",
  needHelp: "お困りですか？",

  entryTitle: "どのドメインを接続しますか？",
  entryText: "お持ちのドメインを入力してください。まだ何も変わりません。",
  entryLabel: "ドメイン",
  entryMeant: "{name} のことですか？",
  entryChoice: "訪問者が使うアドレスはどちらですか？",
  entryInvalid: "ドメインではありません。shop.jp のような形です。",

  changesTitle: "{domain} を接続",
  changesIntro: "次のことを行います。ほかは何も変わりません。",
  changesNone: "すべて整っています。変更はありません。",
  changesAgainTitle: "もう一度ご確認ください",
  changesAgainIntro: "プロバイダーの内容が前に見たものと違います。今回は次のことを行います。",
  approve: "この変更を行う",
  restoreTitle: "{domain} の接続を解除",
  restoreIntro: "元の状態に戻します。",
  tableCaption: "{domain} の変更点",
  what: "設定",
  today: "現在",
  afterwards: "変更後",
  nothing: "なし",
  taken: "削除",
  added: "新規",
  changed: "変更",
  removed: "削除",
  fullValue: "すべて表示",
  leftovers: "そのまま残るもの",
  leftOut: "省かれるもの",
  alreadyThere: "すでにあります",

  accessTitle: "変更の方法を選んでください",
  accessIntro: "ドメインは {provider} で管理されています。都合のよい方法を選んでください。",
  accessIntroUnknown: "都合のよい方法を選んでください。",
  providerQuestion: "{domain} の DNS はどの会社が管理していますか",
  providerQuestionText: "複数の会社が同じサーバーを使っています。ドメインの設定を変更している会社を選んでください。",
  providerOther: "ほかの会社",
  oauthTitle: "{provider} にログイン",
  oauthText: "ログイン先で変更を許可すると、すぐに戻ります。パスワードは当サービスには見えません。",
  oauthButton: "{provider} へ進む",
  apiFails: "現在、{provider} からの応答が安定していません。次の方法なら問題なく進められます。",
  linkTitle: "{provider}に変更を任せる",
  providerAdds: "{provider}は、ドメインがあなたのものであることを示す次の設定も追加します：",
  providerRemoves: "{provider}は次の設定を削除します：",
  providerAlsoRemoved: "{provider}は次の設定も削除しました。まだ必要な場合は、そちらでもう一度入力してください：",
  tokenTitle: "{provider} のアクセスキーを使う",
  roleTitle: "{provider} のロールを使う",
  roleMake:
    "別のウィンドウで AWS CloudShell を開き、これを貼り付けて Enter を押してください。{zone} の DNS だけを変更でき、私たちだけが使えるロールが作られます。その後、arn: で始まる行を入力欄にコピーしてください。",
  tokenText: "この変更だけに使い、暗号化して保管し、終わったら削除します。",
  tokenLink: "{provider} のヘルプ",
  tokenButton: "許可して接続",
  tokenButtonLeaving: "許可して接続を解除",
  manualChoiceTitle: "自分で行う",
  manualChoiceText: "入力する内容を順に案内し、確認します。",
  manualChoiceButton: "入力内容を見る",
  fieldInvalid: "正しくないようです。",
  apiToken: "API トークン",
  apiKey: "API キー",
  apiSecret: "API シークレット",
  username: "ユーザー名",
  accountId: "アカウント ID",
  privateKey: "秘密鍵",
  accessKeyId: "アクセスキー ID",
  secretAccessKey: "シークレットアクセスキー",
  roleArn: "ロールの ARN",
  json: "JSON キーファイルの内容",
  tenantId: "ディレクトリ (テナント) ID",
  clientId: "アプリケーション (クライアント) ID",
  clientSecret: "クライアント シークレットの値",
  subscriptionId: "サブスクリプション ID",
  resourceGroup: "DNS ゾーンのリソース グループ",
  name: "キーの名前",
  algorithm: "アルゴリズム",
  secret: "シークレット",

  visitTitle: "{provider} での操作を待っています",
  visitText: "変更を許可すると、自動でここに戻ります。",
  visitOtherWay: "別の方法を選ぶ",

  manualOpen: "{provider} のヘルプ",
  manualAdd: "この設定を追加",
  manualChange: "この設定を変更",
  manualRemove: "この設定を削除",
  priority: "優先度",
  copy: "コピー",
  copyWhat: "{what}をコピー",
  copied: "コピーしました",
  copyByHand: "ブラウザーがコピーを許可しませんでした。選択された文字を手動でコピーしてください。",
  zoneFile: "ファイルをダウンロード",
  zoneFileText: "新しい設定をファイルから読み込めるプロバイダーもあります。変更と削除は手動で行ってください。",
  otherWay: "代わりに任せる",
  checkNow: "今すぐ確認",
  statusPresent: "確認済み",
  statusMissing: "まだありません",
  statusGone: "削除済み",
  statusRemains: "まだあります",
  statusDifferent: "別の内容です",
  statusUnknown: "未確認",
  nextLook: "{when}にもう一度確認します。",
  nextLookSoon: "確認しています。",
  progressDelay: "DNS に接続できません。試し続けます。",

  progressRequested: "{domain} を調べています",
  progressRequestedText: "ドメインの管理元と現在の設定を調べます。",
  progressAuthorized: "現在の設定を読み込んでいます",
  progressAuthorizedText: "{provider} の内容と、ご覧になった内容を比べます。",
  progressApplying: "変更しています",
  progressWritingText: "このページを閉じても、作業は続きます。",
  progressVerifying: "全体への反映を待っています",
  progressVerifyingText:
    "設定は済みました。すべてのサーバーに届くまで、通常は数分です。このページは閉じてもかまいません。",
  progressDisconnecting: "設定を削除しています",
  checks: "待っているもの",

  successTitle: "{domain} を接続しました",
  successText: "すべて整いました。今後も見守り、足りないものがあればここでお知らせします。",
  disconnectedTitle: "{domain} の接続を解除しました",
  degradedTitle: "足りない設定があります",
  degradedText: "{domain} は接続されていましたが、なくなった設定があります。",
  statusLost: "不足",
  lost: "足りない、または違うもの",
  repair: "修復",
  failureTitle: "うまくいきませんでした",
  tryAgain: "もう一度試す",
  expiredTitle: "時間切れです",
  expiredText:
    "待ち時間が長すぎたため終了しました。こちらでは何も変更していません。ご自身で入力した設定は残ります。やり直してください。",
  canceledTitle: "キャンセルしました",
  canceledText: "こちらでは何も変更していません。ご自身で入力した設定は残ります。",

  problemOffline: "サービスに接続できません。試し続けます。",
  problemStart:
    "このページを開始できませんでした。再読み込みしても直らない場合は、ショップのサポートにお問い合わせください。",
  problemSession: "セッションが終了しました。再読み込みすると続きから再開できます。",
  problemNotFound: "この接続は見つかりません。再読み込みするか、サポートに相談してください。",
  problemStale: "一覧が更新されました。もう一度ご確認ください。",
  problemRefused: "今はできません。現在の状態は次のとおりです。",
  problemInput: "入力内容を確認してください。",
  problemBusy: "混み合っています。少し待ってからお試しください。",
  problemUnknown: "当サービスで問題が起きました。もう一度お試しください。",

  language: "言語",
  testMode: "テストモード",
  pageTitle: "ドメインの接続",
  pageClosed: "このページを閉じてください。",
  linkUsed:
    "このリンクはもう使えません。すでに接続済みかもしれません。そうでなければ、新しいリンクをもらってください。",

  kindA: "サイトのアドレス",
  kindAAAA: "サイトのアドレス（IPv6）",
  kindCNAME: "転送",
  kindMX: "メールの配送先",
  kindTXT: "ほかのサービス用のメモ",
  kindSpf: "メールを送れる人",
  kindDmarc: "なりすましメール対策",
  kindDkim: "メールの署名",
  kindNS: "担当サーバー",
  kindSRV: "サービスのアドレス",
  kindCAA: "証明書を発行できる会社",
  kindOther: "設定",

  steps: "手順",
  stepCheck: "調査",
  stepReview: "確認",
  stepConnect: "接続",
  stepLive: "公開",
  managedAt: "管理元：{provider}",
  theShop: "ショップ",
  yourProvider: "ご利用のプロバイダー",
  changesSinceIntro: "ご覧になった後に変わったものがあります。印の所をご確認ください。",
  sinceChanged: "その後、{name} は {value} に変わりました",
  sincePlanned: "その後、{name} の予定が変わりました：{value}",
  sinceStored: "プロバイダーに保存されている {name} の内容：{value}",
  sinceAdded: "その後に追加：{name}",
  sinceRemoved: "その後、{name} にあったものが削除されました",
  technicalDetails: "技術的な詳細",
  tickMissing: "まだ答えていない項目があります。印の所をご確認ください。",
  websiteReplaced: "今、{names} には別のページが表示されます。変更後は{who}が表示されます。",
  websiteSome: "今、{old} には別のページが表示されます。変更後は {names} に{who}が表示されます。",
  websiteNew: "今、{names} には何も表示されません。変更後は{who}が表示されます。",
  websiteBack: "今、{names} には{who}が表示されます。変更後は以前の内容に戻ります。",
  websiteGone: "今、{names} には{who}が表示されます。変更後は表示されなくなります。",
  mailStays: "今のままです。何も変わりません。",
  mailStaysAt: "{from} のままです。何も変わりません。",
  mailMoves: "今、メールは {from} に届きます。変更後は {to} に届きます。",
  mailBegins: "今、{names} のメールサーバーは未設定です。変更後、メールは {to} に届きます。",
  mailEnds: "今、メールは {from} に届きます。変更後、{names} にメールは届きません。",
  mailSenders: "変更後は{who}があなたに代わってメールを送れます。",
  mailKept: "メールは今の所に届きます。",
  mailKeptAt: "メールは {from} のままです。",
  mailMayStop:
    "今、メールはページのサーバーに届きます。変更後は{who}になり、メールが失われることがあります。残すには、先にメールサービスに「MX」の設定をお尋ねください。",
  securityChanged: "今、{who}のセキュリティ証明書は拒否されることがあります。変更後は許可されます。",
  proofAdded: "今、所有者であることを示すものがありません。変更後は設定で示されます。訪問者には見えません。",
  otherChanged: "{names} の設定が変わります。詳細は技術的な詳細をご覧ください。",
  entriesBack: "{names} の設定が元に戻ります。",
  mailQuestion: "…\u2060@{names} でメールを受け取っていますか？",
  mailNo: "いいえ、受け取っていません",
  mailYes: "はい、受け取っています",
  mailUnsure: "わからない場合は、そのようなアドレスにメールを送り、届くか確かめてください。",
  deedOther: "はい、読んで同意します",
  tokenRights: "{zone} の DNS を読み書きできるキーが必要です。",
  tokenChoose: "そこで選ぶもの:",
  tokenMake: "{provider} でキーを作る",
  tokenOpensAccount: "このキーはアカウント内のすべてのドメインを変更できます。",
  fieldMissing: "入力してください。",
  openProvider: "別のウィンドウで {provider} を開く",
  openUnknown: "別のウィンドウでドメインの設定を開く",
  openWindow: "{provider} を開く",
  openRecords: "{zone} の DNS 設定を開きます。",
  logIn: "{provider} にログインします。",
  logInUnknown: "{zone} の購入先か管理元にログインします。",
  comeBack: "そのウィンドウを開いたまま、ここに戻ってください。",
  nameServers: "ドメインに答えるサーバーです。名前から管理元がわかります：",
  byHandEffort: "約 {minutes} 分、{entries}です。一つずつ確認します。",
  entryOne: "設定 1 件",
  entryMany: "設定 {count} 件",
  backOne: "元に戻す設定 1 件",
  backMany: "元に戻す設定 {count} 件",
  begin: "開いたので始める",
  tasks: "すべての設定",
  taskOf: "{number} / {count} · {deed}",
  atProvider: "{provider} で",
  manualChangeTo: "次のように変更",
  findEntry: "この設定を探す",
  findEntries: "これらの設定を探し、一つを残して削除し、残した設定を変更",
  deleteFirst: "先にこの設定を削除",
  deleteFirstMany: "先にこれらの設定を削除",
  pressAdd: "「{button}」を押して入力",
  pressPublish: "そこでは「{button}」を押すまで設定は有効になりません。",
  leaveEmpty: "空のまま",
  orEmpty: "受け付けられない場合は、空のままにしてください。",
  orElse: "受け付けられない場合：",
  saveThere: "そこで保存してから、ここのボタンを押してください。",
  taskDone: "確認済みです。ここですることはもうありません。",
  taskGone: "削除済みです。ここですることはもうありません。",
  saved: "保存しました",
  checkAgain: "もう一度確認",
  nextTask: "次の設定",
  looking: "確認しています …",
  answerDone: "{all} 件中 {done} 件が完了しました。",
  answerSome:
    "{all} 件中 {done} 件が完了しました。残りはまだ確認できません。{provider} では 1～{most} 分かかることがよくあります。",
  answerSlips: "{all} 件中 {done} 件が完了しました。「{almost}」の印の所はまだ正しくありません。",
  answerNotYet:
    "まだありません。保存しましたか？{provider} では 1～{most} 分かかることがよくあります。その間に先へ進めます。",
  answerStillThere:
    "まだあります。削除しましたか？{provider} では 1～{most} 分かかることがよくあります。その間に先へ進めます。",
  correctedJustNow: "直したばかりなら、{provider} では 1～{most} 分かかることがよくあります。",
  notAllMade: "まだ残っている作業があります",
  notAllMadeText: "この一覧で印の付いていないものを、順に済ませてください。",
  allSaved: "変更を確認しています",
  allSavedText:
    "このページを閉じても確認は続きます。同じ方法で戻ると状況がわかります。{wait} 分たっても完了の印が付かないものは、この一覧で開き、保存したかをお確かめください。",
  slipsTitle: "まだ正しくない所があります",
  slipsText: "「{almost}」の印の所を {provider} で直してください。",
  showSlip: "直す所を見る",
  allDone: "すべての変更が完了しました",
  allDoneText: "残りは自動で行います。",
  almost: "あと少しです。",
  shareButton: "サイトの担当者に送る",
  deedRemove: "{name} の「{purpose}」を削除する",
  deedPutBack: "{name} の「{purpose}」を戻す",
  deedMail: "{name} でメールを受け取る",
  deedSpf: "{name} のメール送信を許可する",
  deedDmarc: "{name} をなりすましメールから守る",
  deedDkim: "メールに署名する",
  stageAllowed: "許可済み",
  stageWritten: "書き込み済み",
  stageServers: "ドメインのサーバー {asked} 台中 {showing} 台に反映",
  stageServersSoon: "ドメインのサーバーに反映",
  stageEverybody: "一般のサーバー {asked} 台中 {showing} 台に反映",
  stageEverybodySoon: "全体に反映",
  estimate: "最長 {time}、古いページが見える訪問者がいるかもしれません。",
  estimateMail: "最長 {time}、一部のメールが古いサーバーに届くかもしれません。",
  undo: "元に戻すには、接続した所でドメインの接続を解除してください。設定は元どおりになります。以前のアドレスが戻るのは 30 日以内に限ります。",
  undoByHand:
    "元に戻すには、接続した所でドメインの接続を解除してください。そのとき、どの設定を戻すかをご案内します。以前のアドレスが戻るのは 30 日以内に限ります。",
  websiteNow: "{names} に{who}が表示されるようになりました。",
  mailNow: "メールは {to} に届くようになりました。",
  mailGone: "{names} 宛てのメールは届かなくなりました。",
  mailBack: "{names} へのメールは、以前と同じ所に届きます。",
  mailUnnamed: "{names} のメールサービスは未設定です。メールが届かないことがあります。",
  mailSendersNow: "これからは{who}があなたに代わってメールを送れます。",
  mailSendersGone: "これからは{who}はあなたに代わってメールを送れません。",
  whatChanged: "変更点",
  putBack: "戻しました",
  oldWebsiteBack: "以前のサイトが再び表示されます。",
  disconnectedText: "設定は元どおりです。",
  disconnectedPartly: "戻せなかった設定があります。下に一覧があります。",
  outcomeDone: "実施済み",
  outcomeNot: "未実施",
  outcomeUnknown: "不明",
  outcomeLost: "実施済み（元に戻せていません）",

  topics,
  taskDeeds,
  fields,
  deeds,
  leftoverReasons,
  hints,
  diagnoses,
  foundInstead: "代わりに {type} {value} があります。",
  share,
  warnings,
  failures
} satisfies Words
