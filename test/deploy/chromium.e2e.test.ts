import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { findChromium } from '@placefleet/agent/browser/find-chromium'
import { type ChromiumProgram, unpackChromium, unpackInto } from '@placefleet/agent/browser/unpack-chromium'
import { chromium } from 'playwright'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { unlessLacking } from '../harness/needs.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'
import { secondLook, volume } from '../harness/volume.ts'

async function openPage({ executablePath, env }: ChromiumProgram) {
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    chromiumSandbox: process.getuid?.() !== 0,
  })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto('about:blank')
  return page
}

test('a package that is unpacked twice at once is there once, and complete', async () => {
  const bin = temporaryDir()
  const noFiles = brotliCompressSync(Buffer.alloc(1_024)) // a tar without files
  for (const name of ['fonts.tar.br', 'al2023.tar.br']) writeFileSync(join(bin, name), noFiles)
  writeFileSync(join(bin, 'chromium.br'), brotliCompressSync('the program'))
  const cacheDir = temporaryDir()
  const target = join(cacheDir, 'chromium')

  await Promise.all([unpackInto(target, bin), unpackInto(target, bin)])

  expect(readdirSync(cacheDir)).toEqual(['chromium'])
  expect(readFileSync(join(target, 'chromium'), 'utf8')).toBe('the program')
})

const hasPackage = process.platform === 'linux' && process.arch === 'x64'
const withoutPlaywright = unlessLacking("no Chromium of Playwright's", !existsSync(chromium.executablePath()))

unlessLacking('Linux on x64', hasPackage).describe('Chromium', () => {
  // Unpacking takes seconds, so all tests use the cache of a user without a home.
  const temporary = temporaryDir(afterAll)
  const cacheDir = join(temporary, `placefleet-cache-${process.getuid?.()}`)

  // The console's tests run the Chromium of the package, which is unpacked once a machine.
  secondLook('of the npm package is unpacked once, and runs with its own libraries and fonts', async () => {
    const first = await unpackChromium(cacheDir)
    const program = statSync(first.executablePath)
    expect(await unpackChromium(cacheDir)).toEqual(first)
    expect(statSync(first.executablePath).ino).toBe(program.ino)
    expect(readdirSync(cacheDir)).toHaveLength(1)
    const dir = join(first.executablePath, '..')
    const env = { LD_LIBRARY_PATH: join(dir, 'nss', 'lib'), FONTCONFIG_PATH: dir }
    expect(existsSync(join(env.LD_LIBRARY_PATH, 'libnss3.so'))).toBe(true)
    const page = await openPage({ ...first, env })
    await page.setContent('<span style="font: 40px sans-serif">Placefleet</span>')
    expect((await page.locator('span').boundingBox())?.width).toBeGreaterThan(0)
  })

  test('is found and opens a page', async () => {
    const page = await openPage(await findChromium({ cacheDir }))
    expect(page.url()).toBe('about:blank')
  })

  if (volume(false, true)) {
    withoutPlaywright.test('is kept below TMPDIR for a user without a home', async () => {
      vi.stubEnv('TMPDIR', temporary)
      onTestFinished(() => void vi.unstubAllEnvs())
      const { executablePath } = await findChromium({ env: { PATH: '', HOME: '/proc/none' } })
      expect(executablePath.startsWith(cacheDir)).toBe(true)
    })
  }

  test('named by CHROMIUM_PATH is used unchanged, and a wrong name is an error', async () => {
    const env = { CHROMIUM_PATH: process.execPath }
    expect(await findChromium({ env })).toEqual({ executablePath: process.execPath, env: {} })
    await expect(findChromium({ env: { CHROMIUM_PATH: '/nowhere/chromium' } })).rejects.toMatchObject({
      problem: { cause: 'not_found', output: expect.stringContaining('/nowhere/chromium') },
    })
  })

  withoutPlaywright.test('on the PATH is taken only when it runs', async () => {
    const dir = temporaryDir()
    writeFileSync(join(dir, 'chromium'), '#!/bin/sh\necho "install the snap" >&2\nexit 1\n', { mode: 0o755 })
    symlinkSync(process.execPath, join(dir, 'google-chrome'))
    const found = await findChromium({ env: { PATH: dir } })
    expect(found).toEqual({ executablePath: join(dir, 'google-chrome'), env: {} })
  })
})
