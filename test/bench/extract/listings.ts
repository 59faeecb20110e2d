import type { WebPresence } from '@placefleet/shared/web-presence/tiers'

/** A website as listings give it, the tier that a person would choose, and the difficulty of the case. */
export type Listing = { readonly url: string; readonly tier: WebPresence; readonly hard?: string }

// Labelled by hand from the page at the address, not from the classifier's lists. One address per line.
const PLAIN: Record<WebPresence, string> = {
  has: `
    https://www.cafe-einstein-berlin.de/
    http://joespizzanyc.com/
    https://www.bakerysmith.co.uk/contact
    https://dentist-jones.com.au/book-online
    https://www.hotel-adlon.de/en/rooms
    https://www.zahnarzt-mueller-koeln.de
    http://www.lepaindantan.fr/
    https://www.trattoria-da-enzo.it/menu?lang=en
    https://peluqueriamaria.es/
    https://www.starbucks.com/store-locator/store/1014527/
    https://www.ikea.com/de/de/stores/berlin-lichtenberg/
    https://www.mcdonalds.com/us/en-us/location/ny/new-york.html
    https://www.rewe.de/marktseite/berlin/240657/
    https://stores.dm.de/de-de/dm-markt/berlin
    https://filialen.aldi-sued.de/koeln/venloer-str-12
    https://www.sparkasse-koelnbonn.de/de/home/filiale.html
    https://restaurants.subway.com/united-states/ca/los-angeles
    https://locations.traderjoes.com/ny/new-york/539
    https://www.tesco.com/store-locator/london/covent-garden
    https://www.allianz.de/vertretung/max.mustermann
    https://vertretung.allianz.de/peter.schmidt/
    https://www.berlin.de/ba-mitte/buergeramt/
    https://www.stadt-koeln.de/leben-in-koeln/bibliothek
    https://www.charite.de/klinik
    https://www.nhm.ac.uk/visit.html
    https://www.stanford.edu/library
    https://www.usps.com/find-location
    https://www.apple.com/retail/fifthavenue/
    https://store.google.com/store/chelsea
    https://www.tesla.com/findus/location/store/berlin
    https://www.autohaus-weber.com/gebrauchtwagen
    https://www.physio-am-markt.de/?utm_source=google&utm_medium=gmb
    https://www.floristeria-lola.com/?gclid=abc
    https://kanzlei-schmidt.berlin/
    https://sushi-mitte.restaurant
    https://the-barber.shop/
    https://yoga.studio/
    https://plumber.london
    https://www.blumen-schneider.gmbh/
    https://www.bäckerei-müller.de/
    https://xn--bckerei-mller-cfb5d.de/
    https://салон-красоты.рф/
    https://www.ramen-tei.co.jp/shop/shibuya
    https://www.pizzapazza.com.br/cardapio
    https://www.gelateria.com.ar/
    https://salon-anna.pl/kontakt
    https://www.kadernictvi-praha.cz/
    https://fodraszat-budapest.hu/
    https://www.friseur-wien.at/team
    https://www.garage-dupont.ch/fr/contact
    https://www.bloemist-amsterdam.nl/
    https://www.restaurant-nord.dk/
    https://www.frisor-oslo.no/
    https://www.tandlakare-stockholm.se/boka
    https://www.parturi-helsinki.fi/
    https://taverna-nikos.gr/
    https://www.kebapci.com.tr/
    https://dental-clinic.com.sg/
    https://www.gymdelhi.in/
    https://www.clinica-dental.com.mx/servicios
    https://lawfirm.co.za/
    https://www.hotel.com.vn/
    https://www.myfacebookmarketing.com/
    https://www.instagramable-cafe.com/
  `,
  social: `
    https://www.facebook.com/cafe.luna.berlin/
    https://facebook.com/profile.php?id=100063541234567
    https://m.facebook.com/pizzeria.roma
    https://de-de.facebook.com/barbershop.koeln
    https://fb.me/bakery
    https://fb.com/joesgarage
    https://www.instagram.com/studio.nails/
    https://instagram.com/flowershop?igshid=abc
    https://www.tiktok.com/@barberking
    https://twitter.com/joesdiner
    https://x.com/joesdiner
    https://mobile.twitter.com/joesdiner
    https://www.youtube.com/channel/UC123
    https://youtu.be/abcdef
    https://www.linkedin.com/company/acme-consulting
    https://de.linkedin.com/in/max-mustermann
    https://www.pinterest.com/flowers/
    https://www.pinterest.de/blumen/
    https://linktr.ee/cafemitte
    https://beacons.ai/nails
    https://lnk.bio/tattoo
    https://linkin.bio/bakery
    https://taplink.cc/salon
    https://bio.link/yoga
    https://campsite.bio/cafe
    https://wa.me/491701234567
    https://api.whatsapp.com/send?phone=4917012345
    https://chat.whatsapp.com/AbCdEf
    https://t.me/salonmoscow
    https://telegram.me/shop
    https://vk.com/club12345
    https://m.vk.com/public55
    https://ok.ru/group/55
    https://www.threads.net/@cafe
    https://www.snapchat.com/add/shop
    https://www.reddit.com/r/shop
    https://medium.com/@coach
    https://www.tumblr.com/blog/tattoo
    https://www.xing.com/pages/kanzlei
    https://vimeo.com/filmstudio
    https://soundcloud.com/dj
    https://www.patreon.com/artist
    https://www.twitch.tv/barcade
    https://discord.gg/abc123
    https://line.me/R/ti/p/@abc
    https://lin.ee/abc
    https://pf.kakao.com/_xabc
    https://blog.naver.com/cafe123
    https://ameblo.jp/salon/
    https://weibo.com/u/123
    https://nextdoor.com/pages/plumber/
    https://bit.ly/3abcdef
    https://tinyurl.com/shop
    https://about.me/lawyer
    https://www.behance.net/studio
    https://flickr.com/photos/studio
    https://bsky.app/profile/shop.bsky.social
    https://www.meetup.com/yoga-berlin/
    https://open.spotify.com/artist/xyz
    https://www.strava.com/clubs/run
  `,
  directory: `
    https://www.yelp.com/biz/joes-pizza-new-york
    https://www.yelp.de/biz/cafe-luna-berlin
    https://m.yelp.co.uk/biz/barber
    https://www.tripadvisor.com/Restaurant_Review-g187323-d123
    https://www.tripadvisor.de/Hotel_Review-g1
    https://www.gelbeseiten.de/gsbiz/123
    https://www.dasoertliche.de/Themen/Zahnarzt
    https://www.11880.com/branchenbuch/koeln/123
    https://www.meinestadt.de/koeln/firma
    https://www.golocal.de/koeln/restaurants/
    https://www.jameda.de/koeln/zahnarzt/
    https://www.pagesjaunes.fr/pros/123
    https://www.paginegialle.it/roma/pizzeria
    https://www.paginasamarillas.es/f/madrid/bar
    https://www.yellowpages.com/new-york/mip/joes
    https://www.yell.com/biz/plumber-london/
    https://www.whitepages.com.au/business
    https://www.yellowpages.ca/bus/1
    https://www.thomsonlocal.com/search/x
    https://www.192.com/business/x
    https://www.cylex.de/firma/x
    https://www.cylex-uk.co.uk/company/x
    https://www.hotfrog.com/company/x
    https://www.foursquare.com/v/cafe/4b
    https://4sq.com/abc
    https://www.angi.com/companylist/us/ny/plumber.htm
    https://www.homeadvisor.com/rated.X.html
    https://www.thumbtack.com/ny/plumber/
    https://www.bbb.org/us/ny/x
    https://www.houzz.com/pro/architect
    https://www.houzz.de/pro/architekt
    https://www.zillow.com/profile/agent
    https://www.realtor.com/realestateagents/x
    https://www.avvo.com/attorneys/x.html
    https://lawyers.findlaw.com/profile/view/1
    https://www.healthgrades.com/dentist/dr-x
    https://www.vitals.com/doctors/x
    https://www.webmd.com/doctor/x
    https://www.anwalt.de/kanzlei-x
    https://www.immobilienscout24.de/anbieter/x
    https://www.mobile.de/haendler/x
    https://home.mobile.de/AUTOHAUS
    https://www.autoscout24.de/haendler/x
    https://www.kleinanzeigen.de/pro/x
    https://www.etsy.com/shop/ceramics
    https://www.ebay.de/usr/shop
    https://www.ebay.co.uk/str/shop
    https://g.page/cafe-luna
    https://goo.gl/maps/abc
    https://maps.app.goo.gl/abc
    https://www.google.com/maps/place/x
    https://maps.apple.com/?q=x
    https://www.bing.com/maps?x=1
    https://2gis.ru/moscow/firm/1
    https://yandex.ru/maps/org/1
    https://yandex.com.tr/maps/org/1
    https://en.wikipedia.org/wiki/Museum
    https://www.justdial.com/Delhi/x
    https://www.indiamart.com/x
    https://tabelog.com/tokyo/A1/
    https://r.gnavi.co.jp/abc/
    https://www.herold.at/gelbe-seiten/x
    https://www.local.ch/de/d/zuerich
    https://firmy.cz/detail/1
    https://www.zoominfo.com/c/x
    https://www.glassdoor.com/Overview/x
    https://www.trustpilot.com/review/x.com
    https://apps.apple.com/app/id1
    https://play.google.com/store/apps/details?id=x
    https://www.groupon.com/biz/x
  `,
  builder: `
    https://joespizza.wixsite.com/home
    https://cafe-luna.weebly.com/
    https://salon-anna.jimdofree.com/
    https://physio.jimdosite.com
    https://tattoo.squarespace.com/contact
    https://plumber-koeln.business.site/
    https://bar.negocio.site
    https://bakery.wordpress.com/
    https://florist.blogspot.com/
    https://florist.blogspot.de/2020/01/x.html
    https://sites.google.com/view/cafe-luna
    https://sites.google.com/site/oldbakery/home
    https://barber.godaddysites.com/
    https://shop.myshopify.com/
    https://mycafe.carrd.co/
    https://studio.webflow.io/
    https://docs.google.com/document/d/abc/edit
    https://drive.google.com/file/d/abc/view
    https://restaurant.eatbu.com/
    https://salon.webnode.com/
    https://salon.webnode.cz/
    https://fryzjer.webnode.page
    https://gym.strikingly.com/
    https://gym.mystrikingly.com
    https://coach.tilda.ws/
    https://shop.ecwid.com/
    https://menu.netlify.app/
    https://menu.vercel.app/
    https://project.github.io/
    https://site.pages.dev
    https://page.firebaseapp.com/
    https://page.web.app
    https://firm.ucoz.ru/
    https://firm.narod.ru/
    https://bar.webador.de/
    https://bar.webador.nl
    https://kapper.jouwweb.nl/
    https://friseur.beepworld.de/
    https://verein.npage.de/
    https://notion.so/Menu-abc
    https://menu.notion.site/
    https://issuu.com/restaurant/docs/menu
    https://www.canva.com/design/DAF/view
    https://brand.my.canva.site/
    https://linkcafe.square.site/
    https://restaurant.yolasite.com
    https://club.e-monsite.com/
    https://garage.pagesperso-orange.fr/
    https://asso.over-blog.com/
    https://pension.estranky.cz/
    https://salong.n.nu/
    https://shop.mitiendanube.com/
    https://loja.lojaintegrada.com.br/
    https://studio.cargo.site
    https://coach.substack.com/
    https://practice.hubspotpagebuilder.com/
    https://firm.odoo.com/
    https://shop.bigcartel.com/
    https://shop.base.shop/
    https://event.mailchimpsites.com/
    https://portfolio.myportfolio.com/
  `,
  booking: `
    https://www.opentable.com/r/joes-new-york
    https://www.opentable.de/r/luna
    https://www.opentable.co.uk/restaurant/profile/1
    https://resy.com/cities/ny/joes
    https://www.exploretock.com/bistro
    https://www.thefork.com/restaurant/x-r1
    https://www.thefork.it/ristorante/x
    https://www.quandoo.de/place/luna-1
    https://www.sevenrooms.com/reservations/bar
    https://www.treatwell.de/ort/salon/
    https://www.treatwell.co.uk/place/salon/
    https://www.fresha.com/a/salon
    https://booksy.com/en-us/1_salon
    https://www.planity.com/salon-paris
    https://salon.as.me/
    https://app.acuityscheduling.com/schedule.php?owner=1
    https://calendly.com/coach/30min
    https://www.vagaro.com/salon
    https://www.styleseat.com/m/v/x
    https://squareup.com/appointments/book/x
    https://www.mindbodyonline.com/explore/locations/yoga
    https://www.doctolib.de/zahnarzt/koeln/x
    https://www.doctolib.fr/dentiste/paris/x
    https://www.zocdoc.com/doctor/x
    https://www.booking.com/hotel/de/luna.html
    https://www.airbnb.com/rooms/1
    https://www.airbnb.de/rooms/1
    https://www.expedia.com/Hotel.h1
    https://www.agoda.com/luna/hotel
    https://www.hotels.com/ho1
    https://www.vrbo.com/1
    https://www.hostelworld.com/hosteldetails.php/x
    https://www.lieferando.de/speisekarte/luna
    https://www.just-eat.co.uk/restaurants-luna
    https://www.ubereats.com/store/luna/1
    https://deliveroo.co.uk/menu/london/luna
    https://wolt.com/de/deu/berlin/restaurant/luna
    https://www.doordash.com/store/luna-1
    https://www.grubhub.com/restaurant/luna/1
    https://glovoapp.com/es/es/madrid/luna
    https://www.foodpanda.sg/restaurant/x
    https://www.zomato.com/delhi/luna
    https://www.swiggy.com/restaurants/luna
    https://www.rappi.com.co/restaurantes/1
    https://www.ifood.com.br/delivery/x
    https://www.toasttab.com/luna
    https://order.toasttab.com/online/luna
    https://www.chownow.com/order/1
    https://luna.gloriafood.com/
    https://www.eventbrite.com/o/club-1
    https://www.eventbrite.de/o/club-1
    https://www.ticketmaster.com/venue/1
    https://www.eventim.de/venue/x
    https://fareharbor.com/kayak/
    https://www.getyourguide.com/tour-s1
    https://www.viator.com/tours/x
    https://luna.lodgify.com/
    https://bookings.zoho.com/portal/x
    https://beauty.hotpepper.jp/slnH1/
    https://www.urbansportsclub.com/en/venues/gym
    https://classpass.com/studios/yoga
    https://n123.yclients.com/
  `,
  none: `
    -
    n/a
    none
    http://
    mailto:info@bakery.com
    tel:+4930123456
    javascript:void(0)
    http://localhost:8080/
    http://192.168.1.1/
    http://10.0.0.5/menu
    info@bakery.com
    https://
    www.
    no website
    http://[::1]/
    http://bakery
    https://shop.local/
    https://mail.google.com/mail/u/0/
  `,
}

const HARD: readonly Listing[] = [
  { url: '/url?q=https://www.cafe-luna.de/&opi=1&sa=U&ved=x', tier: 'has', hard: "the map's own redirect, relative" },
  {
    url: 'https://www.google.com/url?q=https://www.facebook.com/luna&sa=U',
    tier: 'social',
    hard: 'a redirect to a profile',
  },
  {
    url: 'https://www.google.com/url?url=https%3A%2F%2Fluna.wixsite.com%2Fhome',
    tier: 'builder',
    hard: 'a redirect to a builder',
  },
  {
    url: 'https://l.facebook.com/l.php?u=https%3A%2F%2Fcafe-luna.de%2F&h=AT',
    tier: 'has',
    hard: 'a profile link that leads out',
  },
  {
    url: 'https://l.instagram.com/?u=https%3A%2F%2Flinktr.ee%2Fluna&e=AT',
    tier: 'social',
    hard: 'a redirect to a list of links',
  },
  { url: 'https://www-cafe--luna-de.translate.goog/?_x_tr_sl=de', tier: 'has', hard: 'a translated page' },
  { url: 'https://www.google.com/amp/s/www.cafe-luna.de/amp', tier: 'has', hard: 'an AMP page' },
  { url: 'https://facebook.com@cafe-luna.de/', tier: 'has', hard: 'a platform as user name' },
  { url: 'https://www.facebook.com.cafe-luna.de/', tier: 'has', hard: 'a platform as subdomain' },
  { url: 'https://notfacebook.com/luna', tier: 'has', hard: 'a name that ends in a platform' },
  { url: 'https://cafe-luna.de/facebook.com/page', tier: 'has', hard: 'a platform in the path' },
  { url: 'https://cafe-luna.de/?ref=instagram.com', tier: 'has', hard: 'a platform in the query' },
  { url: 'https://www.cafe-luna.de/#facebook.com', tier: 'has', hard: 'a platform in the fragment' },
  { url: 'HTTPS://WWW.FACEBOOK.COM/LUNA', tier: 'social', hard: 'upper case' },
  { url: 'https://www.facebook.com.:443/luna', tier: 'social', hard: 'trailing dot and port' },
  { url: 'https:\\\\www.facebook.com\\luna', tier: 'social', hard: 'backslashes' },
  { url: 'http//www.cafe-luna.de', tier: 'has', hard: 'a damaged scheme' },
  { url: 'https://https://www.instagram.com/luna', tier: 'social', hard: 'a scheme written twice' },
  { url: 'www.facebook.com/luna', tier: 'social', hard: 'no scheme' },
  { url: 'cafe-luna.de:8080/menu', tier: 'has', hard: 'host and port without a scheme' },
  { url: 'https%3A%2F%2Fwww.yelp.com%2Fbiz%2Fluna', tier: 'directory', hard: 'percent-encoded as a whole' },
  { url: 'https://www.weebly.com/', tier: 'has', hard: "the builder's own site" },
  { url: 'https://www.wix.com/', tier: 'has', hard: "the builder's own site" },
  { url: 'https://cafe.de.com/', tier: 'has', hard: 'a registry on the private suffix list' },
  { url: 'https://cafe.uk.com/', tier: 'has', hard: 'a registry on the private suffix list' },
  { url: 'https://cafe.eu.org/', tier: 'has', hard: 'a registry on the private suffix list' },
  { url: 'https://www.amazon.com/ulp/locker', tier: 'has', hard: "a chain's own page on a marketplace's domain" },
  { url: 'https://www.amazon.com/shops/luna', tier: 'directory', hard: "a seller's page on the same domain" },
  { url: 'https://www.nhs.uk/services/gp-surgery/x', tier: 'directory', hard: 'an index of practices' },
  { url: 'https://www.stmarys.nhs.uk/', tier: 'has', hard: 'a hospital below the same domain' },
  { url: 'https://yandex.ru/company/offices', tier: 'has', hard: 'the company itself, not its maps' },
  { url: 'https://lineman.line.me/luna', tier: 'booking', hard: 'a booking site below a messenger' },
  { url: 'https://map.kakao.com/?itemId=1', tier: 'directory', hard: 'a map below a messenger' },
  { url: 'https://www.kompass-reisen.de/', tier: 'has', hard: 'a business named like a platform' },
  { url: 'https://www.resy-software.de/', tier: 'has', hard: 'a business named like a platform' },
  {
    url: 'https://book.squareup.com/appointments/x',
    tier: 'booking',
    hard: 'bookings of a company that also builds sites',
  },
  { url: 'whatsapp://send?phone=49170', tier: 'social', hard: 'an app link' },
  { url: 'https://1.1.1.1/', tier: 'has', hard: 'a public address' },
]

const plain = (tier: WebPresence): Listing[] =>
  PLAIN[tier]
    .split('\n')
    .map((line) => line.trim())
    .filter((url) => url !== '')
    .map((url) => ({ url, tier }))

/** All listings, hard cases last. */
export const LISTINGS: readonly Listing[] = [
  ...plain('has'),
  ...plain('social'),
  ...plain('directory'),
  ...plain('builder'),
  ...plain('booking'),
  ...plain('none'),
  ...HARD,
]
