import { Anchor, Text, VisuallyHidden } from '@mantine/core'
import { commonTexts } from '../texts/common.ts'
import { useTexts } from '../texts/language.ts'

/** A URL from collected data: a link when it is safe to follow, otherwise a text. */
export function OutsideLink({ href, children }: { href: string; children?: string }) {
  const t = useTexts(commonTexts)
  const url = webUrl(href)
  const text = children ?? shortened(href)
  if (url === undefined) return <Text span>{text}</Text>
  return (
    <Anchor href={url} target="_blank" rel="noopener noreferrer nofollow" className="breakable" inherit>
      {text}
      <VisuallyHidden> ({t.newTab})</VisuallyHidden>
    </Anchor>
  )
}

/** Returns the URL if it uses http or https. */
function webUrl(href: string): string | undefined {
  const url = URL.parse(href)
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href : undefined
}

const shortened = (href: string): string => href.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')
