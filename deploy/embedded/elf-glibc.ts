/**
 * Functions whose baseline version is equivalent for the engine's calls (the C23 variants only add binary literals).
 */
const SAME_IN_BASELINE = new Set(['strtol', 'strtoul', 'strtoll', 'strtoull', 'sscanf', 'fscanf', 'fmod'])
const C23_PREFIX = '__isoc23_'

/** The first glibc version of each processor, by the ELF header's e_machine. */
const BASELINE: Record<number, string> = { 62: 'GLIBC_2.2.5', 183: 'GLIBC_2.17' }

const SHT_DYNSYM = 11
const SHT_GNU_VERNEED = 0x6ffffffe
const SHT_GNU_VERSYM = 0x6fffffff

type Section = { type: number; offset: number; size: number; link: number; info: number }

/**
 * Rebinds the symbols of a 64-bit little-endian ELF library that require a glibc newer than 2.`minor` to the baseline
 * version, which every glibc has. Changes `file` in place and returns the changed names.
 * @throws Error when `file` is not such a library or a symbol has no older equivalent; then `file` is unusable.
 *
 * Layout: https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.sheader.html and
 * https://refspecs.linuxfoundation.org/LSB_5.0.0/LSB-Core-generic/LSB-Core-generic/symversion.html
 */
export function lowerGlibc(file: Buffer, minor: number): string[] {
  const baseline = baselineOf(file)
  const sections = readSections(file)
  const dynsym = sectionOfType(sections, SHT_DYNSYM)
  const strings = sections[dynsym.link]
  if (!strings) throw new Error('the ELF file has no dynamic string table')
  const text = (at: number) => file.toString('latin1', strings.offset + at, file.indexOf(0, strings.offset + at))
  const lowered = lowerVersions(file, sectionOfType(sections, SHT_GNU_VERNEED), { text, baseline, minor })
  return lowerSymbols(file, dynsym, sectionOfType(sections, SHT_GNU_VERSYM), { text, lowered })
}

function baselineOf(file: Buffer): string {
  const isElf64Little = file.length > 64 && file.readUInt32BE(0) === 0x7f454c46 && file[4] === 2 && file[5] === 1
  if (!isElf64Little) throw new Error('not a 64-bit little-endian ELF file')
  const baseline = BASELINE[file.readUInt16LE(18)]
  if (!baseline) throw new Error('the ELF file is for another kind of processor')
  return baseline
}

function readSections(file: Buffer): Section[] {
  const table = Number(file.readBigUInt64LE(40))
  const [entrySize, count] = [file.readUInt16LE(58), file.readUInt16LE(60)]
  return Array.from({ length: count }, (_, i) => {
    const at = table + i * entrySize
    return {
      type: file.readUInt32LE(at + 4),
      offset: Number(file.readBigUInt64LE(at + 24)),
      size: Number(file.readBigUInt64LE(at + 32)),
      link: file.readUInt32LE(at + 40),
      info: file.readUInt32LE(at + 44),
    }
  })
}

function sectionOfType(sections: Section[], type: number): Section {
  const found = sections.find((section) => section.type === type)
  if (!found) throw new Error(`the ELF file has no section of type 0x${type.toString(16)}`)
  return found
}

type VersionContext = { text: (at: number) => string; baseline: string; minor: number }

/**
 * Replaces versions that are too new by the baseline of the same library. Returns the new version index by the old one.
 */
function lowerVersions(file: Buffer, verneed: Section, { text, baseline, minor }: VersionContext): Map<number, number> {
  const lowered = new Map<number, number>()
  for (let i = 0, at = verneed.offset; i < verneed.info; i++, at += file.readUInt32LE(at + 12)) {
    const versions = versionsOf(file, at).map((entry) => ({ entry, name: text(file.readUInt32LE(entry + 8)) }))
    const base = versions.find(({ name }) => name === baseline)
    for (const { entry, name } of versions.filter(({ name }) => isNewer(name, minor))) {
      if (!base) throw new Error(`no older version to fall back to for ${name}`)
      lowered.set(file.readUInt16LE(entry + 6), file.readUInt16LE(base.entry + 6))
      file.copy(file, entry, base.entry, base.entry + 4) // hash
      file.copy(file, entry + 8, base.entry + 8, base.entry + 12) // name
    }
  }
  return lowered
}

function versionsOf(file: Buffer, need: number): number[] {
  const entries: number[] = []
  for (let i = 0, at = need + file.readUInt32LE(need + 8); i < file.readUInt16LE(need + 2); i++) {
    entries.push(at)
    at += file.readUInt32LE(at + 12)
  }
  return entries
}

function isNewer(version: string, minor: number): boolean {
  const found = /^GLIBC_2\.(\d+)$/.exec(version)
  return found !== null && Number(found[1]) > minor
}

type SymbolContext = { text: (at: number) => string; lowered: Map<number, number> }

function lowerSymbols(file: Buffer, dynsym: Section, versym: Section, { text, lowered }: SymbolContext): string[] {
  const changed: string[] = []
  for (let i = 0; i < dynsym.size / 24; i++) {
    const version = lowered.get(file.readUInt16LE(versym.offset + i * 2) & 0x7fff)
    if (version === undefined) continue
    const at = dynsym.offset + i * 24
    const name = text(file.readUInt32LE(at))
    // The older name is a suffix of the newer one, so the string table already contains it.
    const skip = name.startsWith(C23_PREFIX) ? C23_PREFIX.length : 0
    if (!SAME_IN_BASELINE.has(name.slice(skip))) throw new Error(`no older equivalent of ${name}`)
    file.writeUInt32LE(file.readUInt32LE(at) + skip, at)
    file.writeUInt16LE(version, versym.offset + i * 2)
    changed.push(name)
  }
  return changed
}
