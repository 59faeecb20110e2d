import { renderGuide } from '@placefleet/coordinator/guides/guides'
import { expect, test } from 'vitest'

const text =
  '[Jobs](jobs.md#an-area), [chart](../../deploy/helm/README.md#updates), [site](https://example.com), [up](#x)'

test('a guide links to the pages of other guides, and only names the other files of the repository', () => {
  expect(renderGuide(text)).toBe(
    '<p><a href="/guides/jobs#an-area">Jobs</a>, chart (deploy/helm/README.md), <a href="https://example.com">site</a>, <a href="#x">up</a></p>\n',
  )
})
