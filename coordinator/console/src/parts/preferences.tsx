import { SegmentedControl, Stack, useMantineColorScheme } from '@mantine/core'
import { LANGUAGES, useLanguage, useTexts } from '../texts/language.ts'
import { shellTexts } from '../texts/shell.ts'

/** The colour scheme and language of this browser. They need no sign-in. */
export function Preferences() {
  const t = useTexts(shellTexts)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { language, choose } = useLanguage()
  return (
    <Stack gap={6}>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={t.theme}
        value={colorScheme}
        onChange={(scheme) => setColorScheme(scheme)}
        data={(['auto', 'light', 'dark'] as const).map((value) => ({ value, label: t.themes[value] }))}
      />
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={t.language}
        value={language}
        onChange={(chosen) => choose(chosen)}
        data={(['en', 'de'] as const).map((value) => ({ value, label: LANGUAGES[value] }))}
      />
    </Stack>
  )
}
