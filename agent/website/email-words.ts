/** Words for the sign `@` that hardly stand beside a domain for anything else, in the languages we search in. */
export const SIGN_WORDS =
  `arroba arrobase arobase arobas aroba chiocciola małpa malpa zavináč zavinac kukac собака собачка равлик
  маймунка кльомба snabel-?a apenstaartje apestaartje παπάκι παπακι krøllalfa krollalfa klammeraffe kanelbulle
  miukumauku 골뱅이 アットマーク アット あっと שטרודל`
    .split(/\s+/)
    .join('|')

/** What stands for `@` between brackets. */
export const BRACKETED_SIGNS = `at|ät|@|αt|et|ett|eta|afna|arond|a rond|at-sign|at-zeichen|艾特|${SIGN_WORDS}`

/** Words for the dot of a domain. */
export const DOT_WORDS =
  `dot punkt punktum punto ponto point punt piste pont kropka tečka tecka točka tocka bodka pika punct точка
  крапка τελεία τελεια nokta taškas taskas punkts titik chấm ピリオド ドット どっと 点 點 점 닷 จุด نقطة נקודה`
    .split(/\s+/)
    .join('|')

/** Names of mail boxes that are no word of an English sentence before "at", or rarely one. */
export const MAILBOXES =
  `info infos mail email e-mail kontakt contact contacto contatto contato office hello hallo hola hi sales support
  reservation reservations reservierung bestellung admin praxis kanzlei buero anfrage ciao bonjour recepcion reception
  rezeption biuro sekretariat zakaz enquiries inquiries`
    .split(/\s+/)
    .join('|')

/** Names of mail boxes that are often such a word: "order at …", "our team at …". */
export const WORDY_MAILBOXES = 'service|team|post|booking|shop|welcome|order|orders|studio'
