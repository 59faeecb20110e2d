import { List, Text, Title } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { OutsideLink } from '../parts/outside-link.tsx'
import { useLanguage, useTexts } from '../texts/language.ts'
import { placesTexts } from '../texts/places.ts'
import type { Place } from './use-places.ts'

/** A place has at most some hundred of each; the exports have them all. */
const SHOWN = 50

/** What the owner offers and posts, and what visitors ask, eat, write about and search for. */
export function PlaceOffers({ place }: { place: Place }) {
  const t = useTexts(placesTexts)
  const { language } = useLanguage()
  const date = (iso: string) => new Date(iso).toLocaleDateString(language, { dateStyle: 'medium' })
  return (
    <>
      <Section
        title={t.services}
        items={place.services?.flatMap(({ name, items }) =>
          items.map(({ name: service, price, description }) => (
            <Entry key={service} label={`${name}: ${service}`} more={price} text={description} />
          )),
        )}
      />
      <Section
        title={t.popularDishes}
        items={place.popular_dishes?.map(({ name, image }) =>
          image ? (
            <OutsideLink key={name} href={image}>
              {name}
            </OutsideLink>
          ) : (
            name
          ),
        )}
      />
      <Section
        title={t.posts}
        items={place.posts?.map(({ text, published_at, link }) => (
          <Fragment key={`${published_at} ${text}`}>
            <Text size="sm" className="prewrap">
              {text}
            </Text>
            <Text size="xs" c="dimmed">
              {published_at && date(published_at)} {link && <OutsideLink href={link}>{t.post}</OutsideLink>}
            </Text>
          </Fragment>
        ))}
      />
      <Section
        title={t.questions}
        items={place.questions?.map(({ question, answers }) => (
          <Entry key={question} label={question} text={answers.join('\n')} />
        ))}
      />
      <Section title={t.reviewTopics} items={place.review_topics?.map(({ topic, count }) => `${topic} (${count})`)} />
      <Section
        title={t.alsoSearched}
        items={place.also_searched?.map(({ title, rating }) => (rating ? `${title} (★ ${rating})` : title))}
      />
    </>
  )
}

function Section({ title, items = [] }: { title: string; items: ReactNode[] | undefined }) {
  const t = useTexts(placesTexts)
  if (items.length === 0) return null
  const rows = items.slice(0, SHOWN).map((item, position) => ({ item, key: `${title} ${position}` }))
  return (
    <section aria-label={title}>
      <Title order={3} size="h5">
        {title} ({items.length})
      </Title>
      <List size="sm" className="breakable">
        {rows.map(({ item, key }) => (
          <List.Item key={key}>{item}</List.Item>
        ))}
      </List>
      {items.length > SHOWN && (
        <Text size="xs" c="dimmed">
          {t.more(items.length - SHOWN)}
        </Text>
      )}
    </section>
  )
}

function Entry({ label, more, text }: { label: string; more?: string | undefined; text?: string | undefined }) {
  return (
    <>
      {label} {more && <Text span>– {more}</Text>}
      {text && (
        <Text size="sm" c="dimmed" className="prewrap">
          {text}
        </Text>
      )}
    </>
  )
}
