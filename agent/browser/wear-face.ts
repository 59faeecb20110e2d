import type { CDPSession } from 'playwright'
import { type Face, languagesOf } from './face.ts'

/** Lets a page of Chromium say of itself what our plain requests say: in its headers, and to the scripts of its pages. */
export async function wearFace(session: CDPSession, face: Face, version: string, language: string): Promise<void> {
  const full = face.brands.map(({ brand, version: known }) => ({
    brand,
    version: brand === 'Chromium' ? version : `${known}.0.0.0`,
  }))
  await session.send('Emulation.setUserAgentOverride', {
    userAgent: face.userAgent,
    acceptLanguage: languagesOf(language).join(','),
    platform: 'Linux x86_64',
    userAgentMetadata: {
      brands: [...face.brands],
      fullVersionList: full,
      platform: 'Linux',
      platformVersion: '',
      architecture: 'x86',
      bitness: '64',
      model: '',
      mobile: false,
      wow64: false,
    },
  })
}
