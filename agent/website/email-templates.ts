const words = (text: string): string => text.trim().split(/\s+/).join('|')

// Words that templates put before a thing, in the languages of templates. The reader's things may be a business's:
// `yourhotel` is none, `myhotel` may be one.
const YOURS = words(`
  your tu tus su seu sua teu tua votre vos ton tuo iltuo vostro dein deine ihr ihre uw jouw je twoj twoja twoje vas vase vasa
  tvuj tvoje din dit ditt sinun azon senin sizin test demo sample dummy example exemple exemplo ejemplo esempio beispiel
  voorbeeld przyklad priklad ornek eksempel exempel esimerkki primer contoh`)
const MINE = words('my our mi meu minha mon notre mio mein meine mijn moj moja moje min mitt oma sajat benim')

const ANY_SITE = words(`
  domain domains dominio domaine domein domena doman site sites sitio sito website webseite web page pagina seite strona
  stranka hjemmeside hemsida company email mail correo posta eposta epost e-mail e-post adresse address name nombre nome nom
  naam imie jmeno navn namn nimi username user`)
const ANY_BUSINESS = words(`
  business brand shop store tienda loja negozio boutique winkel sklep obchod butik empresa entreprise azienda firma firm
  bedrijf virksomhed foretag yritys vallalat sirket restaurant studio hotel agency agencia agence organization organisation
  org host provider server school church`)

/** A whole name that templates use as an example: `yourbusiness`, `seu-email`, `votresite`, `mydomain`. */
export const TEMPLATE_NAME = new RegExp(
  `^(?:(?:${YOURS})[-_.]?(?:${ANY_SITE}|${ANY_BUSINESS})|(?:${MINE})[-_.]?(?:${ANY_SITE}))(?:[-_.]?(?:name|here|aqui|ici|hier))?$`,
)

/** The name of a domain that is an example under every ending. */
export const EXAMPLE_BRAND = new RegExp(
  `^(?:${words(`example exemple exemplo ejemplo esempio beispiel voorbeeld przyklad priklad ornek eksempel exempel esimerkki
  domain dominio domaine domein domena website sample placeholder loremipsum mustermann musterfirma mustermail`)})$`,
)

const EXAMPLES = words(`
  test tester testing testmail testuser example exemple exemplo ejemplo esempio beispiel voorbeeld przyklad priklad ornek
  eksempel exempel esimerkki primer contoh sample demo dummy lorem prueba prova teste essai asdf qwerty abc abcd xyz xxx foo
  bar foobar person persona nome nombre nom name user usuario utilisateur utente benutzer email e-mail mail correo`)

/** A name that is an example at a mail provider: `test@gmail.com`. */
export const EXAMPLE_NAME = new RegExp(`^(?:${EXAMPLES}|123+)\\d{0,3}$`)

const UNREAD = words(`
  no-?reply no-?replies do-?not-?reply dont-?reply never-?reply mailer-?daemon bounces? unsubscribe list-?unsubscribe abmelden
  nao-?respond(?:a|er) no-?respond(?:er|as?) no-?contestar ne-?pas-?repondre non-?rispondere keine-?antwort nicht-?antworten
  niet-?beantwoorden nie-?odpowiadaj ei-?vastaus svara-?inte auto-?reply autoresponder null devnull notifications? notify`)

/** A mailbox that nobody reads: `no-reply@`, `bounce+17@`, `shop-noreply@`. */
export const UNREAD_NAME = new RegExp(
  `^(?:${UNREAD.replaceAll('-?', '[-_.]?')})(?![a-z])|[-_.](?:no[-_.]?reply|do[-_.]?not[-_.]?reply)$`,
)

// What stands before an address of an authority, an agency or a hoster, in the languages of jobs.
const STRANGERS = [
  'aufsichtsbeh|datenschutzbeauftrag|landesbeauftrag|bundesbeauftrag|schlichtung|organ nadzor|dozorov|toezichthouder',
  'supervisory authorit|data protection (?:authorit|officer|commission)|information commissioner|ombuds',
  'autorité de contr|délégué à la|autorità (?:di controllo|garante)|garante p|responsabile della protezione',
  'autoridad de control|agencia española de|delegado de protecci|encarregado d|autoridade de controlo',
  'autoriteit persoonsgegevens|functionaris|urz[aą]d ochrony|inspektor ochrony|úřad pro ochranu|úrad na ochranu',
  'felügyeleti hatóság|adatvédelmi hatóság|autoritatea de supraveghere|tilsynsmyndighed|datatilsyn|tillsynsmyndighet',
  'integritetsskydds|tietosuojavaltuutet|надзорен орган|εποπτικ|роскомнадзор',
  'web-?design|web-?agentur|werbeagentur|internetagentur|(?:web)?hosting|hoster|hébergeur|hébergement|umsetzung|programmierung',
  'reali[sz]ierung|réalisation|realizzazione|powered by|(?:web ?site|site|page|designed|developed|created|made|built) by',
  'diseño web|desarrollo web|desenvolvido por|criação de site|sito (?:web )?(?:creato|realizzato)|sviluppo web',
  'création (?:du |de )?site|webontwikkeling|website door|strona wykonana|projekt i wykonanie|tvorba webu|készítette',
  'разработка сайта|создание сайт',
]

/** Words behind which a text names an address of somebody else. The text is in lower case. */
export const STRANGER_WORDS = new RegExp(STRANGERS.join('|'), 'u')
