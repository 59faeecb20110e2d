import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** Whether this machine can make an empty Debian: that needs root, debootstrap and Debian's packages. */
export const canMakeDebian = (): boolean =>
  process.getuid?.() === 0 && spawnSync('debootstrap', ['--version']).status === 0

/** An ordinary user of every empty Debian. */
const USER = { name: 'ada', id: 1000 }

/** An empty Debian: the smallest system that debootstrap makes, with certificates, and without Python or a compiler. */
export type Debian = {
  /** Puts a Node and an npm of the registry into the system, and returns the folder for the PATH. */
  install(node: string, npm: string): string
  /** Writes the settings of npm into the home of `user`: an empty text is what a new user has. */
  configure(user: string, npmrc: string): void
  /** Clones the commit of this checkout into the home of `user`. Returns the folder inside. */
  clone(repository: string, user: string): string
  /** Runs a shell script as `user`, with nothing of this process in its environment, until it ends. */
  run(
    script: string,
    options: { user: string; path: string; cwd: string },
  ): Promise<{ code: number | null; said: string; seconds: number }>
  remove(): void
}

/**
 * Makes the folder $1 the root of the mounts, and starts the rest there. A mere chroot would forbid user namespaces,
 * which the sandbox of Chromium needs (user_namespaces(7)).
 */
const ENTER = `mount --rbind "$1" "$1" && cd "$1" && mkdir -p .outside && pivot_root . .outside && umount -l .outside &&
  shift && exec chroot "$@"`

/** Makes an empty Debian of `suite`, e.g. `bookworm`. Its packages come from where the system's own come from. */
export function makeDebian(suite: string): Debian {
  const root = mkdtempSync(join(tmpdir(), `placefleet-${suite}-`))
  chmodSync(root, 0o755)
  execFileSync('debootstrap', ['--variant=minbase', '--include=ca-certificates', suite, root], { stdio: 'ignore' })
  const bundle = process.env.NODE_EXTRA_CA_CERTS
  if (bundle) cpSync(bundle, join(root, 'etc/ssl/certs/ca-certificates.crt'), { dereference: true })
  cpSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'), { dereference: true })
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n') // as Debian's installer does
  execFileSync('chroot', [root, 'useradd', '--uid', `${USER.id}`, '--create-home', USER.name])
  const mounts = [
    ['-t', 'proc', 'proc', join(root, 'proc')],
    ['-t', 'tmpfs', 'tmpfs', join(root, 'dev/shm')],
  ]
  for (const mount of mounts) execFileSync('mount', mount)
  const home = (user: string) => (user === 'root' ? '/root' : `/home/${user}`)

  return {
    install(node, npm) {
      const folder = `/opt/node-${node}-npm-${npm}`
      if (existsSync(join(root, folder))) return join(folder, 'bin')
      const bin = join(root, folder, 'bin')
      mkdirSync(bin, { recursive: true })
      for (const [name, version] of [
        [`node-${process.platform}-${process.arch}`, node],
        ['npm', npm],
      ] as const) {
        const target = join(root, folder, name)
        mkdirSync(target)
        const [archive = ''] = JSON.parse(
          execFileSync('npm', ['pack', '--silent', '--json', `${name}@${version}`], { cwd: target, encoding: 'utf8' }),
        ).map(({ filename }: { filename: string }) => filename)
        execFileSync('tar', ['-xzf', archive, '--strip-components=1'], { cwd: target })
      }
      symlinkSync(`../node-${process.platform}-${process.arch}/bin/node`, join(bin, 'node'))
      for (const name of ['npm', 'npx']) symlinkSync(`../npm/bin/${name}-cli.js`, join(bin, name))
      return join(folder, 'bin')
    },
    configure(user, npmrc) {
      writeFileSync(join(root, home(user), '.npmrc'), npmrc)
    },
    clone(repository, user) {
      const folder = join(home(user), 'placefleet')
      rmSync(join(root, folder), { recursive: true, force: true })
      execFileSync('git', ['clone', '--quiet', repository, join(root, folder)])
      execFileSync('chroot', [root, 'chown', '-R', `${user}:${user}`, folder])
      return folder
    },
    async run(script, { user, path, cwd }) {
      const began = performance.now()
      const env = [
        `PATH=${path}:/usr/bin:/bin`,
        `HOME=${home(user)}`,
        'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt',
      ]
      const command = ['/usr/bin/env', '-i', ...env, '/bin/sh', '-c', `cd ${cwd} || exit 1; ${script}`]
      const child = spawn(
        'unshare',
        ['--mount', '/bin/sh', '-c', ENTER, 'sh', root, `--userspec=${user}:${user}`, '/', ...command],
        { stdio: ['ignore', 'pipe', 'pipe'], detached: true }, // a group of its own, as in a terminal
      )
      const closed = once(child, 'close')
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
      await closed
      return { code: child.exitCode, said: out + err, seconds: Math.round((performance.now() - began) / 1_000) }
    },
    remove() {
      for (const folder of ['dev/shm', 'proc']) execFileSync('umount', ['--lazy', join(root, folder)])
      rmSync(root, { recursive: true, force: true })
    },
  }
}
