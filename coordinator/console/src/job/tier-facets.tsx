import { Chip, Group } from '@mantine/core'
import { WEB_PRESENCE_TIERS, type WebPresence } from '@placefleet/shared/web-presence/tiers'
import type { Schemas } from '../api/client.ts'
import { count } from '../parts/formats.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { placesTexts } from '../texts/places.ts'

type TierFacetsProps = {
  counts: Schemas['WebPresenceCounts']
  chosen: readonly WebPresence[]
  onChange(chosen: WebPresence[]): void
}

/** The website tiers with their place counts. A click filters by tier. */
export function TierFacets({ counts, chosen, onChange }: TierFacetsProps) {
  const t = useTexts(placesTexts)
  const { language } = useLanguage()
  const all = WEB_PRESENCE_TIERS.reduce((sum, tier) => sum + counts[tier], 0)
  return (
    <Group gap="xs" role="group" aria-label={t.tiersLabel}>
      <Chip size="xs" variant="light" checked={chosen.length === 0} onChange={() => onChange([])}>
        {t.all} ({count(all, language)})
      </Chip>
      {WEB_PRESENCE_TIERS.map((tier) => (
        <Chip
          key={tier}
          size="xs"
          variant="light"
          checked={chosen.includes(tier)}
          onChange={(checked) => onChange(checked ? [...chosen, tier] : chosen.filter((one) => one !== tier))}
        >
          {t.tiers[tier]} ({count(counts[tier], language)})
        </Chip>
      ))}
    </Group>
  )
}

/** Returns the tiers in the page's URL, in their fixed order. None means all. */
export function tiersIn(params: URLSearchParams): WebPresence[] {
  const chosen = (params.get('web_presence') ?? '').split(',')
  return WEB_PRESENCE_TIERS.filter((tier) => chosen.includes(tier))
}
