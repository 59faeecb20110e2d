/** Mail providers for people and businesses without their own domain. */
export const FREE_MAIL_HOSTS: ReadonlySet<string> = new Set(
  `163.com 126.com abv.bg alice.it aol.com arcor.de azet.sk bezeqint.net bigpond.com bk.ru bluewin.ch bol.com.br
  btinternet.com centrum.cz centrum.sk chello.at citromail.hu comcast.net daum.net docomo.ne.jp email.cz eircom.net
  fastmail.com foxmail.com free.fr freemail.hu freenet.de gazeta.pl gmail.com googlemail.com hanmail.net hetnet.nl
  home.nl hot.ee hushmail.com i.ua icloud.com inbox.lt inbox.lv inbox.ru indamail.hu interia.pl kpnmail.nl laposte.net
  libero.it list.ru mac.com mail.bg mail.com mail.ee mail.ru me.com mweb.co.za naver.com netvision.net.il neuf.fr
  nifty.com o2.pl online.de onet.pl op.pl orange.fr otenet.gr outlook.com planet.nl poczta.onet.pl post.cz pp.ua
  proton.me protonmail.com qq.com quicknet.nl rambler.ru rediffmail.com rocketmail.com sapo.pt sbcglobal.net seznam.cz
  sfr.fr sina.com skynet.be sky.com softbank.ne.jp t-online.de telenet.be telia.com terra.com.br tin.it tiscali.it
  tuta.io tutanota.com ukr.net uol.com.br verizon.net virgilio.it volny.cz walla.co.il wanadoo.fr web.de windowslive.com
  wp.pl xs4all.nl ymail.com ziggo.nl zoho.com zoznam.sk att.net`.split(/\s+/),
)

/** Mail providers with a host in many countries: `hotmail.fr`, `yahoo.co.jp`. */
export const FREE_MAIL_BRANDS: ReadonlySet<string> = new Set('gmx hotmail live msn outlook yahoo yandex'.split(' '))

/** Not of the business of a page: trackers, builders, fonts; chats and calendars, whose ids look like addresses. */
export const JUNK_DOMAINS: readonly string[] =
  `bugsnag.com c.us calendar.google.com g.us s.whatsapp.net doubleclick.net fontawesome.com getsentry.com godaddy.com
  google-analytics.com googletagmanager.com gstatic.com indiantypefoundry.com jquery.com latofonts.com newrelic.com
  ndiscovered.com npmjs.com pixelspread.com rollbar.com schema.org sentry-next.wixpress.com sentry.io sentry.wixpress.com
  sentrysoftware.com squarespace.com typemade.mx unpkg.com w3.org wix.com wixpress.com wordpress.org`.split(/\s+/)

/** Domains of vendors and hosters, which imprints and notices of businesses name. They are nobody's but their own. */
export const VENDOR_DOMAINS: readonly string[] =
  `google.com google.de meta.com facebook.com fb.com instagram.com twitter.com x.com linkedin.com tiktok.com pinterest.com
  apple.com microsoft.com paypal.com stripe.com mailchimp.com hotjar.com matomo.org cookiebot.com usercentrics.com borlabs.io
  onetrust.com iubenda.com ionos.com ionos.de ionos.fr ionos.es ionos.it ionos.co.uk 1und1.de strato.de hetzner.com ovh.com
  ovh.net ovhcloud.com all-inkl.com hosteurope.de mittwald.de jimdo.com weebly.com shopify.com webflow.com cloudflare.com
  hostinger.com one.com aruba.it register.it home.pl wedos.com infomaniak.com`.split(/\s+/)

/** The authorities that watch over personal data: hosts and parts of hosts. */
export const AUTHORITIES =
  /(?:^|[.-])(?:datenschutz[a-z-]*|bfdi|ldi|lfdi?|lda|cnil|aepd|garanteprivacy|gpdp|ico\.org|dataprotection\.ie|autoriteitpersoonsgegevens|uodo|uoou|naih|imy|datatilsynet|tietosuoja|dsb\.gv|edoeb|cnpd|anpd|dpa\.gr|edps|verbraucher-schlichter)\b/

/** Domains that forms and templates use as examples. */
export const PLACEHOLDER_DOMAINS: ReadonlySet<string> = new Set(
  `acme.com address.com adresse.de beispiel.de company.com correo.com deinedomain.de domain.com domain.de domain.tld
  domaine.fr dominio.com dominio.it email.com email.de email.tld ejemplo.com esempio.com esempio.it exemple.com
  exemple.fr exemplo.com firma.de ihredomain.de mail.tld mailaddress.com muster.de musterfirma.de mustermann.de
  mydomain.com mysite.com site.com tudominio.com test.com test.de website.com yourcompany.com youremail.com
  yoursite.com yourwebsite.com reallygreatsite.com companycorp.com acmecorp.com hostname.com sitename.com`.split(/\s+/),
)

/** Addresses that forms and templates use as examples, without a sign of it in name or domain. */
export const PLACEHOLDER_ADDRESSES: ReadonlySet<string> = new Set(
  `demo@demo.com foo@bar.com foo@foo.com jane@doe.com john@doe.com mail@mail.com name@mail.com test@mail.com
  xxx@xxx.com xyz@xyz.com`.split(/\s+/),
)

/** Names that forms and templates use as examples, and names without a mailbox (`git@…`). */
export const PLACEHOLDER_NAMES: ReadonlySet<string> = new Set(
  `abc beispiel deine-email deinname ejemplo email-address emailaddress example exemple firstname.lastname firstname git
  ihr-name ihre-email ihre.email jane.doe janedoe john.doe johndoe johnsmith lastname max.mustermann maxmustermann mustermann
  my-email myemail myname name nom nombre someone tuemail tu-email user username vorname.nachname votre-email votrenom
  you your your-email your-name your.email your.name youremail yourname`.split(/\s+/),
)
