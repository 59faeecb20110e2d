import { chance } from '../random.ts'
import { categoryOf } from './categories.ts'

// None of these words names one of the city's categories in any language, so the expected results of a keyword are
// unambiguous.
const NAMES =
  'Luna|Nova|Aurora|Orion|Vega|Maple|Cedar|Willow|Harbor|Bridge|Lantern|Copper|Silver|Golden|Amber|Indigo|Scarlet|' +
  'Meadow|River|Summit|Valley|Forest|Linden|Falcon|Heron|Sparrow|Otter|Panda|Tiger|Corner|Market|Station|Garden|' +
  'Sunrise|Moonlight|Castle|Anchor|Compass|Velvet|Pepper'

/** Unusual titles; "*" is the name. */
const UNUSUAL = '* & Söhne|*’s|"*"|Zażółć *|🍀 * 🍀|שלום *|* نور|東京 *|* <3|* 100% + more|Œuvre d\'*|* / *\\Co'

const NAME_SALT = 11

/** Returns the plain name of a place, which its website and addresses contain. */
export function plainName(seed: number, index: number): string {
  return chance(seed, index, NAME_SALT).pickText(NAMES)
}

/** Returns a place's title: name, its category's word and its number. About one in eight has unusual characters. */
export function titleOf(seed: number, index: number): string {
  const dice = chance(seed, index, NAME_SALT + 1)
  const name = plainName(seed, index)
  const shown = dice.happens(0.12) ? dice.pickText(UNUSUAL).replaceAll('*', name) : name
  return `${shown} ${categoryOf(index).word} ${index}`
}

/** Returns the title in the city's own language, for the few places where it differs. */
export function localTitleOf(seed: number, index: number): string | undefined {
  const dice = chance(seed, index, NAME_SALT + 2)
  return dice.happens(0.08) ? `${plainName(seed, index)} (örtlicher Name)` : undefined
}
