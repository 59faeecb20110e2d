/** The kinds of pages that may hold contacts, the likeliest first. `frame`: a frame or redirect of the page itself. */
export const PAGE_KINDS = ['frame', 'contact', 'imprint', 'about', 'privacy'] as const

export type PageKind = (typeof PAGE_KINDS)[number]

/**
 * Words of links and paths, in lower case and without marks on letters (`é` is `e`, `ł` is `l`), in the 35 languages of
 * a job: ar bg cs da de el en es et fi fr he hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sv th tr uk vi zh. A
 * word of seven or more letters, or of another script than Latin, also counts as part of a longer word
 * (`kontaktformular`).
 */
export const PAGE_WORDS: Readonly<Record<Exclude<PageKind, 'frame'>, readonly string[]>> = {
  contact:
    `contact contacts contactus contactez kontakt kontakta kontakti kontakty kontaktai kontaktid kontakts contacto
    contactos contactenos contacta contatti contatto contattaci contato contatos fale-conosco faleconosco contacte
    kapcsolat elerhetoseg elerhetosegek yhteystiedot yhteys ota-yhteytta kontor yhteydenotto iletisim bize-ulasin
    ulasin hubungi hubungi-kami kontak lien-he lienhe stik stik-os sazinieties sazinaties sazina susisiekite
    rekvizitai vota-uhendust napisz-do-nas napiste-nam ozvete-se schreiben anfahrt standort ansprechpartner
    coordonnees nous-trouver ou-nous-trouver donde-estamos ubicacion dove-siamo onde-estamos bereikbaarheid reach-us
    get-in-touch getintouch find-us locations talk-to-us say-hello scrivici escribenos nous-ecrire irjon-nekunk
    skriv-til hitta-hit finn-oss javite-nam pisite-nam fale-connosco faleconnosco so-erreichen επικοινωνια
    επικοινωνηστε contactati контакт свържете-се връзка-с-нас контакти контакты связаться свяжитесь напишите-нам
    обратная-связь как-нас-наити звязок зв'язок зв'язатися اتصل اتصال راسلونا تواصل راسلنا צור-קשר צרו-קשר יצירת-קשר
    דברו-איתנו ติดต่อ お問い合わせ お問合せ 問い合わせ 問合せ 連絡先 コンタクト アクセス 문의 연락처 오시는길 오시는-길 고객센터 联系 聯繫 联络 聯絡 连络 連絡我們 lianxi
    toiawase inquiry enquiry`.split(/\s+/),
  imprint: `impressum imprint impresszum anbieterkennzeichnung mentions-legales mentions legales-mentions aviso-legal
    avisolegal note-legali notelegali legal-notice legalnotice legal impresum colofon colophon tiraz impressummal
    kolofon juridische informacje-prawne pravne-informacije juridico juridinis oikeudelliset yasal-uyari kunye 特定商取引
    特商法 tokushoho 会社概要 会社案内 運営会社 運営者情報 사업자정보 חברה reknwizyty реквизиты реквізити rekvizity rekviziti udaje
    obchodni-udaje`.split(/\s+/),
  about: `about about-us aboutus who-we-are our-story ueber-uns uber-uns ueberuns wir-ueber-uns unternehmen team
    qui-sommes-nous a-propos apropos quienes-somos sobre sobre-nosotros nosotros chi-siamo chisiamo azienda
    sobre-nos quem-somos over-ons overons om-oss omoss om-os meista tietoa meist firmast par-mums apie-mus apie
    o-nas o-nama onas o-firme o-firmie o-spolecnosti o-spolocnosti o-podjetju ettevottest rolunk bemutatkozas despre
    despre-noi cine-suntem acerca-de conocenos a-empresa wie-zijn-wij om-foretaget om-virksomheden biz-kimiz
    kurumsal notre-equipe hakkimizda tentang tentang-kami mengenai ve-chung-toi gioi-thieu σχετικα η-εταιρεια
    ποιοι-ειμαστε за-нас о-нас о-компании за-фирмата про-компанію про-нас من-نحن حولنا نبذة-عنا عن-الشركة אודות
    עלינו מי-אנחנו เกี่ยวกับ 会社情報 企業情報 店舗情報 私たちについて 회사소개 소개 关于 關於 公司简介 公司簡介 公司介绍 公司介紹 company profile staff`.split(
    /\s+/,
  ),
  privacy:
    `privacy datenschutz dsgvo gdpr rgpd privacidad confidentialite privacybeleid privatlivspolitik integritetspolicy tietosuoja
    ochrana-osobnich polityka-prywatnosci adatvedelem gizlilik политика-конфиденциальности プライバシー 개인정보 隐私 隱私`.split(
      /\s+/,
    ),
}

/** What contains a word of contacts and leads to none: opticians sell contact lenses. */
export const MISLEADING_WORDS: readonly string[] = `contactless contact-lens contactlens contactlenz kontaktlins
  kontaktlencs kontaktgrill lentilles-de-contact lentes-de-contacto lentes-de-contato lenti-a-contatto
  soczewki-kontaktowe kontaktni-cocky kontaktne-sosovky kontaktne-lece контактные-линзы контактні-лінзи контактни-лещи
  コンタクトレンズ`.split(/\s+/)
